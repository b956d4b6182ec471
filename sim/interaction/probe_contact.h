// Balls of one system pressed on the rigid bodies of another: what the rules of rigid bodies with particles, voxels and each other share. Candidates
// are watched with a margin, contacts obey the law of grains (grain_contact.h: spring, dashpot, memory of shear), and what comes so fast that its
// spring would let it through bounces at once. Both sides get the same impulse, at one place. Simulation thread; loops over candidates are parallel.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/interaction/box_bins.h"
#include "sim/interaction/grain_contact.h"
#include "sim/interaction/grain_pairs.h"
#include "sim/interaction/interaction.h"
#include "sim/interaction/standing.h"

namespace vw {

/// Who feels: balls about rows of a system, pushed at their middle.
struct Probes {
  const Elements* rows = nullptr;
  std::span<const std::uint32_t> row;  ///< those that count, ascending; empty: all
  double age = 0;                      ///< of its rows (PairContext)
  std::span<const Vec3> thrown;        ///< velocity of each row that it was thrown off with since it was valid (standing.h); empty: none
  [[nodiscard]] std::size_t size() const { return row.empty() ? rows->size() : row.size(); }
  [[nodiscard]] std::size_t row_of(std::size_t probe) const { return row.empty() ? probe : row[probe]; }
  [[nodiscard]] double radius_of(std::size_t probe) const { return rows->radius[row_of(probe)]; }
  /// What lasts when rows move or the list changes; ascends.
  [[nodiscard]] std::uint32_t identity_of(std::size_t probe) const;
  [[nodiscard]] Vec3 velocity_of(std::size_t probe) const;
  [[nodiscard]] Vec3 place_of(std::size_t probe) const;
  [[nodiscard]] double inverse_mass(std::size_t probe) const;
};

/// What a ball and a body do where they touch.
struct ProbeLaw {
  GrainLaw contact;
  double restitution = 0;     ///< of what bounces at once
  double bears_kg = 0;        ///< mass that the contact acts on, at most; 0: that of the two
  double fastest_mps = 1e30;  ///< approach that the spring stops; what is faster bounces at once
};

/// Laws from surfaces: friction and restitution as they say, springs still to be set.
class SurfaceLaws {
 public:
  [[nodiscard]] ProbeLaw of(const SurfaceMaterial& pair);

 private:
  std::vector<std::pair<double, double>> known_;  ///< restitutions and their damping ratios, which are dear
};

class ProbeContact {
 public:
  class Laws {
   public:
    Laws() = default;
    Laws(const Laws&) = delete;
    Laws& operator=(const Laws&) = delete;
    virtual ~Laws() = default;
    /// `mass_kg`: of the two, along the normal. Called from several threads.
    [[nodiscard]] virtual ProbeLaw of(std::size_t row, std::size_t body, double mass_kg) const = 0;
  };
  struct Moment {
    const RigidSystem* bodies = nullptr;
    double age = 0, step = 0;      ///< of the bodies (PairContext)
    double dt = 0;                 ///< that the impulses stand for
    double margin_m = 0;           ///< that candidates may move before they are looked for anew
    double most_swing = 1;         ///< (w h)^2 of all springs on a body that they do not exceed, whoever comes unforeseen
    bool spares_overlaps = false;  ///< balls whose middle is in a body when the rule begins do not meet it until they have come apart
  };
  /// Longest substeps [s] that resolve the springs of whatever may touch.
  struct Bearable {
    double bodies_s = 1e30, probes_s = 1e30;
  };

  /// Finds who touches, and adds what they do to each other to both sides' impulses.
  void apply(const Probes& probes, Elements& probe_rows, Elements& body_rows, const Moment& moment, const Laws& laws);
  /// Of all that may touch in the time `moment.dt` from now on.
  [[nodiscard]] Bearable bearable(const Probes& probes, const Moment& moment, const Laws& laws);
  /// Marks with 1 the rows of balls whose gap to a body is less than `share` of their radius.
  void mark_near(const Probes& probes, const Moment& moment, double share, std::span<std::uint32_t> rows);
  [[nodiscard]] std::size_t touching() const { return touching_; }
  [[nodiscard]] double energy() const { return energy_j_; }
  /// Contacts end where the rule does.
  void forget();
  void visit_state(StateVisitor& visit);

 private:
  struct Body {
    Standing now;
    Pose shape;  ///< its frame
  };
  struct Pair {
    std::uint32_t probe = 0, body = 0;
  };
  struct Hit {
    Vec3 normal{0, 1, 0};          ///< out of the body
    Vec3 place = Vec3::Zero();     ///< of the ball: where the two push
    Vec3 velocity = Vec3::Zero();  ///< of the ball relative to the body
    double gap = 0;                ///< of the surfaces, now [m]
    double share = 1;              ///< of the way ahead until they meet
    bool meets = false;            ///< they touch, or will on the way
    bool bounces = false;
    double body_answer = 0;  ///< inverse mass there, along the normal [1/kg]
    double probe_answer = 0;
    ProbeLaw law;
  };

  void see_bodies(const Moment& moment);
  [[nodiscard]] bool holds(const Probes& probes, const Moment& moment);
  void follow(const Probes& probes, const Moment& moment);
  void find_candidates(const Probes& probes, const Moment& moment);
  void list_near(const Probes& probes, Range range, double most_room, std::vector<Pair>& out) const;
  void keep();
  void recall();
  void spare_overlaps(const Probes& probes);
  [[nodiscard]] Hit look(const Probes& probes, const Pair& pair, double ahead_s, bool from_within) const;
  void answer(const Probes& probes, const Pair& pair, const Laws& laws, Hit& hit) const;
  [[nodiscard]] static double dashpot_of(const Hit& hit);
  void look_at_all(const Probes& probes, const Moment& moment, const Laws& laws);
  void sum_loads();
  void press_all(const Moment& moment);
  void bounce_all(const Probes& probes, const Moment& moment, Elements& probe_rows, Elements& body_rows);
  void catch_thrown(const Probes& probes, const Moment& moment);
  void give(const Probes& probes, const Pair& pair, const Vec3& impulse, Elements& probe_rows, Elements& body_rows) const;
  [[nodiscard]] Vec3 bounce(const Probes& probes, const Pair& pair, const Hit& hit, const RigidSystem& bodies) const;

  // State: what contacts remember, by identity.
  std::vector<GrainContact> contact_, visited_;
  std::uint8_t begun_ = 0;
  double energy_j_ = 0;

  // Scratch. Lists always hold whoever can touch, so that no bit depends on when they were made.
  bool lists_have_them_ = false;
  std::vector<Box3> shape_box_;       ///< of each body's shape, in its frame
  std::vector<Box3> box_, wide_box_;  ///< where it may come before the list is made anew; and a ball's middle that meets it then
  BoxBins bins_;
  std::span<const RigidBody> bodies_;
  std::vector<Body> body_;
  std::vector<Vec3> probe_then_, body_then_;  ///< as the list was made
  std::vector<Quat> turn_then_;
  std::vector<double> probe_room_, body_room_;  ///< how far each may come before it is made anew
  std::vector<std::uint32_t> identity_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<Pair>> found_;  ///< by each chunk
  std::vector<GrainTouch> touch_;         ///< of each pair
  std::vector<std::uint8_t> spared_;
  std::vector<Hit> hit_;
  std::vector<ContactLoad> load_;  ///< of each body
  std::vector<double> crowd_;      ///< contacts of each body
  std::vector<Vec3> probe_thrown_;
  std::vector<Thrown> body_thrown_;
  bool any_probe_thrown_ = false, any_body_thrown_ = false;
  std::vector<double> energy_row_;
  std::vector<std::uint8_t> moved_;
  std::size_t touching_ = 0;
};

}  // namespace vw
