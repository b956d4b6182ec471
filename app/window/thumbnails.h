// Small pictures of scenes, drawn without OpenGL on one background thread and kept as PNG files in the user's cache folder.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

/// $XDG_CACHE_HOME/voxwake, else ~/.cache/voxwake; empty where neither is set.
[[nodiscard]] std::string cache_folder();

constexpr int thumbnail_width = 320, thumbnail_height = 180;
/// The scene as its camera sees it after about half a simulated second, or as far as it gets in as long a time. Stops early with an error when `stop`
/// is set.
[[nodiscard]] Result<Image> draw_thumbnail(const std::string& scene, const std::atomic<bool>& stop);

class Thumbnails {
 public:
  /// `folder` is the cache folder. If it is empty, thumbnails are not cached.
  explicit Thumbnails(std::string folder) : folder_(std::move(folder)) {}
  /// Waits for the picture under way, which ends at its next step.
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  struct Ready {
    std::string scene;  ///< path
    Image image;        ///< empty: it could not be drawn
  };
  /// The scene files whose pictures are wanted now, the first first, in place of those of the last call. What is being drawn is finished.
  void want(std::vector<std::string> scenes);
  /// Pictures that are ready since the last call.
  [[nodiscard]] std::vector<Ready> take();
  [[nodiscard]] bool busy() const;
  /// Path of the cached thumbnail of a scene. The name contains a hash of the scene file, so that editing the scene invalidates the thumbnail.
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
