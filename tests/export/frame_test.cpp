// Frames made from snapshots: pieces, arrays and surfaces.
#include <set>

#include <gmock/gmock.h>

#include "tests/export/exported.h"

namespace vw {
namespace {

using testing::ElementsAre;

/// Returns the volume that a closed surface encloses [m^3]; positive if the faces are counter-clockwise seen from
/// outside.
double volume_of(const ExportPiece& piece) {
  double volume = 0;
  for (std::size_t f = 0; f < piece.faces(); ++f)
    for (std::size_t k = 2; k < piece.corners; ++k) {
      const auto at = [&](std::size_t corner) {
        return piece.position[piece.face[f * piece.corners + corner]].cast<double>().eval();
      };
      volume += at(0).dot(at(k - 1).cross(at(k))) / 6;
    }
  return volume;
}

const ExportPiece& piece_of(const ExportFrame& frame, const std::string& name) {
  return *std::ranges::find(frame.pieces, name, &ExportPiece::name);
}

TEST(ExportFrames, HoldElementsAndSurfacesOfAllSystems) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0.5F));
  std::vector<std::string> names;
  for (const ExportPiece& piece : frame.pieces) names.push_back(piece.name);
  EXPECT_THAT(names, ElementsAre("blocks", "blocks-bodies", "cube", "cube-skin", "drops", "collider-ball"));
  for (const ExportPiece& piece : frame.pieces) {
    for (const ExportArray& array : piece.point_data)
      EXPECT_EQ(value_count(array), array.columns * piece.position.size()) << piece.name << " " << array.name;
    for (const ExportArray& array : piece.face_data)
      EXPECT_EQ(value_count(array), array.columns * piece.faces()) << piece.name << " " << array.name;
  }
}

TEST(ExportFrames, SurfacesAreClosedAndFaceOutwards) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0.5F));
  EXPECT_NEAR(volume_of(piece_of(frame, "blocks-bodies")), 2.0 / 6, 1e-6);
  EXPECT_NEAR(volume_of(piece_of(frame, "cube-skin")), 8, 1e-5);
  // The volume of a polyhedron of 24 x 12 faces is 96 % of the volume of the sphere.
  EXPECT_NEAR(volume_of(piece_of(frame, "collider-ball")), pi / 6, 0.04 * pi / 6);
  ColliderSnapshot box;
  box.name = "box", box.kind = ColliderSnapshot::Kind::box, box.half_extent = {1, 2, 3};
  Snapshot snapshot;
  snapshot.colliders = {box};
  EXPECT_NEAR(volume_of(test::frame_of(snapshot).pieces.at(0)), 48, 1e-4);
}

TEST(ExportFrames, BodiesHaveTheirPoses) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0.5F));
  const ExportPiece& bodies = piece_of(frame, "blocks-bodies");
  EXPECT_LT((bodies.position[0] - Vec3f(0, 0.5F, 0)).norm(), 1e-6F);
  EXPECT_LT((bodies.position[4 + 1] - Vec3f(5, 1, 0)).norm(), 1e-6F) << "x turned to y";
}

TEST(ExportFrames, ArraysKeepValuesThatAreNotNumbers) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0));
  const ExportArray* speed = find_array(piece_of(frame, "drops").point_data, "speed");
  ASSERT_NE(speed, nullptr);
  EXPECT_EQ(speed->unit, "m/s");
  EXPECT_TRUE(std::isnan(std::get<std::vector<float>>(speed->values)[1]));
}

TEST(ExportFrames, ColorsAreSrgb) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0));
  const auto& color =
      std::get<std::vector<std::uint8_t>>(find_array(piece_of(frame, "drops").point_data, "color")->values);
  EXPECT_EQ(color[0], 255);
  EXPECT_EQ(color[1], 188) << "linear 0.5";
  EXPECT_EQ(color[3], 255);
}

TEST(ExportFrames, ASystemCanBeChosenAlone) {
  ExportFrame frame;
  ASSERT_TRUE(make_export_frame(test::snapshot_at(0), {.system = "cube", .fluid_surfaces = false}, frame));
  ASSERT_EQ(frame.pieces.size(), 2U);
  EXPECT_EQ(frame.pieces[1].name, "cube-skin");
}

TEST(ExportFrames, NamesAreUnique) {
  Snapshot snapshot = test::snapshot_at(0);
  SystemSnapshot& other = snapshot.systems.emplace_back();
  other.name = "cube-skin";
  ExportFrame frame;
  ASSERT_TRUE(make_export_frame(snapshot, {.system = {}, .fluid_surfaces = false}, frame));
  std::set<std::string> names;
  for (const ExportPiece& piece : frame.pieces) EXPECT_TRUE(names.insert(piece.name).second) << piece.name;
  EXPECT_EQ(piece_of(frame, "cube-skin").system, "cube-skin");
  EXPECT_EQ(piece_of(frame, "cube-skin-2").system, "cube");
}

TEST(ExportFrames, AFluidHasASurfaceIfWanted) {
  Snapshot snapshot;
  SystemSnapshot water;
  water.name = "water", water.use_look<FluidLook>().spacing_m = 0.1F;
  for (int i = 0; i < 512; ++i)
    water.position.emplace_back(
        0.1F * Vec3f(static_cast<float>(i % 8), static_cast<float>(i / 8 % 8), static_cast<float>(i / 64)));
  snapshot.systems = {water};
  ExportFrame frame;
  ASSERT_TRUE(make_export_frame(snapshot, {.system = {}, .fluid_surfaces = true}, frame));
  ASSERT_EQ(frame.pieces.size(), 2U);
  EXPECT_EQ(frame.pieces[1].name, "water-surface");
  EXPECT_NEAR(volume_of(frame.pieces[1]), 0.512, 0.01) << "the volume of the particles";
  snapshot.systems[0].position.clear();
  ASSERT_TRUE(make_export_frame(snapshot, {.system = {}, .fluid_surfaces = true}, frame));
  EXPECT_EQ(frame.pieces[1].faces(), 0U) << "a fluid without particles has an empty surface";
  snapshot.systems[0].position = {Vec3f::Zero()};
  snapshot.systems[0].use_look<FluidLook>().spacing_m = 0;
  EXPECT_FALSE(make_export_frame(snapshot, {.system = {}, .fluid_surfaces = true}, frame));
}

}  // namespace
}  // namespace vw
