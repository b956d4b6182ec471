// Penalty contact of each particle (a sphere) with the voxel that it lies deepest in (a box of the voxel's edge at its pose). Both sides get the same
// impulse along the line through the particle's centre, so momentum and angular momentum of the pair are conserved to rounding.
#include "sim/interaction/particles_voxel_body.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/interaction/cell_grid.h"

namespace vw {
namespace {

struct RuleParams {
  bool enabled = true;
  double stiffness_npm = 50;
  double damping_ratio = 0.2;
  double mu_static = 0.5;
  double mu_dynamic = 0.4;
};

const ParamTable<RuleParams>& rule_params() {
  using P = RuleParams;
  static const ParamTable<P> table{
      {&P::enabled, "enabled", true, Live::yes, "Whether the two act on each other."},
      {&P::stiffness_npm,
       "stiffness",
       Unit::newton_per_meter,
       50.0,
       {1e-6, 1e9},
       Scale::log,
       Live::yes,
       "Spring constant of a contact; enters both sides' substeps."},
      {&P::damping_ratio,
       "damping_ratio",
       Unit::ratio,
       0.2,
       {0, 2},
       Scale::linear,
       Live::yes,
       "Normal damping of a contact: 1 is critical for the pair's reduced mass."},
      {&P::mu_static, "mu_static", Unit::ratio, 0.5, {0, 10}, Scale::linear, Live::yes, "Static friction between the two."},
      {&P::mu_dynamic, "mu_dynamic", Unit::ratio, 0.4, {0, 10}, Scale::linear, Live::yes, "Dynamic friction between the two."},
  };
  return table;
}

const Schema& rule_schema() {
  static const Schema schema{"particles_voxel_body", "Particles and voxel bodies push each other.", rule_params().specs(), {}};
  return schema;
}

/// A side as it stands at the moment of evaluation: the coarser one predicted, pending impulses taken as given.
struct Side {
  const Elements& e;
  double age;
  [[nodiscard]] Vec3 velocity(std::size_t i) const { return e.velocity[i] + e.impulse[i] / e.mass[i]; }
  [[nodiscard]] Vec3 position(std::size_t i) const { return e.position[i] + age * velocity(i); }
};

/// Signed distance from a point to a box at the origin, and its outward normal, in the box's frame.
struct BoxDistance {
  double distance;
  Vec3 normal;
};
BoxDistance box_distance(const Vec3& p, double half) {
  const Vec3 beyond = p.cwiseAbs().array() - half;
  const Vec3 sign(std::copysign(1.0, p.x()), std::copysign(1.0, p.y()), std::copysign(1.0, p.z()));
  int axis = 0;
  const double deepest = beyond.maxCoeff(&axis);
  if (deepest <= 0) return {deepest, sign[axis] * Vec3::Unit(axis)};
  const Vec3 outside = beyond.cwiseMax(0.0);
  const double distance = outside.norm();
  return {distance, outside.cwiseProduct(sign) / distance};
}

/// What one particle does in this evaluation: at most one contact.
struct Contact {
  std::int32_t voxel = -1;
  double depth = 0;
  Vec3 normal = Vec3::Zero();   ///< from the voxel to the particle
  Vec3 arm = Vec3::Zero();      ///< from the voxel's centre to the particle's
  Vec3 impulse = Vec3::Zero();  ///< on the particle
};

/// Candidate voxels of each particle, kept while nothing has moved farther than half the margin. The list never changes a result: it always holds a
/// superset of the touching pairs, and pairs are evaluated in index order.
class CandidateList {
 public:
  void update(const Side& particles, const Side& voxels) {
    if (!valid(particles, voxels)) build(particles, voxels);
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t particle) const {
    return {voxel_.data() + first_[particle], first_[particle + 1] - first_[particle]};
  }
  [[nodiscard]] bool empty() const { return voxel_.empty(); }

 private:
  static bool still_near(const Side& side, const std::vector<Vec3>& then, double reach_squared) {
    if (side.e.size() != then.size()) return false;
    for (std::size_t i = 0; i < then.size(); ++i)
      if (!((side.position(i) - then[i]).squaredNorm() <= reach_squared)) return false;
    return true;
  }

  [[nodiscard]] bool valid(const Side& particles, const Side& voxels) const {
    const double reach = 0.25 * margin_ * margin_;
    return margin_ > 0 && still_near(particles, particles_then_, reach) && still_near(voxels, voxels_then_, reach);
  }

  void build(const Side& particles, const Side& voxels) {
    const std::size_t n = particles.e.size(), m = voxels.e.size();
    particles_then_.resize(n);
    voxels_then_.resize(m);
    Eigen::AlignedBox3d box;
    double half = 0, radius = 0;
    for (std::size_t i = 0; i < m; ++i) {
      voxels_then_[i] = voxels.position(i);
      box.extend(voxels_then_[i]);
      half = std::max(half, voxels.e.radius[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      particles_then_[i] = particles.position(i);
      radius = std::max(radius, particles.e.radius[i]);
    }
    margin_ = half;
    const double reach = std::sqrt(3.0) * half + radius + margin_;
    grid_.build(voxels_then_, reach);
    first_.assign(1, 0);
    voxel_.clear();
    const Eigen::AlignedBox3d near(box.min().array() - reach, box.max().array() + reach);
    for (std::size_t i = 0; i < n; ++i) {
      if (m > 0 && near.contains(particles_then_[i])) {
        grid_.near(particles_then_[i], [&](std::uint32_t v) {
          if ((voxels_then_[v] - particles_then_[i]).squaredNorm() <= reach * reach) voxel_.push_back(v);
        });
        std::sort(voxel_.begin() + static_cast<std::ptrdiff_t>(first_.back()), voxel_.end());
      }
      first_.push_back(voxel_.size());
    }
  }

  CellGrid grid_;
  std::vector<Vec3> particles_then_, voxels_then_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> voxel_;
  double margin_ = 0;
};

class ParticlesVoxelBody final : public Interaction {
 public:
  Result<void> configure(const Node& self) override {
    params_ = rule_params().read(self.values);
    return {};
  }
  [[nodiscard]] bool enabled() const override { return params_.enabled; }
  [[nodiscard]] Rate rate() const override { return Rate::finer; }

  /// A particle meets one voxel; a voxel may carry several particles: four at once is what the bound allows for.
  [[nodiscard]] double stiffness_npm(const System&, const System&) const override { return 4 * params_.stiffness_npm; }

  void apply(System& a, System& b, const PairContext& context) override {
    Elements &particles = a.elements(), &voxels = b.elements();
    const Side pa{particles, context.age_a}, vb{voxels, context.age_b};
    energy_ = 0;
    candidates_.update(pa, vb);
    if (candidates_.empty()) return;
    contacts_.resize(particles.size());
    constexpr std::size_t grain = 1024;
    parallel_for(particles.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) contacts_[i] = contact_of(pa, vb, i, context.dt);
    });
    // In particle order: a voxel's sum has the same bits at any thread count.
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact& c = contacts_[i];
      if (c.voxel < 0) continue;
      const auto v = static_cast<std::size_t>(c.voxel);
      particles.impulse[i] += c.impulse;
      voxels.impulse[v] -= c.impulse;
      voxels.angular_impulse[v] -= c.arm.cross(c.impulse);
      energy_ += 0.5 * params_.stiffness_npm * c.depth * c.depth;
    }
  }

  [[nodiscard]] double energy() const override { return energy_; }

 private:
  /// The deepest of particle i's candidates, and its impulse over dt.
  [[nodiscard]] Contact contact_of(const Side& particles, const Side& voxels, std::size_t i, double dt) const {
    Contact contact;
    const Vec3 x = particles.position(i);
    for (const std::uint32_t v : candidates_.of(i)) {
      const Vec3 arm = x - voxels.position(v);
      const Quat& q = voxels.e.orientation[v];
      const BoxDistance near = box_distance(q.conjugate() * arm, voxels.e.radius[v]);
      const double depth = particles.e.radius[i] - near.distance;
      if (depth <= contact.depth) continue;
      contact.voxel = static_cast<std::int32_t>(v);
      contact.depth = depth;
      contact.normal = q * near.normal;
      contact.arm = arm;
    }
    if (contact.voxel >= 0) contact.impulse = contact_force(particles, voxels, i, contact, dt) * dt;
    return contact;
  }

  /// Spring and damper along the normal, never pulling; friction within the cone, at most what stops the sliding in dt.
  [[nodiscard]] Vec3 contact_force(const Side& particles, const Side& voxels, std::size_t i, const Contact& c, double dt) const {
    const auto v = static_cast<std::size_t>(c.voxel);
    const double mass = particles.e.mass[i] * voxels.e.mass[v] / (particles.e.mass[i] + voxels.e.mass[v]);
    const Vec3 relative = particles.velocity(i) - voxels.velocity(v) - voxels.e.angular_velocity[v].cross(c.arm);
    const double v_n = relative.dot(c.normal);
    const Vec3 sliding = relative - v_n * c.normal;
    const double damping = 2 * params_.damping_ratio * std::sqrt(params_.stiffness_npm * mass);
    const double pressing = std::max(0.0, params_.stiffness_npm * c.depth - damping * v_n);
    const double stopping = mass * sliding.norm() / dt;
    return pressing * c.normal - friction_factor(stopping, pressing, params_.mu_static, params_.mu_dynamic) * (mass / dt) * sliding;
  }

  RuleParams params_;
  CandidateList candidates_;
  std::vector<Contact> contacts_;
  double energy_ = 0;
};

Result<std::unique_ptr<Interaction>> create(const Node& self) {
  auto rule = std::make_unique<ParticlesVoxelBody>();
  if (auto ok = rule->configure(self); !ok) return Unexpected(ok.error());
  return std::unique_ptr<Interaction>(std::move(rule));
}

}  // namespace

const InteractionKind& particles_voxel_body_rule() {
  static const InteractionKind kind{&rule_schema(), "particles", "voxel_body", create};
  return kind;
}

}  // namespace vw
