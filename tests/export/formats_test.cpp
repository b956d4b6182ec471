// Formats of meshes, arrays and scenes. The tests in tests/interop read such files with Blender, NumPy, h5py and VTK.
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cstring>

#include <gmock/gmock.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include "sim/export/mesh_text.h"
#include "tests/export/exported.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value{};
  if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// ---- PLY and OBJ ----------------------------------------------------------------------------------------------------

TEST(PlyExport, HoldsAllArraysOfElements) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0));
  const std::string text = ply_text(frame.pieces.at(4));
  EXPECT_THAT(text, StartsWith("ply\nformat binary_little_endian 1.0\n"));
  EXPECT_THAT(text, HasSubstr("element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"));
  for (const char* property : {"uint id", "float velocity_y", "uchar red", "uchar alpha", "float speed"})
    EXPECT_THAT(text, HasSubstr("property " + std::string(property) + "\n"));
  // A row holds x y z, id, material, radius, velocity, color, asleep, speed and vorticity.
  const std::size_t row = 12 + 4 + 1 + 4 + 12 + 4 + 1 + 4 + 12;
  EXPECT_EQ(text.size() - (text.find("end_header\n") + 11), 3 * row);
}

TEST(PlyExport, SurfacesHaveFacesWithArrays) {
  const ExportFrame frame = test::frame_of(test::snapshot_at(0));
  const std::string text = ply_text(frame.pieces.at(3));
  EXPECT_THAT(text, HasSubstr("element face 6\nproperty list uchar uint vertex_indices\n"));
  EXPECT_EQ(number_at<std::uint8_t>(text, text.find("end_header\n") + 11 + 8 * 12), 4);
}

TEST(PlyExport, WritesAFileForEachPieceAndFrameAndAnIndex) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.ply"), {test::snapshot_at(0), test::snapshot_at(1)}), "");
  const auto files = test::files_below(folder.folder());
  EXPECT_THAT(files, Contains("a/drops_000001.ply"));
  const auto index = nlohmann::json::parse(test::bytes_of_file(folder.path("a/ply.json")));
  EXPECT_EQ(index["frames"], 2);
  EXPECT_EQ(index["pieces"].size(), 6U);
  EXPECT_EQ(index["pieces"][0]["file"], "blocks-bodies_######.ply");
  EXPECT_EQ(index["pieces"][0]["frames"], 2);
}

TEST(ObjExport, HoldsSurfacesOnly) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.obj"), {test::snapshot_at(0)}), "");
  EXPECT_THAT(
      test::files_below(folder.folder()),
      ElementsAre("a/blocks-bodies_000000.obj", "a/collider-ball_000000.obj", "a/cube-skin_000000.obj", "a/obj.json"));
  const std::string text = test::bytes_of_file(folder.path("a/cube-skin_000000.obj"));
  EXPECT_THAT(text, HasSubstr("v -1 1 -1\n"));
  EXPECT_THAT(text, HasSubstr("f 1 5 7 3\n"));
}

TEST(ObjExport, FramesWithoutASurfaceAreNoted) {
  const test::Scratch folder;
  auto writer = open_export(folder.path("a.obj"), {.title = {}, .every_s = 0.1, .camera = {}, .frame = {}});
  ASSERT_TRUE(writer);
  Snapshot snapshot;
  snapshot.systems = {test::drops(2, 0)};
  ASSERT_TRUE((*writer)->add(snapshot, test::frame_of(snapshot)));
  EXPECT_THAT((*writer)->notes(), ElementsAre(HasSubstr("the frames contain no surface")));
}

// ---- Point caches ---------------------------------------------------------------------------------------------------

TEST(Pc2Export, HoldsThePlacesOfTheSkin) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.pc2"), {test::snapshot_at(0), test::snapshot_at(1)}), "");
  EXPECT_THAT(test::files_below(folder.folder()), ElementsAre("a/cube-skin.obj", "a/cube-skin.pc2", "a/pc2.json"));
  const std::string bytes = test::bytes_of_file(folder.path("a/cube-skin.pc2"));
  ASSERT_EQ(bytes.size(), 32U + 2 * 8 * 12);
  EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(number_at<std::int32_t>(bytes, 16), 8);
  EXPECT_EQ(number_at<std::int32_t>(bytes, 28), 2) << "samples";
  EXPECT_EQ(number_at<float>(bytes, 32 + 4), 1) << "y of the first vertex in the first frame";
  EXPECT_EQ(number_at<float>(bytes, 32 + 96 + 4), 2) << "and in the second frame";
}

TEST(Pc2Export, ASkinThatChangesBeginsANewCache) {
  const test::Scratch folder;
  Snapshot broken = test::snapshot_at(1);
  auto skin = std::make_shared<VoxelSkin>(*skin_of(broken.systems[1]));
  skin->quads.pop_back();
  broken.systems[1].use_look<VoxelLook>().skin = skin;
  ASSERT_EQ(test::write_export(folder.path("a.pc2"), {test::snapshot_at(0), broken}), "");
  const std::string bytes = test::bytes_of_file(folder.path("a/cube-skin_part2.pc2"));
  EXPECT_EQ(number_at<float>(bytes, 20), 1) << "first frame";
  EXPECT_EQ(number_at<std::int32_t>(bytes, 28), 1) << "samples";
}

TEST(Pc2Export, AStoppedExportLeavesNoCache) {
  const test::Scratch folder;
  {
    auto writer = open_export(folder.path("a.pc2"), {.title = {}, .every_s = 0.1, .camera = {}, .frame = {}});
    ASSERT_TRUE(writer);
    const Snapshot snapshot = test::snapshot_at(0);
    ASSERT_TRUE((*writer)->add(snapshot, test::frame_of(snapshot)));
  }
  EXPECT_THAT(test::files_below(folder.folder()), Not(Contains("a/cube-skin.pc2")));
}

// ---- NumPy ----------------------------------------------------------------------------------------------------------

TEST(NpzExport, IsAZipFileOfArrays) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.npz"), {test::snapshot_at(0), test::snapshot_at(1)}), "");
  const std::string bytes = test::bytes_of_file(folder.path("a.npz"));
  EXPECT_THAT(bytes, StartsWith("PK\x03\x04"));
  const std::size_t first = bytes.find("\x93NUMPY");
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 14),
            crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + first), 128 + 2 * sizeof(double)));
  EXPECT_THAT(bytes, HasSubstr("'shape': (2, 3, 3), "));
  EXPECT_THAT(bytes, HasSubstr("'shape': (2, 4, 3, 2, 3), "));
  EXPECT_THAT(bytes, Not(HasSubstr("drops/first.npy")));
}

TEST(NpzExport, AChangingNumberOfElementsHasFirstRows) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.npz"), {test::snapshot_at(0, 0), test::snapshot_at(1, 3)}), "");
  const std::string bytes = test::bytes_of_file(folder.path("a.npz"));
  EXPECT_THAT(bytes, HasSubstr("drops/first.npy"));
  EXPECT_THAT(bytes, HasSubstr("'shape': (3, 3), "));
}

TEST(NpzExport, ASystemHasNoRowsInFramesWithoutIt) {
  const test::Scratch folder;
  Snapshot without = test::snapshot_at(0);
  std::erase_if(without.systems, [](const SystemSnapshot& system) { return system.name == "drops"; });
  ASSERT_EQ(test::write_export(folder.path("a.npz"), {without, test::snapshot_at(1, 3), without}), "");
  const std::string bytes = test::bytes_of_file(folder.path("a.npz"));
  const std::size_t first = bytes.find("drops/first.npy"), array = bytes.find("\x93NUMPY", first);
  ASSERT_NE(first, std::string::npos);
  EXPECT_THAT(bytes.substr(array, 128), HasSubstr("'shape': (4,), "));
  for (std::size_t frame = 0; frame < 4; ++frame)
    EXPECT_EQ(number_at<std::uint64_t>(bytes, array + 128 + 8 * frame), frame < 2 ? 0U : 3U);
}

// ---- glTF -----------------------------------------------------------------------------------------------------------

/// Returns the JSON chunk of a .glb file.
nlohmann::json json_of_glb(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 8), bytes.size());
  return nlohmann::json::parse(bytes.substr(20, number_at<std::uint32_t>(bytes, 12)));
}

TEST(GlbExport, AssimpReadsBodiesCameraAndAnimation) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.glb"), {test::snapshot_at(0), test::snapshot_at(1)}), "");
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(folder.path("a.glb"), aiProcess_ValidateDataStructure);
  ASSERT_NE(scene, nullptr) << importer.GetErrorString();
  EXPECT_EQ(scene->mNumCameras, 1U);
  EXPECT_EQ(scene->mNumAnimations, 1U);
  EXPECT_EQ(scene->mAnimations[0]->mNumChannels, 1U) << "only one body moves";
  const aiNodeAnim* channel = scene->mAnimations[0]->mChannels[0];
  EXPECT_STREQ(channel->mNodeName.C_Str(), "blocks.0");
  ASSERT_EQ(channel->mNumPositionKeys, 2U);
  EXPECT_EQ(channel->mPositionKeys[1].mValue.y, 1);
  const aiNode* turned = scene->mRootNode->FindNode("blocks.1");
  ASSERT_NE(turned, nullptr);
  EXPECT_NEAR(turned->mTransformation.b1, 1, 1e-6) << "x turned to y";
  EXPECT_NE(scene->mRootNode->FindNode("cube-skin"), nullptr);
  EXPECT_NE(scene->mRootNode->FindNode("collider-ball"), nullptr);
  unsigned faces = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) faces += scene->mMeshes[i]->mNumFaces;
  EXPECT_EQ(faces, 4U + 12U + 24 * 22U) << "a tetrahedron that two bodies share, a cube and a sphere";
}

TEST(GlbExport, ABodyThatAppearsLaterIsHiddenBefore) {
  const test::Scratch folder;
  Snapshot early = test::snapshot_at(0);
  early.systems.erase(early.systems.begin());
  ASSERT_EQ(test::write_export(folder.path("a.glb"), {early, test::snapshot_at(1)}), "");
  const auto root = json_of_glb(test::bytes_of_file(folder.path("a.glb")));
  bool hides = false;
  for (const auto& channel : root["animations"][0]["channels"]) hides = hides || channel["target"]["path"] == "scale";
  EXPECT_TRUE(hides);
}

TEST(GlbExport, TheAnimationBeginsWithTheFirstFrame) {
  const test::Scratch folder;
  ASSERT_EQ(test::write_export(folder.path("a.glb"), {test::snapshot_at(10), test::snapshot_at(10.5F)}), "");
  const auto root = json_of_glb(test::bytes_of_file(folder.path("a.glb")));
  const auto& times = root["accessors"][root["animations"][0]["samplers"][0]["input"].get<std::size_t>()];
  EXPECT_EQ(times["min"][0].get<double>(), 0);
  EXPECT_EQ(times["max"][0].get<double>(), 0.5);
}

TEST(GlbExport, PosesThatAreNotNumbersAreHeld) {
  const test::Scratch folder;
  Snapshot bad = test::snapshot_at(1);
  bad.systems[0].position[0].x() = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(test::write_export(folder.path("a.glb"), {test::snapshot_at(0), bad}), "");
  Assimp::Importer importer;
  EXPECT_NE(importer.ReadFile(folder.path("a.glb"), aiProcess_ValidateDataStructure), nullptr);
}

TEST(GlbExport, NotesNameWhatIsLeftOut) {
  const test::Scratch folder;
  auto writer = open_export(folder.path("a.glb"), {.title = {}, .every_s = 0.1, .camera = {}, .frame = {}});
  ASSERT_TRUE(writer);
  const Snapshot snapshot = test::snapshot_at(0);
  ASSERT_TRUE((*writer)->add(snapshot, test::frame_of(snapshot)));
  EXPECT_THAT((*writer)->notes(),
              ElementsAre("only the shape in the first frame was written for cube; export to .pc2 to keep the motion",
                          "a .glb file cannot contain the elements of drops; export to .ply or .vdb"));
}

// ---- All formats ----------------------------------------------------------------------------------------------------

TEST(Exports, EveryFormatAcceptsNoElementsAndNoSystems) {
  for (const ExportFormat& format : export_formats()) {
    if (!format.is_built) continue;
    const test::Scratch folder;
    EXPECT_EQ(test::write_export(folder.path("a" + format.ending), {test::snapshot_at(0, 0), test::snapshot_at(1, 2)}),
              "")
        << format.ending;
    EXPECT_EQ(test::write_export(folder.path("b" + format.ending), {Snapshot{}}), "") << format.ending;
    EXPECT_EQ(test::write_export(folder.path("c" + format.ending), {}), "") << format.ending;
    EXPECT_THAT(test::write_export(folder.path("no/such/folder/a" + format.ending), {}), HasSubstr("no/such/folder/a"))
        << format.ending;
  }
}

TEST(Exports, AFormatThatIsNotBuiltSaysSo) {
  for (const ExportFormat& format : export_formats()) {
    if (format.is_built) continue;
    EXPECT_THAT(test::write_export("a" + format.ending, {}), HasSubstr("this build cannot write " + format.ending));
  }
}

}  // namespace
}  // namespace vw
