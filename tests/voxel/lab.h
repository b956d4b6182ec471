// A test bench for voxel bodies without a world. It builds lattices from a few numbers and runs substeps in the same
// order as a world.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "sim/base/random.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw::test {

struct BoxSpec {
  int nx = 1, ny = 1, nz = 1;
  double edge_m = 0.005;
  VoxelMaterial material = [] {
    VoxelMaterial m;
    m.bond_damping = 0;
    return m;
  }();
};

/// Returns a completely filled box of one material.
inline VoxelLattice box_lattice(const BoxSpec& spec) {
  VoxelLattice lattice;
  lattice.nx = spec.nx, lattice.ny = spec.ny, lattice.nz = spec.nz;
  lattice.edge_m = spec.edge_m;
  lattice.material_name = {"stuff"};
  lattice.materials = {spec.material};
  for (int y = 0; y < spec.ny; ++y)
    for (int z = 0; z < spec.nz; ++z)
      for (int x = 0; x < spec.nx; ++x) lattice.cell.push_back({x, y, z});
  lattice.material.assign(lattice.cell.size(), 0);
  lattice.phase.assign(lattice.cell.size(), 0);
  lattice.amplitude_scale.assign(lattice.cell.size(), 1);
  lattice.youngs_override.assign(lattice.cell.size(), 0);
  return lattice;
}

/// Returns a region that selects the cells between the fractions [from, to] of the length along x.
inline VoxelRegion slab_x(double from, double to, bool fixed, const Vec3& force = Vec3::Zero()) {
  VoxelRegion region;
  region.min = Vec3(from, 0, 0), region.max = Vec3(to, 1, 1);
  region.fixed = fixed;
  region.force = force;
  return region;
}
/// Returns a region that clamps the first layer of a beam that is `voxels` voxels long.
inline VoxelRegion clamp_of(int voxels) { return slab_x(0, 0.5 / voxels, true); }

/// Returns the voxels of a lattice at rest in their rest positions.
inline Elements elements_at_rest(const VoxelLattice& lattice, const LatticeConstants& constants) {
  Elements elements;
  const std::size_t n = lattice.cell.size();
  for (std::size_t v = 0; v < n; ++v) {
    const auto& cell = lattice.cell[v];
    elements.position.push_back(lattice.edge_m * (Vec3(cell[0], cell[1], cell[2]) + Vec3::Constant(0.5)));
    elements.mass.push_back(constants.of(v).mass);
  }
  for (auto* rows : {&elements.velocity, &elements.angular_velocity, &elements.impulse, &elements.angular_impulse})
    rows->assign(n, Vec3::Zero());
  elements.orientation.assign(n, Quat::Identity());
  elements.radius.assign(n, 0.5 * lattice.edge_m);
  return elements;
}

/// Returns a vector that depends only on the arguments. Its components are between -1 and 1.
inline Vec3 random_vector(std::uint64_t seed, std::uint64_t row) {
  Vec3 out;
  for (int i = 0; i < 3; ++i) out[i] = 2 * random_uniform({seed, 1}, row, static_cast<std::uint64_t>(i)) - 1;
  return out;
}

class Lab {
 public:
  explicit Lab(VoxelLattice lattice, const std::vector<VoxelRegion>& regions = {}, const VoxelBodyParams& params = {},
               std::vector<Collider> colliders = {})
      : colliders_(std::move(colliders)),
        fields_(std::make_unique<FieldSet>()),
        body_(std::make_unique<VoxelBody>("body", std::move(lattice), params, regions, std::vector<VoxelMuscle>{},
                                          !colliders_.empty())) {
    context_.gravity = Vec3::Zero();
    context_.fields = fields_.get();
    context_.colliders = colliders_;
  }

  [[nodiscard]] VoxelBody& body() const { return *body_; }
  StepContext& context() { return context_; }
  FieldSet& fields() { return *fields_; }
  [[nodiscard]] double time() const { return context_.time; }
  [[nodiscard]] const Vec3& position(std::size_t v) const { return body_->elements().position[v]; }
  [[nodiscard]] Diagnostics diagnostics() const { return body_->diagnostics(context_); }

  /// Runs world steps of 1/120 s, each divided into equal substeps of at most `dt`. If `dt` is 0, the substep is the
  /// stable substep of the body. `before` is called before each substep.
  void run(double seconds, double dt = 0, const std::function<void(double t, double dt)>& before = {}) {
    const double end = context_.time + seconds;
    while (context_.time < end - 1e-9) {
      context_.dt = std::min(1.0 / 120, end - context_.time);
      const int substeps = static_cast<int>(std::ceil(context_.dt / (dt > 0 ? dt : body_->stable_dt(0)) - 1e-9));
      step(substeps, before);
    }
  }
  /// Makes one world step of length context().dt.
  void step(int substeps, const std::function<void(double t, double dt)>& before = {}) {
    body_->begin_step(context_);
    const double h = context_.dt / substeps;
    for (int i = 0; i < substeps; ++i) {
      if (before) before(context_.time + i * h, h);
      body_->substep(context_, context_.time + i * h, h);
    }
    body_->end_step(context_);
    context_.time += context_.dt;
    ++context_.step;
  }
  [[nodiscard]] std::uint64_t hash() {
    StateHasher hasher;
    body_->visit_state(hasher);
    return hasher.digest();
  }

 private:
  std::vector<Collider> colliders_;
  std::unique_ptr<FieldSet> fields_;
  StepContext context_{};
  std::unique_ptr<VoxelBody> body_;
};

inline Collider ground(double mu_static = 1, double mu_dynamic = 0.5) {
  Collider plane;
  plane.name = "ground";
  plane.shape = PlaneShape{};
  plane.surface = {0, mu_static, mu_dynamic};
  return plane;
}

/// Returns the rotation vector of a voxel's orientation.
inline Vec3 turn_of(const Quat& q) {
  const Eigen::AngleAxisd turn(q);
  return turn.angle() * turn.axis();
}

}  // namespace vw::test
