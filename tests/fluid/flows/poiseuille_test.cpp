// Poiseuille flow between two fixed walls under a body force. The exact profile is u = (g / 2 nu) y (h - y), with the
// body force per mass g and the distance h of the walls. The flow is periodic along the walls.
#include <gtest/gtest.h>

#include "tests/fluid/force_patch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

struct Profile {
  double worst = 0;  ///< largest velocity error divided by the largest velocity
  double flux = 0;   ///< flux divided by the exact flux
};
Profile profile_of(const ForcePatch& patch, double greatest) {
  Profile profile;
  double sum = 0;
  for (std::size_t i = 0; i < patch.x.size(); ++i) {
    const double y = patch.x[i].y(), exact = 4 * greatest * y * (1 - y);
    profile.worst = std::max(profile.worst, std::abs(patch.v[i].x() - exact) / greatest);
    sum += patch.v[i].x();
  }
  profile.flux = sum / static_cast<double>(patch.x.size()) / (greatest * 2 / 3);
  return profile;
}

TEST(Poiseuille, TenLayersAreEnoughForATenth) {
  ForcePatch patch = channel(10, 0.1);
  patch.gravity = Vec3(0.8, 0, 0);
  const double dt = 0.3 * patch.spacing;
  for (double t = 0; t < 5; t += dt) patch.step(dt);
  const Profile profile = profile_of(patch, 1);
  EXPECT_LT(profile.worst, 0.1);
  EXPECT_NEAR(profile.flux, 1, 0.1);
}

TEST(PoiseuilleValidation, FlowBetweenWallsIsAParabola) {
  const double viscosity = 0.1, greatest = 1;
  for (const ViscosityMethod method : {ViscosityMethod::implicit, ViscosityMethod::morris}) {
    ForcePatch patch = channel(20, viscosity);
    patch.settings.viscosity_method = method;
    patch.gravity = Vec3(8 * viscosity * greatest, 0, 0);
    // The flow starts at rest. The deviation from the parabola decays as exp(-pi^2 nu t). At the end, 0.3 % of it
    // remains.
    const double dt = 0.3 * patch.spacing;
    for (double t = 0; t < 6; t += dt) patch.step(dt);
    const Profile profile = profile_of(patch, greatest);
    const std::string name = method == ViscosityMethod::implicit ? "implicit viscosity" : "Morris viscosity";
    expect_case("fluid", "Poiseuille, 20 layers, worst speed over the greatest, " + name, profile.worst, 0, 0.05);
    expect_case("fluid", "Poiseuille, 20 layers, flux, " + name, profile.flux, 1, 0.05);
  }
}

TEST(Poiseuille, AParabolaStaysOneThickOrThinInAFewLayersOrMany) {
  // The flow starts as the parabola and runs for 0.3 / nu or ten seconds, whichever is shorter. The profile is then
  // within a few per cent of the final profile. The tolerance for twelve layers is one percentage point wider.
  for (const double viscosity : {0.03, 0.1, 1.0})
    for (const int layers : {12, 20}) {
      ForcePatch patch = channel(layers, viscosity);
      patch.gravity = Vec3(8 * viscosity, 0, 0);
      for (std::size_t i = 0; i < patch.x.size(); ++i)
        patch.v[i] = Vec3(4 * patch.x[i].y() * (1 - patch.x[i].y()), 0, 0);
      const double dt = 0.3 * patch.spacing, until = std::min(0.3 / viscosity, 10.0);
      for (double t = 0; t < until; t += dt) patch.step(dt);
      const Profile profile = profile_of(patch, 1);
      const double bound = layers < 20 ? 0.06 : 0.05;
      EXPECT_LT(profile.worst, bound) << viscosity << " " << layers;
      EXPECT_NEAR(profile.flux, 1, bound) << viscosity << " " << layers;
    }
}

}  // namespace
}  // namespace vw::test
