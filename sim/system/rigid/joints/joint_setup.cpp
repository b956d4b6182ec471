// Creates joints from the scene, and groups the bodies that they connect.
#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "sim/base/elementary/elementary.h"
#include "sim/system/former_name.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {
namespace {

/// Returns `name` with its trailing number increased by `up`.
std::string counted(const std::string& name, std::int64_t up) {
  std::size_t digits = 0;
  while (digits < name.size() && digits < 9 && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  if (digits == 0 || up == 0) return name;
  const std::string stem = name.substr(0, name.size() - digits);
  return stem + std::to_string(std::stoll(name.substr(name.size() - digits)) + up);
}

bool is_counted(const std::string& name) { return counted(name, 1) != name; }
Error as_error(const Node& self, const Node& node, const std::string& key, std::string found, std::string expected,
               std::string hint = {}) {
  Error error;
  error.line = node.line, error.key = "system." + self.name + ".joint." + node.name + '.' + key;
  error.found = std::move(found), error.expected = std::move(expected), error.hint = std::move(hint);
  return error;
}

Result<void> check(const Node& self, const Node& node, const JointParams& p) {
  const auto bad = [&](const char* key, std::string expected) -> Unexpected {
    return fail(as_error(self, node, key, to_text(node.value(key)), std::move(expected)));
  };
  if (has_axis(p.kind) && !(p.axis.norm() > 1e-9)) return bad("axis", "must not be zero");
  if (p.repeat > 1 && !is_counted(p.a) && !is_counted(p.b))
    return bad("repeat", "must be 1 if neither a nor b ends in a number");
  return {};
}

/// Returns an error if the joints of a system and their copies are too many. Without a limit, a small file could
/// exhaust the memory.
Result<void> check_number_of_joints(const Node& self) {
  constexpr std::int64_t most = 2'000'000;
  std::int64_t all = 0;
  for (const Node* node : self.all("joint")) {
    const Value& repeat = node->value("repeat");
    all += std::get<std::int64_t>(repeat);
    if (all > most)
      return fail(as_error(self, *node, "repeat", to_text(repeat),
                           "must give at most 2,000,000 joints in the system, with all copies of all joints"));
  }
  return {};
}

/// Finds the rows of bodies by name.
class BodyNames {
 public:
  explicit BodyNames(std::span<const RigidBody> bodies) : bodies_(bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) rows_.emplace(bodies[i].name, i);
  }
  [[nodiscard]] Result<std::size_t> find(const Node& self, const Node& node, const std::string& key,
                                         const std::string& name) const {
    if (const auto row = rows_.find(name); row != rows_.end()) return row->second;
    std::vector<std::string> known;
    for (const RigidBody& body : bodies_) known.push_back(body.name);
    return fail(as_error(self, node, key, '"' + name.substr(0, 160) + '"', "must name a body of " + self.name,
                         nearest_word(name, known)));
  }

 private:
  std::span<const RigidBody> bodies_;
  std::unordered_map<std::string_view, std::size_t> rows_;
};

/// Returns the squared angular frequency of a body's transverse oscillation under tension, divided by the tension [1/(m
/// kg)]. The tension acts at both ends of the body, at `arm` and -`arm` from the centre of mass. The last body of a
/// chain (`is_last`) is pulled at its centre of mass and swings about its anchor.
double swing_of(const RigidBody& body, const Vec3& arm, bool is_last) {
  const double length = arm.norm();
  if (!(length > 1e-6 * body.reach_m)) return 0;
  if (is_last) return length / (body.inertia.moments.minCoeff() + body.mass_kg * length * length);
  const Mat3 tensor = body.inertia.axes * body.inertia.moments.asDiagonal() * body.inertia.axes.transpose();
  const Vec3 u = arm.unitOrthogonal(), v = arm.cross(u) / length;
  const double uu = u.dot(tensor * u), vv = v.dot(tensor * v), uv = u.dot(tensor * v);
  return 2 * length / (0.5 * (uu + vv) - elementary::hypot(0.5 * (uu - vv), uv));
}

Pose start_of(std::span<const RigidBody> bodies, std::size_t body) {
  if (body == no_body) return {};
  const RigidBody& it = bodies[body];
  return {it.start.position + it.start.orientation * it.center, it.start.orientation};
}

}  // namespace

Result<RigidJoints> RigidJoints::make(const Node& self, std::span<const RigidBody> bodies) {
  if (auto good = check_number_of_joints(self); !good) return Unexpected(good.error());
  RigidJoints all;
  const BodyNames names(bodies);
  const auto nodes = self.all("joint");
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Node& node = *nodes[n];
    const JointParams params = read_joint(node);
    if (auto good = check(self, node, params); !good) return Unexpected(good.error());
    for (std::int64_t i = 0; i < params.repeat; ++i) {
      Joint joint;
      joint.name = params.repeat > 1 ? node.name + '-' + std::to_string(i + 1) : node.name;
      joint.node = n, joint.params = params;
      const auto a = names.find(self, node, "a", counted(params.a, i));
      if (!a) return Unexpected(a.error());
      joint.a = *a;
      if (!params.b.empty()) {
        const auto b = names.find(self, node, "b", counted(params.b, i));
        if (!b) return Unexpected(b.error());
        joint.b = *b;
      }
      if (joint.a == joint.b)
        return fail(as_error(self, node, "b", '"' + params.b + '"', "must name a body other than that of `a`"));
      const Vec3 away = static_cast<double>(i) * params.repeat_step;
      const Vec3 on_b = is_line(params.kind) ? params.anchor_b : params.anchor;
      joint.frame = joint_frame(params.kind, start_of(bodies, joint.a), start_of(bodies, joint.b), params.anchor + away,
                                on_b + away, params.axis);
      const double length = is_line(params.kind) ? (params.anchor - params.anchor_b).norm() : 0;
      all.reading_.push_back(length);
      all.length_.push_back(params.length_m > 0 ? params.length_m : length);
      all.joints_.push_back(std::move(joint));
    }
  }
  all.find_swings(bodies);
  all.initial_frames_ = all.frames();
  all.pull_.assign(all.joints_.size(), 0);
  all.added_energy_j_.assign(all.joints_.size(), 0);
  all.broken_.assign(all.joints_.size(), 0);
  all.deficit_j_.assign(all.joints_.size(), 0);
  all.last_dt_s_.assign(all.joints_.size(), 0);
  all.pending_kick_s_.assign(bodies.size(), 0);
  all.is_jointed_.assign(bodies.size(), 0);
  all.is_driven_.assign(bodies.size(), 0);
  all.half_velocity_.resize(bodies.size()), all.half_spin_.resize(bodies.size());
  for (const Joint& joint : all.joints_) {
    all.is_jointed_[joint.a] = 1;
    if (joint.b != no_body) all.is_jointed_[joint.b] = 1;
  }
  all.holds_.resize(all.joints_.size());
  all.regroup();
  return all;
}

void RigidJoints::find_swings(std::span<const RigidBody> bodies) {
  std::vector<int> joints_of(bodies.size(), 0);
  for (const Joint& joint : joints_) {
    ++joints_of[joint.a];
    if (joint.b != no_body) ++joints_of[joint.b];
  }
  for (Joint& joint : joints_) {
    joint.swing_a = swing_of(bodies[joint.a], joint.frame.arm_a, joints_of[joint.a] == 1);
    if (joint.b != no_body) joint.swing_b = swing_of(bodies[joint.b], joint.frame.arm_b, joints_of[joint.b] == 1);
  }
}

std::vector<std::string> RigidJoints::notes(const std::string& system) const {
  std::vector<std::string> all;
  const std::vector<JointKey> keys = joint_keys();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointParams& p = joints_[i].params;
    const bool is_copy = keys[i].second > 0;
    if (is_copy || !is_line(p.kind) || p.length_m > 0 || (p.anchor - p.anchor_b).norm() > 1e-9) continue;
    all.push_back(system + ".joint." + keys[i].first +
                  ": the joint starts with the length 0, because length is 0, and anchor and anchor_b are the same "
                  "point. Set length or move an anchor");
  }
  return all;
}

std::vector<RigidJoints::JointKey> RigidJoints::joint_keys() const {
  std::vector<JointKey> keys;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    const std::size_t copy = i > 0 && joints_[i - 1].node == joint.node ? keys.back().second + 1 : 0;
    // The names of copies are the name of their node, a hyphen and a number.
    const std::size_t tail = joint.params.repeat > 1 ? 1 + std::to_string(copy + 1).size() : 0;
    keys.emplace_back(joint.name.substr(0, joint.name.size() - tail), copy);
  }
  return keys;
}

void RigidJoints::take_over(const RigidJoints& former, std::span<const std::int64_t> now,
                            const std::map<std::string, std::string>& former_names, std::span<const RigidBody> bodies,
                            const Elements& rows) {
  const std::vector<JointKey> keys = joint_keys(), former_keys = former.joint_keys();
  std::map<JointKey, std::size_t> former_joints;
  for (std::size_t k = 0; k < former_keys.size(); ++k) former_joints.emplace(former_keys[k], k);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    Joint& joint = joints_[i];
    const auto& [node, copy] = keys[i];
    const auto old = former_joints.find({former_name(former_names, "joint", node), copy});
    if (old == former_joints.end()) {
      const Vec3 away = static_cast<double>(copy) * joint.params.repeat_step;
      const Vec3 on_b = is_line(joint.params.kind) ? joint.params.anchor_b : joint.params.anchor;
      joint.frame = joint_frame(joint.params.kind, pose_of(rows, joint.a), pose_of(rows, joint.b),
                                joint.params.anchor + away, on_b + away, joint.params.axis);
      continue;
    }
    const std::size_t k = old->second;
    joint.frame = former.joints_[k].frame;
    reading_[i] = former.reading_[k], length_[i] = former.length_[k], pull_[i] = former.pull_[k];
    added_energy_j_[i] = former.added_energy_j_[k], deficit_j_[i] = former.deficit_j_[k];
    last_dt_s_[i] = former.last_dt_s_[k], broken_[i] = former.broken_[k];
  }
  for (std::size_t body = 0; body < former.pending_kick_s_.size(); ++body)
    if (now[body] >= 0 && static_cast<std::size_t>(now[body]) < pending_kick_s_.size())
      pending_kick_s_[static_cast<std::size_t>(now[body])] = former.pending_kick_s_[body];
  find_swings(bodies);
  live_frames_ = frames();
  if (live_frames_ == initial_frames_) live_frames_.clear();
}

std::vector<double> RigidJoints::frames() const {
  std::vector<double> all;
  all.reserve(frame_numbers * joints_.size());
  const auto add = [&](const auto& matrix) { all.insert(all.end(), matrix.data(), matrix.data() + matrix.size()); };
  for (const Joint& joint : joints_) {
    add(joint.frame.arm_a), add(joint.frame.arm_b), add(joint.frame.axes_a), add(joint.frame.axes_b);
    all.push_back(joint.swing_a), all.push_back(joint.swing_b);
  }
  return all;
}

void RigidJoints::take_frames(std::span<const double> frames) {
  const double* from = frames.data();
  const auto take = [&](auto& matrix) {
    std::copy_n(from, matrix.size(), matrix.data());
    from += matrix.size();
  };
  for (Joint& joint : joints_) {
    take(joint.frame.arm_a), take(joint.frame.arm_b), take(joint.frame.axes_a), take(joint.frame.axes_b);
    joint.swing_a = *from++, joint.swing_b = *from++;
  }
}

void RigidJoints::state_restored(std::span<const RigidBody> bodies) {
  take_frames(live_frames_.empty() ? initial_frames_ : live_frames_);
  // take_frames() restores the swings for the masses at the time when the joints were created. The present masses may
  // differ.
  find_swings(bodies);
  regroup();
}

void RigidJoints::configure(const Node& self, std::span<const RigidBody> bodies) {
  for (Group& group : groups_) group.has_rows = false;  // The rows depend on the masses, which may have changed.
  const auto nodes = self.all("joint");
  for (Joint& joint : joints_) {
    if (joint.node >= nodes.size()) continue;
    const JointParams now = read_joint(*nodes[joint.node]);
    JointParams& p = joint.params;
    p.break_force_n = now.break_force_n, p.break_torque_nm = now.break_torque_nm;
    p.limited = now.limited, p.lower = now.lower, p.upper = now.upper;
    p.motor = now.motor, p.motor_speed = now.motor_speed, p.motor_target = now.motor_target;
    p.motor_time_s = now.motor_time_s, p.motor_most = now.motor_most, p.friction = now.friction;
    p.length_m = now.length_m, p.reel_mps = now.reel_mps, p.stiffness_npm = now.stiffness_npm, p.damping = now.damping;
  }
  find_swings(bodies);
  find_driven();
}

bool RigidJoints::may_drive() const {
  return std::ranges::any_of(joints_, [](const Joint& joint) {
    const bool has_length = joint.params.kind == JointKind::distance || joint.params.kind == JointKind::rope;
    return has_length || joint.params.motor != JointMotor::off;
  });
}

bool RigidJoints::may_touch(std::size_t a, std::size_t b) const {
  return !std::binary_search(apart_.begin(), apart_.end(), std::pair(std::min(a, b), std::max(a, b)));
}

void RigidJoints::find_driven() {
  const auto is_driven = [&](std::size_t index) {
    const JointParams& p = joints_[index].params;
    return is_spring(p) || (has_axis(p.kind) && (p.friction > 0 || (p.motor != JointMotor::off && p.motor_most > 0)));
  };
  for (const Group& group : groups_) {
    const bool any = std::any_of(group.joints.begin(), group.joints.end(), is_driven);
    for (const std::size_t body : group.bodies) is_driven_[body] = any ? 1 : 0;
  }
}

/// Rebuilds links and groups from the unbroken joints, in the order of rows.
void RigidJoints::regroup() {
  groups_.clear(), links_.clear(), apart_.clear(), world_joints_.clear();
  std::size_t bodies = 0;
  for (const Joint& joint : joints_) bodies = std::max({bodies, joint.a + 1, joint.b == no_body ? 0 : joint.b + 1});
  std::vector<std::size_t> leader(bodies);
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto lead = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  std::vector<std::uint8_t> is_joined(bodies, 0);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto& [a, b] = std::pair(joints_[i].a, joints_[i].b);
    if (broken_[i] != 0) continue;
    links_.emplace_back(a, b);
    is_joined[a] = 1;
    if (b == no_body) {
      world_joints_.push_back(i);
      continue;
    }
    is_joined[b] = 1;
    leader[std::max(lead(a), lead(b))] = std::min(lead(a), lead(b));
    if (!joints_[i].params.collide) apart_.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(apart_.begin(), apart_.end());
  std::vector<std::size_t> group_of(bodies, no_body), place(bodies, no_body);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (is_joined[i] == 0) continue;
    std::size_t& group = group_of[lead(i)];
    if (group == no_body) group = groups_.size(), groups_.emplace_back();
    place[i] = groups_[group].bodies.size();
    groups_[group].bodies.push_back(i);
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (broken_[i] != 0) continue;
    Group& group = groups_[group_of[lead(joints_[i].a)]];
    group.joints.push_back(i);
    group.sides.emplace_back(place[joints_[i].a], joints_[i].b == no_body ? no_body : place[joints_[i].b]);
  }
  loose_.clear();
  for (std::size_t i = 0; i < is_jointed_.size(); ++i)
    if (is_jointed_[i] != 0 && is_joined[i] == 0) loose_.push_back(i);
  find_driven();
  for (Group& group : groups_) {
    const std::size_t n = group.bodies.size();
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t k = 0; k < group.joints.size(); ++k) {
      edges.emplace_back(n + k, group.sides[k].first);
      if (group.sides[k].second != no_body) edges.emplace_back(n + k, group.sides[k].second);
    }
    group.factor.analyze(n + group.joints.size(), n, edges);
    group.movers.resize(n);
    group.unknown.resize(n + group.joints.size());
  }
}

}  // namespace vw
