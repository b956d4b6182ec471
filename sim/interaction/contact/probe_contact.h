// Contact between the rigid bodies of one system and spheres ("probes": particles, voxels or flock members) of another
// system. The rules that couple rigid bodies with particles, voxels and flocks use ProbeContact. The rule that couples
// two rigid systems uses only the contact laws of this file. Lists of candidate pairs are built with a margin and used
// for several substeps. Slow contacts follow the grain contact law (grain_contact.h: a spring, a dashpot, and a
// tangential spring with memory). A contact that is too fast for its spring gets a collision impulse with restitution
// instead. Both sides receive equal and opposite impulses at the same point. All functions must be called on the
// simulation thread. Their loops over candidate pairs run in parallel.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/interaction/bodies/standing.h"
#include "sim/interaction/contact/box_bins.h"
#include "sim/interaction/interaction.h"
#include "sim/interaction/particles/grain_contact.h"
#include "sim/interaction/particles/grain_pairs.h"

namespace vw {

/// The spheres of one side. Each sphere is an element of its system. Impulses act at the centre of a sphere.
struct Probes {
  const Elements* rows = nullptr;
  std::span<const std::uint32_t> row;  ///< Rows of the elements that are spheres,
                                       ///< ascending. If empty, all elements are spheres.
  double age = 0;                      ///< Time since the last substep of the system [s] (PairContext).
  /// Velocity change of each element by collision impulses since the last substep of the system [m/s] (see Thrown in
  /// standing.h). It is empty if there were none.
  std::span<const Vec3> thrown;
  [[nodiscard]] std::size_t size() const { return row.empty() ? rows->size() : row.size(); }
  [[nodiscard]] std::size_t row_of(std::size_t probe) const { return row.empty() ? probe : row[probe]; }
  [[nodiscard]] double radius_of(std::size_t probe) const { return rows->radius[row_of(probe)]; }
  /// Returns the permanent id of a sphere, which does not change when rows are moved or `row` changes. Ids ascend with
  /// the index `probe`.
  [[nodiscard]] std::uint32_t identity_of(std::size_t probe) const;
  [[nodiscard]] Vec3 velocity_of(std::size_t probe) const;
  [[nodiscard]] Vec3 place_of(std::size_t probe) const;
  [[nodiscard]] double inverse_mass(std::size_t probe) const;
};

/// Contact law of one sphere and one body.
struct ProbeLaw {
  GrainLaw contact;
  double restitution = 0;  ///< Coefficient of restitution of collision impulses.
  /// Upper bound of the effective mass that the dampers assume [kg]. If it is 0, the dampers assume the effective mass
  /// of the pair.
  double max_effective_mass_kg = 0;
  /// Largest approach speed that the spring stops [m/s]. A faster contact gets a collision impulse.
  double fastest_mps = 1e30;
};

/// Contact laws from surface materials. of() sets friction, restitution and damping ratio. The caller must set the
/// stiffness.
class SurfaceLaws {
 public:
  [[nodiscard]] ProbeLaw of(const SurfaceMaterial& pair);

 private:
  /// Cache of damping ratios: pairs of a restitution and its damping ratio, which is expensive to compute.
  std::vector<std::pair<double, double>> known_;
};

class ProbeContact {
 public:
  class Laws {
   public:
    Laws() = default;
    Laws(const Laws&) = delete;
    Laws& operator=(const Laws&) = delete;
    virtual ~Laws() = default;
    /// Returns the contact law of the element in row `row` with a body. `mass_kg` is the effective mass of the pair
    /// along the contact normal. Several threads call this function at once.
    [[nodiscard]] virtual ProbeLaw of(std::size_t row, std::size_t body, double mass_kg) const = 0;
  };
  struct Moment {
    const RigidSystem* bodies = nullptr;
    /// Time since the last substep of the bodies [s], and length of that substep [s] (see PairContext).
    double age = 0, step = 0;
    double dt = 0;        ///< Time span that the impulses cover [s].
    double margin_m = 0;  ///< Margin of the candidate lists: distance that an
                          ///< element may move before they are rebuilt [m].
    /// Upper bound of (w h)^2 for the sum of all contact springs on one body (w: angular frequency, h: substep). If
    /// more contacts act than the step bound assumed, so that the sum exceeds this bound, all springs on the body are
    /// softened.
    double max_omega_dt_squared = 1;
    /// If set, a sphere whose centre is inside a body when the rule starts
    /// does not collide with that body until the two have separated.
    bool ignore_initial_overlaps = false;
  };
  /// Longest substeps [s] that resolve the springs of all pairs that may touch.
  struct StepBounds {
    double bodies_s = 1e30, probes_s = 1e30;
  };

  /// Finds the touching pairs and adds their contact impulses to the rows of both sides.
  void apply(const Probes& probes, Elements& probe_rows, Elements& body_rows, const Moment& moment, const Laws& laws);
  /// Takes the place of apply() if no sphere is near a body. The arguments are the times since the last substeps of the
  /// two sides [s].
  void skip(double probe_age, double body_age);
  /// Returns the longest substeps for all pairs that may touch within `moment.dt` from now.
  [[nodiscard]] StepBounds step_bounds(const Probes& probes, const Moment& moment, const Laws& laws);
  /// Sets `rows` to 1 at the row of each sphere whose gap to a body is less than `share` times the sphere's radius.
  void mark_near(const Probes& probes, const Moment& moment, double share, std::span<std::uint32_t> rows);
  [[nodiscard]] std::size_t touching() const { return touching_; }
  [[nodiscard]] double energy() const { return energy_j_; }
  /// Clears all contacts. This function is called when the rule is disabled.
  void forget();
  void visit_state(StateVisitor& visit);

 private:
  struct Body {
    Standing now;
    Pose shape;  ///< Pose of the collision shape.
  };
  struct Pair {
    std::uint32_t probe = 0, body = 0;
  };
  struct Hit {
    Vec3 normal{0, 1, 0};          ///< Contact normal, out of the body.
    Vec3 place = Vec3::Zero();     ///< Centre of the sphere. The contact impulse acts at this point on both sides.
    Vec3 velocity = Vec3::Zero();  ///< Velocity of the sphere relative to the body [m/s].
    double gap = 0;                ///< Present distance between the surfaces [m]. A negative distance is an overlap.
    double share = 1;              ///< Fraction of the predicted motion until first contact, in [0, 1]; 1 if no
                                   ///< collision is predicted.
    bool meets = false;            ///< Whether the surfaces touch now, or will collide during the predicted motion.
    bool bounces = false;
    double inverse_effective_mass = 0;  ///< Inverse effective mass of the body at `place` along the normal [1/kg].
    double probe_answer = 0;
    ProbeLaw law;
  };

  void see_bodies(const Moment& moment);
  [[nodiscard]] bool holds(const Probes& probes, const Moment& moment);
  void follow(const Probes& probes, const Moment& moment);
  void find_candidates(const Probes& probes, const Moment& moment);
  void list_near(const Probes& probes, Range range, double max_motion, std::vector<Pair>& out) const;
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
  void give(const Probes& probes, const Pair& pair, const Vec3& impulse, Elements& probe_rows,
            Elements& body_rows) const;
  [[nodiscard]] Vec3 bounce(const Probes& probes, const Pair& pair, const Hit& hit, const RigidSystem& bodies) const;

  // The members below are the saved state, in which contacts refer to elements by their ids.
  std::vector<GrainContact> contact_, visited_;
  std::uint8_t begun_ = 0;
  double energy_j_ = 0;

  // The members below are scratch memory. The candidate lists always contain every pair that can touch, so results do
  // not depend on the time at which they were built.
  bool memory_in_lists_ = false;
  std::vector<Box3> shape_box_;  ///< Bounding box of each body's shape, in the shape's frame.
  /// `box_` contains for each body a box around all positions that the body may reach before the lists are rebuilt.
  /// `wide_box_` contains the same boxes, enlarged by the largest sphere radius and the largest motion of a sphere that
  /// the bins cover (see list_near()).
  std::vector<Box3> box_, wide_box_;
  BoxBins bins_;
  std::span<const RigidBody> bodies_;
  std::vector<Body> body_;
  std::vector<Vec3> probe_then_, body_then_;  ///< Positions when the lists were built.
  std::vector<Quat> turn_then_;
  std::vector<double> radius_then_;  ///< Radii of the spheres when the lists were built [m].
  /// Distance that each sphere and each body may move before the lists are rebuilt [m].
  std::vector<double> probe_margin_, body_margin_;
  std::vector<std::uint32_t> identity_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<Pair>> found_;  ///< Pairs found by each chunk of the parallel loop.
  std::vector<GrainTouch> touch_;         ///< Contact memory of each pair.
  std::vector<std::uint8_t> exempt_;      ///< 1 for pairs that do not collide, because
                                          ///< they overlapped when the rule started.
  std::vector<Hit> hit_;
  std::vector<ContactLoad> load_;  ///< Sum of springs and dashpots on each body.
  std::vector<double> crowd_;      ///< Number of contacts of each body.
  std::vector<Vec3> probe_thrown_;
  std::vector<Thrown> body_thrown_;
  bool any_probe_thrown_ = false, any_body_thrown_ = false;
  std::vector<double> energy_row_;
  std::vector<std::uint8_t> moved_;
  std::size_t touching_ = 0;
};

}  // namespace vw
