// Checks of a scene while it is edited. Each check has a scene that triggers it and one that does not, and the packaged
// scenes have no findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "sim/scene/checks/scene_checks.h"
#include "sim/scene/scene.h"
#include "sim/snapshot/snapshot.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Node checked_tree(const std::string& text) {
  return test::checked(load_scene_text("format = 1\n" + text, "scene.toml", "")).root;
}
std::vector<SceneFinding> found_in(const std::string& text, const RunningFacts* facts = nullptr) {
  return SceneChecks().look(checked_tree(text), facts);
}

/// Returns the scene with the assignments of a remedy applied.
Node mended(Node scene, const SceneRemedy& remedy) {
  for (const Assignment& one : remedy.assignments) {
    const auto done = set_parameter(scene, one.path, one.value);
    EXPECT_TRUE(done) << done.error().message();
  }
  for (const Node& rule : remedy.rules) scene.children.push_back(rule);
  return scene;
}
/// Expects that every remedy removes the finding. The checks use the scene tree alone, without a run.
void expect_remedied(const std::string& text, const SceneFinding& finding) {
  for (const SceneRemedy& remedy : finding.remedies)
    EXPECT_THAT(SceneChecks().look(mended(checked_tree(text), remedy)), IsEmpty()) << remedy.label;
}

std::string pool_with_box(const std::string& values, double spacing = 0.02) {
  return fmt::format(
      "[[system]]\nkind = \"fluid\"\nname = \"water\"\nspacing = {}\n[[system.fill]]\nkind = \"box\"\nname = \"pool\"\n"
      "[[system]]\nkind = \"rigid\"\nname = \"things\"\n[[system.body]]\nkind = \"box\"\nname = \"crate\"\n"
      "position = [0, 1, 0]\n{}\n",
      spacing, values);
}
std::string body_of_steel(const std::string& values) {
  return "[[material]]\nname = \"steel\"\nyoungs_modulus = 2e11\ndensity = 7800\n[[system]]\nkind = \"voxel_body\"\n"
         "name = \"beam\"\nmaterial = \"steel\"\nposition = [0, 1, 0]\n" +
         values;
}
RunningFacts facts_of_system(const std::string& name, int substeps, double stable_dt_s) {
  return {.step = 100,
          .dt_s = 1.0 / 120,
          .step_wall_s = 1e-3,
          .systems = {{.name = name,
                       .elements = 1000,
                       .substeps = substeps,
                       .substep_dt_s = 1.0 / 120 / substeps,
                       .stable_dt_s = stable_dt_s,
                       .wall_s = 5e-4}}};
}

TEST(SceneChecks, BallastThatIsFixedToAHullIsNotLookedAtAlone) {
  const std::string ballast =
      "density = 400\n[[system.body]]\nkind = \"sphere\"\nname = \"ballast\"\nradius = 0.02\ndensity = 19000\n"
      "position = [0, 1, 0]\n";
  EXPECT_EQ(found_in(pool_with_box(ballast)).size(), 1U) << "without a joint, the ballast is checked alone";
  EXPECT_THAT(found_in(pool_with_box(ballast + "[[system.joint]]\nkind = \"fixed\"\na = \"ballast\"\nb = "
                                               "\"crate\"\nanchor = [0, 1, 0]\n")),
              IsEmpty());
}

TEST(SceneChecks, ABodyMuchLighterOrHeavierThanTheWaterIsNamedWithADensity) {
  EXPECT_THAT(found_in(pool_with_box("density = 120")), IsEmpty());
  EXPECT_THAT(found_in(pool_with_box("density = 7800")), IsEmpty());
  const auto light = found_in(pool_with_box("density = 50"));
  ASSERT_EQ(light.size(), 1U);
  EXPECT_EQ(light[0].kind, CheckKind::density);
  EXPECT_EQ(light[0].sentence, "The density of crate is 0.05 times that of the water.");
  EXPECT_EQ(light[0].path, "system.things.body.crate");
  expect_remedied(pool_with_box("density = 50"), light[0]);
  const std::string heavy = pool_with_box("mass = 200");  // 200 kg in 0.008 m^3
  const auto found = found_in(heavy);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].sentence, "The density of crate is 25 times that of the water.");
  expect_remedied(heavy, found[0]);
}

TEST(SceneChecks, ManyFindingsOfOneKindInASystemAreOneWithARemedyForAll) {
  std::string crates = pool_with_box("density = 50");
  for (const char* name : {"b", "c", "d", "e"})
    crates += fmt::format("[[system.body]]\nkind = \"box\"\nname = \"{}\"\nposition = [0, 2, 0]\ndensity = 40\n", name);
  const auto found = found_in(crates);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].sentence, HasSubstr("The density of crate is 0.05 times that of the water. 4 other parts"));
  ASSERT_EQ(found[0].remedies.size(), 2U);
  EXPECT_EQ(found[0].remedies[0].label, "Correct all 5");
  EXPECT_THAT(SceneChecks().look(mended(checked_tree(crates), found[0].remedies[0])), IsEmpty());
}

TEST(SceneChecks, TheMeanDensityOfAVoxelBodyCounts) {
  const auto scene = [](double density) {
    return fmt::format(
        "[[material]]\nname = \"foam\"\ndensity = {}\n[[material]]\nname = \"lead\"\ndensity = 11000\n"
        "[[system]]\nkind = \"fluid\"\nname = \"water\"\nspacing = 0.01\n[[system.fill]]\nkind = \"box\"\n"
        "name = \"pool\"\n[[system]]\nkind = \"voxel_body\"\nname = \"fish\"\nshape = \"layers\"\nsize = [2, 1, 1]\n"
        "palette = [\"foam\", \"lead\"]\nlayers = [\"1{}\"]\nposition = [0, 1, 0]\n",
        density, density < 20 ? 1 : 2);
  };
  EXPECT_THAT(found_in(scene(30)), IsEmpty()) << "the mean of 30 and 11000 kg/m^3 is 5515 kg/m^3";
  const auto found = found_in(scene(10));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].sentence, "The density of fish is 0.01 times that of the water.");
  expect_remedied(scene(10), found[0]);
}

TEST(SceneChecks, TheDensityOfTheDefaultMaterialHasNoRemedy) {
  const auto found = found_in(
      "[[system]]\nkind = \"fluid\"\nname = \"mercury\"\nspacing = 0.01\n[[system.fill]]\nkind = \"box\"\n"
      "name = \"pool\"\n[[system.phase]]\nname = \"heavy\"\ndensity = 13534\n[[system]]\nkind = \"voxel_body\"\n"
      "name = \"fish\"\nsize = [2, 1, 1]\nposition = [0, 1, 0]\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CheckKind::density);
  EXPECT_THAT(found[0].remedies, IsEmpty());
}

TEST(SceneChecks, WithoutGravityWaterIsNoReasonForAWarning) {
  EXPECT_THAT(found_in("[world]\ngravity = [0, 0, 0]\n" + pool_with_box("density = 900")), IsEmpty());
}

TEST(SceneChecks, ABodyThinnerThanTheSpacingOfTheFluidIsNotResolved) {
  EXPECT_THAT(found_in(pool_with_box("size = [0.2, 0.04, 0.2]")), IsEmpty());
  const std::string thin = pool_with_box("size = [0.2, 0.01, 0.2]");
  const auto found = found_in(thin);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CheckKind::resolution);
  EXPECT_THAT(found[0].sentence, HasSubstr("0.01 m thick, thinner than the spacing 0.02 m of water"));
  EXPECT_EQ(found[0].remedies[0].label, "Set the spacing to 0.01 m (8 times as many particles)");
  expect_remedied(thin, found[0]);
}

TEST(SceneChecks, AThinSailOnAThickHullIsResolvedByTheHull) {
  const std::string boat = pool_with_box("size = [0.2, 0.1, 0.2]") +
                           "[[system.body]]\nkind = \"box\"\nname = \"sail\"\nposition = [0, 1.2, 0]\n"
                           "size = [0.2, 0.2, 0.002]\n";
  EXPECT_EQ(found_in(boat).size(), 1U);
  EXPECT_THAT(found_in(boat + "[[system.joint]]\nkind = \"fixed\"\nname = \"mast\"\na = \"sail\"\nb = \"crate\"\n"),
              IsEmpty());
}

TEST(SceneChecks, ABodyOrEmitterBelowTheGroundOrInsideAnObstacleIsMovedOut) {
  const std::string ground = "[[collider]]\nkind = \"plane\"\nname = \"ground\"\n",
                    rock = "[[collider]]\nkind = \"sphere\"\nname = \"rock\"\nposition = [0, 1, 0]\nradius = 0.3\n",
                    ball =
                        "[[system]]\nkind = \"rigid\"\nname = \"balls\"\n[[system.body]]\nkind = \"sphere\"\n"
                        "name = \"ball\"\nradius = 0.1\nposition = ";
  EXPECT_THAT(found_in(ground + rock + ball + "[0, 0.05, 0]\n"), IsEmpty()) << "its centre is above the ground";
  const auto below = found_in(ground + ball + "[0, -0.5, 0]\n");
  ASSERT_EQ(below.size(), 1U);
  EXPECT_EQ(below[0].sentence, "\"ball\" starts below the plane \"ground\".");
  ASSERT_EQ(below[0].remedies.size(), 1U);
  EXPECT_NEAR(std::get<Vec3>(below[0].remedies[0].assignments[0].value).y(), 0.101, 1e-9);
  const auto inside = found_in(rock + ball + "[0, 1.1, 0]\n");
  ASSERT_EQ(inside.size(), 1U);
  EXPECT_EQ(inside[0].sentence, "\"ball\" starts inside the obstacle \"rock\".");
  expect_remedied(rock + ball + "[0, 1.1, 0]\n", inside[0]);
  const std::string moving = rock + "velocity = [1, 0, 0]\n";
  EXPECT_THAT(found_in(moving + ball + "[0, 1.1, 0]\n"), IsEmpty()) << "the obstacle moves away";

  const std::string sparks = "[[system]]\nkind = \"particles\"\nname = \"sparks\"\n[[system.emitter]]\n";
  EXPECT_EQ(found_in(rock + sparks + "kind = \"point\"\nname = \"tip\"\nposition = [0, 1, 0]\n").size(), 1U);
  EXPECT_THAT(found_in(rock + sparks + "kind = \"sphere\"\nname = \"skin\"\nradius = 0.32\nposition = [0, 1, 0]\n"),
              IsEmpty())
      << "an emitter around an obstacle is no mistake";
  const std::string beam = ground + body_of_steel("");
  EXPECT_THAT(found_in(beam), IsEmpty());
}

TEST(SceneChecks, AFluidWithoutARuleForABodyIsANote) {
  const std::string off =
      pool_with_box("") + "[[interaction]]\nkind = \"fluid_rigid\"\nname = \"wet\"\nenabled = false\n";
  const auto found = found_in(off);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CheckKind::coupling);
  EXPECT_EQ(found[0].severity, CheckSeverity::note);
  EXPECT_EQ(found[0].remedies[0].label, "Enable the rule");
  expect_remedied(off, found[0]);
  const std::string other = pool_with_box("") +
                            "[[system]]\nkind = \"rigid\"\nname = \"more\"\n[[system.body]]\nkind = \"box\"\nname = "
                            "\"b\"\nposition = [1, 1, 0]\n[[interaction]]\nkind = \"fluid_rigid\"\nname = \"wet\"\na = "
                            "\"water\"\nb = \"things\"\n";
  const auto missing = found_in(other);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].sentence, "No enabled rule couples water with more, so water passes through more.");
  EXPECT_EQ(missing[0].remedies[0].label, "Add the rule");
  expect_remedied(other, missing[0]);
}

TEST(SceneChecks, ManySubstepsOfAVoxelBodyNameTheModulusAndTwoRemedies) {
  const Node scene = checked_tree(body_of_steel(""));
  RunningFacts facts = facts_of_system("beam", 200, 4e-5);
  EXPECT_THAT(SceneChecks().look(scene, &facts), IsEmpty());
  facts = facts_of_system("beam", 900, 9e-6);
  const auto found = SceneChecks().look(scene, &facts);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CheckKind::substeps);
  EXPECT_EQ(found[0].path, "system.beam");
  EXPECT_THAT(found[0].sentence, HasSubstr("beam needs 900 substeps per step, because of Young's modulus 2e+11 Pa"));
  ASSERT_EQ(found[0].remedies.size(), 2U);
  EXPECT_EQ(found[0].remedies[0].label, "Use the implicit integrator");
  // The number of substeps is proportional to the square root of the modulus, so a sixth of the substeps requires a
  // 36th of the modulus.
  const Node softer = mended(scene, found[0].remedies[1]);
  EXPECT_NEAR(std::get<double>(softer.find("material", "steel")->value("youngs_modulus")), 2e11 / 36, 0.02 * 2e11 / 36);
}

TEST(SceneChecks, ARemedyChangesTheModulusOnlyWhereThatHelps) {
  const std::string unused = "[[material]]\nname = \"diamond\"\nyoungs_modulus = 1e13\ndensity = 3500\n";
  const auto remedies = [&](const std::string& model) {
    const std::string layers =
        "shape = \"layers\"\nsize = [2, 1, 1]\npalette = [\"steel\", \"diamond\"]\nlayers = [\"11\"]\n";
    std::string text = unused + body_of_steel(layers);
    text.replace(text.find("density = 7800"), 14, "density = 7800\n" + model);
    RunningFacts facts = facts_of_system("beam", 900, 9e-6);
    return SceneChecks().look(checked_tree(text), &facts).at(0).remedies;
  };
  const auto softer = remedies("");
  ASSERT_EQ(softer.size(), 2U);
  ASSERT_EQ(softer[1].assignments.size(), 1U);
  EXPECT_EQ(softer[1].assignments[0].path, "material.steel.youngs_modulus") << "no voxel consists of diamond";
  EXPECT_EQ(remedies("model = \"data\"\nstrain_data = [0.001]\nstress_data = [2e8]\n").size(), 1U)
      << "a table determines the modulus";
}

TEST(SceneChecks, ManySubstepsOfAFluidNameTheCause) {
  const auto finding = [](const std::string& values, double stable_dt_s, double fastest_mps) {
    const Node scene = checked_tree("[[system]]\nkind = \"fluid\"\nname = \"water\"\n" + values +
                                    "[[system.fill]]\nkind = \"box\"\nname = \"pool\"\n");
    RunningFacts facts = facts_of_system("water", 100, stable_dt_s);
    facts.systems[0].fastest_mps = fastest_mps;
    const auto found = SceneChecks().look(scene, &facts);
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? SceneFinding{} : found[0];
  };
  EXPECT_THAT(finding("", 8e-5, 100).sentence, HasSubstr("because a particle moves at 100 m/s"));
  EXPECT_THAT(finding("max_dt = 1e-4\n", 1e-4, 0).sentence, HasSubstr("because its substeps are limited to 0.0001 s"));
  const SceneFinding sound = finding("method = \"wcsph\"\n", 8e-5, 1);
  EXPECT_THAT(sound.sentence, HasSubstr("because its speed of sound is 18.7 m/s"));
  EXPECT_EQ(sound.remedies[0].label, "Use the method dfsph");
  EXPECT_THAT(finding("spacing = 0.0005\n", 8e-5, 0.1).sentence, HasSubstr("because its spacing is 0.0005 m"));
}

TEST(SceneChecks, AStepMuchSlowerThanRealTimeNamesTheCostliestSystem) {
  const Node scene = checked_tree(pool_with_box(""));
  RunningFacts facts = facts_of_system("water", 2, 5e-3);
  facts.step_wall_s = 0.03;  // real-time factor 0.28, not slow enough for a finding
  EXPECT_THAT(SceneChecks().look(scene, &facts), IsEmpty());
  facts.step_wall_s = 0.1;
  facts.systems[0].wall_s = 0.08;
  const auto found = SceneChecks().look(scene, &facts);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CheckKind::cost);
  EXPECT_EQ(found[0].sentence,
            "One simulated second takes about 12 s. water takes 80 % of it: 1000 elements, 2 substeps per step.");
  ASSERT_EQ(found[0].remedies.size(), 1U);
  EXPECT_EQ(found[0].remedies[0].label, "Set the spacing to 0.027 m") << "cost ~ spacing^-4 falls to a quarter";
  const Node thin = checked_tree(pool_with_box("size = [0.2, 0.021, 0.2]"));
  EXPECT_THAT(SceneChecks().look(thin, &facts).at(0).remedies, IsEmpty()) << "the fluid must resolve the plate";
  facts.step = 2;
  EXPECT_THAT(SceneChecks().look(scene, &facts), IsEmpty()) << "the first steps do not count, because they are slower";
  facts.step = 100;
  facts.asked_speed = 0.05;
  EXPECT_THAT(SceneChecks().look(scene, &facts), IsEmpty()) << "not slower than the requested speed";
}

TEST(SceneChecks, AnElementThatCrossesAVoxelInASubstepNeedsAShorterStep) {
  const auto scene = [](double speed, double voxel_m = 0.01) {
    return fmt::format(
        "[[system]]\nkind = \"voxel_body\"\nname = \"wall\"\nintegrator = \"implicit\"\nposition = [0, 1, 0]\n"
        "voxel_size = {}\n"
        "[[system]]\nkind = \"rigid\"\nname = \"shots\"\n[[system.body]]\nkind = \"sphere\"\nname = \"ball\"\n"
        "position = [2, 1, 0]\nvelocity = [-{}, 0, 0]\n",
        voxel_m, speed);
  };
  EXPECT_THAT(found_in(scene(2)), IsEmpty()) << "8 mm in a substep of 1/240 s, and a voxel has 10 mm";
  const auto found = found_in(scene(12));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, CheckKind::speed);
  EXPECT_THAT(found[0].sentence, HasSubstr("5 voxels of wall in one substep"));
  expect_remedied(scene(12), found[0]);
  const auto tiny = found_in(scene(12, 1e-6));
  ASSERT_EQ(tiny.size(), 1U);
  EXPECT_THAT(tiny[0].remedies, IsEmpty()) << "the step would be 4e-8 s, below the range of world.dt";
}

TEST(SceneChecks, FactsComeFromASnapshot) {
  Snapshot snapshot;
  snapshot.step = 7;
  snapshot.dt_s = 0.01;
  snapshot.step_wall_s = 0.02;
  SystemSnapshot& water = snapshot.systems.emplace_back();
  water.name = "water";
  water.position.resize(2);
  water.velocity = {Vec3f(3, 4, 0), Vec3f::Zero()};
  water.substeps = 3;
  const RunningFacts facts = run_facts(snapshot);
  ASSERT_EQ(facts.systems.size(), 1U);
  EXPECT_EQ(facts.systems[0].elements, 2U);
  EXPECT_EQ(facts.systems[0].fastest_mps, 5);
  EXPECT_EQ(facts.step, 7U);
}

TEST(SceneChecks, ThePackagedScenesAndTemplatesHaveNoFindings) {
  SceneChecks checks;
  ASSERT_GT(packaged_scenes().size(), 50U);
  ASSERT_FALSE(scene_templates().empty());
  for (const auto& scenes : {packaged_scenes(), scene_templates()})
    for (const PackagedScene& scene : scenes)
      for (const SceneFinding& finding : checks.look(test::checked(load_scene(scene.path)).root))
        ADD_FAILURE() << scene.name << ": " << finding.sentence;
}

}  // namespace
}  // namespace vw
