// The spectrum of a scene's field: which field is chosen, how large the measured cube is, and whether the measured
// spectrum agrees with the prescribed one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/api/analysis/field_spectrum.h"
#include "sim/world/registry.h"

namespace vw::api {
namespace {

using testing::HasSubstr;

Node eddies(double strength = 0.5) {
  Node scene = make_node(scene_schema());
  Node& field = add_child(scene, "field", "spectral", "eddies");
  field.set("strength", strength);
  field.set("grids", std::int64_t{1});
  field.set("nodes", std::int64_t{32});
  field.set("period", 2.0);
  return scene;
}

TEST(FieldSpectrum, OfAGridThatRepeatsIsMeasuredOverItsPeriod) {
  const auto found = spectrum_of_field(eddies(), "", 1.5, 0);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->field, "eddies");
  EXPECT_TRUE(found->repeats);
  EXPECT_TRUE(found->power_law);
  EXPECT_FALSE(found->scalar);
  EXPECT_EQ(found->nodes, 40);
  EXPECT_EQ(found->side_m, 2);
  // The strength of 0.5 m/s is the rms of a single component, so the mean square of all three components is 3 * 0.25.
  EXPECT_NEAR(found->mean_square, 3 * 0.25, 0.04 * 0.75);
  EXPECT_LT(found->divergence, 0.02);
  double measured = 0, asked = 0;
  for (const SpectrumRow& row : found->rows) measured += row.measured, asked += row.asked;
  EXPECT_NEAR(measured / asked, 1, 0.1);
}

TEST(FieldSpectrum, OfTurnedGridsIsMeasuredUnderAWindow) {
  Node scene = eddies();
  ASSERT_TRUE(set_parameter(scene, "field.eddies.grids", std::int64_t{2}));
  const auto found = spectrum_of_field(scene, "eddies", 0, 64);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_FALSE(found->repeats);
  EXPECT_EQ(found->nodes, 64);
  EXPECT_NEAR(found->mean_square, 0.75, 0.2) << "a single cube of a random field scatters widely";
}

TEST(FieldSpectrum, IgnoresRegionAndSwitch) {
  Node scene = eddies();
  const auto whole = spectrum_of_field(scene, "eddies", 0, 32);
  ASSERT_TRUE(set_parameter(scene, "field.eddies.enabled", false));
  ASSERT_TRUE(set_parameter(scene, "field.eddies.region", std::string("sphere")));
  const auto limited = spectrum_of_field(scene, "eddies", 0, 32);
  ASSERT_TRUE(whole);
  ASSERT_TRUE(limited);
  EXPECT_NEAR(limited->mean_square, whole->mean_square, 0.02 * whole->mean_square);
}

TEST(FieldSpectrum, OneOfSeveralFieldsMustBeNamed) {
  Node scene = eddies();
  add_child(scene, "field", "uniform", "mean");
  EXPECT_EQ(spectrum_of_field(scene, "", 0, 16)->field, "eddies") << "the only field with a prescribed spectrum";
  add_child(scene, "field", "spectral", "more").set("nodes", std::int64_t{16});
  EXPECT_THAT(spectrum_of_field(scene, "", 0, 16).error().message(), HasSubstr("choose one of eddies, more"));
  EXPECT_THAT(spectrum_of_field(scene, "eddie", 0, 16).error().message(), HasSubstr("did you mean \"eddies\""));
}

TEST(FieldSpectrum, AFieldWithoutASpectrumIsAnError) {
  Node scene = make_node(scene_schema());
  EXPECT_THAT(spectrum_of_field(scene, "", 0, 0).error().message(), HasSubstr("the scene has no field"));
  add_child(scene, "field", "uniform", "mean");
  EXPECT_THAT(spectrum_of_field(scene, "", 0, 0).error().message(),
              HasSubstr("mean is uniform in space and has no spectrum"));
  EXPECT_THAT(spectrum_of_field(eddies(), "", 0, 5).error().message(), HasSubstr("must lie in [8, 256]"));
  EXPECT_THAT(spectrum_of_field(eddies(), "", 0, 257).error().message(), HasSubstr("must lie in [8, 256]"));
}

TEST(FieldSpectrum, OfANoiseIsThePowerOfItsValue) {
  Node scene = make_node(scene_schema());
  add_child(scene, "field", "spectral_noise", "value").set("nodes", std::int64_t{32});
  const auto found = spectrum_of_field(scene, "", 0, 48);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_TRUE(found->scalar);
  EXPECT_EQ(found->divergence, 0);
  EXPECT_GT(found->mean_square, 0);
}

}  // namespace
}  // namespace vw::api
