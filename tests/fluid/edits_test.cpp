// Whoever turns every knob of a fluid while it runs, anywhere in its range: it stays finite and of sane speed, and nobody is lost.
#include <algorithm>
#include <cmath>

#include "sim/base/random.h"
#include "tests/fluid/fluid_world.h"

namespace vw {
namespace {

using namespace test;

/// Draws that follow from a seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double share() { return random_uniform({seed_, 0}, count_++, 0); }
  std::size_t below(std::size_t n) { return std::min(n - 1, static_cast<std::size_t>(share() * static_cast<double>(n))); }

 private:
  std::uint64_t seed_, count_ = 0;
};

/// Anywhere in the parameter's whole range.
Value drawn_value(const ParamSpec& spec, const Value& now, Draws& draws) {
  const auto number = [&] {
    if (spec.scale == Scale::log) return spec.bounds.min * std::pow(spec.bounds.max / spec.bounds.min, draws.share());
    return spec.bounds.min + draws.share() * (spec.bounds.max - spec.bounds.min);
  };
  if (std::holds_alternative<double>(now)) return number();
  if (std::holds_alternative<std::int64_t>(now)) return static_cast<std::int64_t>(std::lround(number()));
  if (const auto* truth = std::get_if<bool>(&now)) return !*truth;
  return spec.choices[draws.below(spec.choices.size())];
}

/// Every live number, switch and choice below the fluid's node.
std::vector<std::string> knobs_of(Node& scene) {
  std::vector<std::string> knobs;
  for (const ParamRef& ref : all_parameters(scene)) {
    const Value& value = ref.value();
    const bool turns = std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value) || std::holds_alternative<bool>(value) ||
                       !ref.spec->choices.empty();
    if (ref.path.starts_with("system.water.") && ref.spec->live == Live::yes && turns) knobs.push_back(ref.path);
  }
  return knobs;
}

/// A closed box that two liquids, a tap and a drain share: nothing may leave, whichever way gravity points.
std::string closed_text() {
  return water_text("spacing = 0.04\ncapacity = 900\n",
                    "[[system.phase]]\nname = \"water\"\nviscosity = 0.01\n[[system.phase]]\nname = \"oil\"\ndensity = 700\n" +
                        fill_text("box", "lower", "position = [0.2, 0.12, 0.2]\nsize = [0.4, 0.24, 0.4]") +
                        fill_text("box", "upper", "position = [0.2, 0.28, 0.2]\nsize = [0.4, 0.08, 0.4]\nphase = \"oil\"") +
                        "[[system.inflow]]\nkind = \"disc\"\nname = \"tap\"\nposition = [0.2, 0.45, 0.2]\nradius = 0.06\nspeed = 0.5\n"
                        "[[system.drain]]\nkind = \"box\"\nname = \"hole\"\nposition = [0.35, 0.05, 0.2]\nsize = [0.1, 0.1, 0.1]\nrate = 0.001\n") +
         tank_text({0.4, 0, 0.4}) + "[[collider]]\nkind = \"plane\"\nname = \"lid\"\nposition = [0, 0.5, 0]\nrotation = [3.141592653589793, 0, 0]\n";
}

/// What the fluid's particles do together must stay below this: gravity of ten times ours over the box's height gives 10 m/s, a tap up to 100 m/s.
constexpr double sane_mps = 300;

struct Turned {
  std::size_t knobs = 0;
  int taken = 0, refused = 0;  ///< steps
  std::string problem;         ///< the first one; empty: none
};

/// What is wrong with the fluid now; empty: nothing.
std::string problem_of(World& world, double at_start) {
  const Elements& e = water_of(world).elements();
  for (std::size_t i = 0; i < e.size(); ++i)
    if (!e.position[i].allFinite() || !(e.velocity[i].norm() < sane_mps))
      return "particle " + std::to_string(i) + " moves at " + std::to_string(e.velocity[i].norm()) + " m/s";
  const double gone = total_of(world, "drained") + total_of(world, "left_domain");
  if (at_start + total_of(world, "came_in") != static_cast<double>(e.size()) + gone) return "particles were lost without being counted";
  return {};
}

Turned turn_knobs(int edits, int steps_between, std::uint64_t seed) {
  const auto world = world_from(closed_text());
  Turned turned;
  // A stiff law of state may ask for more substeps than anybody would wait for: that is refused with a sentence, and the next edit helps.
  if (!world->apply(SetParameter{"world.max_substeps", Value(std::int64_t{40})})) turned.problem = "the limit of substeps was not taken";
  Node scene = world->scene();
  const std::vector<std::string> knobs = knobs_of(scene);
  turned.knobs = knobs.size();
  Draws draws(seed);
  const double at_start = static_cast<double>(water_of(*world).elements().size());
  for (int edit = 0; edit < edits && turned.problem.empty(); ++edit) {
    const std::string& path = knobs[draws.below(knobs.size())];
    const auto ref = find_parameter(scene, path);
    // Every third edit puts the knob back, so that no extreme stays for ever.
    const Value value = edit % 3 == 2 ? ref->spec->default_value : drawn_value(*ref->spec, ref->value(), draws);
    if (!world->apply(SetParameter{path, value})) continue;  // a layer of too many particles: said in a sentence
    for (int i = 0; i < steps_between; ++i) {
      if (world->step()) {
        ++turned.taken;
        continue;
      }
      ++turned.refused;
      const std::string sentence = world->health().sentence();
      if (sentence.find("substeps in one step, more than world.max_substeps") == std::string::npos) turned.problem = sentence;
      if (!world->apply(SetParameter{path, ref->spec->default_value})) turned.problem = "a default value was not taken";
    }
    if (turned.problem.empty()) turned.problem = problem_of(*world, at_start);
    if (!turned.problem.empty()) turned.problem = std::to_string(edit) + ": " + path + " = " + to_text(value) + ": " + turned.problem;
  }
  return turned;
}

TEST(FluidEdits, SixtyRandomOnesNeverMakeItExplode) {
  const Turned turned = turn_knobs(60, 2, 1);
  EXPECT_EQ(turned.problem, "");
  EXPECT_GT(turned.knobs, 30U);
  EXPECT_GT(turned.taken, 60);
}

TEST(FluidEditsValidation, AThousandRandomOnesNeverMakeItExplode) {
  const Turned turned = turn_knobs(1000, 3, 2);
  EXPECT_EQ(turned.problem, "");
  EXPECT_GT(turned.taken, 1500);
}

}  // namespace
}  // namespace vw
