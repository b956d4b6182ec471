// Substep of rigid bodies: waking, impulses and gravity, contacts and joints, free motion, falling asleep.
#include "sim/system/rigid/rigid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/pose.h"
#include "sim/system/former_name.h"
#include "sim/system/rigid/contacts/contact_rounds.h"
#include "sim/system/rigid/contacts/contact_search.h"
#include "sim/system/rigid/rest_watch.h"
#include "sim/system/rigid/rigid_params.h"
#include "sim/system/rigid/wind/rigid_wind.h"
#include "sim/system/turning_vectors.h"

namespace vw {
namespace {

constexpr double absurd_mps = 1e6;
constexpr double most_finer = 8;  ///< Largest factor by which the motion of jointed bodies may shorten substeps.
constexpr std::size_t motion_chunk = 128;
enum RigidChannel : std::size_t {
  channel_speed = 0,
  channel_spin,
  channel_kinetic,
  channel_contacts,
  channel_mass,
  channel_asleep
};

constexpr TotalWarning separated_warning{
    .noun = "joint",
    .sentence =
        "separated by more than 5 % of the rod length or of the distance from the joint to the bodies' centres. Use "
        "mass ratios below 10,000, lower speeds or a shorter longest_dt"};

class Rigid final : public RigidSystem {
 public:
  Rigid(const Node& self, std::vector<RigidBody> bodies, RigidJoints joints)
      : RigidSystem(self.name), bodies_(std::move(bodies)), joints_(std::move(joints)) {
    params_ = rigid_params().read(self.values);
    for (const Node* node : self.all("body")) node_names_.push_back(node->name);
    node_joints_ = self.all("joint").size();
    search_.prepare(bodies_);
    place();
    rest_.prepare(elements_);
  }

  [[nodiscard]] const Schema& schema() const override { return rigid_schema(); }
  [[nodiscard]] std::span<const RigidBody> bodies() const override { return bodies_; }
  [[nodiscard]] double gravity_scale() const override { return params_.gravity_scale; }

  [[nodiscard]] std::optional<BodyMotions> permitted_motions(std::size_t row) const override {
    return joints_.permitted_motions(elements_, row, bodies_[row].reach_m);
  }
  [[nodiscard]] bool is_driven() const override { return joints_.may_drive(); }
  /// Returns the sum of the elastic energy of springs and the kinetic energy of translation and rotation [J].
  [[nodiscard]] double convertible_energy(const StepContext& context) const override {
    const Diagnostics now = diagnostics(context);
    return now.elastic + now.kinetic;
  }

  void note_wet(std::size_t row, std::span<const Vec3> place, std::span<const float> wet) override {
    wind_.keep_off(bodies_[row], row, place, wet);
  }

  Result<void> configure(const Node& self, const Node& scene) override {
    (void)scene;
    params_ = rigid_params().read(self.values);
    const auto nodes = self.all("body");
    for (RigidBody& body : bodies_)
      if (body.node < nodes.size()) update_rigid_body(*nodes[body.node], body);
    take_masses();
    joints_.configure(self, bodies_);
    rest_.wake_all(elements_);
    return make_particles(self);
  }

  Result<void> make_particles(const Node& self) const {
    if (params_.particle_size_m == 0) return {};
    const auto made = particles(params_.particle_size_m);
    if (made->problem().empty()) return {};
    return wrong_value(self.line, "system." + self.name + ".particle_size",
                       fmt::format("{} m", params_.particle_size_m),
                       "must be a diameter with which every body can be filled: " + made->problem());
  }

  /// Returns the longest substep [s]. If interactions have springs with the angular frequency w, the substep is at most
  /// 0.5 / w. The stability bound of symplectic Euler with critical damping is 0.83 / w.
  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override {
    const double longest =
        std::clamp(joints_.longest_dt(elements_), params_.longest_dt_s / most_finer, params_.longest_dt_s);
    if (coupled_stiffness_npm <= 0 || bodies_.empty()) return longest;
    const double lightest = *std::min_element(elements_.mass.begin(), elements_.mass.end());
    return std::min(longest, 0.5 * std::sqrt(lightest / coupled_stiffness_npm));
  }

  [[nodiscard]] StepBound step_bound(double coupled_stiffness_npm) const override {
    const double dt = stable_dt(coupled_stiffness_npm);
    if (params_.longest_dt_s <= dt) return {"longest_dt", "raise longest_dt"};
    if (stable_dt(0) <= dt) return {"the speed of jointed bodies", "lower that speed, or raise longest_dt"};
    return System::step_bound(coupled_stiffness_npm);
  }

  /// Returns the estimated cost of a step: the sum of the costs of moving bodies, of solver iterations over contacts,
  /// and of joints. It depends on the state alone, so that a resumed world stops at the same step.
  [[nodiscard]] double step_cost(const StepContext& context, std::int64_t substeps) const override {
    (void)context;
    const double rounds = std::min(50.0, static_cast<double>(params_.contact_rounds));
    return static_cast<double>(substeps) *
           (100 * static_cast<double>(bodies_.size()) + 1000 * static_cast<double>(node_joints_) +
            rounds * static_cast<double>(memory_.awake_contacts()));
  }
  [[nodiscard]] CostCause cost_cause(const StepContext& context, std::int64_t substeps) const override {
    return {fmt::format("{} substeps of {:.2g} s per step for {} bodies with {} contacts", substeps,
                        context.dt / static_cast<double>(substeps), bodies_.size(), memory_.awake_contacts()),
            "raise longest_dt, lower the speed of jointed bodies, or use fewer bodies"};
  }

  void begin_step(const StepContext& context) override {
    step_s_ = context.dt;
    elements_.met.clear();
    marks_.clear();
    memory_.forget_marks();
    joints_.begin_step();
    wind_.begin_step(context, scene_of(context, context.dt), params_, rest_rule());
  }

  void substep(const StepContext& context, double t, double dt) override {
    (void)t;
    const Vec3 gravity = params_.gravity_scale * context.gravity;
    RigidScene scene = scene_of(context, dt);
    scene.slowest_bounce_mps = 2 * gravity.norm() * dt;
    scene.gravity = gravity;
    if (rest_.wake_by_external_load(scene, gravity, wind_.wakes())) memory_.sort_out(scene);
    wind_.woken();
    if (rest_.sleepers() == bodies_.size()) return;
    velocity_then_ = elements_.velocity;
    spin_then_ = elements_.angular_velocity;
    scene.velocity_then = velocity_then_, scene.spin_then = spin_then_;
    driven_.assign(bodies_.size(), 0);
    do drive(scene, gravity);
    while (meets_sleepers(scene));
    islands_.build(scene, contacts_, joints_);
    rounds_.give_impulses(scene, islands_, joints_, contacts_);
    move(scene);
    rounds_.push_apart(scene, islands_, joints_);
    note_contacts(scene);
    bool changed = joints_.finish(dt);
    if (changed) rest_.wake_all(elements_);
    changed = rest_.rest(scene, islands_, contacts_, joints_.links(), rest_rule()) || changed;
    wind_.note_borne(driven_, rest_.left_place());
    if (changed) memory_.sort_out(scene);
  }

  [[nodiscard]] std::vector<std::string> notes(const Setup&) const override { return joints_.notes(name()); }

  [[nodiscard]] Elements& elements() override { return elements_; }
  [[nodiscard]] const Elements& elements() const override { return elements_; }

  void visit_state(StateVisitor& visit) override {
    visit("position", elements_.position, state_motion);
    visit("velocity", elements_.velocity, state_motion);
    visit("orientation", elements_.orientation);
    visit("angular_velocity", elements_.angular_velocity, state_motion);
    visit("impulse", elements_.impulse);
    visit("angular_impulse", elements_.angular_impulse);
    rest_.visit_state(visit);
    memory_.visit_state(visit);
    joints_.visit_state(visit);
    wind_.visit_state(visit);
  }
  void state_restored() override {
    rest_.state_restored();
    memory_.state_restored(bodies_.size());
    joints_.state_restored(bodies_);
    wind_.forget_given();
    marks_.clear();
    // The contact memory does not contain contacts that only bounced. They are not counted until the next step.
    touches_.assign(bodies_.size(), 0);
    memory_.each_pair([&](std::uint32_t a, std::uint32_t other) {
      ++touches_[a];
      if (other < first_obstacle) ++touches_[other];
    });
  }
  void surroundings_changed(std::span<const std::size_t> now) override {
    memory_.renumber_obstacles(now);
    memory_.state_restored(bodies_.size());
  }
  /// Bodies and joints that exist in both systems keep their motion. Sleeping bodies wake up.
  std::vector<std::int64_t> continue_from(System& former,
                                          const std::map<std::string, std::string>& former_names) override {
    auto& old = static_cast<Rigid&>(former);
    std::map<std::pair<std::string, std::size_t>, std::size_t> former_row;
    const auto keys = body_keys(former_names), former_keys = old.body_keys({});
    for (std::size_t i = 0; i < former_keys.size(); ++i) former_row.emplace(former_keys[i], i);
    std::vector<std::int64_t> now(old.bodies_.size(), -1);
    Elements &to = elements_, &from = old.elements_;
    from.room_for_impulses();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto found = former_row.find(keys[i]);
      if (found == former_row.end()) continue;
      const std::size_t k = found->second;
      now[k] = static_cast<std::int64_t>(i);
      to.position[i] = from.position[k], to.velocity[i] = from.velocity[k];
      to.orientation[i] = from.orientation[k], to.angular_velocity[i] = from.angular_velocity[k];
      to.impulse[i] = from.impulse[k], to.angular_impulse[i] = from.angular_impulse[k];
    }
    rest_.prepare(elements_);
    memory_.take_over(old.memory_, now);
    joints_.take_over(old.joints_, now, former_names, bodies_, elements_);
    memory_.state_restored(bodies_.size());
    joints_.state_restored(bodies_);
    return now;
  }
  [[nodiscard]] Result<std::vector<std::uint8_t>> displace(std::size_t row, const Displacement& motion) override {
    std::vector<std::uint8_t> moves(bodies_.size(), 0);
    moves[row] = 1;
    bool grows = true;
    while (grows) {
      grows = false;
      for (const auto& [a, b] : joints_.links()) {
        if (b == no_body && moves[a] != 0)
          return fail(
              name() + "." + bodies_[a].name +
              " cannot be moved: a joint connects it to the world. Remove the joint, or pull the body with a spring");
        if (b == no_body || moves[a] == moves[b]) continue;
        moves[a] = moves[b] = 1;
        grows = true;
      }
    }
    std::vector<std::int64_t> stays(bodies_.size(), -1);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      stays[i] = moves[i] != 0 ? -1 : static_cast<std::int64_t>(i);
      if (moves[i] == 0) continue;
      elements_.position[i] = motion.moved(elements_.position[i]);
      elements_.orientation[i] = motion.turned(elements_.orientation[i]);
      elements_.velocity[i].setZero(), elements_.angular_velocity[i].setZero();
      elements_.impulse[i].setZero(), elements_.angular_impulse[i].setZero();
    }
    ContactMemory kept;
    kept.take_over(memory_, stays);
    memory_ = std::move(kept);
    rest_.wake_all(elements_);
    memory_.state_restored(bodies_.size());
    joints_.state_restored(bodies_);
    return moves;
  }
  [[nodiscard]] std::string state_problem() const override {
    const std::size_t n = bodies_.size();
    const Elements& e = elements_;
    for (const std::size_t size :
         {e.position.size(), e.velocity.size(), e.orientation.size(), e.angular_velocity.size(), e.impulse.size(),
          e.angular_impulse.size(), e.mass.size()})
      if (size != n) return "the state has " + std::to_string(size) + " bodies, but the scene has " + std::to_string(n);
    for (const Quat& q : e.orientation)
      if (!(std::abs(q.norm() - 1) < 1e-6)) return "an orientation is not a unit quaternion";
    for (std::string problem : {rest_.problem(n), memory_.problem(n), joints_.state_problem(), wind_.problem(n)})
      if (!problem.empty()) return problem;
    return {};
  }

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override {
    Diagnostics d;
    d.count = bodies_.size();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Elements& e = elements_;
      const double m = bodies_[i].mass_kg;
      const Vec3 spin = bodies_[i].inertia.tensor(e.orientation[i]) * e.angular_velocity[i];
      d.mass += m;
      d.kinetic += kinetic(i);
      d.potential -= m * params_.gravity_scale * context.gravity.dot(e.position[i]);
      d.momentum += m * e.velocity[i];
      d.angular_momentum += m * e.position[i].cross(e.velocity[i]) + spin;
      d.center_of_mass += m * e.position[i];
    }
    if (d.mass > 0) d.center_of_mass /= d.mass;
    d.elastic = joints_.elastic_j(elements_);
    return d;
  }

  [[nodiscard]] std::optional<HealthIssue> check_health() const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Elements& e = elements_;
      const auto row = static_cast<std::int64_t>(i);
      if (!e.position[i].allFinite() || !e.orientation[i].coeffs().allFinite())
        return HealthIssue{"position or orientation of body " + bodies_[i].name + " is not finite", row,
                           "the cause is likely an infinite force"};
      const bool is_slow = e.velocity[i].norm() <= absurd_mps;
      if (!is_slow || !(e.angular_velocity[i].norm() * bodies_[i].reach_m <= absurd_mps))
        return HealthIssue{
            is_slow ? "angular velocity of body " + bodies_[i].name +
                          " is not finite, or moves its surface at more than 1e6 m/s"
                    : "speed of body " + bodies_[i].name + " is above 1e6 m/s or not finite",
            row, "the cause is likely an extreme force or speed, or a rule that is too stiff for this mass and step"};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::span<const ChannelInfo> channels() const override {
    static const std::vector<ChannelInfo> all{{"speed", "m/s"}, {"spin", "rad/s"}, {"kinetic", "J"},
                                              {"contacts", ""}, {"mass", "kg"},    {"asleep", ""}};
    return all;
  }
  void channel(std::size_t index, std::vector<float>& out) const override {
    out.resize(bodies_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(value_of(index, i));
  }

  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override { return turning_vectors(); }
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override {
    turning_vector(elements_, index, out);
  }

  void totals(std::vector<Total>& out) const override {
    out.clear();
    out.push_back({"contacts", "", static_cast<double>(std::accumulate(touches_.begin(), touches_.end(), 0U))});
    out.push_back({"asleep", "", static_cast<double>(rest_.sleepers())});
    const Vec3 wind = wind_.given() / step_s_;
    out.push_back({"wind_x", "N", wind.x()});
    out.push_back({"wind_y", "N", wind.y()});
    out.push_back({"wind_z", "N", wind.z()});
    if (!joints_.empty())
      out.push_back({"separated_joints", "", static_cast<double>(joints_.separated(elements_)), &separated_warning});
  }

  void snapshot(SystemSnapshot& out) const override {
    const std::size_t n = bodies_.size();
    auto& look = out.use_look<RigidLook>();
    out.position.resize(n), out.velocity.resize(n), out.orientation.resize(n), out.size.resize(n), out.id.resize(n),
        out.material.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      out.position[i] = elements_.position[i].cast<float>();
      out.velocity[i] = elements_.velocity[i].cast<float>();
      out.orientation[i] = elements_.orientation[i].cast<float>();
      out.size[i] = static_cast<float>(bodies_[i].reach_m);
      out.id[i] = static_cast<std::uint32_t>(i);
      out.material[i] = static_cast<std::uint8_t>(std::min<std::size_t>(bodies_[i].node, 255));
    }
    show_colors(out);
    if (pictures_.size() != n) make_pictures();
    look.meshes = pictures_;
    show_particles(look);
    show_contacts(look);
    look.joints.clear();
    joints_.snapshot(elements_, look.joints);
    out.asleep.clear();
    if (rest_.any_asleep())
      for (const std::uint32_t group : rest_.asleep()) out.asleep.push_back(group != 0 ? 1 : 0);
  }

 private:
  /// Display record of a contact that exerted a force in this world step. `b` is no_body if the body touched an
  /// obstacle.
  struct Mark {
    std::size_t a = 0, b = no_body;
    Vec3 point = Vec3::Zero();
    Vec3 impulse = Vec3::Zero();
  };

  [[nodiscard]] RestRule rest_rule() const {
    RestRule rule;
    rule.sleep = params_.sleep, rule.drift_m = params_.sleep_drift_m;
    if (params_.sleep_after_s > 0) rule.after_s = params_.sleep_after_s;
    return rule;
  }

  [[nodiscard]] RigidScene scene_of(const StepContext& context, double dt) {
    RigidScene scene;
    scene.bodies = bodies_, scene.rows = &elements_, scene.colliders = context.colliders, scene.dt = dt;
    scene.rounds = static_cast<int>(params_.contact_rounds);
    scene.asleep = rest_.asleep();
    return scene;
  }

  /// Adds gravity, wind and impulses to the velocities of awake bodies. Skips bodies that have already received these
  /// changes in this substep.
  void drive(const RigidScene& scene, const Vec3& gravity) {
    Elements& e = elements_;
    wind_.find_pushes(scene, driven_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (driven_[i] != 0 || scene.sleeps(i)) continue;
      driven_[i] = 1;
      wind_.push(scene, i);
      e.velocity[i] += joints_.kick_s(i, scene.dt) * gravity + e.impulse[i] / bodies_[i].mass_kg;
      if (!e.angular_impulse[i].isZero(0)) e.angular_velocity[i] += inverse_inertia(i) * e.angular_impulse[i];
      e.impulse[i].setZero();
      e.angular_impulse[i].setZero();
    }
  }

  /// Finds contacts. Returns true if a sleeping body woke. In this case, the caller must call drive() again, which
  /// accelerates the body that woke, and then this function.
  bool meets_sleepers(const RigidScene& scene) {
    search_.find(scene, memory_, joints_, contacts_);
    if (!rest_.look_at(scene, contacts_)) return false;
    memory_.sort_out(scene);
    return true;
  }

  void move(const RigidScene& scene) {
    Elements& e = elements_;
    parallel_for(bodies_.size(), motion_chunk, [&](Range part, std::size_t) {
      for (std::size_t i = part.begin; i < part.end; ++i) {
        if (scene.sleeps(i)) continue;
        e.position[i] += scene.dt * e.velocity[i];
        turn_freely(bodies_[i].inertia, e.orientation[i], e.angular_velocity[i], scene.dt);
      }
    });
  }

  /// Stores the contact forces for the next substep and for display.
  void note_contacts(const RigidScene& scene) {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      if (!scene.sleeps(i)) touches_[i] = 0;
    for (RigidContact& c : contacts_) {
      if (!c.is_pressed()) continue;
      ++touches_[c.a];
      if (c.b != no_body) ++touches_[c.b];
      if (c.mark == ContactMemory::no_mark) {
        c.mark = static_cast<std::uint32_t>(marks_.size());
        marks_.push_back({c.a, c.b, c.point, Vec3::Zero()});
      }
      marks_[c.mark].point = c.point;
      marks_[c.mark].impulse += c.impulse() + c.impact_impulse;
    }
    memory_.keep(contacts_, scene);
  }

  /// Writes the contacts for display. Sleeping bodies keep the contact forces with which they fell asleep.
  void show_contacts(RigidLook& out) const {
    out.contacts.clear();
    const auto add = [&](std::size_t a, std::size_t b, const Vec3& point, const Vec3& force) {
      out.contacts.push_back({point.cast<float>(), force.cast<float>(), static_cast<std::uint32_t>(a)});
      if (b != no_body)
        out.contacts.push_back({point.cast<float>(), -force.cast<float>(), static_cast<std::uint32_t>(b)});
    };
    for (const Mark& mark : marks_)
      if (rest_.asleep()[mark.a] == 0) add(mark.a, mark.b, mark.point, mark.impulse / step_s_);
    memory_.each_asleep([&](std::uint32_t a, std::uint32_t other, const Vec3& place, const Vec3& force) {
      add(a, other < first_obstacle ? other : no_body, elements_.position[a] + elements_.orientation[a] * place, force);
    });
  }

  /// Initializes the rows from the bodies' initial state.
  void place() {
    const std::size_t n = bodies_.size();
    elements_.position.resize(n), elements_.velocity.resize(n), elements_.orientation.resize(n),
        elements_.angular_velocity.resize(n);
    elements_.radius.resize(n), elements_.mass.resize(n);
    elements_.impulse.assign(n, Vec3::Zero());
    elements_.angular_impulse.assign(n, Vec3::Zero());
    touches_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const RigidBody& body = bodies_[i];
      elements_.position[i] = body.start.position + body.start.orientation * body.center;
      elements_.orientation[i] = body.start.orientation;
      elements_.velocity[i] = body.velocity;
      elements_.angular_velocity[i] = body.angular_velocity;
      elements_.radius[i] = body.reach_m;
    }
    take_masses();
  }

  void take_masses() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) elements_.mass[i] = bodies_[i].mass_kg;
  }

  void show_particles(RigidLook& out) const {
    out.particles.clear();
    out.particle_m = 0;
    if (params_.particle_size_m == 0 && particles_.empty()) return;
    const auto shown = params_.particle_size_m > 0 ? particles(params_.particle_size_m) : particles_.back();
    for (std::size_t i = 0; i < bodies_.size(); ++i) out.particles.push_back(shown->picture(i));
    out.particle_m = static_cast<float>(shown->diameter_m());
  }

  /// Writes one palette entry per node of slot `body`, in scene order. If there are more nodes than entries that a
  /// palette may have, each body also gets a tint.
  void show_colors(SystemSnapshot& out) const {
    const std::size_t nodes = bodies_.empty() ? 0 : bodies_.back().node + 1;
    out.palette.resize(nodes), out.palette_names.resize(nodes);
    out.tint.clear();
    for (const RigidBody& body : bodies_) {
      out.palette[body.node] = body.color.cast<float>();
      out.palette_names[body.node] = node_names_[body.node];
      if (nodes > 256)
        out.tint.push_back({out.palette[body.node].x(), out.palette[body.node].y(), out.palette[body.node].z(), 1});
    }
  }

  /// Creates surfaces relative to the centres of mass. Bodies that are copies share one surface.
  void make_pictures() const {
    pictures_.clear();
    for (const RigidBody& body : bodies_) {
      if (!pictures_.empty() && (&body)[-1].node == body.node) {
        pictures_.push_back(pictures_.back());
        continue;
      }
      auto mesh = std::make_shared<SurfaceMesh>(*picture_of(body.shape));
      for (Vec3f& corner : mesh->position) corner -= body.center.cast<float>();
      pictures_.push_back(std::move(mesh));
    }
  }

  /// Returns for each body the former name of its node, and the number of the body among the copies of that node.
  [[nodiscard]] std::vector<std::pair<std::string, std::size_t>> body_keys(
      const std::map<std::string, std::string>& former_names) const {
    std::vector<std::pair<std::string, std::size_t>> keys;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const bool is_copy = i > 0 && bodies_[i - 1].node == bodies_[i].node;
      const std::size_t copy = is_copy ? keys.back().second + 1 : 0;
      keys.emplace_back(former_name(former_names, "body", node_names_[bodies_[i].node]), copy);
    }
    return keys;
  }

  [[nodiscard]] double kinetic(std::size_t i) const {
    const Vec3& w = elements_.angular_velocity[i];
    return 0.5 * (bodies_[i].mass_kg * elements_.velocity[i].squaredNorm() +
                  w.dot(bodies_[i].inertia.tensor(elements_.orientation[i]) * w));
  }

  [[nodiscard]] double value_of(std::size_t channel, std::size_t i) const {
    switch (channel) {
      case channel_speed: return elements_.velocity[i].norm();
      case channel_spin: return elements_.angular_velocity[i].norm();
      case channel_kinetic: return kinetic(i);
      case channel_mass: return bodies_[i].mass_kg;
      case channel_asleep: return rest_.asleep()[i] != 0 ? 1 : 0;
      default: return touches_[i];
    }
  }

  RigidParams params_;
  std::vector<RigidBody> bodies_;
  std::vector<std::string> node_names_;
  std::size_t node_joints_ = 0;
  Elements elements_;
  RigidJoints joints_;
  ContactSearch search_;
  ContactRounds rounds_;
  Islands islands_;
  ContactMemory memory_;
  RestWatch rest_;
  RigidWind wind_;
  std::vector<RigidContact> contacts_;
  /// Number of contacts of each body in its last awake substep, for display.
  std::vector<std::uint32_t> touches_;
  std::vector<Mark> marks_;  ///< Contacts for display.
  double step_s_ = 1;
  std::vector<Vec3> velocity_then_, spin_then_;
  std::vector<std::uint8_t> driven_;  // Scratch: 1 for each body that has received the impulses of this substep.
  /// Surface of each body for display, created when first needed.
  mutable std::vector<std::shared_ptr<const SurfaceMesh>> pictures_;
};

}  // namespace

std::vector<std::string> RigidSystem::file_notes() const {
  std::vector<std::string> all;
  for (const RigidBody& body : bodies())
    if (!body.note.empty() && std::find(all.begin(), all.end(), body.note) == all.end()) all.push_back(body.note);
  return all;
}

const Schema& rigid_schema() {
  static const Schema schema{
      "rigid",
      "Rigid bodies with gravity, contacts, joints and wind.",
      rigid_params().specs(),
      {{.name = "body", .kinds = rigid_body_schemas(), .doc = "Bodies of the system.", .is_live = true},
       {.name = "joint",
        .kinds = joint_schemas(),
        .doc = "Joints that connect bodies to each other or to the world.",
        .is_live = true}}};
  return schema;
}

Result<std::unique_ptr<System>> create_rigid(const Node& self, const Node& scene) {
  const Node* world = scene.only("world");
  const auto seed = world != nullptr ? static_cast<std::uint64_t>(std::get<std::int64_t>(world->value("seed"))) : 0;
  auto bodies = make_rigid_bodies(self, seed);
  if (!bodies) return Unexpected(bodies.error());
  auto joints = RigidJoints::make(self, *bodies);
  if (!joints) return Unexpected(joints.error());
  auto system = std::make_unique<Rigid>(self, std::move(*bodies), std::move(*joints));
  if (const auto made = system->make_particles(self); !made) return Unexpected(made.error());
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
