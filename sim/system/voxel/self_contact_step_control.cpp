// The margin of the watch list is the distance that the fastest voxel moves in the step.
#include "sim/system/voxel/self_contact_step_control.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

constexpr double widest_margin = 1.5;  ///< in edges; with a larger margin the list grows faster than the steps
constexpr double unforeseen = 0.1;     ///< in edges: allowance for elastic motion of a voxel
/// Allowance for a voxel's acceleration relative to the others: twice gravity [m/s^2].
constexpr double pull = 20;
/// In edges: depth that a pair may reach in the step if its contact force is ignored.
constexpr double deepest = 0.25;

Vec3 mean_of(std::span<const Vec3> rows, std::span<const double> mass) {
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (std::size_t v = 0; v < rows.size(); ++v) sum += mass[v] * rows[v], total += mass[v];
  return total > 0 ? Vec3(sum / total) : Vec3(Vec3::Zero());
}

double widest_of(std::span<const double> half_edge) {
  double widest = 0;
  for (const double h : half_edge) widest = std::max(widest, h);
  return widest;
}

}  // namespace

double SelfContactStepControl::look(const LatticeTopology& topology, const Elements& elements, double edge_m, double dt,
                                    double least) {
  const Vec3 common = mean_of(elements.velocity, elements.mass);
  double squared = 0;
  for (const Vec3& v : elements.velocity)
    if (const double own = (v - common).squaredNorm(); !(own <= squared)) squared = own;  // keeps a NaN
  const double speed = std::sqrt(squared), furthest = (widest_margin - unforeseen) * edge_m;
  const auto way = [&](double h) { return (speed + pull * h) * h; };
  widest_ = widest_of(elements.radius);
  const bool foreseeable = way(least) <= 2 * furthest;
  double h = foreseeable ? dt : 0;
  while (way(h) > furthest && h > least) h *= 0.5;
  margin_ = std::min(way(h) + unforeseen * edge_m, 2 * widest_margin * edge_m);
  state_.load(elements);
  contact_.rebuild_within(topology, state_, elements.radius, margin_);
  return foreseeable ? longest_until_meeting(elements, edge_m, h, least) : 0;
}

/// Limits the step so that no approaching pair is deeper than `deepest` at its end.
double SelfContactStepControl::longest_until_meeting(const Elements& elements, double edge_m, double dt,
                                                     double least) const {
  double h = dt;
  for (const auto& [a, b] : contact_.pairs()) {
    const Vec3 r = elements.position[b] - elements.position[a];
    const double distance = r.norm();
    if (!(distance > 0)) continue;
    const double approach = -r.dot(elements.velocity[b] - elements.velocity[a]) / distance;
    const double gap = std::max(0.0, distance - elements.radius[a] - elements.radius[b]);
    if (approach * h > gap + deepest * edge_m) h = (gap + deepest * edge_m) / approach;
  }
  return std::max(h, std::min(dt, least));
}

void SelfContactStepControl::keep(const Elements& elements, std::span<const ContactState> contacts) {
  start_.position = elements.position;
  start_.velocity = elements.velocity;
  start_.orientation = elements.orientation;
  start_.angular_velocity = elements.angular_velocity;
  start_.impulse = elements.impulse;
  start_.angular_impulse = elements.angular_impulse;
  contacts_.assign(contacts.begin(), contacts.end());
}

bool SelfContactStepControl::saw_all(const Elements& elements) const {
  const Vec3 common = mean_of(elements.position, elements.mass) - mean_of(start_.position, elements.mass);
  const double way = margin_ - std::max(0.0, widest_of(elements.radius) - widest_);
  if (!(way > 0)) return false;
  for (std::size_t v = 0; v < elements.size(); ++v)
    if (!((elements.position[v] - start_.position[v] - common).squaredNorm() <= way * way)) return false;
  return true;
}

void SelfContactStepControl::give_back(Elements& elements, std::span<ContactState> contacts) const {
  elements.position = start_.position;
  elements.velocity = start_.velocity;
  elements.orientation = start_.orientation;
  elements.angular_velocity = start_.angular_velocity;
  elements.impulse = start_.impulse;
  elements.angular_impulse = start_.angular_impulse;
  std::copy(contacts_.begin(), contacts_.end(), contacts.begin());
}

}  // namespace vw
