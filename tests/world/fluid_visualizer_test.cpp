// Pictures of the flow in fluids: streamlines, streaklines and iso-surfaces of water that turns like a rigid disc.
#include "sim/world/flow/fluid_visualizer.h"

#include <cmath>

#include <gtest/gtest.h>

namespace vw {
namespace {

/// Returns a disc of water that rotates about the y axis at `rate`, with a channel that equals x. The particles have
/// velocities, but their positions do not change.
Snapshot turning_water(float rate = 2) {
  Snapshot snapshot;
  SystemSnapshot& water = snapshot.systems.emplace_back();
  water.name = "water";
  water.use_look<FluidLook>();
  water.use_look<FluidLook>().spacing_m = 0.05F;
  water.available = {{"ramp", "Pa", true}};
  Channel ramp{"ramp", {}, 0};
  for (int x = -8; x <= 8; ++x)
    for (int y = 0; y <= 6; ++y)
      for (int z = -8; z <= 8; ++z) {
        if (x * x + z * z > 64) continue;
        const Vec3f place = 0.05F * Vec3f(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
        water.position.push_back(place);
        water.velocity.push_back(Vec3f(0, rate, 0).cross(place));
        ramp.values.push_back(place.x());
      }
  water.channels = {ramp};
  return snapshot;
}

/// Returns the picture of the only fluid of the snapshot.
FluidPicture fluid_picture(Snapshot snapshot, const FluidViewParams& look) {
  FluidVisualizer show;
  show.ask(look);
  show.write(0, true, snapshot);
  return snapshot.fluids.empty() ? FluidPicture() : snapshot.fluids[0];
}

TEST(FluidVisualizer, ShowsNothingUnlessAsked) {
  Snapshot snapshot = turning_water();
  FluidVisualizer show;
  show.write(0, true, snapshot);
  EXPECT_TRUE(snapshot.fluids.empty());
  snapshot.fluids.resize(2);
  show.write(0, true, snapshot);
  EXPECT_TRUE(snapshot.fluids.empty()) << "a reused snapshot keeps no old pictures";
}

TEST(FluidVisualizer, StreamlinesBeginInTheWholeFluidOrOnTheRake) {
  FluidViewParams look;
  look.fluid_streamlines = 12;
  const FluidPicture even = fluid_picture(turning_water(), look);
  EXPECT_EQ(even.system, 0U);
  EXPECT_GT(even.streamlines.start.size(), 5U);
  EXPECT_EQ(even.streamlines.across.size(), even.streamlines.point.size());
  look.fluid_streamlines = 3;
  look.fluid_rake_from = Vec3(0.1, 0.15, 0), look.fluid_rake_to = Vec3(0.3, 0.15, 0);
  const FluidPicture rake = fluid_picture(turning_water(), look);
  ASSERT_EQ(rake.streamlines.start.size(), 4U);
  for (std::size_t l = 0; l < 3; ++l)
    for (std::size_t i = rake.streamlines.start[l]; i < rake.streamlines.start[l + 1]; ++i) {
      const Vec3f& p = rake.streamlines.point[i];
      EXPECT_NEAR(std::hypot(p.x(), p.z()), 0.1F * static_cast<float>(l + 1), 1e-3F);
    }
}

TEST(FluidVisualizer, SurfacesOfChannelsAndOfDerivedQuantities) {
  const Snapshot snapshot = turning_water();
  FluidViewParams look;
  look.fluid_surface_of = "ramp";
  look.fluid_surface_at = {0.21, 0.11};
  look.fluid_surface_color = "speed";
  const FlowSurfaces ramp = fluid_picture(snapshot, look).surfaces;
  EXPECT_EQ(ramp.quantity, "ramp");
  EXPECT_EQ(ramp.unit, "Pa");
  EXPECT_EQ(ramp.color, "speed");
  EXPECT_EQ(ramp.color_unit, "m/s");
  EXPECT_FALSE(ramp.color_is_signed);
  ASSERT_EQ(ramp.surface.size(), 2U);
  for (const FlowSurface& surface : ramp.surface) {
    const auto level = static_cast<float>(surface.level);
    ASSERT_EQ(surface.value.size(), surface.mesh->position.size());
    for (std::size_t i = 0; i < surface.value.size(); ++i) {
      const Vec3f& p = surface.mesh->position[i];
      // The kernel mean of a linear channel is exact in a lattice, except near the surface of the fluid.
      EXPECT_NEAR(p.x(), level, 0.03F);
      if (std::isfinite(surface.value[i])) {
        EXPECT_NEAR(surface.value[i], 2 * std::hypot(p.x(), p.z()), 1e-3F);
      }
    }
  }
  look.fluid_surface_of = "speed";
  look.fluid_surface_at = {0.5};
  look.fluid_surface_color = "ramp";
  const FlowSurfaces speed = fluid_picture(snapshot, look).surfaces;
  EXPECT_TRUE(speed.color_is_signed);
  ASSERT_EQ(speed.surface.size(), 1U);
  for (const Vec3f& p : speed.surface[0].mesh->position) EXPECT_NEAR(std::hypot(p.x(), p.z()), 0.25F, 0.003F);
  look.fluid_surface_of = "q_criterion";
  look.fluid_surface_at = {100};  // above the value of the flow, which is 4 everywhere
  EXPECT_TRUE(fluid_picture(snapshot, look).surfaces.surface.empty());
  look.fluid_surface_of = "no such channel";
  EXPECT_TRUE(fluid_picture(snapshot, look).surfaces.surface.empty());
  look.fluid_surface_of = "speed";
  look.fluid_surface_at = {};
  look.fluid_surface_color = "no such channel";
  const FlowSurfaces automatic = fluid_picture(snapshot, look).surfaces;
  ASSERT_EQ(automatic.surface.size(), 1U);
  EXPECT_NEAR(automatic.surface[0].level, 0.4, 0.05) << "the middle between 0 and 0.8 m/s";
  EXPECT_EQ(automatic.color, "");
}

TEST(FluidVisualizer, StreaklinesFollowTheFluidBetweenSnapshots) {
  FluidViewParams look;
  look.fluid_streaklines = 1;
  look.fluid_streakline_s = 1;
  look.fluid_rake_from = Vec3(0.3, 0.15, 0), look.fluid_rake_to = Vec3(0.3, 0.15, 1e-9);
  FluidVisualizer show;
  show.ask(look);
  Snapshot snapshot;
  for (int i = 0; i <= 100; ++i) {
    snapshot = turning_water(static_cast<float>(0.02 * i));  // the water turns ever faster: angle = t^2
    show.write(0.01 * i, i % 10 == 0, snapshot);
  }
  ASSERT_EQ(snapshot.fluids.size(), 1U);
  const FieldLines& lines = snapshot.fluids[0].streaklines;
  ASSERT_EQ(lines.start.size(), 2U);
  ASSERT_GT(lines.point.size(), 40U);
  // The marker that left at the time u has turned by 1 - u^2. The oldest marker left when the picture began.
  for (const Vec3f& p : lines.point) EXPECT_NEAR(std::hypot(p.x(), p.z()), 0.3F, 1e-3F);
  const Vec3f& oldest = lines.point.front();
  EXPECT_NEAR(std::atan2(-oldest.z(), oldest.x()), 1, 0.03);
  EXPECT_LT((lines.point.back() - Vec3f(0.3F, 0.15F, 0)).norm(), 0.01F);
  float before = 2;
  for (const Vec3f& p : lines.point) {
    const float angle = std::atan2(-p.z(), p.x());
    EXPECT_LE(angle, before) << "in the order of release";
    before = angle;
  }
  show.restart();
  show.write(1, true, snapshot);
  EXPECT_TRUE(snapshot.fluids[0].streaklines.point.empty()) << "they begin anew";
}

TEST(FluidVisualizer, IsEmptyWithoutFluidOrMotion) {
  FluidViewParams look;
  look.fluid_streamlines = look.fluid_streaklines = 8;
  look.fluid_surface_of = "q_criterion";
  EXPECT_TRUE(fluid_picture(turning_water(0), look).streamlines.point.empty()) << "water at rest has no streamlines";
  Snapshot none = turning_water();
  none.systems[0].position.clear();
  none.systems[0].velocity.clear();
  const FluidPicture empty = fluid_picture(none, look);
  EXPECT_TRUE(empty.streamlines.point.empty());
  EXPECT_TRUE(empty.surfaces.surface.empty());
  none.systems[0].use_look<SphereLook>();
  FluidVisualizer show;
  show.ask(look);
  show.write(0, true, none);
  EXPECT_TRUE(none.fluids.empty());
}

}  // namespace
}  // namespace vw
