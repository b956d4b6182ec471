// Writes animated GIF without FFmpeg, whose encoder uses one fixed palette. Each frame contains only the rectangle that
// has changed, with a palette for this rectangle. Colours are chosen by median cut (P. Heckbert, "Color image
// quantization for frame buffer display", 1982). With ordered dithering, areas at rest do not flicker. Source of the
// format: CompuServe, "Graphics Interchange Format, version 89a", 1990.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/capture/frame_encoder.h"
#include "sim/base/files/atomic_file.h"

namespace vw {
namespace {

using GifColor = std::array<int, 3>;

/// Rectangle of a frame: the pixels with x0 <= x < x1 and y0 <= y < y1.
struct GifRectangle {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  [[nodiscard]] bool is_empty() const { return x0 >= x1; }
};

/// Cells of the colour histogram, with 5 bits per channel.
constexpr int cell_bits = 5;
constexpr std::size_t gif_cells = std::size_t{1} << (3 * cell_bits);

std::size_t cell_of(const GifColor& c) {
  constexpr int drop = 8 - cell_bits;
  return static_cast<std::size_t>((c[0] >> drop) << (2 * cell_bits) | (c[1] >> drop) << cell_bits | c[2] >> drop);
}

/// A colour that occurs in the picture, and the number of pixels of this colour.
struct CountedColor {
  GifColor color;
  std::uint32_t count;
};

/// Chooses a palette of at most 256 colours.
std::vector<GifColor> median_cut(std::vector<CountedColor>& colors) {
  struct Group {
    std::size_t begin, end;
    int axis, spread;
  };
  const auto group_of = [&](std::size_t begin, std::size_t end) {
    Group group{begin, end, 0, -1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [low, high] = std::minmax_element(
          colors.begin() + static_cast<std::ptrdiff_t>(begin), colors.begin() + static_cast<std::ptrdiff_t>(end),
          [axis](const CountedColor& a, const CountedColor& b) { return a.color[axis] < b.color[axis]; });
      if (high->color[axis] - low->color[axis] > group.spread)
        group = {begin, end, static_cast<int>(axis), high->color[axis] - low->color[axis]};
    }
    return group;
  };
  constexpr std::size_t most = 256;
  std::vector<Group> groups{group_of(0, colors.size())};
  while (groups.size() < most) {
    const auto widest = std::max_element(groups.begin(), groups.end(),
                                         [](const Group& a, const Group& b) { return a.spread < b.spread; });
    if (widest->spread <= 0) break;
    const Group split = *widest;
    const auto axis = static_cast<std::size_t>(split.axis);
    const auto first = colors.begin() + static_cast<std::ptrdiff_t>(split.begin),
               last = colors.begin() + static_cast<std::ptrdiff_t>(split.end);
    std::sort(first, last, [axis](const CountedColor& a, const CountedColor& b) {
      return a.color[axis] != b.color[axis] ? a.color[axis] < b.color[axis] : a.color < b.color;
    });
    std::uint64_t total = 0, passed = 0;
    for (auto it = first; it != last; ++it) total += it->count;
    std::size_t middle = split.begin;
    while (middle + 1 < split.end && 2 * (passed + colors[middle].count) <= total) passed += colors[middle++].count;
    middle = std::clamp(middle, split.begin + 1, split.end - 1);
    *widest = group_of(split.begin, middle);
    groups.push_back(group_of(middle, split.end));
  }
  std::vector<GifColor> palette;
  for (const Group& group : groups) {
    std::array<std::uint64_t, 3> sum{};
    std::uint64_t count = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      for (std::size_t c = 0; c < 3; ++c) sum[c] += static_cast<std::uint64_t>(colors[i].color[c]) * colors[i].count;
      count += colors[i].count;
    }
    GifColor mean{};
    for (std::size_t c = 0; c < 3; ++c) mean[c] = static_cast<int>(sum[c] / std::max<std::uint64_t>(count, 1));
    palette.push_back(mean);
  }
  return palette;
}

/// Compresses palette indices with eight bits per pixel.
std::string lzw(const std::vector<std::uint8_t>& pixels) {
  constexpr unsigned clear = 256, end = 257, first_free = 258, largest = 4096;
  std::string out;
  std::uint32_t held = 0;
  unsigned held_bits = 0, code_bits = 9, next = first_free;
  const auto put = [&](unsigned code) {
    held |= code << held_bits;
    for (held_bits += code_bits; held_bits >= 8; held_bits -= 8, held >>= 8U) out += static_cast<char>(held & 0xFFU);
  };
  // Element 256 * code + byte is the code of the sequence that is longer by this byte, or 0 if there is none.
  std::vector<std::uint16_t> longer(std::size_t{largest} * 256, 0);
  put(clear);
  unsigned code = pixels[0];
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    std::uint16_t& known = longer[std::size_t{code} * 256 + pixels[i]];
    if (known != 0) {
      code = known;
      continue;
    }
    put(code);
    if (next < largest) {
      known = static_cast<std::uint16_t>(next);
      // The decoder's table is one entry behind, so the width of the codes grows one entry later.
      if (next == 1U << code_bits) ++code_bits;
      ++next;
    } else {
      put(clear);
      std::fill(longer.begin(), longer.end(), std::uint16_t{0});
      code_bits = 9;
      next = first_free;
    }
    code = pixels[i];
  }
  put(code);
  // The decoder adds an entry for the last code too, after which it may expect a wider code.
  if (next < largest && next == 1U << code_bits) ++code_bits;
  put(end);
  if (held_bits > 0) out += static_cast<char>(held & 0xFFU);
  return out;
}

class GifEncoder final : public FrameEncoder {
 public:
  GifEncoder(std::string path, const VideoOptions& options) : path_(std::move(path)), options_(options) {}
  [[nodiscard]] Result<void> open();
  Result<void> write(const Image& frame) override;
  Result<void> repeat() override {
    ++shown_;
    return {};
  }
  /// A GIF file stores no moment.
  Result<void> embed(std::string moment) override {
    (void)moment;
    return {};
  }
  Result<void> finish() override;

 private:
  void put16(int v) {
    out_ += static_cast<char>(v & 0xFF);
    out_ += static_cast<char>(v >> 8 & 0xFF);
  }
  [[nodiscard]] GifRectangle changed(const Image& frame) const;
  [[nodiscard]] GifColor pixel(int x, int y) const {
    const std::uint8_t* p = &last_.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(last_.width) +
                                             static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2]};
  }
  /// Writes the pending rectangle, which is shown until frame `shown_`.
  [[nodiscard]] Result<void> put_pending();

  std::string path_;
  VideoOptions options_;
  std::optional<AtomicFile> file_;
  std::optional<Error> error_;  ///< first write error
  std::string out_;
  Image last_;
  GifRectangle pending_;
  /// Number of frames so far, and index of the frame that contains the pending rectangle.
  std::size_t shown_ = 0, begun_ = 0;
};

Result<void> GifEncoder::open() {
  auto file = AtomicFile::open(path_);
  if (!file) return Unexpected(file.error());
  file_.emplace(std::move(*file));
  out_ = "GIF89a";
  put16(options_.width);
  put16(options_.height);
  out_ += std::string("\x70\0\0", 3);                                // no global palette, 8 bits per channel
  out_ += std::string("\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0", 19);  // repeat without end
  return {};
}

GifRectangle GifEncoder::changed(const Image& frame) const {
  GifRectangle box{frame.width, frame.height, 0, 0};
  if (last_.rgba.empty()) return {0, 0, frame.width, frame.height};
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x) {
      const std::size_t at =
          4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(frame.width) + static_cast<std::size_t>(x));
      if (std::equal(&frame.rgba[at], &frame.rgba[at] + 3, &last_.rgba[at])) continue;
      box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x + 1), std::max(box.y1, y + 1)};
    }
  return box;
}

Result<void> GifEncoder::write(const Image& frame) {
  if (frame.width != options_.width || frame.height != options_.height ||
      frame.rgba.size() != 4 * static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height))
    return wrong_file(path_, fmt::format("a picture of {} x {} pixels does not match the video size {} x {}",
                                         frame.width, frame.height, options_.width, options_.height));
  const GifRectangle box = changed(frame);
  if (box.is_empty()) return repeat();
  if (auto put = put_pending(); !put) return put;
  last_ = frame;
  pending_ = box;
  begun_ = shown_++;
  return {};
}

Result<void> GifEncoder::put_pending() {
  if (pending_.is_empty()) return {};
  // Ordered dithering with the 4 x 4 threshold matrix of B. Bayer, 1973.
  static constexpr std::array<std::array<int, 4>, 4> pattern{
      {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}};
  constexpr int step = 6;  // range of the dither [1/255], about the distance of colours in a palette
  std::vector<std::uint32_t> counts(gif_cells, 0);
  std::vector<GifColor> sums(gif_cells, GifColor{});
  for (int y = pending_.y0; y < pending_.y1; ++y)
    for (int x = pending_.x0; x < pending_.x1; ++x) {
      const GifColor color = pixel(x, y);
      const std::size_t cell = cell_of(color);
      // Later pixels of this cell are not counted, so that its sum stays below 2^31.
      if (counts[cell] >= 1U << 22U) continue;
      ++counts[cell];
      for (std::size_t c = 0; c < 3; ++c) sums[cell][c] += color[c];
    }
  std::vector<CountedColor> colors;
  for (std::size_t cell = 0; cell < gif_cells; ++cell)
    if (const auto n = static_cast<int>(counts[cell]); n > 0)
      colors.push_back({{sums[cell][0] / n, sums[cell][1] / n, sums[cell][2] / n}, counts[cell]});
  std::vector<GifColor> palette = median_cut(colors);
  std::vector<std::int16_t> nearest(gif_cells * 8, -1);  // 6 bits per channel, so that dithering has an effect
  const auto index_of = [&](const GifColor& color) {
    const auto cell = static_cast<std::size_t>((color[0] >> 2) << 12 | (color[1] >> 2) << 6 | color[2] >> 2);
    if (nearest[cell] >= 0) return static_cast<std::uint8_t>(nearest[cell]);
    int best = 0, least = 1 << 30;
    for (std::size_t i = 0; i < palette.size(); ++i) {
      int far = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const int d = (color[c] | 1) - palette[i][c];
        far += d * d;
      }
      if (far < least) least = far, best = static_cast<int>(i);
    }
    nearest[cell] = static_cast<std::int16_t>(best);
    return static_cast<std::uint8_t>(best);
  };
  std::vector<std::uint8_t> indices;
  for (int y = pending_.y0; y < pending_.y1; ++y)
    for (int x = pending_.x0; x < pending_.x1; ++x) {
      GifColor color = pixel(x, y);
      const int shift =
          step * (2 * pattern[static_cast<std::size_t>(y & 3)][static_cast<std::size_t>(x & 3)] - 15) / 30;
      for (int& c : color) c = std::clamp(c + shift, 0, 255);
      indices.push_back(index_of(color));
    }
  const auto hundredths = [&](std::size_t frames) {
    return static_cast<int>((200 * frames + static_cast<std::size_t>(options_.fps)) /
                            (2 * static_cast<std::size_t>(options_.fps)));
  };
  out_ += std::string("\x21\xF9\x04\x04", 4);  // the picture remains when the next one is drawn
  put16(std::min(hundredths(shown_) - hundredths(begun_), 65535));
  out_ += std::string("\0\0", 2);
  out_ += ',';
  put16(pending_.x0);
  put16(pending_.y0);
  put16(pending_.x1 - pending_.x0);
  put16(pending_.y1 - pending_.y0);
  out_ += '\x87';  // palette of 256 colours
  palette.resize(256);
  for (const GifColor& color : palette)
    for (const int c : color) out_ += static_cast<char>(c);
  out_ += '\x08';
  const std::string packed = lzw(indices);
  for (std::size_t at = 0; at < packed.size(); at += 255) {
    const std::size_t count = std::min<std::size_t>(255, packed.size() - at);
    out_ += static_cast<char>(count);
    out_.append(packed, at, count);
  }
  out_ += '\0';
  pending_ = {};
  auto written = file_->write(out_);
  out_.clear();
  if (!written) error_ = written.error();
  return written;
}

Result<void> GifEncoder::finish() {
  if (error_) return fail(*error_);  // the file has a gap, so it must not replace an existing file
  if (shown_ == 0) return wrong_file(path_, "the video has no picture, so the file was not written");
  if (auto put = put_pending(); !put) return put;
  if (auto written = file_->write(";"); !written) return written;
  return file_->finish();
}

}  // namespace

Result<std::unique_ptr<FrameEncoder>> open_gif(const std::string& path, const VideoOptions& options) {
  auto encoder = std::make_unique<GifEncoder>(path, options);
  if (auto good = encoder->open(); !good) return Unexpected(good.error());
  return encoder;
}

}  // namespace vw
