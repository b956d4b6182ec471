#include "render/scene/visible_balls.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/scene/frame_data.h"

namespace vw {
namespace {

constexpr int word_bits = 64;

/// Mask of the bits [first, end) of a word, with 0 <= first < end <= 64.
std::uint64_t bits(int first, int end) { return (~std::uint64_t{0} >> (word_bits - (end - first))) << first; }

}  // namespace

/// Projects a ball as shaders/sphere_simple.vert draws it. The outline lies in a plane perpendicular to the line of
/// sight and is an ellipse in the picture. Returns false if the ball is not visible.
bool VisibleBalls::place(const glm::vec4& ball, Print& out) const {
  constexpr float slack_px = 0.5F;
  const glm::vec3 from_eye = glm::vec3(ball) - eye_;
  const float depth = glm::dot(from_eye, forward_), far = glm::length(from_eye);
  if (ball.w < 0 || !std::isfinite(far + ball.w)) return false;
  const float radius = std::max(std::min(ball.w, 0.95F * far), 0.6F * far / focal_px_);
  if (!(depth > -radius)) return false;
  const float wide = radius * far / std::sqrt(std::max(far * far - radius * radius, 1e-12F)), askew = 2 * wide / far;
  if (!(depth > 2 * wide)) {  // the ball covers much of the picture
    out = {0, 0, 0, std::numeric_limits<float>::infinity()};
    return true;
  }
  const float pixels = focal_px_ * wide / depth;
  out = {0.5F * static_cast<float>(width_) + focal_px_ * glm::dot(from_eye, right_) / depth,
         0.5F * static_cast<float>(height_) + focal_px_ * glm::dot(from_eye, up_) / depth,
         pixels * (1 - askew) - slack_px, pixels * far / depth * (1 + askew) + slack_px};
  return true;
}

/// Calls word(index, bits) for each word with pixels whose centres lie within the radius. If word() returns false, the
/// function stops and returns false.
template <class Word>
bool VisibleBalls::each_word(const Print& print, float radius, Word word) const {
  const auto span = [](float middle, float half, int size) {
    const auto whole = [size](float x) {
      return static_cast<int>(std::clamp(x + 0.5F, 0.0F, static_cast<float>(size)));
    };
    return std::pair(whole(middle - half), whole(middle + half));
  };
  const auto [first_row, end_row] = span(print.y, radius, height_);
  for (int row = first_row; row < end_row; ++row) {
    const float off = static_cast<float>(row) + 0.5F - print.y;
    const auto [first, end] =
        span(print.x, std::isinf(radius) ? radius : std::sqrt(std::max(radius * radius - off * off, 0.0F)), width_);
    for (int at = first; at < end; at = (at / word_bits + 1) * word_bits) {
      const int word_end = std::min(end - at / word_bits * word_bits, word_bits);
      if (!word(static_cast<std::size_t>(row) * words_ + static_cast<std::size_t>(at / word_bits),
                bits(at % word_bits, word_end)))
        return false;
    }
  }
  return true;
}

bool VisibleBalls::is_open(const Print& print) const {
  return !each_word(print, print.touches,
                    [&](std::size_t word, std::uint64_t mask) { return (closed_[word] & mask) == mask; });
}

void VisibleBalls::close(const Print& print) {
  if (!(print.covers > 0)) return;
  (void)each_word(print, print.covers, [&](std::size_t word, std::uint64_t mask) {
    closed_[word] |= mask;
    return true;
  });
}

void VisibleBalls::find(const Figure& figure, const Camera& camera, int width, int height) {
  width_ = width;
  height_ = height;
  const glm::mat4 to_view = camera.view();
  eye_ = camera.eye;
  right_ = {to_view[0][0], to_view[1][0], to_view[2][0]};
  up_ = {to_view[0][1], to_view[1][1], to_view[2][1]};
  forward_ = glm::cross(up_, right_);
  focal_px_ = 1 / pixel_per_distance(camera, width, height);
  words_ = static_cast<std::size_t>((width + word_bits - 1) / word_bits);
  closed_.assign(words_ * static_cast<std::size_t>(height), 0);
  found_.clear();
  prints_.clear();
  keys_.clear();
  largest_px_ = 0;
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    Print print;
    if (!place(figure.places[i], print)) continue;
    const glm::vec3 from_eye = glm::vec3(figure.places[i]) - eye_;
    largest_px_ = std::max(largest_px_, print.touches);
    found_.push_back(static_cast<std::uint32_t>(i));
    prints_.push_back(print);
    keys_.push_back(~ordered_bits(glm::dot(from_eye, from_eye)));
  }
  order_from_large(keys_, scratch_, order_);
  rows_.clear();
  for (const std::uint32_t k : order_) {
    if (!is_open(prints_[k])) continue;
    rows_.push_back(found_[k]);
    close(prints_[k]);
  }
}

}  // namespace vw
