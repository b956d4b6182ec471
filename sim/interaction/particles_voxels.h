// Particles against voxel bodies: spheres pressed on oriented cubes, two-way.
#pragma once

#include <array>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/rule.h"
#include "sim/interaction/sphere_cube.h"

namespace vw {

struct ParticlesVoxelsParams : RuleParams {
  double stiffness_npm = 500;
  double damping_ratio = 0.2;
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  std::int64_t max_contacts = 4;
};
[[nodiscard]] const ParamTable<ParticlesVoxelsParams>& particles_voxels_params();

/// Penalty contact k depth - c v_n that never pulls, with the friction cone of sim/collision. Both forces act at the particle's centre (a particle
/// has no spin), so the pair keeps its momentum and its angular momentum.
class ParticlesVoxels final : public RuleOf<ParticlesVoxelsParams> {
 public:
  explicit ParticlesVoxels(const Node& self) : RuleOf(particles_voxels_params(), self) {}

  /// max_contacts springs, raised by what their dampers cost in stability: (sqrt(zeta^2 + 1) + zeta)^2.
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return energy_j_; }

  [[nodiscard]] std::size_t contact_count() const { return contacts_.size(); }

 private:
  struct Contact {
    std::uint32_t particle, voxel;
    Vec3 normal;   ///< out of the voxel
    double depth;  ///< [m]
    Vec3 impulse;  ///< on the particle [N s]
  };
  /// One evaluation's inputs; kernels see them through `this`.
  struct Pair {
    const Elements* particles = nullptr;
    const Elements* voxels = nullptr;
    double age_particles = 0, age_voxels = 0, dt = 0;
  };
  static constexpr std::size_t most_hits = 3;  ///< of one particle: a corner between three walls
  struct Hits {
    std::array<CubeHit, most_hits> hit;
    std::array<std::uint32_t, most_hits> voxel;
    std::size_t count = 0;
  };

  [[nodiscard]] Vec3 particle_position(std::size_t i) const;
  [[nodiscard]] Cube cube(std::size_t v) const;
  [[nodiscard]] bool candidates_hold();
  void find_candidates();
  [[nodiscard]] Hits touch(std::size_t candidate) const;
  void find_contacts();
  [[nodiscard]] Vec3 contact_impulse(const Contact& contact, double& energy_j) const;

  double energy_j_ = 0;

  // Scratch, kept to allocate nothing. Candidates only save work: they always hold every pair that can touch, so results never depend on when
  // they were made.
  Pair pair_;
  CellGrid grid_;
  double skin_m_ = 0;
  double widest_particle_ = 0;
  std::vector<std::uint32_t> surface_;                      ///< voxels with an open face
  std::vector<Vec3> surface_position_, particle_position_;  ///< where the candidates were made
  std::vector<double> surface_radius_;
  std::vector<std::uint32_t> candidate_;          ///< particles near a voxel, ascending
  std::vector<std::uint32_t> near_start_, near_;  ///< their voxels, ascending
  std::vector<std::uint8_t> moved_;               ///< of each chunk
  std::vector<Hits> hits_;                        ///< of each candidate
  std::vector<Contact> contacts_;
  std::vector<std::uint32_t> load_;  ///< contacts of each voxel
};

[[nodiscard]] const Schema& particles_voxels_schema();
/// The same rule with a body that is played back: its voxels are held, so that only the particles feel it.
[[nodiscard]] const Schema& particles_playback_schema();

}  // namespace vw
