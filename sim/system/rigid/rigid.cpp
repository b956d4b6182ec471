// One substep of rigid bodies: impulses and gravity into velocities, contact, the free turn. Few bodies: everything is serial, in the order of rows.
#include "sim/system/rigid/rigid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/collision/pose.h"
#include "sim/system/rigid/rigid_contact.h"

namespace vw {
namespace {

struct RigidParams {
  double longest_dt_s = 1.0 / 240;
  double gravity_scale = 1;
  std::int64_t contact_rounds = 200;
  double particle_size_m = 0;
};

const ParamTable<RigidParams>& rigid_params() {
  using P = RigidParams;
  static const ParamTable<P> table{
      {&P::longest_dt_s,
       "longest_dt",
       Unit::second,
       1.0 / 240,
       {1e-6, 1},
       Scale::log,
       Live::yes,
       "Longest substep. Shorter meets obstacles more exactly."},
      {&P::gravity_scale, "gravity_scale", Unit::ratio, 1.0, {-10, 10}, Scale::linear, Live::yes, "Share of the world's gravity that it feels."},
      {&P::contact_rounds,
       "contact_rounds",
       Unit::count,
       std::int64_t{200},
       {1, 1000},
       Scale::log,
       Live::yes,
       "How often the impulses between bodies that touch are gone through in a substep, at most; high piles need more."},
      {&P::particle_size_m,
       "particle_size",
       Unit::meter,
       0.0,
       {0, 1e3},
       Scale::linear,
       Live::yes,
       "Diameter of the particles that fill its bodies in pictures. 0: those that a rule asks for, where one does."},
  };
  return table;
}

constexpr double absurd_mps = 1e6;
enum RigidChannel : std::size_t { channel_speed = 0, channel_spin, channel_kinetic, channel_contacts };

class Rigid final : public RigidSystem {
 public:
  Rigid(const Node& self, std::vector<RigidBody> bodies) : RigidSystem(self.name), bodies_(std::move(bodies)) {
    params_ = rigid_params().read(self.values);
    contacts_.prepare(bodies_);
    place();
  }

  [[nodiscard]] const Schema& schema() const override { return rigid_schema(); }
  [[nodiscard]] std::span<const RigidBody> bodies() const override { return bodies_; }
  [[nodiscard]] double gravity_scale() const override { return params_.gravity_scale; }

  Result<void> configure(const Node& self, const Node& scene) override {
    (void)scene;
    params_ = rigid_params().read(self.values);
    const auto nodes = self.all("body");
    for (std::size_t i = 0; i < std::min(nodes.size(), bodies_.size()); ++i) update_rigid_body(*nodes[i], bodies_[i]);
    take_masses();
    return make_particles(self);
  }

  Result<void> make_particles(const Node& self) const {
    if (params_.particle_size_m == 0) return {};
    const auto made = particles(params_.particle_size_m);
    if (made->problem().empty()) return {};
    return wrong_value(self.line, "system." + self.name + ".particle_size", fmt::format("{} m", params_.particle_size_m),
                       "must be a diameter that every body can be filled with: " + made->problem());
  }

  /// A spring of a rule is resolved by 0.5 of its time 1 / w: well inside the bound 0.83 / w of symplectic Euler with critical damping.
  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override {
    if (coupled_stiffness_npm <= 0 || bodies_.empty()) return params_.longest_dt_s;
    const double lightest = *std::min_element(elements_.mass.begin(), elements_.mass.end());
    return std::min(params_.longest_dt_s, 0.5 * std::sqrt(lightest / coupled_stiffness_npm));
  }

  void begin_step(const StepContext& context) override {
    (void)context;
    elements_.met.clear();
  }

  void substep(const StepContext& context, double t, double dt) override {
    (void)t;
    Elements& e = elements_;
    const Vec3 gravity = params_.gravity_scale * context.gravity;
    velocity_then_ = e.velocity;
    spin_then_ = e.angular_velocity;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      e.velocity[i] += dt * gravity + e.impulse[i] / bodies_[i].mass_kg;
      e.angular_velocity[i] += inverse_inertia(i) * e.angular_impulse[i];
      e.impulse[i].setZero();
      e.angular_impulse[i].setZero();
    }
    RigidScene scene;
    scene.bodies = bodies_, scene.rows = &e, scene.velocity_then = velocity_then_, scene.spin_then = spin_then_;
    scene.colliders = context.colliders, scene.dt = dt;
    scene.slowest_bounce_mps = 2 * gravity.norm() * dt;
    scene.rounds = static_cast<int>(params_.contact_rounds);
    contacts_.find(scene);
    contacts_.give_impulses(scene);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      e.position[i] += dt * e.velocity[i];
      turn_freely(bodies_[i].inertia, e.orientation[i], e.angular_velocity[i], dt);
    }
    contacts_.push_apart(scene);
    contacts_.count_touches(touches_);
  }

  [[nodiscard]] Elements& elements() override { return elements_; }
  [[nodiscard]] const Elements& elements() const override { return elements_; }

  void visit_state(StateVisitor& visit) override {
    visit("position", elements_.position);
    visit("velocity", elements_.velocity);
    visit("orientation", elements_.orientation);
    visit("angular_velocity", elements_.angular_velocity);
    visit("impulse", elements_.impulse);
    visit("angular_impulse", elements_.angular_impulse);
  }
  [[nodiscard]] std::string state_problem() const override {
    const std::size_t n = bodies_.size();
    const Elements& e = elements_;
    for (const std::size_t size : {e.position.size(), e.velocity.size(), e.orientation.size(), e.angular_velocity.size(), e.impulse.size(),
                                   e.angular_impulse.size(), e.mass.size()})
      if (size != n) return "holds rows for " + std::to_string(size) + " bodies, the scene has " + std::to_string(n);
    for (const Quat& q : e.orientation)
      if (!(std::abs(q.norm() - 1) < 1e-6)) return "an orientation is no rotation";
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
    return d;
  }

  [[nodiscard]] std::optional<HealthIssue> check_health() const override {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Elements& e = elements_;
      const auto row = static_cast<std::int64_t>(i);
      if (!e.position[i].allFinite() || !e.orientation[i].coeffs().allFinite())
        return HealthIssue{"position of body " + bodies_[i].name + " is not finite", row, "an infinite force acted on it"};
      if (!(e.velocity[i].norm() <= absurd_mps) || !(e.angular_velocity[i].norm() * bodies_[i].reach_m <= absurd_mps))
        return HealthIssue{"speed of body " + bodies_[i].name + " is over 1e6 m/s or not finite", row,
                           "a rule's stiffness is too large for its mass and step"};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::span<const ChannelInfo> channels() const override {
    static const std::vector<ChannelInfo> all{{"speed", "m/s"}, {"spin", "rad/s"}, {"kinetic", "J"}, {"contacts", ""}};
    return all;
  }
  void channel(std::size_t index, std::vector<float>& out) const override {
    out.resize(bodies_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(value_of(index, i));
  }

  void totals(std::vector<Total>& out) const override {
    out.clear();
    out.push_back({"contacts", "", static_cast<double>(std::accumulate(touches_.begin(), touches_.end(), 0U))});
  }

  void snapshot(SystemSnapshot& out) const override {
    const std::size_t n = bodies_.size();
    out.look = Look::rigid;
    out.position.resize(n), out.velocity.resize(n), out.orientation.resize(n), out.size.resize(n), out.id.resize(n), out.material.resize(n);
    out.palette.resize(n), out.palette_names.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      out.position[i] = elements_.position[i].cast<float>();
      out.velocity[i] = elements_.velocity[i].cast<float>();
      out.orientation[i] = elements_.orientation[i].cast<float>();
      out.size[i] = static_cast<float>(bodies_[i].reach_m);
      out.id[i] = static_cast<std::uint32_t>(i);
      // More bodies than the palette can name share its last entry.
      out.material[i] = static_cast<std::uint8_t>(std::min<std::size_t>(i, 255));
      out.palette[i] = bodies_[i].color.cast<float>();
      out.palette_names[i] = bodies_[i].name;
    }
    if (pictures_.size() != n) make_pictures();
    out.body_mesh = pictures_;
    show_particles(out);
  }

 private:
  /// Rows as the bodies' nodes say.
  void place() {
    const std::size_t n = bodies_.size();
    elements_.position.resize(n), elements_.velocity.resize(n), elements_.orientation.resize(n), elements_.angular_velocity.resize(n);
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

  void show_particles(SystemSnapshot& out) const {
    out.body_particles.clear();
    out.particle_m = 0;
    if (params_.particle_size_m == 0 && particles_.empty()) return;
    const auto shown = params_.particle_size_m > 0 ? particles(params_.particle_size_m) : particles_.back();
    for (std::size_t i = 0; i < bodies_.size(); ++i) out.body_particles.push_back(shown->picture(i));
    out.particle_m = static_cast<float>(shown->diameter_m());
  }

  /// Surfaces about the centres of mass.
  void make_pictures() const {
    pictures_.clear();
    for (const RigidBody& body : bodies_) {
      auto mesh = std::make_shared<SurfaceMesh>(*picture_of(body.shape));
      for (Vec3f& corner : mesh->position) corner -= body.center.cast<float>();
      pictures_.push_back(std::move(mesh));
    }
  }

  [[nodiscard]] double kinetic(std::size_t i) const {
    const Vec3& w = elements_.angular_velocity[i];
    return 0.5 * (bodies_[i].mass_kg * elements_.velocity[i].squaredNorm() + w.dot(bodies_[i].inertia.tensor(elements_.orientation[i]) * w));
  }

  [[nodiscard]] double value_of(std::size_t channel, std::size_t i) const {
    switch (channel) {
      case channel_speed: return elements_.velocity[i].norm();
      case channel_spin: return elements_.angular_velocity[i].norm();
      case channel_kinetic: return kinetic(i);
      default: return touches_[i];
    }
  }

  RigidParams params_;
  std::vector<RigidBody> bodies_;
  Elements elements_;
  RigidContacts contacts_;
  std::vector<std::uint32_t> touches_;  ///< contacts of each body in the last substep; for pictures
  std::vector<Vec3> velocity_then_, spin_then_;
  mutable std::vector<std::shared_ptr<const SurfaceMesh>> pictures_;  ///< made when a picture asks for them
};

}  // namespace

const Schema& rigid_schema() {
  static const Schema schema{"rigid",
                             "Rigid bodies, with gravity, contact and all that rules do to them.",
                             rigid_params().specs(),
                             {{"body", true, rigid_body_schemas(), "The bodies."}}};
  return schema;
}

Result<std::unique_ptr<System>> create_rigid(const Node& self, const Node& scene) {
  (void)scene;
  std::vector<RigidBody> bodies;
  for (const Node* node : self.all("body")) {
    auto body = make_rigid_body(*node);
    if (!body) {
      Error error = body.error();
      error.line = node->line;
      error.key = "system." + self.name + ".body." + node->name + "." + error.key;
      return fail(std::move(error));
    }
    bodies.push_back(std::move(*body));
  }
  auto system = std::make_unique<Rigid>(self, std::move(bodies));
  if (const auto made = system->make_particles(self); !made) return Unexpected(made.error());
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
