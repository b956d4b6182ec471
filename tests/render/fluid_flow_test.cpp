// Display of the flow in fluids: streamlines, ribbons and iso-surfaces of a snapshot.
#include "render/fluid/fluid_flow.h"

#include <gtest/gtest.h>

namespace vw {
namespace {

/// A disc of water that rotates about the y axis at 2 rad/s, with a channel that equals x.
Snapshot turning_water() {
  Snapshot snapshot;
  SystemSnapshot& water = snapshot.systems.emplace_back();
  water.name = "water";
  water.look = Look::fluid;
  water.spacing_m = 0.05F;
  water.available = {{"ramp", "Pa", true}};
  Channel ramp{"ramp", {}, 0};
  for (int x = -8; x <= 8; ++x)
    for (int y = 0; y <= 6; ++y)
      for (int z = -8; z <= 8; ++z) {
        if (x * x + z * z > 64) continue;
        const Vec3f place = 0.05F * Vec3f(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
        water.position.push_back(place);
        water.velocity.push_back(Vec3f(0, 2, 0).cross(place));
        ramp.values.push_back(place.x());
      }
  water.channels = {ramp};
  return snapshot;
}

FluidFlow built_flow(const Snapshot& snapshot, const ViewParams& view) {
  FluidFlow flow;
  flow.build({snapshot, view, 0, glm::vec3(0, 2, 2), 1e-3F});
  return flow;
}

TEST(FluidFlow, ShowsNothingUnlessAsked) {
  const FluidFlow flow = built_flow(turning_water(), {});
  EXPECT_TRUE(flow.points().empty());
  EXPECT_TRUE(flow.solids().empty());
  EXPECT_TRUE(flow.legends().empty());
}

TEST(FluidFlow, DrawsStreamlinesOrRibbons) {
  ViewParams view;
  view.fluid_streamlines = 12;
  const Snapshot snapshot = turning_water();
  const FluidFlow lines = built_flow(snapshot, view);
  EXPECT_GT(lines.ends().size(), 5U);
  ASSERT_FALSE(lines.points().empty());
  EXPECT_EQ(lines.ends().back(), lines.points().size());
  EXPECT_TRUE(lines.solids().empty());
  EXPECT_EQ(lines.legends().size(), 1U);
  FluidFlow tubes;
  tubes.build({snapshot, view, 0, glm::vec3(0, 2, 2), 1e-3F, true});
  EXPECT_TRUE(tubes.points().empty());
  ASSERT_FALSE(tubes.solids().empty());
  for (const auto& t : tubes.solids()[0].mesh->triangle) {
    const auto& p = tubes.solids()[0].mesh->position;
    EXPECT_GT((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).dot(tubes.solids()[0].mesh->normal[t[0]]), 0)
        << "counter-clockwise seen from outside";
  }
  view.fluid_ribbons = true;
  const FluidFlow ribbons = built_flow(snapshot, view);
  EXPECT_TRUE(ribbons.points().empty());
  ASSERT_GT(ribbons.solids().size(), 2U) << "there must be one mesh for each colour";
  for (const ColliderSnapshot& solid : ribbons.solids()) {
    EXPECT_TRUE(solid.two_sided);
    for (const Vec3f& n : solid.mesh->normal) EXPECT_NEAR(n.norm(), 1, 1e-4F);
  }
}

TEST(FluidFlow, DrawsSurfacesOfChannelsAndOfDerivedQuantities) {
  const Snapshot snapshot = turning_water();
  ViewParams view;
  view.fluid_surface_of = "ramp";
  view.fluid_surface_at = 0.11;
  FluidFlow flow = built_flow(snapshot, view);
  ASSERT_EQ(flow.solids().size(), 1U);
  // The kernel mean of a linear channel is exact in a lattice, except near the surface of the fluid.
  for (const Vec3f& p : flow.solids()[0].mesh->position) EXPECT_NEAR(p.x(), 0.11F, 0.03F);
  ASSERT_EQ(flow.legends().size(), 1U);
  EXPECT_EQ(flow.legends()[0].entries.front().first, "0.11 Pa");
  view.fluid_surface_of = "speed";
  view.fluid_surface_at = 0.5;
  flow = built_flow(snapshot, view);
  ASSERT_EQ(flow.solids().size(), 1U);
  for (const Vec3f& p : flow.solids()[0].mesh->position) EXPECT_NEAR(std::hypot(p.x(), p.z()), 0.25F, 0.003F);
  view.fluid_surface_of = "q_criterion";
  view.fluid_surface_at = 100;  // the quantity is 4 everywhere
  EXPECT_TRUE(built_flow(snapshot, view).solids().empty());
  view.fluid_surface_of = "no such channel";
  EXPECT_TRUE(built_flow(snapshot, view).solids().empty());
}

TEST(FluidFlow, FollowsTheSettingsAndTheSnapshot) {
  Snapshot snapshot = turning_water();
  ViewParams view;
  view.fluid_streamlines = 12;
  FluidFlow flow;
  const glm::vec3 eye(0, 2, 2);
  flow.build({snapshot, view, 0, eye, 1e-3F});
  EXPECT_FALSE(flow.points().empty());
  for (Vec3f& v : snapshot.systems[0].velocity) v.setZero();
  snapshot.time_s = 1;
  flow.build({snapshot, view, 1, eye, 1e-3F});
  EXPECT_TRUE(flow.points().empty()) << "water at rest has no streamlines";
  view.fluid_streamlines = 0;
  flow.build({snapshot, view, 1, eye, 1e-3F});
  EXPECT_TRUE(flow.legends().empty());
}

}  // namespace
}  // namespace vw
