// Motion of the camera in a video: a turntable, or a path through keys from a TOML file.
#pragma once

#include <string>
#include <vector>

#include "render/camera.h"
#include "sim/base/data/node.h"
#include "sim/base/error.h"

namespace vw::cli {

/// Key of a camera path: pose of the camera at one time of the video.
struct CameraKey {
  double time_s = 0;        ///< time of the video [s]
  Vec3 eye{0.6, 0.4, 0.8};  ///< [m]
  Vec3 target{0, 0.1, 0};   ///< [m]
  double fov_deg = 0;       ///< vertical field of view [degrees]; 0 means the field of view of the scene's camera
};

class CameraPath {
 public:
  CameraPath() = default;
  /// Reads the keys `[[key]]` of a file. Their times must increase. An error names the file, the line and the key.
  [[nodiscard]] static Result<CameraPath> open(const std::string& file);
  [[nodiscard]] static Result<CameraPath> parse(const std::string& text, const std::string& file);

  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] double end_s() const { return keys_.back().time_s; }
  /// Returns the camera at a time of the video. Before the first key and after the last key, the camera rests. Between
  /// keys, the target, the direction to the eye and the logarithm of the distance follow cubic splines. Due to the
  /// logarithm, a zoom looks uniform. `base` gives the field of view of keys without a field of view.
  [[nodiscard]] Camera at(double time_s, const Camera& base) const;

 private:
  std::vector<CameraKey> keys_;
};

/// Motion of the camera in a video.
struct CameraMotion {
  double turn_s = 0;  ///< time of a full turn about the target [s]; 0 means no turntable
  CameraPath path;
  [[nodiscard]] bool moves() const { return turn_s > 0 || !path.empty(); }
  /// Returns the duration of the motion [s].
  [[nodiscard]] double duration_s() const { return path.empty() ? turn_s : path.end_s(); }
  [[nodiscard]] Camera at(double video_s, const Camera& base) const;
};

}  // namespace vw::cli
