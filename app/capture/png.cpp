// Reads and writes PNG files with the simplified interface of libpng, which returns errors by value and writes the sRGB
// chunk.
#include <cstddef>

#include <fmt/format.h>
#include <png.h>

#include "app/capture/capture.h"
#include "app/capture/embedded_moment.h"
#include "sim/base/files/file.h"

namespace vw {
namespace {

std::vector<std::uint8_t> without_alpha(const Image& image) {
  const std::size_t pixels = image.rgba.size() / 4;
  std::vector<std::uint8_t> rgb(3 * pixels);
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t c = 0; c < 3; ++c) rgb[3 * i + c] = image.rgba[4 * i + c];
  return rgb;
}

}  // namespace

Result<std::string> png_bytes(const Image& image, AlphaChannel alpha) {
  const auto pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (image.width <= 0 || image.height <= 0 || image.rgba.size() != 4 * pixels)
    return fail(fmt::format("a picture of {} x {} pixels cannot be written: its size does not match its data",
                            image.width, image.height));
  const bool keeps_alpha = alpha == AlphaChannel::kept;
  const auto rgb = keeps_alpha ? std::vector<std::uint8_t>() : without_alpha(image);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = keeps_alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  // With fast compression, an 8K picture takes about a second. The file is 10 % larger than at the slowest level.
  header.flags = PNG_IMAGE_FLAG_FAST;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
  png_alloc_size_t size = bytes.size();
  const std::uint8_t* data = keeps_alpha ? image.rgba.data() : rgb.data();
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, data, 0, nullptr) == 0)
    return fail(fmt::format("the picture cannot be compressed: {}", header.message));
  bytes.resize(size);
  return bytes;
}

Result<void> write_png(const Image& image, const std::string& path, std::string_view moment, AlphaChannel alpha) {
  auto bytes = png_bytes(image, alpha);
  if (!bytes) return wrong_file(path, bytes.error().message());
  if (!moment.empty()) bytes->insert(png_header_bytes, png_moment_chunk(moment));
  return write_file_atomic(path, *bytes);
}

Result<Image> read_png(const std::string& path, std::size_t limit_px) {
  const auto bytes = read_file(path, 8 * static_cast<std::uint64_t>(limit_px) + 65536);
  if (!bytes) return Unexpected(bytes.error());
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&header, bytes->data(), bytes->size()) == 0)
    return wrong_file(path, fmt::format("is not a PNG picture: {}", header.message));
  const auto pixels = static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.height);
  if (pixels > limit_px) {
    png_image_free(&header);
    return wrong_file(path, fmt::format("the picture has {} pixels: expected at most {}", pixels, limit_px));
  }
  header.format = PNG_FORMAT_RGBA;
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), std::vector<std::uint8_t>(4 * pixels)};
  if (png_image_finish_read(&header, nullptr, image.rgba.data(), 0, nullptr) == 0)
    return wrong_file(path, fmt::format("the picture cannot be read: {}", header.message));
  return image;
}

}  // namespace vw
