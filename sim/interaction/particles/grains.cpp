// The contacts of all pairs of the list are evaluated in parallel. Each grain then sums its impulses in the order of
// its pairs, so results are bit-identical for any number of threads.
#include "sim/interaction/particles/grains.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t contact_chunk = 512;

Vec3 place(const Elements& e, std::size_t i, double age) { return e.position[i] + age * e.velocity[i]; }
Vec3 motion(const Elements& e, std::size_t i) {
  return e.impulse.empty() ? e.velocity[i] : Vec3(e.velocity[i] + e.impulse[i] / e.mass[i]);
}
/// Returns the contribution of the spin to the tangential inverse effective mass at the surface of a grain: r^2 / I
/// with I = 2/5 m r^2 [1/kg].
double turn_answer(const Elements& e, std::size_t i) { return e.angular_velocity.empty() ? 0 : 2.5 / e.mass[i]; }
/// Returns the angular velocity of a grain times its radius [m/s], including pending impulses.
Vec3 surface_turn(const Elements& e, std::size_t i) {
  if (e.angular_velocity.empty()) return Vec3::Zero();
  const double r = e.radius[i];
  if (e.angular_impulse.empty()) return r * e.angular_velocity[i];
  return r * e.angular_velocity[i] + turn_answer(e, i) / r * e.angular_impulse[i];
}

}  // namespace

const ParamTable<GrainsParams>& grains_params() {
  using P = GrainsParams;
  static const ParamTable<P> table{
      rule_params("Whether the particles collide with each other.",
                  "Name of a particle system. Empty means every particle system.",
                  "Name of the other particle system. Empty means every particle system. If `a` and `b` name the same "
                  "system, only particles of that system collide with each other."),
      Param<P>{.member = &P::stiffness_npm,
               .key = "stiffness",
               .unit = Unit::newton_per_meter,
               .range = {1e-6, 1e9},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Spring constant of a contact between two particles (grains). If two grains of mass m collide "
                      "with the relative speed v, they overlap by v * sqrt(m / (2 * stiffness)). The number of "
                      "substeps grows with the square root of the stiffness."},
      Param<P>{.member = &P::shear_ratio,
               .key = "shear_ratio",
               .unit = Unit::ratio,
               .range = {0.01, 1},
               .live = Live::yes,
               .doc = "Spring constant of a contact in the tangential direction, as a fraction of `stiffness`, which "
                      "acts along the normal."},
      Param<P>{.member = &P::restitution,
               .key = "restitution",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc =
                   "Coefficient of restitution of collisions between grains, which is the fraction of the normal speed "
                   "that remains after a bounce. Values below 0.05 act as 0.05. Small values need more substeps."},
      Param<P>{.member = &P::mu_static,
               .key = "mu_static",
               .label = "Static friction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Coefficient of static friction between grains. It determines the steepest slope of a heap."},
      Param<P>{.member = &P::mu_dynamic,
               .key = "mu_dynamic",
               .label = "Sliding friction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Coefficient of dynamic friction between grains."},
  };
  return table;
}

const Schema& grains_schema() {
  static const Schema schema{"grains",
                             "Particles of one or two systems collide with each other, with friction. This rule acts "
                             "only if the scene contains it.",
                             grains_params().specs(),
                             {},
                             "Grains"};
  return schema;
}

Result<void> Grains::configure(const Node& self) {
  auto read = RuleOf::configure(self);
  learn_law();
  return read;
}

/// Clears all contacts. If the rule is enabled again, contacts start without memory.
void Grains::forget() {
  contact_.clear();
  touch_.clear();
  memory_in_lists_ = false;
  energy_j_ = 0;
  issue_.reset();
}

void Grains::learn_law() {
  law_.set_stiffness(params_.stiffness_npm, params_.shear_ratio);
  law_.zeta = damping_ratio_of(params_.restitution);
  law_.mu_static = params_.mu_static, law_.mu_dynamic = params_.mu_dynamic;
}

/// Returns K = 8 k, increased because of the dashpots, where k is the constant of one spring. The
/// particle system chooses the substep dt = 0.5 sqrt(m / K) for grains of mass m. A pair of equal
/// grains (w^2 = 2 k / m) then has w dt = 0.25, and its measured restitution is within 2 % of the
/// parameter. The fastest mode of a dense packing with a shear ratio of 1/2 (w^2 = 16 k / m) has
/// w dt = 0.7, while the stability limit is 2. Dashpots of damping ratio zeta shorten the stable step
/// of symplectic Euler as much as springs that are stiffer by the factor (sqrt(zeta^2 + 1) + zeta)^2.
double Grains::stiffness_npm(const System& a, const System& b) const {
  (void)a;
  (void)b;
  const double cost = std::sqrt(law_.zeta * law_.zeta + 1) + law_.zeta;
  return 8 * law_.stiffness_npm * cost * cost;
}

std::size_t Grains::contact_count() const {
  if (!memory_in_lists_) return contact_.size();
  return static_cast<std::size_t>(
      std::count_if(touch_.begin(), touch_.end(), [](const GrainTouch& t) { return t.touching; }));
}

/// Rebuilds the list of pairs if it is no longer valid. Returns false if there were too many pairs in this or an
/// earlier evaluation since the last visit_state().
bool Grains::find_pairs(System& a, System& b, const PairContext& context) {
  if (issue_) return false;
  if (memory_in_lists_ && pairs_.hold(a.elements(), context.age_a, b.elements(), context.age_b)) return true;
  if (memory_in_lists_) pairs_.pack(touch_, contact_);
  memory_in_lists_ = pairs_.build(a.elements(), context.age_a, b.elements(), context.age_b);
  if (memory_in_lists_) {
    pairs_.unpack(contact_, touch_);
    return true;
  }
  const std::size_t grains = a.elements().size() + (&a == &b ? 0 : b.elements().size());
  const std::string whose = &a == &b ? fmt::format("grains of system \"{}\"", a.name())
                                     : fmt::format("grains of systems \"{}\" and \"{}\"", a.name(), b.name());
  issue_ = HealthIssue{
      fmt::format("{} overlap: {} grains form more than {} pairs that may touch", whose, grains,
                  GrainPairs::most_pairs(grains)),
      -1, "the emitters likely place grains inside each other: use a larger spacing, or fewer or smaller grains"};
  return false;
}

void Grains::apply(System& a, System& b, const PairContext& context) {
  if (!find_pairs(a, b, context) || pairs_.size() == 0) {
    energy_j_ = 0;
    return;
  }
  Elements &first = a.elements(), &second = b.elements();
  press_pairs(first, second, context);
  give(first, second, true);
  if (&first != &second) give(second, first, false);
}

/// Evaluates all pairs of row i and returns their elastic energy [J]. Velocities include pending impulses. Otherwise, a
/// contact would brake the side with the longer substep again in every substep of the other side.
double Grains::press_row(std::size_t i, const Elements& a, const Elements& b, const PairContext& context,
                         double relax) {
  const Range pairs = pairs_.pairs_of(i);
  if (pairs.size() == 0) return 0;
  const Vec3 x = place(a, i, context.age_a), v = motion(a, i);
  double energy = 0;
  for (std::size_t p = pairs.begin; p < pairs.end; ++p) {
    const std::size_t j = pairs_.partner(p);
    GrainTouch& touch = touch_[p];
    const Vec3 apart = x - place(b, j, context.age_b);
    const double reach = a.radius[i] + b.radius[j], squared = apart.squaredNorm();
    if (squared >= reach * reach && !touch.touching) {
      touch.impulse.setZero();
      continue;
    }
    const double distance = std::sqrt(squared), mass = a.mass[i] * b.mass[j] / (a.mass[i] + b.mass[j]);
    GrainPair pair{distance > 0 ? Vec3(apart / distance) : Vec3(0, 1, 0), reach - distance, v - motion(b, j), mass, 0};
    if (!lever_.empty()) {
      // The grains overlap. Lever arms that add up to the distance of the centres conserve the angular momentum
      // exactly.
      const double share = distance / reach, turns = share * share * (turn_answer(a, i) + turn_answer(b, j));
      lever_[p] = share * pair.normal;
      pair.velocity -= (surface_turn(a, i) + surface_turn(b, j)).cross(lever_[p]);
      if (turns > 0) pair.tangential_kg = 1 / (1 / mass + turns);
    }
    press(law_, pair, context.dt, relax, touch);
    const double depth = pair.depth - touch.give_m;
    if (touch.touching)
      energy += 0.5 * (law_.stiffness_npm * depth * depth + law_.shear_npm * touch.slip.squaredNorm());
  }
  return energy;
}

void Grains::press_pairs(const Elements& a, const Elements& b, const PairContext& context) {
  const double relax = elementary::exp(-context.dt / overlap_relax_s);
  lever_.resize(a.angular_velocity.empty() && b.angular_velocity.empty() ? 0 : pairs_.size(), Vec3::Zero());
  energy_row_.assign(chunk_count(pairs_.rows(), contact_chunk), 0);
  parallel_for(pairs_.rows(), contact_chunk, [&](Range range, std::size_t chunk) {
    double energy = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) energy += press_row(i, a, b, context, relax);
    energy_row_[chunk] = energy;
  });
  energy_j_ = 0;
  for (const double energy : energy_row_) energy_j_ += energy;
}

/// Sums the impulses of the pairs of each grain. `elements` is side a of the pairs
/// if `first`, otherwise side b. Within a single system, `elements` is both sides.
void Grains::give(Elements& elements, const Elements& other, bool first) {
  elements.room_for_impulses();
  if (elements.met.size() != elements.size()) elements.met.assign(elements.size(), 0);
  const bool both = &elements == &other, spins = !elements.angular_velocity.empty();
  parallel_for(elements.size(), contact_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      Vec3 sum = Vec3::Zero(), turn = Vec3::Zero();
      bool met = false;
      // The impulse J acts on side a and -J on side b, at -r l and r l from their centres (l: lever_, r: the radius).
      // The angular impulse is therefore -r l x J on both sides.
      const auto add_turn = [&](std::size_t p) {
        if (spins) turn -= lever_[p].cross(touch_[p].impulse);
      };
      if (first) {
        const Range pairs = pairs_.pairs_of(i);
        for (std::size_t p = pairs.begin; p < pairs.end; ++p) {
          sum += touch_[p].impulse;
          add_turn(p);
          met = met || touch_[p].touching;
        }
      }
      if (!first || both)
        for (const std::uint32_t p : pairs_.pairs_with(i)) {
          sum -= touch_[p].impulse;
          add_turn(p);
          met = met || touch_[p].touching;
        }
      elements.impulse[i] += sum;
      if (spins) elements.angular_impulse[i] += elements.radius[i] * turn;
      if (met) elements.met[i] = 1;
    }
  });
}

/// In the saved state, the grains of a contact are identified by their ids. If a state with other contacts is read, the
/// next evaluation rebuilds the list of pairs and takes the contact memory from that state. The world visits the state
/// before every step and after a failed step, so the health issue is cleared here.
void Grains::visit_state(StateVisitor& visit) {
  issue_.reset();
  if (memory_in_lists_) pairs_.pack(touch_, contact_);
  visited_.assign(contact_.begin(), contact_.end());
  visit.rows("contact");
  visit("contacts", contact_);
  visit("energy", energy_j_);
  if (!params_.enabled) return forget();  // The state may have been saved while the rule was enabled.
  const bool same =
      contact_.size() == visited_.size() &&
      (contact_.empty() || std::memcmp(contact_.data(), visited_.data(), contact_.size() * sizeof(GrainContact)) == 0);
  if (!same) memory_in_lists_ = false;
}

}  // namespace vw
