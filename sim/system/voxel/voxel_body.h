// A voxel body: a lattice of rigid voxels joined by elastic beams (Hiller & Lipson 2014). The class owns the state and
// calls the solvers in this directory. The class is used on the simulation thread only. Solvers process fixed chunks on
// several threads, and results are bitwise independent of the number of threads.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/equilibrium.h"
#include "sim/system/system.h"
#include "sim/system/voxel/analysis/measures.h"
#include "sim/system/voxel/contact/contact_compliance.h"
#include "sim/system/voxel/contact/self_contact_step_control.h"
#include "sim/system/voxel/engine.h"
#include "sim/system/voxel/explicit/wear.h"
#include "sim/system/voxel/implicit/implicit.h"
#include "sim/system/voxel/kept_state.h"
#include "sim/system/voxel/lattice/muscles.h"
#include "sim/system/voxel/lattice/regions.h"
#include "sim/system/voxel/lattice/temperature.h"
#include "sim/system/voxel/step_bound.h"

namespace vw {

class VoxelBody final : public System, public EquilibriumSolver {
 public:
  VoxelBody(std::string name, VoxelLattice lattice, const VoxelBodyParams& params,
            const std::vector<VoxelRegion>& regions, std::vector<VoxelMuscle> muscles, bool has_colliders);

  [[nodiscard]] const Schema& schema() const override { return voxel_body_schema(); }
  [[nodiscard]] Result<void> configure(const Node& self, const Node& scene) override;
  bool set_live(std::string_view parameter, double value) override;

  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override;
  [[nodiscard]] StepBound step_bound(double coupled_stiffness_npm) const override;
  /// Returns the bound of the substep by Hiller & Lipson 2014 [s], which only tests use.
  [[nodiscard]] double source_stable_dt() const { return source_step_bound(topology_, constants_); }
  /// Returns the largest eigenvalues of stiffness and damping of the body at rest. They are computed when first needed
  /// after a change.
  [[nodiscard]] const SpectralBounds& spectrum() const;

  void begin_step(const StepContext& context) override;
  void end_step(const StepContext& context) override;
  void substep(const StepContext& context, double t, double dt) override { substeps(context, t, dt, 1); }
  void substeps(const StepContext& context, double t, double dt, std::int64_t count) override;

  [[nodiscard]] Elements& elements() override { return elements_; }
  [[nodiscard]] const Elements& elements() const override { return elements_; }
  [[nodiscard]] double step_cost(const StepContext& context, std::int64_t substeps) const override;
  [[nodiscard]] CostCause cost_cause(const StepContext& context, std::int64_t substeps) const override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] std::string state_problem() const override;
  void state_restored() override;
  void surroundings_changed(std::span<const std::size_t> now) override;
  std::vector<std::int64_t> continue_from(System& former,
                                          const std::map<std::string, std::string>& former_names) override;
  [[nodiscard]] Result<std::vector<std::uint8_t>> displace(std::size_t row, const Displacement& motion) override;
  [[nodiscard]] bool keep_state() override;
  void return_to_kept_state() override;

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override;
  [[nodiscard]] std::optional<HealthIssue> check_health() const override;

  /// Returns warnings about the temperature and about fixed or loaded regions without voxels.
  [[nodiscard]] std::vector<std::string> notes(const Setup& setup) const override;
  /// Returns the elastic energy of the body if it is stretched to twice its length along one axis [J].
  [[nodiscard]] double elastic_energy_bound() const override;
  [[nodiscard]] EquilibriumSolver* equilibrium_solver() override { return this; }
  [[nodiscard]] Result<StaticSolution> solve_equilibrium(std::span<const Collider> colliders, const Vec3& gravity,
                                                         const StaticOptions& options) override;
  [[nodiscard]] std::span<const ChannelInfo> channels() const override;
  void channel(std::size_t index, std::vector<float>& out) const override;
  void fill_channels(std::span<Channel> wanted) const override;
  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override;
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override;
  void totals(std::vector<Total>& out) const override;
  void snapshot(SystemSnapshot& out) const override;

  // Data of the body besides the elements, for rules and tests.
  [[nodiscard]] const VoxelLattice& lattice() const { return lattice_; }
  [[nodiscard]] const LatticeTopology& topology() const { return topology_; }
  [[nodiscard]] const LatticeConstants& constants() const { return constants_; }
  [[nodiscard]] const VoxelBodyParams& params() const { return params_; }
  [[nodiscard]] std::span<const ContactState> contacts() const { return contacts_; }
  [[nodiscard]] const BondMemory& memory() const { return memory_; }
  [[nodiscard]] const ResolvedRegions& regions() const { return regions_; }
  [[nodiscard]] const BodyMuscles& muscles() const { return muscles_; }
  /// Returns the position of a voxel's centre at time 0 [m], computed from the voxel's cell.
  [[nodiscard]] Vec3 rest_position(std::size_t voxel) const override;
  [[nodiscard]] std::vector<Vec3> rest_positions() const;
  /// Returns the report of the last implicit substep.
  [[nodiscard]] const ImplicitStepper::Report& implicit_report() const { return implicit_report_; }
  /// Returns the number of smaller substeps into which the last implicit substep was divided.
  [[nodiscard]] int implicit_parts() const { return implicit_parts_; }
  /// Writes the compliance [m/N] of the `pressed` voxels to `out`, for an implicit substep of length `dt` that starts
  /// now (contact_compliance.h).
  void contact_compliance(std::span<const std::uint32_t> pressed, double dt, std::vector<double>& out) {
    give_.evaluate({&topology_, &constants_, &regions_, &elements_, memory_.slack, dt}, pressed, out);
  }
  /// Sets the wetted fraction (0 to 1) of each face of a voxel until the end of the world step. No wind acts on the
  /// wetted fraction.
  void note_wet(std::size_t voxel, const std::array<float, face_count>& wet) { wind_.keep_off(voxel, wet); }
  [[nodiscard]] bool is_fixed(std::size_t voxel) const { return regions_.fixed[voxel] != 0; }
  /// Returns the friction and restitution of a voxel's surface in contact with other systems.
  [[nodiscard]] const SurfaceMaterial& surface(std::size_t voxel) const { return constants_.of(voxel).surface; }

 private:
  void place(const VoxelBodyParams& params);
  void take_regions(ResolvedRegions regions);
  /// Moves voxels to their rest positions. A voxel is moved if all its degrees of freedom are now constrained at rest
  /// but followed a prescribed motion of the `former` regions before.
  void return_to_rest(const ResolvedRegions& former);
  void take_materials();
  void take_laws();
  /// True if self-contact is computed: if the parameter `self_contact` requests it, or if the body is in pieces.
  [[nodiscard]] bool touches_itself() const { return params_.self_contact || in_pieces_; }
  [[nodiscard]] bool is_in_pieces() const;
  void on_bonds_broken();
  /// Returns the fraction of the largest stable substep that is used.
  [[nodiscard]] double safety() const;
  /// Returns the largest stable substep for the body's present shape [s].
  [[nodiscard]] double stable_dt_at_current_shape(double coupled_stiffness_npm) const;
  void advance_implicit(const StepContext& context, double t, double dt);
  /// Advances by one step of at most `dt` and returns its length. The step is shortened so that no contact is missed,
  /// but not below about `least`. A step of that length may miss contacts.
  double advance_part(const StepContext& context, std::span<const Collider> colliders, double t, double dt,
                      double least);
  void wear_bonds();
  ImplicitStepper::Report step_implicitly(const StepContext& context, std::span<const Collider> colliders, double t,
                                          double dt);
  /// Sets out[v] to 1 for each voxel v that presses against an obstacle, the body itself or another system.
  void find_touching(std::vector<std::uint8_t>& out) const;
  void fill_plain_channel(std::size_t index, const BodyView& body, std::vector<float>& out) const;
  [[nodiscard]] BodyState state() { return {elements_, contacts_, memory_, overbent_, time_}; }
  [[nodiscard]] BodyView view() const;
  [[nodiscard]] VoxelView voxel_view() const;
  [[nodiscard]] BondView bond_view() const;
  [[nodiscard]] WindView wind_view() const {
    return wind_.view(
        {params_.wind_drag, params_.wind_friction, air_density_, params_.wind_suction, params_.wind_lift});
  }
  [[nodiscard]] TemperatureProgram program() const {
    return {params_.wave, params_.temperature_amplitude, params_.temperature_period_s};
  }

  VoxelBodyParams params_;
  VoxelLattice lattice_;
  LatticeTopology topology_;
  LatticeConstants constants_;
  TemperaturePhases phases_;
  ResolvedRegions regions_;
  BodyMuscles muscles_;
  Vec3 start_corner_;  ///< lower corner of the lattice at time 0, before its rotation
  Quat start_turn_;
  Vec3 region_acceleration_ = Vec3::Zero();  ///< (sum of the regions' forces) / (mass of the body) [m/s^2]
  bool has_colliders_ = false;
  bool in_pieces_ = false;                         ///< the lattice is not connected, or some bond broke
  mutable std::shared_ptr<const VoxelSkin> skin_;  ///< surface mesh; null until a snapshot needs it

  // State
  Elements elements_;
  std::vector<ContactState> contacts_;
  BondMemory memory_;
  /// Number of bonds that broke because their voxels were rotated by more than pi relative to each other.
  std::uint64_t overbent_ = 0;
  double time_ = 0;  ///< time at the start of the last substep [s]

  // Scratch memory and caches, which are rebuilt from the state.
  LatticeLaws laws_;
  LatticeEngine engine_;
  KeptState kept_;
  struct Returned {
    std::size_t voxel = 0;
    Vec3 position, velocity, angular_velocity;
    Quat orientation;
  };
  std::vector<Returned> returned_;  ///< former motion of the voxels that return_to_rest() moved since keep_state()
  ImplicitStepper implicit_;
  SelfContactStepControl watch_;
  ContactCompliance give_;
  BondDamage wear_;
  ImplicitStepper::Report implicit_report_;
  int implicit_parts_ = 0;
  std::vector<Quat> rest_orientation_;  ///< orientation of each voxel at time 0, for the implicit integrator
  std::vector<Vec3> push_;              ///< wind force on each voxel [N], for the implicit integrator
  std::uint64_t cracks_ = 0;            ///< revision number of skin_, increased when the mesh changes
  BodyWind wind_;                       ///< wind of the current world step
  double air_density_ = 0;              ///< density of the air in the current world step [kg/m^3]
  std::vector<std::uint32_t> near_;     ///< indices of the colliders that the body may reach
  std::vector<Collider> colliders_;     ///< colliders with their poses at the start of a smaller implicit substep
  std::vector<Vec3> held_from_;         ///< rest positions of all voxels; empty if ResolvedRegions::held is empty
  double kinetic_before_ = 0;
  std::uint64_t overbent_before_ = 0;
  double last_dt_ = 0;
  bool has_self_pairs_ = false;  ///< the integrator has a list of self-contact pairs for the present state
  double stable_before_ = std::numeric_limits<double>::infinity();
  mutable BondScratch measured_;
  mutable LatticeLoads pushed_;                 ///< scratch memory of kinetic_energy_at_positions()
  mutable std::vector<std::uint8_t> touching_;  ///< scratch memory for the result of find_touching()
  mutable std::optional<SpectralBounds> spectrum_;
};

[[nodiscard]] Result<std::unique_ptr<System>> create_voxel_body(const Node& self, const Node& scene);

}  // namespace vw
