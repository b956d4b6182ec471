// Thumbnails of scenes, drawn without OpenGL on one background thread and cached as PNG files in the user's cache
// folder.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

/// $XDG_CACHE_HOME/voxwake, else ~/.cache/voxwake; empty if neither variable is set.
[[nodiscard]] std::string cache_folder();

constexpr int thumbnail_width = 320, thumbnail_height = 180;
/// Draws the scene from its camera after 0.5 simulated seconds, or after the simulated time that is reached in 0.5 s of
/// wall time. Stops early with an error if `stop` is set.
[[nodiscard]] Result<Image> draw_thumbnail(const std::string& scene, const std::atomic<bool>& stop);

class Thumbnails {
 public:
  /// `folder` is the cache folder. If it is empty, thumbnails are not cached.
  explicit Thumbnails(std::string folder) : folder_(std::move(folder)) {}
  /// Waits for the thumbnail in progress, which stops at its next step.
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  struct Ready {
    std::string scene;  ///< path of the scene
    Image image;        ///< empty if it could not be drawn
  };
  /// Replaces the list of scene files whose thumbnails are wanted, most urgent first. A thumbnail in progress is
  /// completed.
  void want(std::vector<std::string> scenes);
  /// Thumbnails completed since the last call.
  [[nodiscard]] std::vector<Ready> take();
  [[nodiscard]] bool busy() const;
  /// Path of the cached thumbnail of a scene. The name contains a hash of the scene file, so that editing the scene
  /// invalidates the thumbnail.
  [[nodiscard]] static std::string file_of(const std::string& folder, const std::string& scene);

 private:
  void work();
  [[nodiscard]] Image picture_of(const std::string& scene) const;

  std::string folder_;
  mutable std::mutex mutex_;
  std::vector<std::string> wanted_;
  std::string under_way_;
  std::vector<Ready> ready_;
  bool working_ = false;
  std::atomic<bool> stop_ = false;
  Background worker_;
};

}  // namespace vw
