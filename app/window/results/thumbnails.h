// Thumbnails of scenes. One background thread draws the thumbnails without OpenGL. The thumbnails are cached as PNG
// files in the user's cache folder.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

constexpr int thumbnail_width = 320, thumbnail_height = 180;
/// Simulates the scene and draws it as seen by the scene's camera. The simulation ends after 0.5 s of simulated time or
/// 0.5 s of wall time. If `stop` is set, the function returns an error at the next step.
[[nodiscard]] Result<Image> draw_thumbnail(const std::string& scene, const std::atomic<bool>& stop);

class Thumbnails {
 public:
  /// `folder` is the cache folder. If `folder` is empty, thumbnails are not cached.
  explicit Thumbnails(std::string folder) : folder_(std::move(folder)) {}
  /// Stops the thumbnail in progress at the next simulation step and waits for the thread.
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  struct Ready {
    std::string scene;  ///< path of the scene file
    Image image;        ///< thumbnail; empty if the scene could not be drawn
  };
  /// Replaces the list of scene files whose thumbnails are wanted. The most urgent file comes first. A thumbnail in
  /// progress is completed.
  void want(std::vector<std::string> scenes);
  /// Returns the thumbnails completed since the last call.
  [[nodiscard]] std::vector<Ready> take();
  [[nodiscard]] bool busy() const;
  /// Path of the cached thumbnail of a scene. The file name contains hashes of the scene's path and of its content, so
  /// an edited scene gets a new thumbnail. Empty if the scene file cannot be read.
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
