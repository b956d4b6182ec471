// Reduction of a curve to the points that its picture needs.
#pragma once

#include <utility>
#include <vector>

#include <imgui.h>

namespace vw::ui {

/// Reduces a curve to at most four points per pixel column: the first, the highest, the lowest and the last point. This
/// preserves peaks. Successive points are at least half a pixel apart, because ImGui draws a wide line twice as wide at
/// points that coincide.
class ColumnThinner {
 public:
  /// Adds the next point [px]. The points must be in ascending order of x.
  void add(ImVec2 at) {
    if (count_ > 0 && at.x - column_ >= 1) close();
    if (count_ == 0) {
      column_ = at.x;
      first_ = low_ = high_ = at;
    }
    if (at.y < low_.y) low_ = at;
    if (at.y > high_.y) high_ = at;
    last_ = at;
    ++count_;
  }
  /// Returns the reduced curve and begins a new one.
  [[nodiscard]] std::vector<ImVec2> take() {
    close();
    return std::exchange(points_, {});
  }

 private:
  void close() {
    if (count_ > 0) keep(first_);
    // A column that spans less than a pixel in height contains no peak and is reduced to its first point. With more
    // points, a wide line would show a spike at each reversal of its direction.
    if (count_ > 1 && high_.y - low_.y >= 1) {
      keep(low_.x <= high_.x ? low_ : high_);
      keep(low_.x <= high_.x ? high_ : low_);
      keep(last_);
    }
    count_ = 0;
  }
  void keep(ImVec2 at) {
    constexpr float least_px = 0.5F;
    if (!points_.empty()) {
      const float x = at.x - points_.back().x, y = at.y - points_.back().y;
      if (x * x + y * y < least_px * least_px) return;
    }
    points_.push_back(at);
  }

  std::vector<ImVec2> points_;
  float column_ = 0;
  ImVec2 first_, low_, high_, last_;
  int count_ = 0;
};

}  // namespace vw::ui
