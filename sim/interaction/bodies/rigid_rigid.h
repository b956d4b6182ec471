// Contact between the bodies of two rigid systems. (The solver of a rigid system handles contacts between its own
// bodies.) The two systems may have different substeps, so contact springs couple their bodies instead of a common
// solver. The rule runs serially on the simulation thread, in the order of the bodies.
#pragma once

#include <array>
#include <vector>

#include "sim/interaction/contact/probe_contact.h"
#include "sim/interaction/rule.h"
#include "sim/system/rigid/contacts/touch.h"

namespace vw {

struct RigidRigidParams : RuleParams {
  double sinks = 0.002;
};
[[nodiscard]] const ParamTable<RigidRigidParams>& rigid_rigid_params();

/// The contact search of rigid systems (sim/system/rigid/contacts/touch.h) finds the contact points. A spring, a
/// dashpot, and a tangential spring with memory act at each point. If two bodies approach too fast for these springs,
/// iterated collision impulses with restitution act instead. Both bodies receive equal and opposite impulses at the
/// same point.
class RigidRigid final : public RuleOf<RigidRigidParams> {
 public:
  explicit RigidRigid(const Node& self) : RuleOf(rigid_rigid_params(), self) {}

  /// Returns the substep bound [s] from the contact springs of bodies that are near each other.
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return energy_j_; }

  [[nodiscard]] std::size_t touching() const { return touching_; }

 private:
  /// Present state of the bodies of one system. The sample points ("feelers") and edges of their shapes are the input
  /// of the contact search (sim/system/rigid/contacts/feelers.h).
  struct Side {
    const RigidSystem* rigid = nullptr;
    std::vector<Feeler> feelers;
    std::vector<Edge> edges;
    /// `first_feeler` and `first_edge` contain the index of the first feeler and of the first edge of each shape. Their
    /// last entry is the total number. `corners` contains the number of a shape's first feelers that suffice for
    /// contact with a plane.
    std::vector<std::size_t> first_feeler, first_edge, corners;
    std::vector<std::size_t> shape_of;  ///< Index of the shape of each body. Copies of a body share one shape.
    std::vector<Standing> now;
    std::vector<Thrown> thrown;
    std::vector<ContactLoad> load;  ///< Springs and dashpots on each body.
    std::vector<double> crowd;      ///< Number of contacts of each body.
    void see(const RigidSystem& system, double age);
    void throw_off(std::size_t body, const Vec3& place, const Vec3& impulse);
    [[nodiscard]] Party party(std::size_t body) const;
  };
  /// Memory of a contact between evaluations. It belongs to the saved state and therefore consists of plain numbers.
  struct Kept {
    GrainContact contact;
    std::array<double, 3> place{};  ///< Position in the first body's frame, from its centre of mass [m].
    template <class F>
    void each_number(F check) const {
      contact.each_number(check);
      for (const double x : place) check(x);
    }
    template <class F>
    void each_member(F take) const {
      contact.each_member(take);
      take("place", place);
    }
  };
  struct Contact {
    std::uint32_t a = 0, b = 0;
    Touch touch;
    ProbeLaw law;
    GrainTouch memory;
    double answer_a = 0, answer_b = 0;  ///< Inverse effective mass of each body along the normal [1/kg].
    Vec3 given = Vec3::Zero();          ///< Collision impulse [N s].
    double wanted = 0;                  ///< Normal velocity that the collision must reach [m/s].
    bool bounces = false;
  };

  void forget() override { kept_.clear(), energy_j_ = 0; }
  void find(const RigidSystem& a, double age_a, const RigidSystem& b, double age_b, double ahead_s) const;
  void meet(std::uint32_t i, std::uint32_t j, double ahead_s) const;
  [[nodiscard]] ProbeLaw law_of(std::size_t i, std::size_t j) const;
  void recall() const;
  void sum_loads() const;
  [[nodiscard]] Vec3 relative(const Contact& c) const;
  void press_all(const PairContext& context);
  void bounce_all(double dt);
  void give(const Contact& c, const Vec3& impulse, Elements& a, Elements& b) const;

  std::vector<Kept> kept_;  ///< State: contacts of the last evaluation, ordered by bodies.
  double energy_j_ = 0;     ///< State: elastic energy of the contact springs [J].
  std::size_t touching_ = 0;

  // The members below are scratch memory.
  mutable Side a_, b_;
  mutable BoxBins bins_;
  mutable std::vector<Box3> box_;
  mutable std::vector<Contact> contacts_;
  mutable std::vector<std::uint32_t> near_;
  mutable std::vector<std::uint8_t> used_;
  mutable std::vector<Touch> touches_;
  mutable TouchScratch scratch_;
  mutable SurfaceLaws surfaces_;
};

[[nodiscard]] const Schema& rigid_rigid_schema();

}  // namespace vw
