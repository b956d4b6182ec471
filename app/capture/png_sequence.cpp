// Video as numbered pictures, for builds without FFmpeg and for editing in other programs.
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/capture/embedded_moment.h"
#include "app/capture/frame_encoder.h"
#include "sim/base/files/file.h"

namespace vw {
namespace {

// Maximum file size of a picture. The limit exceeds the size of an incompressible picture of 16384 x 16384 pixels with
// 4 bytes per pixel.
constexpr std::uint64_t max_picture_bytes = std::uint64_t{2} << 30;

class PngSequence final : public FrameEncoder {
 public:
  explicit PngSequence(std::string folder) : folder_(std::move(folder)) {}
  Result<void> write(const Image& frame) override {
    forget_older_moment();
    return write_png(frame, name(++count_));
  }
  Result<void> repeat() override {
    const auto last = read_file(name(count_), max_picture_bytes);
    if (!last) return Unexpected(last.error());
    return write_file_atomic(name(++count_), *last);
  }
  [[nodiscard]] bool has(std::size_t number, std::filesystem::file_time_type since) const override {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(name(number), error);
    return !error && written >= since;
  }
  void keep() override { ++count_; }
  Result<void> embed(std::string moment) override {
    has_own_moment_ = true;
    return write_file_atomic(moment_file().string(), moment);
  }
  Result<void> finish() override { return {}; }

 private:
  [[nodiscard]] std::filesystem::path moment_file() const {
    return std::filesystem::path(folder_) / moment_of_pictures;
  }
  /// Removes the moment of an earlier video in this folder, because the new pictures would open with its scene. If this
  /// video has a moment, embed() replaces the file.
  void forget_older_moment() {
    if (std::exchange(has_own_moment_, true)) return;
    std::error_code ignored;
    std::filesystem::remove(moment_file(), ignored);
  }
  [[nodiscard]] std::string name(std::size_t number) const {
    return fmt::format("{}/frame_{:06}.png", folder_, number);
  }

  std::string folder_;
  std::size_t count_ = 0;
  bool has_own_moment_ = false;  ///< whether the file of the moment belongs to this video, or does not exist
};

}  // namespace

Result<std::unique_ptr<FrameEncoder>> open_png_sequence(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return wrong_file(folder, "the folder cannot be created: " + error.message());
  return std::make_unique<PngSequence>(folder);
}

}  // namespace vw
