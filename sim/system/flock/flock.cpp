// Implements the flock system: in each substep, members first decide how to steer and then move relative to the medium
// (air or water).
#include "sim/system/flock/flock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/flock/flock_notes.h"
#include "sim/system/flock/flock_picture.h"
#include "sim/system/flock/obstacles/obstacle_guard.h"
#include "sim/system/flock/steering/avoidance.h"
#include "sim/system/flock/steering/goals.h"
#include "sim/system/flock/steering/home.h"
#include "sim/system/flock/steering/hunting.h"
#include "sim/system/flock/steering/motion.h"
#include "sim/system/flock/steering/neighbours.h"
#include "sim/system/flock/steering/steering.h"
#include "sim/system/flock/steering/wander.h"
#include "sim/system/flock/swarms.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

constexpr std::size_t member_grain = 512;

/// Constants of a species for a substep.
struct SpeciesStep {
  MotionLimits limits;
  double drag_rate = 0;  ///< Drag rate in the medium [1/s].
  /// Damping factor of one substep. In a substep, the difference v - m - u is multiplied by this factor, where v is the
  /// velocity of a member, m its own motion and u the velocity of the medium.
  double kept = 0;
  double lean = 0;         ///< Fraction by which the bank angle approaches its target in the substep.
  double cruise_rate = 0;  ///< Rate at which the speed approaches the cruising speed [1/s].
};

void store(const Motives& asked, MotiveRow& out) {
  const double* const from = asked.front().data();
  float* const to = out.front().data();
  for (std::size_t k = 0; k < 3 * motive_count; ++k) to[k] = static_cast<float>(from[k]);
}

constexpr TotalWarning refused_warning{
    .noun = "member",
    .sentence =
        "could not be added, because obstacles or other members were too near or the capacity was reached. "
        "Enlarge the region of the swarm, or raise capacity"};

class Flock final : public FlockSystem {
 public:
  Flock(const Node& self, std::uint64_t seed) : FlockSystem(self.name), seed_(seed) {}

  [[nodiscard]] const Schema& schema() const override { return flock_schema(); }

  Result<void> configure(const Node& self, const Node& scene) override {
    (void)scene;
    auto plan = read_flock(self);
    if (!plan) return Unexpected(plan.error());
    plan_ = std::move(*plan);
    swarms_.configure(plan_, seed_, name());
    goals_.configure(plan_);
    make_sights();
    return {};
  }
  void populate(std::span<const Collider> colliders) { swarms_.begin(colliders); }

  // ---- Interface for interactions ----
  [[nodiscard]] const FlockPlan& plan() const override { return plan_; }
  [[nodiscard]] const FlockRows& rows() const override { return swarms_.rows; }
  [[nodiscard]] Surroundings& around() override { return around_; }
  [[nodiscard]] std::span<const std::string> wanted_marks() const override { return goals_.wanted(); }
  [[nodiscard]] std::span<const Vec3> thrust() const override { return thrust_; }
  [[nodiscard]] double drag_rate(std::size_t row, double relative_mps) const override {
    (void)relative_mps;
    return 1 / species_of(row).carry_s;
  }

  // ---- Capabilities ----
  [[nodiscard]] std::vector<std::string> notes(const Setup& setup) const override {
    return flock_notes(name(), plan_, setup);
  }
  bool remove(std::span<const std::uint32_t> gone) override {
    swarms_.remove(gone);
    return true;
  }
  [[nodiscard]] std::span<const std::string> spawn_groups() const override { return plan_.species_names; }
  void spawn(std::size_t species, const Vec3& place, std::uint64_t count) override {
    swarms_.spawn(static_cast<std::uint8_t>(species), place, count);
  }

  // ---- Step ----
  /// Returns 0.5 / w [s], where w is the angular frequency of the lightest member on a spring with the stiffness
  /// `coupled_stiffness_npm` [N/m]. Returns infinity if there is no such spring.
  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override {
    if (coupled_stiffness_npm <= 0) return std::numeric_limits<double>::infinity();
    double lightest = std::numeric_limits<double>::infinity();
    for (const SpeciesParams& species : plan_.species) lightest = std::min(lightest, body_mass_kg(species));
    return 0.5 * std::sqrt(lightest / coupled_stiffness_npm);
  }

  void begin_step(const StepContext& context) override {
    swarms_.begin_step(context.time, context.dt, context.colliders);
    Elements& e = elements();
    e.met.clear();
    touched_.assign(e.size(), 0);
    counts_ = {};
    begun_at_ = context.time;
    gravity_ = context.gravity;
    at_start_.assign(context.colliders.begin(), context.colliders.end());
    sample_air(context);
    decided_ = false;
  }

  void decide(double t, double dt) override {
    if (decided_) return;
    colliders_ = at_start_;
    if (t > begun_at_)
      for (Collider& collider : colliders_) collider = at_time(collider, t - begun_at_);
    decide_among(colliders_, dt);
  }

  void substep(const StepContext& context, double t, double dt) override {
    (void)t;
    if (!decided_) decide_among(context.colliders, dt);
    move(dt);
    meet_obstacles();
    hunting_.find_caught(plan_, rows(), caught_);
    note_caught();
    elements().impulse.clear();
    wandered_s_ += plan_.params.time_scale * dt;
    around_.clear();
    decided_ = false;
  }

  void end_step(const StepContext& context) override { now_ = context.time + context.dt; }

  [[nodiscard]] Elements& elements() override { return swarms_.rows.elements; }
  [[nodiscard]] const Elements& elements() const override { return swarms_.rows.elements; }

  // ---- State ----
  void visit_state(StateVisitor& visit) override {
    swarms_.visit_state(visit);
    visit("wandered", wandered_s_);
    visit("now", now_, state_clock);
    visit("eaten", eaten_);
  }
  [[nodiscard]] std::string state_problem() const override {
    if (!std::isfinite(wandered_s_) || !std::isfinite(now_)) return "a time in the state is not finite";
    return swarms_.state_problem();
  }
  void begin_at(double time) override {
    for (double& born : swarms_.rows.born) born += time;
    now_ = time;
  }
  /// Members keep their motion. Members of a removed species are removed.
  std::vector<std::int64_t> continue_from(System& former,
                                          const std::map<std::string, std::string>& former_names) override {
    const auto& old = static_cast<Flock&>(former);
    swarms_.continue_from(old.swarms_, former_names);
    wandered_s_ = old.wandered_s_, now_ = old.now_, eaten_ = old.eaten_;
    state_restored();
    return {};
  }
  void surroundings_changed(std::span<const std::size_t> now) override {
    (void)now;
    state_restored();
  }
  void state_restored() override {
    decided_ = false;
    around_.clear();
    touched_.clear();
  }

  // ---- Diagnostics and display ----
  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override {
    return point_sums(elements(), context.gravity);
  }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return flock_health(plan_, rows()); }
  [[nodiscard]] std::span<const ChannelInfo> channels() const override { return flock_channels(); }
  void channel(std::size_t index, std::vector<float>& out) const override { flock_channel(view(), index, out); }
  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override { return flock_vectors(); }
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override { flock_vector(view(), index, out); }
  void totals(std::vector<Total>& out) const override {
    out.clear();
    out.push_back({"members", "", static_cast<double>(rows().size())});
    out.push_back({"polarisation", "", polarisation(rows())});
    out.push_back({"neighbours", "", mean_neighbours()});
    out.push_back({"born", "", static_cast<double>(swarms_.born_ever())});
    out.push_back({"gone", "", static_cast<double>(swarms_.gone_ever())});
    out.push_back({"eaten", "", static_cast<double>(eaten_)});
    out.push_back({"refused", "", static_cast<double>(swarms_.refused_ever()), &refused_warning});
    out.push_back({"touching", "", static_cast<double>(counts_.met)});
    out.push_back({"squeezed", "", static_cast<double>(counts_.squeezed)});
  }
  void snapshot(SystemSnapshot& out) const override { show_flock(view(), out); }

 private:
  [[nodiscard]] const SpeciesParams& species_of(std::size_t row) const { return plan_.species[rows().species[row]]; }
  [[nodiscard]] FlockView view() const {
    return {&plan_, &rows(), now_, &neighbours_, motives_, thrust_, medium_, touched_};
  }
  [[nodiscard]] double mean_neighbours() const {
    double sum = 0;
    for (std::size_t i = 0; i < neighbours_.size(); ++i) sum += neighbours_.seen(i).count;
    return neighbours_.size() > 0 ? sum / static_cast<double>(neighbours_.size()) : 0;
  }

  void make_sights() {
    sights_.clear();
    for (std::size_t s = 0; s < plan_.species.size(); ++s) {
      const SpeciesParams& species = plan_.species[s];
      Sight sight;
      sight.reach_m = static_cast<float>(species.reach_m);
      if (species.sight_deg < 360)
        sight.cosine = static_cast<float>(elementary::cos(0.5 * species.sight_deg * pi / 180));
      sight.spacing_m = static_cast<float>(species.spacing_m);
      sight.nearest = static_cast<std::uint32_t>(species.neighbours);
      sight.flock_bits = 1U << s;
      sight.apart_bits = 0;
      for (std::size_t other = 0; other < plan_.species.size(); ++other)
        if (plan_.hunts[s][other] == 0) sight.apart_bits |= 1U << other;
      sights_.push_back(sight);
    }
  }

  /// Samples the wind at all members whose species lives in air. The velocity of the medium of all other members is set
  /// to zero. Called once per step.
  void sample_air(const StepContext& context) {
    const auto flies = [](const SpeciesParams& species) { return species.medium == SpeciesMedium::air; };
    const bool any = std::any_of(plan_.species.begin(), plan_.species.end(), flies);
    medium_.resize(rows().size());
    if (any && !context.fields->empty()) {
      context.fields->velocity(elements().position, context.time, medium_);
      if (std::all_of(plan_.species.begin(), plan_.species.end(), flies)) return;
    } else {
      return std::fill(medium_.begin(), medium_.end(), Vec3::Zero());
    }
    for (std::size_t i = 0; i < rows().size(); ++i)
      if (!flies(species_of(i))) medium_[i].setZero();
  }

  [[nodiscard]] bool in_water(std::size_t i) const {
    return around_.water.size() == rows().size() && around_.water[i].share > 0;
  }
  /// Returns whether the species of the member lives in water, but the member is out of the water. Such a member
  /// neither steers nor swims.
  [[nodiscard]] bool helpless(std::size_t i) const {
    return species_of(i).medium == SpeciesMedium::water && !in_water(i);
  }

  void plan_species(double dt) {
    steps_.clear();
    for (const SpeciesParams& species : plan_.species) {
      SpeciesStep step{MotionLimits(species, dt)};
      step.drag_rate = 1 / species.carry_s;
      step.kept = elementary::exp(-dt / species.carry_s);
      step.lean = -elementary::expm1(-dt * std::max(1.0, species.turn_rate_radps));
      step.cruise_rate = std::min(1 / species.carry_s, 1 / dt);
      steps_.push_back(step);
    }
  }

  void decide_among(std::span<const Collider> colliders, double dt) {
    decided_ = true;
    const FlockRows& all = rows();
    const Elements& e = all.elements;
    plan_species(dt);
    obstacles_.assign(colliders, around_, dt);
    avoidance_.look(obstacles_, around_, plan_, all);
    goals_.begin(colliders, around_);
    neighbours_.look({e.position, all.heading, all.speed, all.species}, sights_);
    hunting_.look(plan_, all, around_, neighbours_);
    wander(plan_, all, wandered_s_, whim_);
    next_.resize(all.size());
    thrust_.resize(all.size());
    motives_.resize(all.size());
    parallel_for(all.size(), member_grain, [&](Range range, std::size_t) {
      for (std::size_t begin = range.begin; begin < range.end; begin += DecideBlock::most)
        decide_block({begin, std::min(range.end, begin + DecideBlock::most)}, dt);
    });
  }

  /// Scratch data of decide_block(). The function processes several members stage by stage, so that the memory and
  /// arithmetic latencies of different members overlap.
  struct DecideBlock {
    static constexpr std::size_t most = 16;
    std::array<Motives, most> asked;
    std::array<Vec3, most> steering;
  };
  void decide_block(Range range, double dt) {
    DecideBlock block;
    const FlockRows& all = rows();
    const auto own = [&all](std::size_t i) { return OwnMotion{all.heading[i], all.speed[i]}; };
    for (std::size_t i = range.begin; i < range.end; ++i) {
      neighbours_.fetch(i + 8);
      if (in_water(i)) medium_[i] = around_.water[i].velocity;
      if (!helpless(i)) ask(i, dt, own(i), block.asked[i - range.begin]);
    }
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (helpless(i)) continue;
      Motives& asked = block.asked[i - range.begin];
      block.steering[i - range.begin] = share_out(asked, species_of(i).budget, species_of(i).max_acceleration_mps2);
      store(asked, motives_[i]);
    }
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const SpeciesStep& step = steps_[all.species[i]];
      if (helpless(i)) {
        fall(i, own(i), step);
        continue;
      }
      next_[i] = turned(own(i), dt * block.steering[i - range.begin], step.limits);
      const Vec3 after = next_[i].velocity();
      thrust_[i] = (after - own(i).velocity()) / dt + step.drag_rate * after;
    }
  }

  void ask(std::size_t i, double dt, const OwnMotion& own, Motives& out) {
    FlockRows& all = swarms_.rows;
    const SpeciesParams& species = species_of(i);
    const Vec3 &x = all.elements.position[i], &v = all.elements.velocity[i];
    const auto motive = [&out](Motive which) -> Vec3& { return out[static_cast<std::size_t>(which)]; };
    out.fill(Vec3::Zero());
    motive(Motive::avoidance) = species.avoidance * avoidance_.avoid()[i];
    motive(Motive::flight) = species.flight * avoidance_.flight()[i];
    neighbour_motives(species, neighbours_.seen(i), own.velocity(), all.elements.id[i], dt, out);
    if (!hunting_.chase().empty()) {
      motive(Motive::flight) += species.flight * hunting_.flight()[i];
      motive(Motive::hunt) = species.hunt * hunting_.chase()[i];
    }
    motive(Motive::goal) = species.goal * goals_.pull(species, all.species[i], x, v, all.way[i]);
    motive(Motive::home) = species.home * home_pull(plan_.params, species, x, v);
    // The division by max(1, length) shortens vectors longer than 1 to the length 1 without a branch.
    const float whim = std::max(1.0F, whim_[i].norm());
    motive(Motive::wander) =
        species.wander * species.max_acceleration_mps2 / static_cast<double>(whim) * whim_[i].cast<double>();
    motive(Motive::cruise) = steps_[all.species[i]].cruise_rate * (species.cruise_speed_mps - own.speed) * own.heading;
  }

  /// Turns the heading of a falling member towards the direction of the fall.
  void fall(std::size_t i, const OwnMotion& own, const SpeciesStep& step) {
    MotionLimits limits = step.limits;
    limits.sin_climb = 1, limits.cos_climb = 0;
    const Vec3& v = elements().velocity[i];
    const double speed = v.norm();
    const Vec3 way = speed > 1e-6 ? Vec3(v / speed) : own.heading;
    next_[i] = {turned({own.heading, 1}, 1e3 * way, limits).heading, own.speed};
    thrust_[i].setZero();
    motives_[i].fill(Vec3f::Zero());
  }

  void move(double dt) {
    FlockRows& all = swarms_.rows;
    Elements& e = all.elements;
    from_.resize(all.size());
    parallel_for(all.size(), member_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        from_[i] = e.position[i];
        move_one(i, dt);
      }
    });
  }

  /// Moves one member. The velocity v approaches the sum of own motion m and medium velocity u: dv/dt = dm/dt + (m + u
  /// - v) / carry_s, where m changes linearly and u is constant. If a fraction of the member is under water, the
  /// velocity change is multiplied by the remaining, dry fraction. If the medium of the species is water, only pending
  /// impulses and gravity act here. The interaction with the water applies all other forces as impulses.
  void move_one(std::size_t i, double dt) {
    FlockRows& all = swarms_.rows;
    Elements& e = all.elements;
    const SpeciesParams& species = species_of(i);
    const SpeciesStep& step = steps_[all.species[i]];
    const OwnMotion before{all.heading[i], all.speed[i]};
    const OwnMotion& after = next_[i];
    Vec3& v = e.velocity[i];
    const Vec3 pushed = e.impulse.empty() ? v : Vec3(v + e.impulse[i] / e.mass[i]);
    if (species.medium == SpeciesMedium::water) {
      v = pushed + dt * gravity_;
    } else {
      const double dry = in_water(i) ? 1 - std::clamp(around_.water[i].share, 0.0, 1.0) : 1;
      const Vec3 free = after.velocity() + medium_[i] + step.kept * (pushed - before.velocity() - medium_[i]);
      v = pushed + dry * (free - pushed);
    }
    e.position[i] += dt * v;
    const Vec3 change = (after.velocity() - before.velocity()) / dt;
    const double bank = balanced_bank(after.heading, change, gravity_.norm(), species.banking);
    all.bank[i] += step.lean * (bank - all.bank[i]);
    const double strokes = stroke_rate(species, after.speed, change.dot(after.heading)) * plan_.params.time_scale;
    // The phase is limited, because snapshots store it in single precision, which would round a large phase coarsely.
    constexpr double most_strokes = 65536 * 2 * pi;
    double& beat = all.beat[i];
    beat += 2 * pi * strokes * dt;
    if (!(std::abs(beat) < most_strokes)) beat = std::fmod(beat, most_strokes);
    all.heading[i] = after.heading;
    all.speed[i] = after.speed;
  }

  void meet_obstacles() {
    Elements& e = elements();
    if (touched_.size() != e.size()) touched_.assign(e.size(), 0);
    double fastest = 0;
    for (const SpeciesParams& species : plan_.species) fastest = std::max(fastest, species.max_speed_mps);
    counts_ += keep_out(obstacles_, fastest, {from_, e.position, e.velocity, e.radius, avoidance_.free_m(), touched_});
  }

  void note_caught() {
    if (caught_.empty()) return;
    // A caught member keeps its row until the next step and may be caught again in a later substep.
    const std::vector<double>& lifetime = rows().lifetime;
    eaten_ += static_cast<std::uint64_t>(
        std::count_if(caught_.begin(), caught_.end(), [&](std::uint32_t row) { return lifetime[row] >= 0; }));
    swarms_.remove(caught_);
  }

  FlockPlan plan_;
  Swarms swarms_;
  Surroundings around_;
  FlockObstacles obstacles_;
  Avoidance avoidance_;
  Goals goals_;
  Neighbours neighbours_;
  Hunting hunting_;
  std::vector<Sight> sights_;
  std::vector<SpeciesStep> steps_;
  // State of the flock, in addition to the state of swarms_.
  double wandered_s_ = 0;  ///< Time at which the wander noise is evaluated [s].
  double now_ = 0;
  std::uint64_t eaten_ = 0;
  // Data of the current step.
  double begun_at_ = 0;
  Vec3 gravity_ = Vec3::Zero();
  std::vector<Collider> at_start_, colliders_;
  std::vector<Vec3> medium_;  ///< Velocity of the medium at each member [m/s].
  std::vector<std::uint8_t> touched_;
  GuardCounts counts_;
  // Data of the current substep.
  bool decided_ = false;
  std::vector<Vec3f> whim_;
  std::vector<OwnMotion> next_;
  std::vector<Vec3> thrust_, from_;
  std::vector<MotiveRow> motives_;
  std::vector<std::uint32_t> caught_;
  std::uint64_t seed_ = 0;
};

}  // namespace

Result<std::unique_ptr<System>> create_flock(const Node& self, const Node& scene) {
  const Node* world = scene.only("world");
  const auto seed = world != nullptr ? static_cast<std::uint64_t>(std::get<std::int64_t>(world->value("seed"))) : 0;
  auto system = std::make_unique<Flock>(self, seed);
  if (auto ok = system->configure(self, scene); !ok) return Unexpected(ok.error());
  system->populate(colliders_at_start(scene));
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
