// A voxel body: a lattice of rigid voxels joined by elastic beams (SPEC 1). The state and the schedule of a substep; the physics is in the
// kernels beside this file. Simulation thread only; kernels run over fixed chunks on several threads with the same bits at any number.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/contact_give.h"
#include "sim/system/voxel/engine.h"
#include "sim/system/voxel/implicit.h"
#include "sim/system/voxel/implicit_watch.h"
#include "sim/system/voxel/kept_state.h"
#include "sim/system/voxel/measures.h"
#include "sim/system/voxel/regions.h"
#include "sim/system/voxel/step_bound.h"
#include "sim/system/voxel/temperature.h"
#include "sim/system/voxel/wear.h"

namespace vw {

class VoxelBody final : public System {
 public:
  VoxelBody(std::string name, VoxelLattice lattice, const VoxelBodyParams& params, const std::vector<VoxelRegion>& regions, bool has_colliders);

  [[nodiscard]] const Schema& schema() const override { return voxel_body_schema(); }
  [[nodiscard]] Result<void> configure(const Node& self, const Node& scene) override;

  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override;
  [[nodiscard]] StepBound step_bound(double coupled_stiffness_npm) const override;
  /// The bound of Hiller & Lipson 2014, for display beside ours.
  [[nodiscard]] double source_stable_dt() const { return source_step_bound(topology_, constants_); }
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
  [[nodiscard]] bool keep_state() override;
  void return_to_kept_state() override;

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override;
  [[nodiscard]] std::optional<HealthIssue> check_health() const override;

  /// What there is to say about its parameters, a sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;
  [[nodiscard]] std::span<const ChannelInfo> channels() const override;
  void channel(std::size_t index, std::vector<float>& out) const override;
  void fill_channels(std::span<Channel> wanted) const override;
  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override;
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override;
  void totals(std::vector<Total>& out) const override;
  void snapshot(SystemSnapshot& out) const override;

  // What rules and tests want to know of the body beyond its elements.
  [[nodiscard]] const VoxelLattice& lattice() const { return lattice_; }
  [[nodiscard]] const LatticeTopology& topology() const { return topology_; }
  [[nodiscard]] const LatticeConstants& constants() const { return constants_; }
  [[nodiscard]] const VoxelBodyParams& params() const { return params_; }
  [[nodiscard]] std::span<const ContactState> contacts() const { return contacts_; }
  [[nodiscard]] const BondMemory& memory() const { return memory_; }
  [[nodiscard]] const ResolvedRegions& regions() const { return regions_; }
  /// Of a voxel at the start. Not kept, but computed from its cell.
  [[nodiscard]] Vec3 rest_position(std::size_t voxel) const;
  [[nodiscard]] std::vector<Vec3> rest_positions() const;
  /// How the last implicit substep went.
  [[nodiscard]] const ImplicitStepper::Report& implicit_report() const { return implicit_report_; }
  /// Parts in which it was taken.
  [[nodiscard]] int implicit_parts() const { return implicit_parts_; }
  /// How far voxels that are pressed give way in an implicit substep of `dt` that begins now [m/N] (contact_give.h).
  void give_way(std::span<const std::uint32_t> pressed, double dt, std::vector<double>& out) {
    give_.evaluate({&topology_, &constants_, &regions_, &elements_, memory_.slack, dt}, pressed, out);
  }
  /// How far a voxel's faces are in a liquid from here to the end of the world step, 0 to 1. No wind blows there.
  void note_wet(std::size_t voxel, const std::array<float, face_count>& wet) { wind_.keep_off(voxel, wet); }
  [[nodiscard]] bool is_fixed(std::size_t voxel) const { return regions_.fixed[voxel] != 0; }
  /// Friction and restitution that others meet on a voxel's surface.
  [[nodiscard]] const SurfaceMaterial& surface(std::size_t voxel) const { return constants_.of(voxel).surface; }

 private:
  void place(const VoxelBodyParams& params);
  void take_regions(ResolvedRegions regions);
  void take_materials();
  void take_laws();
  /// Whether voxels that are not joined meet: as asked, and always in a body that is in pieces.
  [[nodiscard]] bool touches_itself() const { return params_.self_contact || in_pieces_; }
  [[nodiscard]] bool is_in_pieces() const;
  void follow_cracks();
  /// The share of the stable substep that is used.
  [[nodiscard]] double safety() const;
  /// The largest substep for the body as it is shaped now.
  [[nodiscard]] double bearable_dt(double coupled_stiffness_npm) const;
  void advance_implicit(const StepContext& context, double t, double dt);
  /// A part of a substep, or as much of it as goes without missing a contact. Returns how long it was.
  double advance_part(const StepContext& context, std::span<const Collider> colliders, double t, double dt, double least);
  void wear_bonds();
  ImplicitStepper::Report step_implicitly(const StepContext& context, std::span<const Collider> colliders, double t, double dt);
  /// 1 for each voxel that presses against an obstacle, the body itself or another system.
  void find_touching(std::vector<std::uint8_t>& out) const;
  void fill_plain_channel(std::size_t index, const BodyView& body, std::vector<float>& out) const;
  [[nodiscard]] BodyState state() { return {elements_, contacts_, memory_, overbent_, time_}; }
  [[nodiscard]] BodyView view() const;
  [[nodiscard]] VoxelView voxel_view() const;
  [[nodiscard]] BondView bond_view() const;
  [[nodiscard]] WindView wind_view() const {
    return wind_.view({params_.wind_drag, params_.wind_friction, air_density_, params_.wind_suction, params_.wind_lift});
  }
  [[nodiscard]] TemperatureProgram program() const { return {params_.wave, params_.temperature_amplitude, params_.temperature_period_s}; }

  VoxelBodyParams params_;
  VoxelLattice lattice_;
  LatticeTopology topology_;
  LatticeConstants constants_;
  TemperaturePhases phases_;
  ResolvedRegions regions_;
  Vec3 start_corner_;  ///< of the lattice, before its rotation
  Quat start_turn_;
  Vec3 region_pull_ = Vec3::Zero();  ///< total of the regions' forces over the mass [m/s^2]
  bool has_colliders_ = false;
  bool in_pieces_ = false;                         ///< by design, or because some bond broke
  mutable std::shared_ptr<const VoxelSkin> skin_;  ///< made when a picture asks for it

  // State
  Elements elements_;
  std::vector<ContactState> contacts_;
  BondMemory memory_;
  std::uint64_t overbent_ = 0;  ///< bonds that broke because they were bent past pi
  double time_ = 0;             ///< of the last substep's forces: what the temperature channel shows

  // Scratch and caches: rebuilt from the state
  LatticeLaws laws_;
  LatticeEngine engine_;
  KeptState kept_;
  ImplicitStepper implicit_;
  ImplicitWatch watch_;
  ContactGive give_;
  BondWear wear_;
  ImplicitStepper::Report implicit_report_;
  int implicit_parts_ = 0;
  std::vector<Quat> rest_orientation_;  ///< for the implicit integrator
  std::vector<Vec3> push_;              ///< wind on each voxel, for the implicit integrator
  std::uint64_t cracks_ = 0;            ///< counts changes of the skin
  BodyWind wind_;                       ///< of this world step
  double air_density_ = 0;              ///< of this world step [kg/m^3]
  std::vector<std::uint32_t> near_;
  std::vector<Collider> colliders_;  ///< in the middle of a substep
  std::vector<Vec3> held_from_;      ///< rest positions; empty while no voxel is held in part or moved
  double kinetic_before_ = 0;
  std::uint64_t overbent_before_ = 0;
  double last_dt_ = 0;
  bool has_self_pairs_ = false;  ///< the integrator's list of pairs that may touch is of this body as it is
  double stable_before_ = std::numeric_limits<double>::infinity();
  mutable BondScratch measured_;
  mutable LatticeLoads pushed_;                 ///< scratch of the energy of an undamped body
  mutable std::vector<std::uint8_t> touching_;  ///< scratch
  mutable std::optional<SpectralBounds> spectrum_;
};

[[nodiscard]] Result<std::unique_ptr<System>> create_voxel_body(const Node& self, const Node& scene);

}  // namespace vw
