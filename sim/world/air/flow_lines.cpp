#include "sim/world/air/flow_lines.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

/// `most_points` is the largest total number of points of all streamlines, and of all pathlines. `most_a_line` is the
/// largest number of points of a line.
constexpr std::size_t most_points = 400'000, most_a_line = 1024;
constexpr std::size_t flow_line_grain = 512;

/// Returns the fraction of the segment from `from` to `to` that lies within the box and outside obstacles, measured
/// from `from`. `clear_from` and `clear_to` are the distances to the nearest obstacle at the ends of the segment.
double share_outside(const Air& air, const Vec3& from, const Vec3& to, double clear_from, double clear_to) {
  double share = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double border = to[axis] > air.box.max()[axis] ? air.box.max()[axis] : air.box.min()[axis];
    if (to[axis] > air.box.max()[axis] || to[axis] < air.box.min()[axis])
      share = std::min(share, std::clamp((border - from[axis]) / (to[axis] - from[axis]), 0.0, 1.0));
  }
  if (clear_to < 0) share = std::min(share, std::max(0.0, clear_from) / (std::max(0.0, clear_from) - clear_to));
  return share;
}

}  // namespace

Vec3 even_place(const Box3& box, std::uint64_t index) {
  // Additive recurrence with powers of 1 / g, where g^4 = g + 1 (the three-dimensional generalisation of the golden
  // ratio).
  constexpr double g = 1.2207440846057596;
  Vec3 at;
  double step = 1;
  for (int axis = 0; axis < 3; ++axis) {
    step /= g;
    const double turns = 0.5 + static_cast<double>(index) * step;
    at[axis] = turns - std::floor(turns);
  }
  return box.min() + at.cwiseProduct(box.sizes());
}

void clearance(const Air& air, std::span<const Vec3> position, double time, double reach, std::vector<double>& out) {
  out.assign(position.size(), reach);
  if (air.obstacles == nullptr || air.obstacles->empty()) return;
  parallel_for(position.size(), flow_line_grain, [&](Range range, std::size_t) {
    std::array<NearSurface, flow_line_grain> near;
    for (std::size_t first = range.begin; first < range.end; first += flow_line_grain) {
      const std::size_t count = std::min(flow_line_grain, range.end - first);
      air.obstacles->nearest(position.subspan(first, count), time, reach, std::span(near).first(count));
      for (std::size_t i = 0; i < count; ++i) out[first + i] = near[i].distance_m;
    }
  });
}

// ---- Streamlines ----------------------------------------------------------------------------------------------------

void Streamlines::trace(const Air& air, double time, std::size_t count, double length, FieldLines& out) {
  std::vector<Vec3> seeds(count);
  for (std::size_t i = 0; i < count; ++i) seeds[i] = even_place(air.box, i);
  trace(air, time, seeds, length, out);
}

void Streamlines::trace(const Air& air, double time, std::span<const Vec3> seeds, double length, FieldLines& out) {
  seed(air, time, seeds, length);
  while (!active_.empty()) step(air, time);
  join(out);
}

void Streamlines::seed(const Air& air, double time, std::span<const Vec3> seeds, double length) {
  const std::size_t count = seeds.size();
  const double side = air.box.sizes().maxCoeff();
  const double half = 0.5 * std::min(length, 100 * side);
  most_ = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(most_points / (2 * std::max<std::size_t>(count, 1)), 16, most_a_line / 2));
  shortest_ = std::clamp(half / most_, side / 2000, side / 50);
  longest_ = std::max(shortest_, std::min(side / 50, 0.5 * air.fields.length_m()));
  error_ = 5e-5 * side;
  point_.resize(2 * count * most_);
  point_speed_.resize(point_.size());
  tips_.assign(2 * count, {});
  place_.assign(seeds.begin(), seeds.end());
  velocity_.resize(count);
  air.fields.sample(FieldQuantity::velocity, air.name, place_, time, velocity_);
  clearance(air, place_, time, longest_, clear_);
  double fastest = 0;
  for (const Vec3& u : velocity_)
    if (u.allFinite()) fastest = std::max(fastest, u.norm());
  still_ = std::max(1e-12, 1e-6 * fastest);
  active_.clear();
  for (std::uint32_t i = 0; i < tips_.size(); ++i) {
    const Vec3& u = velocity_[i / 2];
    Tip& tip = tips_[i];
    tip.place = place_[i / 2];
    tip.sign = i % 2 == 0 ? -1 : 1;
    tip.speed = u.norm();
    tip.clear = clear_[i / 2];
    if (!(tip.speed > still_) || !std::isfinite(tip.speed) || tip.clear < 0) continue;
    tip.direction = tip.sign / tip.speed * u;
    tip.step = longest_;
    tip.left = half;
    add(i, tip.place, tip.speed);
    active_.push_back(i);
  }
}

void Streamlines::add(std::size_t tip, const Vec3& place, double speed) {
  const std::size_t at = tip * most_ + tips_[tip].points++;
  point_[at] = place.cast<float>();
  point_speed_[at] = static_cast<float>(speed);
}

/// Computes the speeds at place_ and the unit vectors in which the tips advance: along the velocity for downstream
/// tips, and against the velocity for upstream tips. The vector is zero at stagnation points.
void Streamlines::look(const Air& air, double time, std::vector<Vec3>& direction, std::vector<double>& speed) {
  velocity_.resize(place_.size());
  air.fields.sample(FieldQuantity::velocity, air.name, place_, time, velocity_);
  direction.resize(place_.size());
  speed.resize(place_.size());
  for (std::size_t row = 0; row < place_.size(); ++row) {
    speed[row] = velocity_[row].norm();
    const bool goes = speed[row] > still_ && std::isfinite(speed[row]);
    if (goes)
      direction[row] = tips_[active_[row]].sign / speed[row] * velocity_[row];
    else
      direction[row].setZero();
  }
}

/// Computes one trial step of each active tip with the method of Bogacki & Shampine, "A 3(2) pair of Runge-Kutta
/// formulas", 1989. The independent variable is arc length.
void Streamlines::step(const Air& air, double time) {
  const std::size_t rows = active_.size();
  place_.resize(rows);
  const auto each = [&](const auto& from) {
    for (std::size_t row = 0; row < rows; ++row) place_[row] = from(tips_[active_[row]], row);
  };
  for (const std::uint32_t i : active_) {
    Tip& tip = tips_[i];
    tip.step = std::min({tip.step, tip.left, std::max(tip.clear, shortest_)});
  }
  each([](const Tip& tip, std::size_t) -> Vec3 { return tip.place + 0.5 * tip.step * tip.direction; });
  look(air, time, k2_, speed_);
  each([&](const Tip& tip, std::size_t row) -> Vec3 { return tip.place + 0.75 * tip.step * k2_[row]; });
  look(air, time, k3_, speed_);
  each([&](const Tip& tip, std::size_t row) -> Vec3 {
    return tip.place + tip.step * (2.0 / 9 * tip.direction + 1.0 / 3 * k2_[row] + 4.0 / 9 * k3_[row]);
  });
  look(air, time, k4_, speed_);
  clearance(air, place_, time, longest_, clear_);
  for (std::size_t row = 0; row < rows; ++row) go_on(air, row, tips_[active_[row]]);
  std::erase_if(active_, [&](std::uint32_t i) { return !tips_[i].alive; });
}

/// Accepts the trial step and moves the tip, or rejects it and halves the step.
void Streamlines::go_on(const Air& air, std::size_t row, Tip& tip) {
  const Vec3& end = place_[row];
  const double h = tip.step;
  const double error =
      h * (-5.0 / 72 * tip.direction + 1.0 / 12 * k2_[row] + 1.0 / 9 * k3_[row] - 1.0 / 8 * k4_[row]).norm();
  // Cosine of the largest angle between successive segments (26 degrees). Larger angles would be visible as corners.
  constexpr double most_turn = 0.9;
  const bool turns = tip.direction.dot(k4_[row]) < most_turn;
  if ((error > error_ || turns) && h > 1.001 * shortest_) {
    tip.step = std::max(shortest_, 0.5 * h);
    return;
  }
  const double share = share_outside(air, tip.place, end, tip.clear, clear_[row]);
  const Vec3 reached = tip.place + share * (end - tip.place);
  add(active_[row], reached, tip.speed + share * (speed_[row] - tip.speed));
  tip.left -= h;
  tip.alive = share >= 1 && !k4_[row].isZero() && tip.left > 1e-3 * shortest_ && tip.points < most_;
  tip.place = reached;
  tip.direction = k4_[row];
  tip.speed = speed_[row];
  tip.clear = clear_[row];
  tip.step = std::clamp(h * std::min(2.0, 0.9 * elementary::cbrt(error_ / std::max(error, 1e-3 * error_))), shortest_,
                        longest_);
}

void Streamlines::join(FieldLines& out) const {
  out.start.assign(1, 0);
  out.point.clear();
  out.speed.clear();
  out.across.clear();
  for (std::size_t i = 0; i + 1 < tips_.size(); i += 2) {
    // A line with fewer than three points did not leave its seed point. Each half of a line stores the seed point once.
    if (tips_[i].points + tips_[i + 1].points < 3) continue;
    const auto take = [&](std::size_t at) {
      out.point.push_back(point_[at]);
      out.speed.push_back(point_speed_[at]);
    };
    for (std::size_t k = tips_[i].points; k-- > 1;) take(i * most_ + k);
    for (std::size_t k = 0; k < tips_[i + 1].points; ++k) take((i + 1) * most_ + k);
    out.start.push_back(static_cast<std::uint32_t>(out.point.size()));
  }
}

// ---- Pathlines ------------------------------------------------------------------------------------------------------

void Pathlines::trace(const Air& air, double time, std::size_t count, double seconds, FieldLines& out) {
  const bool other = marker_.size() != count || seconds_ != seconds || name_ != air.name;
  if (other || time < time_ - 1e-6 * step_ || time > time_ + 2 * seconds) {
    marker_.assign(count, {});
    seconds_ = seconds;
    name_ = air.name;
    start(air, std::max(0.0, time - seconds));
  }
  // At extreme times, which only a file can set, a step may be shorter than the distance of neighbouring numbers.
  while (time_ + step_ <= time + 1e-9 * step_ && time_ + step_ > time_) advance(air);
  write(air, time, out);
}

void Pathlines::start(const Air& air, double time) {
  most_ = std::clamp<std::size_t>(most_points / std::max<std::size_t>(marker_.size(), 1), 64, most_a_line);
  point_.resize(marker_.size() * most_);
  point_speed_.resize(point_.size());
  step_time_.assign(most_, time);
  time_ = time;
  steps_ = 0;
  bear(air);
  look(air);
}

/// Releases, at a new position, each marker whose path has faded. At the first release, the age limits are staggered,
/// so that not all markers end at the same time.
void Pathlines::bear(const Air& air) {
  born_.clear();
  place_.clear();
  for (std::uint32_t i = 0; i < marker_.size(); ++i) {
    Marker& marker = marker_[i];
    if (marker.under_way) continue;
    const bool faded = marker.births == 0 || marker.last <= steps_ - static_cast<std::int64_t>(most_) ||
                       marker.last == marker.first || step_time_[slot(marker.last)] < time_ - seconds_;
    if (!faded) continue;
    const double share = static_cast<double>(i) / static_cast<double>(marker_.size());
    marker.end_time = time_ + seconds_ * (marker.births == 0 ? 1 + 3 * share : 4);
    marker.place = even_place(air.box, i + marker.births * marker_.size());
    marker.first = marker.last = steps_;
    ++marker.births;
    born_.push_back(i);
    place_.push_back(marker.place);
  }
  clearance(air, place_, time_, air.box.sizes().maxCoeff(), clear_);
  for (std::size_t row = 0; row < born_.size(); ++row) {
    Marker& marker = marker_[born_[row]];
    marker.clear = clear_[row];
    marker.under_way = marker.clear >= 0;
    keep(born_[row], marker.place);
  }
}

void Pathlines::keep(std::size_t marker, const Vec3& place) {
  point_[marker * most_ + slot(steps_)] = place.cast<float>();
}

/// Samples the velocities of the active markers and chooses the next time step.
void Pathlines::look(const Air& air) {
  active_.clear();
  place_.clear();
  for (std::uint32_t i = 0; i < marker_.size(); ++i)
    if (marker_[i].under_way) {
      active_.push_back(i);
      place_.push_back(marker_[i].place);
    }
  velocity_.resize(place_.size());
  air.fields.sample(FieldQuantity::velocity, air.name, place_, time_, velocity_);
  double fastest = 0;
  for (std::size_t row = 0; row < active_.size(); ++row) {
    if (!velocity_[row].allFinite()) velocity_[row].setZero();
    marker_[active_[row]].velocity = velocity_[row];
    const double speed = velocity_[row].norm();
    point_speed_[active_[row] * most_ + slot(steps_)] = static_cast<float>(speed);
    fastest = std::max(fastest, speed);
  }
  const double reach = std::min(air.box.sizes().maxCoeff() / 50, 0.5 * air.fields.length_m());
  const double shortest = seconds_ / static_cast<double>(most_ - 2);
  step_ = std::clamp(fastest > 0 ? reach / fastest : seconds_, shortest, std::max(shortest, seconds_ / 48));
}

void Pathlines::carry(const Air& air, double dt) {
  const std::size_t rows = active_.size();
  place_.resize(rows);
  velocity_.resize(rows);
  sum_.resize(rows);
  end_.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) velocity_[row] = sum_[row] = marker_[active_[row]].velocity;
  // Stages 2 to 4 of the classical fourth-order Runge-Kutta method. Its first slope is marker.velocity, which was
  // sampled at the end of the latest step.
  struct Stage {
    double share, weight;
  };
  for (const Stage stage : {Stage{0.5, 2}, Stage{0.5, 2}, Stage{1, 1}}) {
    for (std::size_t row = 0; row < rows; ++row)
      place_[row] = marker_[active_[row]].place + stage.share * dt * velocity_[row];
    air.fields.sample(FieldQuantity::velocity, air.name, place_, time_ + stage.share * dt, velocity_);
    for (std::size_t row = 0; row < rows; ++row) sum_[row] += stage.weight * velocity_[row];
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const Marker& marker = marker_[active_[row]];
    end_[row] = marker.place + dt / 6 * sum_[row];
    if (!end_[row].allFinite()) end_[row] = marker.place;
  }
  clearance(air, end_, time_ + dt, air.box.sizes().maxCoeff(), clear_);
}

void Pathlines::advance(const Air& air) {
  carry(air, step_);
  time_ += step_;
  ++steps_;
  step_time_[slot(steps_)] = time_;
  for (std::size_t row = 0; row < active_.size(); ++row) {
    Marker& marker = marker_[active_[row]];
    const double share = share_outside(air, marker.place, end_[row], marker.clear, clear_[row]);
    marker.place += share * (end_[row] - marker.place);
    marker.clear = clear_[row];
    marker.last = steps_;
    marker.under_way = share >= 1 && time_ < marker.end_time;
    keep(active_[row], marker.place);
    point_speed_[active_[row] * most_ + slot(steps_)] = static_cast<float>(marker.velocity.norm());
  }
  bear(air);
  look(air);
}

void Pathlines::write(const Air& air, double time, FieldLines& out) {
  out.start.assign(1, 0);
  out.point.clear();
  out.speed.clear();
  if (time > time_) carry(air, time - time_);
  std::size_t row = 0;
  for (std::size_t i = 0; i < marker_.size(); ++i) {
    const Marker& marker = marker_[i];
    write_way(i, time - seconds_, out);
    if (marker.under_way && time > time_) {
      const double share = share_outside(air, marker.place, end_[row], marker.clear, clear_[row]);
      out.point.emplace_back((marker.place + share * (end_[row] - marker.place)).cast<float>());
      out.speed.push_back(static_cast<float>(marker.velocity.norm()));
    }
    if (marker.under_way) ++row;
    out.start.push_back(static_cast<std::uint32_t>(out.point.size()));
  }
}

/// Appends the points of a marker's path since the time `since` [s]. The first point is interpolated at `since`.
void Pathlines::write_way(std::size_t i, double since, FieldLines& out) const {
  const Marker& marker = marker_[i];
  if (marker.first == marker.last && !marker.under_way) return;  // a marker released inside an obstacle has no path
  std::int64_t step = std::max(marker.first, steps_ - static_cast<std::int64_t>(most_) + 1);
  while (step <= marker.last && step_time_[slot(step)] < since) ++step;
  if (step > marker.last) return;
  const auto point = [&](std::int64_t at) { return i * most_ + slot(at); };
  if (step > std::max(marker.first, steps_ - static_cast<std::int64_t>(most_) + 1)) {
    const double before = step_time_[slot(step - 1)], after = step_time_[slot(step)];
    const auto share = static_cast<float>((since - before) / (after - before));
    out.point.push_back(point_[point(step - 1)] + share * (point_[point(step)] - point_[point(step - 1)]));
    out.speed.push_back(point_speed_[point(step - 1)] +
                        share * (point_speed_[point(step)] - point_speed_[point(step - 1)]));
  }
  for (; step <= marker.last; ++step) {
    out.point.push_back(point_[point(step)]);
    out.speed.push_back(point_speed_[point(step)]);
  }
}

}  // namespace vw
