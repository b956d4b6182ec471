#include "sim/world/flow/streaklines.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Largest number of markers of all streaklines together, and the smallest and largest number of markers of one
/// streakline.
constexpr std::size_t most_markers = 200'000, fewest_a_streak = 32, most_a_streak = 512;
/// Smallest number of steps within the age of the oldest marker.
constexpr double fewest_steps = 64;
/// Largest distance between adjacent markers that a line joins, in units of the distance that a marker moves in a step.
constexpr double most_stretch = 4;

}  // namespace

void Streaklines::trace(CarryingMedium& medium, const Request& request, double time, FieldLines& out) {
  const bool is_other = !std::ranges::equal(seed_, request.seeds) || seconds_ != request.seconds;
  reach_m_ = request.reach_m;
  if (is_other || time < time_ - 1e-6 * step_ || time > time_ + 2 * request.seconds) {
    seed_.assign(request.seeds.begin(), request.seeds.end());
    seconds_ = request.seconds;
    start(medium, std::max(request.known_since, time - seconds_));
  }
  // At extreme times, which only a file can set, a step may be shorter than the distance of neighbouring numbers.
  while (time_ + step_ <= time + 1e-9 * step_ && time_ + step_ > time_) advance(medium);
  write(medium, time, out);
}

void Streaklines::start(CarryingMedium& medium, double time) {
  most_ = std::clamp(most_markers / std::max<std::size_t>(seed_.size(), 1), fewest_a_streak, most_a_streak);
  place_.assign(seed_.size() * most_, Vec3::Zero());
  speed_.assign(place_.size(), 0);
  is_carried_.assign(place_.size(), 0);
  step_time_.assign(most_, time);
  time_ = time;
  steps_ = 0;
  release(medium);
  look(medium);
}

/// Returns the number of the oldest stored step that is not before the time `since` [s].
std::int64_t Streaklines::oldest(double since) const {
  std::int64_t step = std::max<std::int64_t>(0, steps_ - static_cast<std::int64_t>(most_) + 1);
  while (step < steps_ && step_time_[slot(step)] < since) ++step;
  return step;
}

/// Releases a marker at each seed point for the latest step.
void Streaklines::release(CarryingMedium& medium) {
  step_time_[slot(steps_)] = time_;
  inside_.resize(seed_.size());
  medium.contains(seed_, time_, inside_);
  for (std::size_t s = 0; s < seed_.size(); ++s) {
    const std::size_t row = row_of(s, steps_);
    place_[row] = seed_[s];
    is_carried_[row] = inside_[s];
  }
}

/// Lists the carried markers, samples their velocities and chooses the next time step.
void Streaklines::look(CarryingMedium& medium) {
  active_.clear();
  at_.clear();
  const std::int64_t first = oldest(time_ - seconds_);
  for (std::size_t s = 0; s < seed_.size(); ++s)
    for (std::int64_t step = first; step <= steps_; ++step)
      if (const std::size_t row = row_of(s, step); is_carried_[row] != 0) {
        active_.push_back(static_cast<std::uint32_t>(row));
        at_.push_back(place_[row]);
      }
  velocity_.resize(at_.size());
  medium.velocity(at_, time_, velocity_);
  double fastest = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (!velocity_[i].allFinite()) velocity_[i].setZero();
    const double speed = velocity_[i].norm();
    speed_[active_[i]] = static_cast<float>(speed);
    fastest = std::max(fastest, speed);
  }
  const double shortest = seconds_ / static_cast<double>(most_ - 2);
  step_ =
      std::clamp(fastest > 0 ? reach_m_ / fastest : seconds_, shortest, std::max(shortest, seconds_ / fewest_steps));
}

/// Advances the active markers by dt with the classical fourth-order Runge-Kutta method. Writes their positions to end_
/// and whether the medium contains them to inside_.
void Streaklines::carry(CarryingMedium& medium, double dt) {
  const std::size_t rows = active_.size();
  at_.resize(rows);
  sum_ = slope_ = velocity_;
  struct Stage {
    double share, weight;
  };
  for (const Stage stage : {Stage{0.5, 2}, Stage{0.5, 2}, Stage{1, 1}}) {
    for (std::size_t i = 0; i < rows; ++i) at_[i] = place_[active_[i]] + stage.share * dt * slope_[i];
    medium.velocity(at_, time_ + stage.share * dt, slope_);
    for (std::size_t i = 0; i < rows; ++i) sum_[i] += stage.weight * slope_[i];
  }
  end_.resize(rows);
  inside_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) end_[i] = place_[active_[i]] + dt / 6 * sum_[i];
  medium.contains(end_, time_ + dt, inside_);
  for (std::size_t i = 0; i < rows; ++i)
    if (!end_[i].allFinite()) inside_[i] = 0;
}

void Streaklines::advance(CarryingMedium& medium) {
  carry(medium, step_);
  for (std::size_t i = 0; i < active_.size(); ++i) {
    is_carried_[active_[i]] = inside_[i];
    if (inside_[i] != 0) place_[active_[i]] = end_[i];
  }
  time_ += step_;
  ++steps_;
  release(medium);
  look(medium);
}

void Streaklines::write(CarryingMedium& medium, double time, FieldLines& out) {
  out.start.assign(1, 0);
  out.point.clear(), out.speed.clear(), out.across.clear();
  carry(medium, std::max(0.0, time - time_));
  const std::vector<std::uint8_t> inside = inside_;
  inside_.resize(seed_.size());
  medium.contains(seed_, time, inside_);
  std::size_t i = 0;
  const auto end_line = [&] {
    if (out.point.size() < out.start.back() + 2U) {
      out.point.resize(out.start.back());
      out.speed.resize(out.start.back());
    } else {
      out.start.push_back(static_cast<std::uint32_t>(out.point.size()));
    }
  };
  double fastest = 0;
  for (const Vec3& velocity : velocity_) fastest = std::max(fastest, velocity.norm());
  const auto most_gap = static_cast<float>(most_stretch * std::max(reach_m_, fastest * step_));
  // active_ lists the markers by seed, and for each seed from old to new. The rows of a line are consecutive rows of
  // one seed.
  const std::int64_t first = oldest(time_ - seconds_);
  for (std::size_t s = 0; s < seed_.size(); ++s) {
    for (std::int64_t step = first; step <= steps_; ++step) {
      const bool is_listed = i < active_.size() && active_[i] == row_of(s, step);
      if (is_listed && inside[i] != 0) {
        const Vec3f place = end_[i].cast<float>();
        if (out.point.size() > out.start.back() && (place - out.point.back()).norm() > most_gap) end_line();
        out.point.push_back(place);
        out.speed.push_back(speed_[active_[i]]);
      } else {
        end_line();
      }
      if (is_listed) ++i;
    }
    if (inside_[s] != 0 && time > time_ && out.point.size() > out.start.back()) {
      out.point.push_back(seed_[s].cast<float>());
      out.speed.push_back(out.speed.back());
    }
    end_line();
  }
}

void twist_ribbons(std::span<const Vec3f> vorticity, FieldLines& lines) {
  lines.across.assign(lines.point.size(), Vec3f::UnitY());
  const auto unit_along = [&](std::size_t first, std::size_t end, std::size_t i) {
    const Vec3f& from = lines.point[i > first ? i - 1 : i];
    const Vec3f& to = lines.point[i + 1 < end ? i + 1 : i];
    const Vec3 along = (to - from).cast<double>();
    return along.norm() > 0 ? Vec3(along.normalized()) : Vec3(Vec3::UnitX());
  };
  const auto turn_rate = [&](std::size_t i, const Vec3& along) {  // angle per length [rad/m]
    const double speed = static_cast<double>(lines.speed[i]), about = vorticity[i].cast<double>().dot(along);
    return speed > 0 && std::isfinite(about) ? 0.5 * about / speed : 0;
  };
  for (std::size_t l = 0; l + 1 < lines.start.size(); ++l) {
    const std::size_t first = lines.start[l], end = lines.start[l + 1];
    if (end == first) continue;
    Vec3 along = unit_along(first, end, first), across = along.unitOrthogonal();
    lines.across[first] = across.cast<float>();
    for (std::size_t i = first + 1; i < end; ++i) {
      const Vec3 next = unit_along(first, end, i);
      const double length = static_cast<double>((lines.point[i] - lines.point[i - 1]).norm());
      const double angle = 0.5 * length * (turn_rate(i - 1, along) + turn_rate(i, next));
      const Vec3 straight = across - across.dot(next) * next;
      across = straight.norm() > 1e-6 ? Vec3(straight.normalized()) : Vec3(next.unitOrthogonal());
      const auto turn = elementary::sin_cos(angle);
      across = turn.cos * across + turn.sin * next.cross(across);
      along = next;
      lines.across[i] = across.cast<float>();
    }
  }
}

std::vector<Vec3> rake_places(const Vec3& from, const Vec3& to, std::size_t count) {
  std::vector<Vec3> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5;
    places[i] = from + share * (to - from);
  }
  return places;
}

}  // namespace vw
