// Changes every parameter of a running fluid at random within its whole range. The state must stay finite and speeds
// must stay bounded. Every lost particle must be counted.
#include <algorithm>
#include <cmath>

#include "sim/base/random.h"
#include "tests/fluid/fluid_world.h"

namespace vw {
namespace {

using namespace test;

/// Random numbers that depend only on the seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double share() { return random_uniform({seed_, 0}, count_++, 0); }
  std::size_t below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(share() * static_cast<double>(n)));
  }

 private:
  std::uint64_t seed_, count_ = 0;
};

/// Returns a random value from the parameter's whole range.
Value drawn_value(const ParamSpec& spec, const Value& now, Draws& draws) {
  const auto number = [&] {
    if (spec.scale == Scale::log) return spec.bounds.min * std::pow(spec.bounds.max / spec.bounds.min, draws.share());
    return spec.bounds.min + draws.share() * (spec.bounds.max - spec.bounds.min);
  };
  if (std::holds_alternative<double>(now)) return number();
  if (std::holds_alternative<Vec3>(now)) {
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }
  if (std::holds_alternative<std::int64_t>(now)) return static_cast<std::int64_t>(std::lround(number()));
  if (const auto* truth = std::get_if<bool>(&now)) return !*truth;
  return spec.choices[draws.below(spec.choices.size())];
}

/// Returns the paths of all parameters that can be changed during a run (numbers, vectors, switches and choices), if
/// the path begins with an entry of `below`.
std::vector<std::string> knobs_of(Node& scene, const std::vector<std::string>& below) {
  std::vector<std::string> knobs;
  for (const ParamRef& ref : all_parameters(scene)) {
    const Value& value = ref.value();
    const bool turns = std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value) ||
                       std::holds_alternative<bool>(value) || std::holds_alternative<Vec3>(value) ||
                       !ref.spec->choices.empty();
    const bool asked =
        std::any_of(below.begin(), below.end(), [&](const std::string& path) { return ref.path.starts_with(path); });
    if (asked && ref.spec->live == Live::yes && turns) knobs.push_back(ref.path);
  }
  return knobs;
}

/// Returns a closed box with two liquids, an inflow and a drain. No particle may leave the box, for any direction of
/// gravity.
std::string closed_text() {
  return water_text(
             "spacing = 0.04\ncapacity = 900\n",
             "[[system.phase]]\nname = \"water\"\nviscosity = 0.01\n[[system.phase]]\nname = \"oil\"\ndensity = 700\n" +
                 fill_text("box", "lower", "position = [0.2, 0.12, 0.2]\nsize = [0.4, 0.24, 0.4]") +
                 fill_text("box", "upper", "position = [0.2, 0.28, 0.2]\nsize = [0.4, 0.08, 0.4]\nphase = \"oil\"") +
                 "[[system.inflow]]\nkind = \"disc\"\nname = \"tap\"\nposition = [0.2, 0.45, 0.2]\nradius = "
                 "0.06\nspeed = 0.5\n"
                 "[[system.drain]]\nkind = \"box\"\nname = \"hole\"\nposition = [0.35, 0.05, 0.2]\nsize = [0.1, 0.1, "
                 "0.1]\nrate = 0.001\n") +
         tank_text({0.4, 0, 0.4}) +
         "[[collider]]\nkind = \"plane\"\nname = \"lid\"\nposition = [0, 0.5, 0]\nrotation = [3.141592653589793, 0, "
         "0]\n";
}

/// Returns a closed box of the size of that in closed_text(), with water, a floating rigid box, a heavy ball, a soft
/// voxel body and a stone on the floor.
std::string pool_text() {
  return water_text("spacing = 0.04\ncapacity = 900\n",
                    "[[system.phase]]\nname = \"water\"\nviscosity = 0.01\n" +
                        fill_text("box", "lower", "position = [0.2, 0.12, 0.2]\nsize = [0.4, 0.24, 0.4]")) +
         "[[system]]\nkind = \"rigid\"\nname = \"bodies\"\n"
         "[[system.body]]\nkind = \"box\"\nname = \"float\"\nposition = [0.1, 0.3, 0.1]\nsize = [0.12, 0.08, "
         "0.12]\ndensity = 400\n"
         "[[system.body]]\nkind = \"sphere\"\nname = \"ball\"\nposition = [0.3, 0.35, 0.1]\nradius = 0.05\ndensity = "
         "2000\n"
         "[[system]]\nkind = \"voxel_body\"\nname = \"jelly\"\nmaterial = \"rubber\"\nsize = [3, 2, 3]\nvoxel_size = "
         "0.04\n"
         "position = [0.22, 0.26, 0.22]\n[[material]]\nkind = \"voxel_material\"\nname = \"rubber\"\nyoungs_modulus = "
         "1e5\ndensity = 900\n"
         "[[collider]]\nkind = \"box\"\nname = \"stone\"\nposition = [0.1, 0.05, 0.3]\nsize = [0.1, 0.1, 0.1]\n" +
         tank_text({0.4, 0, 0.4}) +
         "[[collider]]\nkind = \"plane\"\nname = \"lid\"\nposition = [0, 0.5, 0]\nrotation = [3.141592653589793, 0, "
         "0]\n";
}

/// Bound on particle speeds [m/s]. Under ten times Earth's gravity, a fall over the height of the box gives 10 m/s. An
/// inflow gives up to 100 m/s.
constexpr double sane_mps = 300;

struct Turned {
  std::size_t knobs = 0;
  int taken = 0, refused = 0;  ///< number of completed and of refused steps
  std::string problem;         ///< first problem found; empty if there is none
  std::string last_refusal;    ///< error message of the last refused step
};

/// Returns the description of the first fault in the current state of the fluid. The string is empty if there is no
/// fault.
std::string problem_of(World& world, double accounted, double fastest_mps) {
  const Elements& e = water_of(world).elements();
  for (std::size_t i = 0; i < e.size(); ++i)
    if (!e.position[i].allFinite() || !(e.velocity[i].norm() < fastest_mps))
      return "particle " + std::to_string(i) + " moves at " + std::to_string(e.velocity[i].norm()) + " m/s";
  const double gone = total_of(world, "drained") + total_of(world, "left_domain") + total_of(world, "not_placed");
  if (accounted + total_of(world, "came_in") != static_cast<double>(e.size()) + gone)
    return "particles were lost without being counted";
  return {};
}

struct Turning {
  std::string text;
  std::vector<std::string> below;  ///< path prefixes of the parameters to change
  double fastest_mps = sane_mps;
  int edits = 0, steps_between = 0;
  std::int64_t max_substeps = 40;
};

/// Value of `world.max_substeps` that the test sets after a step was refused because a particle is too fast.
constexpr std::int64_t most_substeps = 4000;

/// Returns whether a step was refused for one of three accepted reasons: the step would take too many substeps, the
/// soft body was torn (the world then keeps its last good state), or a hollow collider became as wide as the domain.
bool is_good_reason(const std::string& sentence) {
  return sentence.find("substeps, more than world.max_substeps") != std::string::npos ||
         sentence.find("jelly: ") != std::string::npos ||
         sentence.find("the step would take more than 1000 substeps") != std::string::npos ||
         sentence.find("needs more than 2 million sample points") != std::string::npos;
}

Turned turn_knobs(const Turning& turning, std::uint64_t seed) {
  const auto world = world_from(turning.text);
  Turned turned;
  // A stiff equation of state may need more substeps than the limit. The step is then refused with an error message,
  // and the next edit restores a valid state.
  if (!world->apply(SetParameter{"world.max_substeps", Value(turning.max_substeps)}))
    turned.problem = "the limit of substeps was not taken";
  Node scene = world->scene();
  const std::vector<std::string> knobs = knobs_of(scene, turning.below);
  turned.knobs = knobs.size();
  Draws draws(seed);
  bool is_raised = false;         // whether the limit on substeps is raised at present
  std::set<std::string> changed;  // parameters that differ from their usual values
  StateBlock begin;
  world->save_state(begin);
  const double accounted = static_cast<double>(water_of(*world).elements().size()) + total_of(*world, "not_placed");
  for (int edit = 0; edit < turning.edits && turned.problem.empty(); ++edit) {
    const std::string& path = knobs[draws.below(knobs.size())];
    const auto ref = find_parameter(scene, path);
    // Every third edit restores the parameter's usual value, so that extreme values do not accumulate.
    const Value usual = ref->value(), value = edit % 3 == 2 ? usual : drawn_value(*ref->spec, usual, draws);
    // An edit is rejected with an error message if it would add a layer of too many particles.
    if (!world->apply(SetParameter{path, value})) continue;
    changed.insert(path);
    for (int i = 0; i < turning.steps_between; ++i) {
      if (world->step()) {
        ++turned.taken;
        if (is_raised && !world->apply(SetParameter{"world.max_substeps", Value(turning.max_substeps)}))
          turned.problem = "the limit did not go back";
        is_raised = false;
        continue;
      }
      ++turned.refused;
      const std::string sentence = world->health().sentence();
      turned.last_refusal = sentence;
      if (!is_good_reason(sentence)) turned.problem = sentence;
      // Any of the changed parameters may have caused the refusal, so all of them are restored. If a particle is
      // already too fast, the limit on substeps is also raised, as the error message advises.
      const bool is_fast =
          sentence.find(" moves at ") != std::string::npos || sentence.find(" m/s) at cfl = ") != std::string::npos;
      if (is_fast && !world->apply(SetParameter{"world.max_substeps", Value(most_substeps)}))
        turned.problem = "the limit of substeps was not raised";
      is_raised = is_raised || is_fast;
      for (const std::string& knob : changed)
        if (!world->apply(SetParameter{knob, find_parameter(scene, knob)->value()}))
          turned.problem = "a usual value was not taken";
      changed.clear();
      if (sentence.find("jelly: ") != std::string::npos && !world->load_state(begin))
        turned.problem = "the first state was not taken";
    }
    if (turned.problem.empty()) turned.problem = problem_of(*world, accounted, turning.fastest_mps);
    if (!turned.problem.empty())
      turned.problem = std::to_string(edit) + ": " + path + " = " + to_text(value) + ": " + turned.problem;
  }
  return turned;
}

Turning liquids(int edits, int steps_between) {
  return {closed_text(), {"system.water."}, sane_mps, edits, steps_between};
}

/// Returns a pool of water. The bound on speeds is higher than `sane_mps` for two reasons: gravity may be up to a
/// thousand times Earth's gravity, and a stone of any size may appear anywhere in the water and displace it.
Turning pool(int edits, int steps_between) {
  return {pool_text(),   {"world.gravity", "system.", "interaction.", "material.", "collider.stone."},
          3000,          edits,
          steps_between, 400};
}

/// Expects that no problem occurred, that more than `least_knobs` parameters exist, and that more than `least_taken`
/// steps were completed.
void expect_calm(const Turning& turning, std::uint64_t seed, std::size_t least_knobs, int least_taken) {
  const Turned turned = turn_knobs(turning, seed);
  EXPECT_EQ(turned.problem, "") << seed;
  EXPECT_GT(turned.knobs, least_knobs) << seed;
  EXPECT_GT(turned.taken, least_taken) << seed << ", last refused: " << turned.last_refusal;
}

constexpr std::uint64_t seeds[] = {2, 3, 4, 5, 6};  ///< seeds of the long runs

/// Returns two balls of water and a block at this position.
std::string balls_and_block(const Vec3& block) {
  return water_text("", fill_text("sphere", "large", "position = [0, 0, 0]\nradius = 0.083") +
                            fill_text("sphere", "small", "position = [0.3, 0, 0]\nradius = 0.047")) +
         "[[collider]]\nkind = \"box\"\nname = \"block\"\nposition = " + to_text(Value(block)) +
         "\nsize = [0.2, 0.2, 0.2]\n";
}

TEST(FluidEdits, AMovedObstacleDoesNotChangeTheSpacingOfARestoredState) {
  // The block leaves out most sites of the large ball, which changes the spacing fitted to both balls. A checkpoint is
  // restored in a world that is built with the present position of the block.
  const Vec3 before(0.04, 0, 0), after(0, 2, 0);
  const auto world = world_from(balls_and_block(before));
  run_until(*world, 0.02);
  ASSERT_TRUE(world->apply(SetParameter{"collider.block.position", Value(after)}));
  run_until(*world, 0.04);
  StateBlock state;
  world->save_state(state);
  const auto other = world_from(balls_and_block(after));
  ASSERT_TRUE(other->load_state(state));
  EXPECT_EQ(total_of(*other, "spacing"), total_of(*world, "spacing"));
  for (const auto& one : {world.get(), other.get()}) run_until(*one, 0.08);
  EXPECT_EQ(other->hash(), world->hash());
}

TEST(FluidEdits, FortyAmongBodiesNeverMakeItExplode) {
  expect_calm(pool(40, 1), 1, 80, 15);
  EXPECT_FALSE(HasNonfatalFailure());
}

TEST(FluidEdits, SixtyRandomOnesNeverMakeItExplode) {
  expect_calm(liquids(60, 2), 1, 30, 60);
  EXPECT_FALSE(HasNonfatalFailure());
}

TEST(FluidEditsValidation, ManyAmongBodiesNeverMakeItExplode) {
  for (const std::uint64_t seed : seeds) expect_calm(pool(200, 2), seed, 80, 150);
  EXPECT_FALSE(HasNonfatalFailure());
}

TEST(FluidEditsValidation, AThousandRandomOnesNeverMakeItExplode) {
  for (const std::uint64_t seed : seeds) expect_calm(liquids(1000, 3), seed, 30, 1500);
  EXPECT_FALSE(HasNonfatalFailure());
}

}  // namespace
}  // namespace vw
