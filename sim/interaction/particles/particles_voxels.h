// Two-way contact of particles (spheres) with the oriented cubes of voxel bodies.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/interaction/contact/sphere_cube.h"
#include "sim/interaction/rule.h"

namespace vw {

struct ParticlesVoxelsParams : RuleParams {
  double stiffness_npm = 500;
  double damping_ratio = 0.2;
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  std::int64_t max_contacts = 4;
};
[[nodiscard]] const ParamTable<ParticlesVoxelsParams>& particles_voxels_params();

/// Penalty contact with the normal force k depth - c v_n (k: stiffness, c: damping constant, v_n: normal
/// velocity), which never pulls, and with friction (friction cone of sim/collision). Both forces act at the
/// particle's centre, because a particle has no spin. Momentum and angular momentum of the pair are conserved.
class ParticlesVoxels final : public RuleOf<ParticlesVoxelsParams> {
 public:
  explicit ParticlesVoxels(const Node& self) : RuleOf(particles_voxels_params(), self) {}

  /// Returns the stiffness of `max_contacts` springs, times a factor that accounts for their dampers in the stability
  /// bound: (sqrt(zeta^2 + 1) + zeta)^2 for the damping ratio zeta.
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return energy_j_; }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return issue_; }

  [[nodiscard]] std::size_t contact_count() const { return contacts_.size(); }

 private:
  struct Contact {
    std::uint32_t particle, voxel;
    Vec3 normal;   ///< Unit normal out of the voxel.
    double depth;  ///< Penetration depth [m].
    Vec3 impulse;  ///< Impulse on the particle [N s].
  };
  /// Input of one evaluation.
  struct Pair {
    const Elements* particles = nullptr;
    const Elements* voxels = nullptr;
    double age_particles = 0, age_voxels = 0, dt = 0;
  };
  /// Largest number of contacts of one particle, as in a corner between three walls.
  static constexpr std::size_t most_hits = 3;
  struct Hits {
    std::array<CubeHit, most_hits> hit;
    std::array<std::uint32_t, most_hits> voxel;
    std::size_t count = 0;
  };

  [[nodiscard]] Vec3 particle_position(std::size_t i) const;
  [[nodiscard]] Cube cube(std::size_t v) const;
  /// Distance that a particle of this radius may move, or grow by, before the candidates must be found again [m].
  [[nodiscard]] double margin_m(double particle_radius) const { return 0.25 * (widest_voxel_m_ + particle_radius); }
  /// Largest distance between the centres of a particle of this radius and a voxel that are a candidate pair [m].
  [[nodiscard]] double reach_m(double particle_radius) const;
  [[nodiscard]] bool candidates_hold();
  void list_surface();
  /// Finds the candidate pairs. Returns false if there are too many.
  [[nodiscard]] bool find_candidates();
  [[nodiscard]] Hits touch(std::size_t candidate) const;
  void find_contacts();
  [[nodiscard]] Vec3 contact_impulse(const Contact& contact, double& energy_j) const;

  double energy_j_ = 0;
  std::optional<HealthIssue> issue_;  ///< Set if there were too many candidate pairs in this step.

  // The members below are scratch memory. The candidates always include every pair that can touch, so results do not
  // depend on the time of the search.
  Pair pair_;
  /// Particles whose reaches differ much search in grids with different cells. The largest possible reach of
  /// a class is 1/4 of that of the class before it (size_class.h).
  static constexpr std::size_t most_classes = 8;
  std::array<CellGrid, most_classes> grid_;
  double widest_voxel_m_ = 0;  ///< Largest half edge of a voxel with an open face [m].
  /// Distance that a voxel may move, or grow by, before the candidates must be found again [m].
  double voxel_margin_m_ = 0;
  std::vector<std::uint32_t> surface_;                      ///< Voxels with an open face.
  std::vector<Vec3> surface_position_, particle_position_;  ///< Positions when the candidates were found.
  std::vector<double> surface_radius_, particle_radius_;
  std::vector<std::uint32_t> candidate_;  ///< Particles near a voxel, ascending.
  /// `near_` lists the voxels near each candidate particle, in ascending order. `near_start_` contains the index of the
  /// first entry of each candidate particle in `near_`. Its last element is the length of `near_`.
  std::vector<std::uint32_t> near_start_, near_;
  std::vector<std::uint8_t> moved_;  ///< 1 for each chunk of particles in which a particle has moved beyond the margin.
  std::vector<Hits> hits_;           ///< One entry per candidate particle.
  std::vector<Contact> contacts_;
  std::vector<std::uint32_t> load_;  ///< Number of contacts of each voxel.
};

[[nodiscard]] const Schema& particles_voxels_schema();
/// Returns the schema of the rule for the voxels of a recording. Recorded voxels have prescribed motion, so only the
/// particles receive impulses.
[[nodiscard]] const Schema& particles_playback_schema();

}  // namespace vw
