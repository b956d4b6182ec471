// Computes the poses of colliders during a step.
#include "sim/world/step/collider_set.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/world/step/grab.h"

namespace vw {
namespace {

Pose pose_of_element(const Elements& elements, std::size_t row) {
  return {elements.position[row], elements.orientation.empty() ? Quat::Identity() : elements.orientation[row]};
}

std::size_t nearest(const Elements& elements, const Vec3& place) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < elements.size(); ++i)
    if ((elements.position[i] - place).squaredNorm() < (elements.position[best] - place).squaredNorm()) best = i;
  return best;
}

Unexpected bad_tie(const Collider& collider, int line, const char* param, std::string found, std::string expected) {
  return wrong_value(line, "collider." + collider.name + "." + param, std::move(found), std::move(expected));
}

}  // namespace

Result<ColliderSet> ColliderSet::build(const Node& scene, const ColliderSet* before) {
  ColliderSet set;
  if (before != nullptr) set.shapes_ = before->shapes_;
  auto nodes = scene.all("collider");
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->name < b->name; });
  for (const Node* node : nodes) {
    auto read = read_collider(*node, set.shapes_);
    if (!read) return Unexpected(read.error());
    const bool carried = !read->motion.carrier.empty();
    set.row_.push_back(carried ? set.element_.size() : none);
    if (carried) set.element_.push_back(-1);
    set.colliders_.push_back(std::move(read->collider));
    set.motions_.push_back(std::move(read->motion));
  }
  set.shapes_.forget_unused();
  set.carrier_.assign(set.size(), none);
  set.pictures_.resize(set.size());
  return set;
}

Result<void> ColliderSet::attach(std::span<const std::unique_ptr<System>> systems, bool awaits_state) {
  return attach_again(systems, {}, {}, {}, {}, awaits_state);
}

Result<void> ColliderSet::attach_again(std::span<const std::unique_ptr<System>> systems, const ColliderSet& before,
                                       const std::map<std::string, std::string>& kept,
                                       const std::map<std::string, std::string>& kept_systems,
                                       const std::map<std::string, std::vector<std::int64_t>>& identities,
                                       bool awaits_state) {
  step_time_ = before.step_time_, step_dt_ = before.step_dt_;
  const std::size_t rows = element_.size();
  home_position_.resize(rows), ride_position_.resize(rows), home_orientation_.resize(rows),
      ride_orientation_.resize(rows);
  for (std::size_t i = 0; i < size(); ++i) {
    if (row_[i] == none) continue;
    const auto former = kept.find(colliders_[i].name);
    const auto carrier = kept_systems.find(motions_[i].carrier);
    const std::size_t old = former == kept.end() ? none : before.index_of(former->second);
    if (carrier != kept_systems.end() && old != none && before.motions_[old].carrier == carrier->second) {
      keep_attachment(i, before, old, systems);
      std::int64_t& element = element_[row_[i]];
      const auto now = identities.find(carrier->first);
      if (now == identities.end() || now->second.empty()) continue;
      // A state from a file may contain any number.
      const bool existed = element >= 0 && element < std::ssize(now->second);
      element = existed ? now->second[static_cast<std::size_t>(element)] : -1;
    } else if (auto good = attach_one(i, systems, awaits_state); !good)
      return good;
  }
  return {};
}

std::size_t ColliderSet::index_of(const std::string& name) const {
  const auto found = std::ranges::find(colliders_, name, &Collider::name);
  return found == colliders_.end() ? none : static_cast<std::size_t>(found - colliders_.begin());
}

/// Copies the attachment of the collider with index `old` in `before` to collider i. Both have the same carrier.
void ColliderSet::keep_attachment(std::size_t i, const ColliderSet& before, std::size_t old,
                                  std::span<const std::unique_ptr<System>> systems) {
  const std::size_t row = row_[i], from = before.row_[old];
  carrier_[i] = static_cast<std::size_t>(
      std::ranges::find_if(systems, [&](const auto& one) { return one->name() == motions_[i].carrier; }) -
      systems.begin());
  element_[row] = before.element_[from];
  home_position_[row] = before.home_position_[from], home_orientation_[row] = before.home_orientation_[from];
  ride_position_[row] = before.ride_position_[from], ride_orientation_[row] = before.ride_orientation_[from];
}

Result<void> ColliderSet::attach_one(std::size_t i, std::span<const std::unique_ptr<System>> systems,
                                     bool awaits_state) {
  const ColliderMotion& motion = motions_[i];
  const auto system =
      std::find_if(systems.begin(), systems.end(), [&](const auto& one) { return one->name() == motion.carrier; });
  if (system == systems.end())
    return bad_tie(colliders_[i], motion.line, "carried_by", '"' + motion.carrier + '"',
                   "must name a system of this scene");
  const Elements& elements = (*system)->elements();
  const auto count = static_cast<std::int64_t>(elements.size());
  const std::size_t row = row_[i];
  carrier_[i] = static_cast<std::size_t>(system - systems.begin());
  if (awaits_state && motion.element >= (count > 0 ? count : -1)) {
    element_[row] = -1;
    home_position_[row] = ride_position_[row] = Vec3::Zero();
    home_orientation_[row] = ride_orientation_[row] = Quat::Identity();
    return {};
  }
  if (count == 0)
    return bad_tie(colliders_[i], motion.line, "carried_by", '"' + motion.carrier + '"',
                   "must name a system that has elements at the start");
  if (motion.element >= count)
    return bad_tie(colliders_[i], motion.line, "carried_element", std::to_string(motion.element),
                   fmt::format("must be -1 or the index of an element of {}, in [0, {})", motion.carrier, count));
  const std::size_t at = motion.element >= 0 ? static_cast<std::size_t>(motion.element)
                                             : nearest(elements, pose_at(colliders_[i], motion, 0).position);
  const Pose home = pose_of_element(elements, at);
  element_[row] = identity_of(elements, static_cast<std::int64_t>(at));
  home_position_[row] = ride_position_[row] = home.position;
  home_orientation_[row] = ride_orientation_[row] = home.orientation;
  return {};
}

void ColliderSet::take_over(ColliderSet edited) {
  std::swap(colliders_, edited.colliders_);
  std::swap(motions_, edited.motions_);
  shapes_ = std::move(edited.shapes_);
  // Display meshes of unchanged shapes are kept.
  const auto* old_shapes = &edited.colliders_;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto* data = std::get_if<std::shared_ptr<const Geometry>>(&drawn_shape(colliders_[i]));
    const auto* before = std::get_if<std::shared_ptr<const Geometry>>(&drawn_shape((*old_shapes)[i]));
    if (data == nullptr || before == nullptr || *data != *before) pictures_[i] = nullptr;
  }
}

/// Returns the pose of a carried collider whose carrier element has the pose `carrier`. `free` is the pose that the
/// collider would have without the motion of its carrier since it was attached.
Pose ColliderSet::ridden(std::size_t row, const Pose& carrier, const Pose& free) const {
  return carrier * (inverse({home_position_[row], home_orientation_[row]}) * free);
}

Pose ColliderSet::pose(std::size_t i, double time) const {
  Pose free = pose_at(colliders_[i], motions_[i], time);
  if (row_[i] == none) return free;
  const std::size_t row = row_[i];
  return ridden(row, {ride_position_[row], ride_orientation_[row]}, free);
}

const std::shared_ptr<const SurfaceMesh>& ColliderSet::picture(std::size_t i) const {
  if (pictures_[i] == nullptr) pictures_[i] = picture_of(drawn_shape(colliders_[i]));
  return pictures_[i];
}

/// Returns the pose of the carrier element of a carried collider, extrapolated by `dt` [s] with the element's present
/// velocity. If the element no longer exists, returns its last known pose.
Pose ColliderSet::aim(std::size_t row, std::span<const std::unique_ptr<System>> systems, double dt) const {
  const auto collider = static_cast<std::size_t>(std::find(row_.begin(), row_.end(), row) - row_.begin());
  const Elements& elements = systems[carrier_[collider]]->elements();
  const std::int64_t at = row_of(elements, element_[row]);
  if (at < 0) return {ride_position_[row], ride_orientation_[row]};
  const auto element = static_cast<std::size_t>(at);
  Pose goal = pose_of_element(elements, element);
  goal.position += dt * elements.velocity[element];
  if (!elements.angular_velocity.empty())
    goal.orientation = (rotation_of(dt * elements.angular_velocity[element]) * goal.orientation).normalized();
  return goal;
}

void ColliderSet::begin_step(std::span<const std::unique_ptr<System>> systems, double time, double dt) {
  step_time_ = time;
  step_dt_ = dt;
  under_way_ = true;
  aim_.resize(element_.size());
  for (std::size_t row = 0; row < aim_.size(); ++row) aim_[row] = aim(row, systems, dt);
}

void ColliderSet::end_step() {
  for (std::size_t row = 0; row < aim_.size(); ++row) {
    ride_position_[row] = aim_[row].position;
    ride_orientation_[row] = aim_[row].orientation;
  }
  under_way_ = false;
}

void ColliderSet::catch_up(std::span<const std::unique_ptr<System>> systems) {
  begin_step(systems, step_time_, 0);
  end_step();
}

/// Returns the pose of collider i at time `from`, and its mean velocities between the times `from` and `to` [s].
ColliderSet::Motion ColliderSet::from_to(std::size_t i, double from, double to) const {
  Pose start = pose_at(colliders_[i], motions_[i], from);
  if (row_[i] == none && !motions_[i].keys.moves())
    return {start, colliders_[i].velocity, colliders_[i].angular_velocity};
  Pose end = pose_reached(colliders_[i], motions_[i], from, to);
  if (const std::size_t row = row_[i]; row != none) {
    const Pose ride{ride_position_[row], ride_orientation_[row]};
    const auto at = [&](double time) {
      return under_way_ ? between(ride, aim_[row], (time - step_time_) / step_dt_) : ride;
    };
    start = ridden(row, at(from), start);
    end = ridden(row, at(to), end);
  }
  return {start, (end.position - start.position) / (to - from),
          rotation_vector_of(end.orientation * start.orientation.conjugate()) / (to - from)};
}

ColliderSet::Motion ColliderSet::motion(std::size_t i, double time) const { return from_to(i, time, time + 1e-4); }

void ColliderSet::place(double from, double to, std::span<Collider> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Motion found = from_to(i, from, to);
    out[i].position = found.pose.position;
    out[i].orientation = found.pose.orientation;
    out[i].velocity = found.velocity;
    out[i].angular_velocity = found.angular_velocity;
  }
}

bool ColliderSet::meets(std::size_t i, std::size_t system) const { return carrier_[i] != system; }

bool ColliderSet::has_passengers(std::size_t system) const {
  return std::find(carrier_.begin(), carrier_.end(), system) != carrier_.end();
}

bool ColliderSet::still_for(std::size_t system) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Collider& c = colliders_[i];
    const bool still = row_[i] == none && !motions_[i].keys.moves_within(step_time_, step_dt_) &&
                       c.velocity.isZero(0) && c.angular_velocity.isZero(0);
    if (!still && meets(i, system)) return false;
  }
  return true;
}

std::vector<Collider> ColliderSet::met_by(std::size_t system, double time) const {
  std::vector<Collider> met;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!meets(i, system)) continue;
    met.push_back(colliders_[i]);
    const Pose at = pose(i, time);
    met.back().position = at.position;
    met.back().orientation = at.orientation;
  }
  return met;
}

void ColliderSet::visit_state(StateVisitor& visit) {
  if (element_.empty()) return;
  visit.rows("carried collider");
  visit("carrier_element", element_);
  visit("carrier_home_position", home_position_, state_motion);
  visit("carrier_home_orientation", home_orientation_);
  visit("carrier_position", ride_position_, state_motion);
  visit("carrier_orientation", ride_orientation_);
}

std::string ColliderSet::state_problem() const {
  const auto carried =
      static_cast<std::size_t>(std::count_if(row_.begin(), row_.end(), [](std::size_t row) { return row != none; }));
  for (const std::size_t rows : {element_.size(), home_position_.size(), home_orientation_.size(),
                                 ride_position_.size(), ride_orientation_.size()})
    if (rows != carried) return "the arrays of carried colliders in the state differ in length";
  const auto fits = [](const Vec3& x, const Quat& q) { return x.allFinite() && std::abs(q.norm() - 1) < 1e-6; };
  for (std::size_t row = 0; row < carried; ++row)
    if (!fits(home_position_[row], home_orientation_[row]) || !fits(ride_position_[row], ride_orientation_[row]))
      return "the pose of a carried collider is not valid";
  return {};
}

}  // namespace vw
