// Every lab scene shows the effect that its text describes, in the same curves that the window draws.
#include "plot_scene.h"
#include "sim/api/analysis/field_spectrum.h"
#include "sim/snapshot/view.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using plot_test::Measured;

Measured lab(const std::string& name, double until_s) {
  Measured measured(test::packaged_scene("lab-" + name));
  measured.run(until_s);
  return measured;
}

TEST(Lab, EverySceneHasPlotsWithTheoryAndSaysWhatToLookAt) {
  int count = 0;
  for (const PackagedScene& packaged : packaged_scenes()) {
    EXPECT_EQ(packaged.group == "lab", packaged.name.starts_with("lab-")) << packaged.name;
    if (packaged.group != "lab") continue;
    ++count;
    const auto scene = load_scene(packaged.path, {.strict = true});
    ASSERT_TRUE(scene) << scene.error().message();
    EXPECT_TRUE(scene->warnings.empty()) << packaged.name;
    EXPECT_GT(std::get<std::string>(scene->root.value("description")).size(), 80U) << packaged.name;
    EXPECT_FALSE(std::get<bool>(scene->root.only("view")->value("auto_frame")))
        << packaged.name << ": the scene must set its own camera";
    if (scene->root
            .all("system")
            // Scenes about noise show values on a plane. Their statements are tested in tests/scene/lab_noise_test.cpp.
            .empty()) {
      const ViewParams view = view_params().read(scene->root.only("view")->values);
      EXPECT_TRUE(view.plane_z && view.quantity == "value") << packaged.name;
      EXPECT_GE(scene->root.all("field").size(), 2U) << packaged.name;
      for (const Node* field : scene->root.all("field")) {
        const auto spectrum = api::spectrum_of_field(scene->root, field->name, 0, 32);
        ASSERT_TRUE(spectrum) << packaged.name << ": " << spectrum.error().message();
        EXPECT_GE(spectrum->rows.size(), 2U) << packaged.name << ": " << field->name;
      }
      continue;
    }
    const auto plots = PlotSet::compile(scene->root);
    ASSERT_TRUE(plots) << plots.error().message();
    std::size_t analytic = 0, measured = 0;
    for (const PlotPlan& plan : plots->plans())
      for (const PlotCurve& curve : plan.curves) ++(curve.node.kind == CurveKind::analytic ? analytic : measured);
    EXPECT_GE(analytic, 1U) << packaged.name;
    EXPECT_GE(measured, 2U) << packaged.name;
  }
  EXPECT_GE(count, 12);
}

/// Returns the largest height [m] of the ball between its first and second bounce.
double second_height(const Measured& measured, const std::string& curve) {
  double most = 0;
  for (std::size_t row = 0; row < measured.rows(); ++row)
    if (measured.time(row) > 0.55 && measured.time(row) < 1.1)
      most = std::max(most, measured.value(row, measured.column("height", curve)));
  return most;
}

TEST(Lab, BouncesOfTheExactSchemeKeepTheirHeightAndTheOthersDoNot) {
  const Measured measured = lab("bounce", 3);
  const std::size_t theory = measured.column("energy", "theory"), exact = measured.column("energy", "exact");
  int compared = 0;
  for (std::size_t row = 1; row + 1 < measured.rows(); ++row) {
    const double expected = measured.value(row, theory);
    // Rows within one step of a bounce are skipped, because the simulation and the theory may bounce in different
    // steps.
    if (measured.value(row - 1, theory) != expected || measured.value(row + 1, theory) != expected) continue;
    EXPECT_NEAR(measured.value(row, exact), expected, 1e-3 * expected) << "at " << measured.time(row) << " s";
    ++compared;
  }
  EXPECT_GT(compared, 120);
  // The exact height is 0.64 m. With steps of 1/60 s the first-order schemes reach about 0.61 (collision, then contact)
  // and 0.71 (single).
  EXPECT_NEAR(second_height(measured, "contact"), 0.61, 0.01);
  EXPECT_NEAR(second_height(measured, "single"), 0.71, 0.01);
  EXPECT_NEAR(second_height(measured, "exact"), 0.64, 1e-3);
}

TEST(Lab, OnTheSlopeTheSchemesThatMixContactWithCollisionCreep) {
  const Measured measured = lab("incline", 2);
  EXPECT_NEAR(measured.last("creep", "single"), 0.16, 0.016) << "expected value of SPEC 2, within a tenth";
  EXPECT_GT(measured.last("creep", "loop"), 0.01);
  EXPECT_LT(measured.last("creep", "contact"), 1e-6);
  EXPECT_LT(measured.last("creep", "exact"), 1e-6);
  EXPECT_LT(measured.greatest("gap", "contact"), 1e-6) << "the body must not hover";
  EXPECT_LT(measured.greatest("gap", "exact"), 1e-6);
  EXPECT_GT(measured.greatest("gap", "single"), 1e-4) << "the body must hop";
}

TEST(Lab, BlocksSlideAsFarAsTheorySays) {
  const Measured measured = lab("slide", 2);
  const double way = measured.last("way", "theory");
  EXPECT_NEAR(way, 4.71257, 5e-6);
  EXPECT_NEAR(measured.last("way", "exact"), way, 1e-3 * way);
  for (const char* scheme : {"single", "loop", "contact"})
    EXPECT_NEAR(measured.last("way", scheme), way, 1e-2 * way) << scheme;
}

TEST(Lab, BeadsLeaveTheSphereAtTwoThirds) {
  const Measured measured = lab("sphere", 1.6);
  const double theory = measured.last("angle", "theory");
  for (const char* scheme : {"single", "loop", "contact", "exact"}) {
    double last = 1;
    for (std::size_t row = 0; row < measured.rows(); ++row)
      if (const double cosine = measured.value(row, measured.column("angle", scheme)); std::isfinite(cosine))
        last = cosine;
    // The curve ends when the gap exceeds 10 um, 25 ms after the bead has left the sphere. At first the gap grows
    // slowly, with the third power of time.
    EXPECT_NEAR(last, theory, 0.03) << scheme;
  }
}

TEST(Lab, DryFrictionStopsAndWetFrictionNeverQuiteDoes) {
  const Measured measured = lab("friction", 2);
  // Velocity that friction removes in one step [m/s]. The simulated ball may stop one step earlier or later than the
  // theory predicts, so the speeds may differ by this much.
  constexpr double a_step = 0.3 * 9.81 / 120;
  EXPECT_LT(measured.apart("speed", "dry", "dry-theory"), 1.01 * a_step);
  EXPECT_LT(measured.apart("speed", "wet", "wet-theory"), 1e-6) << "the factor exp(-D g dt) for each step is exact";
  EXPECT_EQ(measured.last("speed", "dry"), 0);
  EXPECT_GT(measured.last("speed", "wet"), 0);
  EXPECT_DOUBLE_EQ(measured.last("speed", "frictionless"), 2);
  EXPECT_NEAR(measured.last("speed", "wet-linear"), measured.last("speed", "wet"), 0.01)
      << "linear form of wet friction";
  EXPECT_LT(measured.apart("way", "dry", "dry-theory"), 2.0 / 120) << "the displacement in a step";
  EXPECT_LT(measured.apart("way", "wet", "wet-theory"), 2.0 / 120);
}

TEST(Lab, AnImpactWithFrictionLosesWhatTheLawsSay) {
  const Measured measured = lab("impact", 0.4);
  EXPECT_NEAR(measured.last("along", "dry"), 1.8, 1e-12);
  EXPECT_NEAR(measured.last("along", "wet"), 3 * std::exp(-0.6), 1e-12);
  EXPECT_NEAR(measured.last("along", "frictionless"), 3, 1e-12);
  for (const char* ball : {"dry", "wet", "frictionless"}) EXPECT_NEAR(measured.last("up", ball), 2, 1e-12) << ball;
}

TEST(Lab, DragBringsTheVelocityToTheWind) {
  const Measured measured = lab("wind", 3);
  for (const char* plot : {"along", "up"}) {
    EXPECT_LT(measured.apart(plot, "light", "light-theory"), 1e-9) << "each step is the exact exponential";
    EXPECT_LT(measured.apart(plot, "heavy", "heavy-theory"), 1e-9);
  }
}

TEST(Lab, InterferenceMissesAThinWallAndTheSweepDoesNot) {
  const Measured measured = lab("thin-wall", 0.5);
  EXPECT_EQ(measured.last("behind", "swept"), 0);
  // A ball moves 33 cm in a step. It is detected only if a step ends while the ball overlaps the wall: within 1 cm
  // (wall) plus 2.4 cm (ball), which is about a tenth of all cases. The other balls pass through.
  EXPECT_GT(measured.last("behind", "interference"), 150);
}

TEST(Lab, InAConcaveCornerOnlyTheLoopEndsOutside) {
  const Measured measured = lab("corner", 2);
  EXPECT_GT(measured.greatest("inside", "single"), 0.005);
  EXPECT_LT(measured.greatest("inside", "loop"), 1e-6) << "positions in a snapshot are floats, hence the tolerance";
}

TEST(Lab, RepulsionMustBeTuned) {
  const Measured measured = lab("repulsion", 2.5);
  EXPECT_NEAR(measured.last("gap", "tuned"), measured.last("gap", "tuned-theory"), 1e-3);
  EXPECT_NEAR(measured.last("gap", "wide"), measured.last("gap", "wide-theory"), 0.05);
  EXPECT_GT(measured.last("gap", "wide-theory"), 0.1) << "the ball must float above the floor";
  double lowest = 1;
  for (std::size_t row = 0; row < measured.rows(); ++row)
    lowest = std::min(lowest, measured.value(row, measured.column("gap", "weak")));
  EXPECT_LT(lowest, -0.05) << "with weak repulsion, the ball sinks into the floor";
  EXPECT_GT(measured.greatest("gap", "strong"), 0.7) << "with strong repulsion, the ball rises above its start";
  EXPECT_LT(measured.greatest("gap", "tuned"), 0.61);
}

TEST(Lab, StacksOfGrainsRestWhereThereIsFriction) {
  const Measured measured = lab("stack", 2);
  // The weight of the grains above compresses the contact springs by 4.9 mm in all. The value does not depend on the
  // substep, because dampers exert no force at rest.
  EXPECT_NEAR(measured.last("top", "tower"), measured.last("top", "theory"), 1e-6);
  EXPECT_LT(measured.last("way", "rough"), 0.005) << "the grains move only by the compression of the springs";
  EXPECT_GT(measured.last("way", "smooth"), 0.05);
  EXPECT_LT(measured.last("energy", "tower"), 1e-12);
  EXPECT_LT(measured.last("energy", "rough"), 1e-9);
}

TEST(LabValidation, ACollisionMakesEveryIntegratorFirstOrder) {
  const Measured measured = lab("convergence", 1);
  for (const char* scheme : {"single", "loop", "contact", "rk4"}) {
    const auto error = [&](int i) {
      return measured.last("error", scheme, std::string(scheme) + "-" + std::to_string(i));
    };
    // Mean order of convergence over five halvings of the step. The order scatters, because the 64 impacts occur at
    // different phases of a step.
    const double order = std::log2(error(1) / error(6)) / 5;
    test::expect_case("lab", std::string("order of the height's error after a bounce, ") + scheme, order, 1, 0.3);
  }
  for (int i = 1; i <= 6; ++i)
    EXPECT_LT(measured.last("error", "exact", "exact-" + std::to_string(i)), 1e-6)
        << "only the rounding of the snapshot's floats remains";
  test::expect_case("lab", "height after a bounce, exact, steps of 0.1 s: root mean square error of 64 balls",
                    measured.last("error", "exact", "exact-1"), 0, 1e-6, "m");
}

TEST(Lab, AFlockAgreesWithTheFullWeightOfAlignmentInPartWithAFifthOfItAndNeverWithNone) {
  const Measured measured = lab("alignment", 8);
  const std::size_t full = measured.column("polarisation", "full"), fifth = measured.column("polarisation", "fifth"),
                    none = measured.column("polarisation", "none");
  EXPECT_LT(measured.value(0, full), 0.1) << "random headings";
  for (std::size_t row = 0; row < measured.rows(); ++row) {
    EXPECT_LT(measured.value(row, none), 0.2) << "at " << measured.time(row) << " s";
    if (measured.time(row) < 3) continue;
    EXPECT_GT(measured.value(row, full), 0.95) << "at " << measured.time(row) << " s";
    EXPECT_LT(measured.value(row, fifth), 0.8) << "at " << measured.time(row) << " s";
  }
}

}  // namespace
}  // namespace vw
