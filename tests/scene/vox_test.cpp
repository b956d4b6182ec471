// MagicaVoxel files (.vox): chunks, placement of models, palettes, mistakes in files, and export.
#include <algorithm>
#include <random>
#include <set>

#include "scene_test_support.h"
#include "sim/scene/designs/vox_file.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/checked.h"
#include "vox_builder.h"

namespace vw {
namespace {

using namespace scene_test;
using vox::chunk;
using vox::group;
using vox::layer;
using vox::model;
using vox::number;
using vox::numbers;
using vox::shape;
using vox::transform;

VoxelDesign vox_design(const std::string& bytes) { return test::checked(parse_vox(bytes, "castle.vox")); }

std::string vox_error(const std::string& bytes) {
  const auto design = parse_vox(bytes, "castle.vox");
  return design ? "accepted" : design.error().message();
}

/// Returns the error message of a file with these chunks.
std::string chunk_error(const std::string& chunks, int version = 150) { return vox_error(vox::file(chunks, version)); }

/// Returns the lattice as text: layers from the lowest up, separated by spaces. A layer has rows of increasing y,
/// separated by '/'. A row has one character, the material code, for each cell along x.
std::string picture(const VoxelDesign& design) {
  std::string text;
  for (std::size_t cell = 0; cell < design.code.size(); ++cell) {
    if (cell > 0 && cell % (design.nx * design.ny) == 0)
      text += ' ';
    else if (cell > 0 && cell % design.nx == 0)
      text += '/';
    text += design.code[cell] == 0 ? '.' : static_cast<char>('0' + design.code[cell]);
  }
  return text;
}

/// Returns a model of 3 x 2 x 1 cells with different colours. Its rows in order of y are `123` and `4..`.
std::string sample_model() { return model({3, 2, 1}, {{0, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 0, 3}, {0, 1, 0, 4}}); }

std::string turned_sample(const std::string& rotation) {
  return picture(
      vox_design(vox::file(sample_model() + transform(0, 1, {{"_r", rotation}, {"_t", "5 -6 7"}}) + shape(1, 0))));
}

TEST(MagicaVoxel, OneModelBecomesTheLatticeWithAMaterialForEachColor) {
  const VoxelDesign design = vox_design(
      vox::file(model({4, 5, 6}, {{1, 2, 3, 200}, {2, 2, 3, 17}, {1, 3, 3, 200}, {1, 2, 4, 17}}) + vox::palette()));
  EXPECT_EQ(design.edge_m, 0.01);
  EXPECT_EQ(picture(design), "21/2. 1./..") << "the lattice is the bounding box of the voxels";
  ASSERT_EQ(design.materials.size(), 2U) << "only colours in use become materials";
  EXPECT_EQ(design.materials[0].name, "color_17");
  EXPECT_EQ(design.materials[0].display_rgb, Vec3(17 / 255.0, 34 / 255.0, 51 / 255.0));
  EXPECT_EQ(design.materials[1].name, "color_200");
  EXPECT_EQ(design.materials[1].display_rgb, Vec3(200 / 255.0, 144 / 255.0, 88 / 255.0));
  EXPECT_EQ(design.materials[0].youngs_pa, 1e6);
  EXPECT_EQ(design.materials[0].density, 1000);
  EXPECT_EQ(design.materials[0].mu_static, VoxelMaterial{}.mu_static);
}

TEST(MagicaVoxel, FilesWithoutAPaletteHaveTheDefaultPalette) {
  const VoxPalette palette = default_vox_palette();
  const auto hex = [&](std::size_t i) { return palette[i][0] << 16 | palette[i][1] << 8 | palette[i][2]; };
  EXPECT_EQ(hex(1), 0xffffff);
  EXPECT_EQ(hex(2), 0xffffcc);
  EXPECT_EQ(hex(7), 0xffccff);
  EXPECT_EQ(hex(37), 0xccffff);
  EXPECT_EQ(hex(215), 0x000033);
  EXPECT_EQ(hex(216), 0xee0000);
  EXPECT_EQ(hex(226), 0x00ee00);
  EXPECT_EQ(hex(236), 0x0000ee);
  EXPECT_EQ(hex(246), 0xeeeeee);
  EXPECT_EQ(hex(255), 0x111111);
  std::set<int> colors;
  for (std::size_t i = 1; i < palette.size(); ++i) colors.insert(hex(i));
  EXPECT_EQ(colors.size(), 255U) << "each colour once";
  const VoxelDesign design = vox_design(vox::file(model({1, 1, 1}, {{0, 0, 0, 216}})));
  EXPECT_EQ(design.materials[0].display_rgb, Vec3(0xee / 255.0, 0, 0));
}

TEST(MagicaVoxel, BothVersionsAreRead) {
  const std::string chunks = model({1, 1, 1}, {{0, 0, 0, 1}});
  EXPECT_EQ(picture(vox_design(vox::file(chunks, 150))), "1");
  EXPECT_EQ(picture(vox_design(vox::file(chunks, 200))), "1");
  EXPECT_EQ(chunk_error(chunks, 151), "castle.vox: version at byte 4 = 151: must be 150 or 200");
}

TEST(MagicaVoxel, AMovedColorHasTheNumberThatMagicaVoxelDisplays) {
  std::string map;  // the displayed palette begins with index 3, and indices 1 and 2 follow
  for (int j = 0; j < 256; ++j) map += static_cast<char>(j == 0 ? 3 : j < 3 ? j : j == 255 ? 0 : j + 1);
  const VoxelDesign design = vox_design(
      vox::file(model({3, 1, 1}, {{0, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 0, 3}}) + vox::palette() + chunk("IMAP", map)));
  EXPECT_EQ(picture(design), "231") << "materials are in the order of the displayed palette";
  EXPECT_EQ(design.materials[0].name, "color_1");
  EXPECT_EQ(design.materials[0].display_rgb, Vec3(3, 6, 9) / 255.0) << "the voxel keeps its colour";
  EXPECT_EQ(design.materials[1].name, "color_2");
  EXPECT_EQ(design.materials[1].display_rgb, Vec3(1, 2, 3) / 255.0);
  map[7] = map[9];
  EXPECT_EQ(
      chunk_error(model({1, 1, 1}, {{0, 0, 0, 1}}) + chunk("IMAP", map)),
      "castle.vox: IMAP at byte 64 = colour index 10 again at byte 85: must contain each index from 0 to 255 once");
}

// ---- scene graph ----

TEST(MagicaVoxel, RotationsAgreeWithAnExampleWrittenOut) {
  EXPECT_EQ(turned_sample("4"), "123/4..") << "rows (1 0 0), (0 1 0), (0 0 1): no rotation";
  // Rows (0 -1 0), (1 0 0), (0 0 1): a quarter turn about z takes (x, y) to (-y, x).
  EXPECT_EQ(turned_sample("17"), "41/.2/.3");
  // Rows (-1 0 0), (0 -1 0), (0 0 1): half a turn about z.
  EXPECT_EQ(turned_sample("52"), "..4/321");
  // Rows (0 1 0), (-1 0 0), (0 0 1): (x, y) becomes (y, -x).
  EXPECT_EQ(turned_sample("33"), "3./2./14");
  // Rows (1 0 0), (0 0 -1), (0 1 0): a quarter turn about x takes y to z.
  EXPECT_EQ(turned_sample("40"), "123 4..");
  // Rows (0 0 1), (0 1 0), (-1 0 0): a quarter turn about y takes x to -z.
  EXPECT_EQ(turned_sample("70"), "3/. 2/. 1/4");
  // Rows (0 1 0), (0 0 1), (1 0 0): a cyclic exchange of the axes.
  EXPECT_EQ(turned_sample("9"), "14 2. 3.");
  // Rows (-1 0 0), (0 1 0), (0 0 1): a reflection.
  EXPECT_EQ(turned_sample("20"), "321/..4");
}

TEST(MagicaVoxel, ARotationMovesCellsAboutTheCornerOfTheMiddleCell) {
  // The cell (2, 0, 0) of a model of 3 x 2 x 1 cells has the centre (2.5, 0.5, 0.5). Relative to the corner (1, 1, 0)
  // of the middle cell, this point is (1.5, -0.5, 0.5). A quarter turn takes it to (0.5, 1.5, 0.5), the centre of the
  // cell (0, 1, 0). The translation moves this cell to (5, -5, 7).
  VoxMotion motion;
  motion.axis = {1, 0, 2};
  motion.sign = {-1, 1, 1};
  motion.shift = {5, -6, 7};
  EXPECT_EQ(motion.cell(VoxModel{.size = {3, 2, 1}, .voxels = {}}, {2, 0, 0}), (std::array<std::int64_t, 3>{5, -5, 7}));
}

TEST(MagicaVoxel, ModelsArePlacedByTheTransformsAboveThem) {
  const std::string dot = model({1, 1, 1}, {{0, 0, 0, 1}}), bar = model({2, 1, 1}, {{0, 0, 0, 2}, {1, 0, 0, 3}});
  EXPECT_EQ(
      picture(vox_design(vox::file(dot + bar + transform(0, 1) + group(1, {2, 4}) +
                                   transform(2, 3, {{"_t", "-2 1 0"}}) + shape(3, 0) + transform(4, 5) + shape(5, 1)))),
      ".23/1..")
      << "the middle cell of the bar, at x = 0, is its second cell";
  // The outer transform turns the inner translation (2, 0, 0) to (0, 2, 0) and then moves both models.
  EXPECT_EQ(
      picture(vox_design(vox::file(dot + bar + transform(0, 1, {{"_r", "17"}, {"_t", "7 8 9"}}) + group(1, {2, 4}) +
                                   transform(2, 3, {{"_t", "2 0 0"}}) + shape(3, 0) + transform(4, 5) + shape(5, 1)))),
      "2/3/./1");
  // Two nested quarter turns make half a turn.
  EXPECT_EQ(picture(vox_design(vox::file(sample_model() + transform(0, 1, {{"_r", "17"}}) + group(1, {2}) +
                                         transform(2, 3, {{"_r", "17"}}) + shape(3, 0)))),
            "..4/321");
}

TEST(MagicaVoxel, OfOverlappingModelsTheLastIsKept) {
  const std::string models = model({2, 1, 1}, {{0, 0, 0, 1}, {1, 0, 0, 1}}) + model({1, 1, 1}, {{0, 0, 0, 2}});
  const std::string nodes = transform(2, 3) + shape(3, 0) + transform(4, 5) + shape(5, 1);
  EXPECT_EQ(picture(vox_design(vox::file(models + transform(0, 1) + group(1, {2, 4}) + nodes))), "12");
  EXPECT_EQ(picture(vox_design(vox::file(models + transform(0, 1) + group(1, {4, 2}) + nodes))), "11");
}

TEST(MagicaVoxel, HiddenNodesAndLayersAndUnusedModelsAreLeftOut) {
  const std::string dot = model({1, 1, 1}, {{0, 0, 0, 1}}), other = model({1, 1, 1}, {{0, 0, 0, 2}});
  const auto shown = [&](const std::string& first, const std::string& layers) {
    return picture(vox_design(vox::file(dot + other + other + transform(0, 1) + group(1, {2, 4}) + first + shape(3, 0) +
                                        transform(4, 5, {{"_t", "1 0 0"}}, 3) + shape(5, 1) + layers)));
  };
  EXPECT_EQ(shown(transform(2, 3, {}, 0), layer(0, {}) + layer(3, {{"_hidden", "0"}})), "12");
  EXPECT_EQ(shown(transform(2, 3, {}, 0), layer(0, {{"_name", "a"}, {"_hidden", "1"}})), "1")
      << "the only remaining colour has the code 1";
  EXPECT_EQ(shown(transform(2, 3, {}, 0, {{"_hidden", "1"}}), ""), "1");
  EXPECT_EQ(chunk_error(dot + transform(0, 1, {}, 2) + shape(1, 0) + layer(2, {{"_hidden", "1"}})),
            "castle.vox: models = no visible voxel: must contain at least one voxel");
}

TEST(MagicaVoxel, OfAnAnimationTheFirstFrameIsReadAndAWarningSaysSo) {
  const std::string dot = model({1, 1, 1}, {{0, 0, 0, 1}}), bar = model({2, 1, 1}, {{0, 0, 0, 2}, {1, 0, 0, 3}});
  const std::string two_frames =
      chunk("nTRN", number(0) + vox::dictionary({}) + numbers({1, -1, 0, 2}) + vox::dictionary({{"_f", "0"}}) +
                        vox::dictionary({{"_f", "9"}, {"_t", "1 2 3"}}));
  const std::string two_models =
      chunk("nSHP", number(1) + vox::dictionary({}) + numbers({2, 1}) + vox::dictionary({{"_f", "0"}}) + number(0) +
                        vox::dictionary({{"_f", "5"}}));
  for (const std::string& chunks : {chunk("PACK", number(2)) + bar + dot, dot + bar + transform(0, 1) + two_models,
                                    bar + two_frames + shape(1, 0)}) {
    const auto scene = test::checked(read_vox(vox::file(chunks), "castle.vox"));
    EXPECT_EQ(filled_cells(body_of(scene.root)), 2U);
    ASSERT_EQ(scene.warnings.size(), 1U);
    EXPECT_EQ(scene.warnings[0],
              "castle.vox: these features are not supported and are ignored or replaced: animation (only the first "
              "frame is used)");
  }
}

TEST(MagicaVoxel, EveryChunkIsReadOrSkipped) {
  const auto scene = test::checked(read_vox(vox::every_chunk(), "castle.vox"));
  EXPECT_TRUE(scene.warnings.empty());
  const Node& body = body_of(scene.root);
  EXPECT_EQ(body.name, "castle");
  EXPECT_EQ(value_of<TextList>(body, "palette"), (TextList{"color_247", "color_249", "color_251"}));
  EXPECT_EQ(filled_cells(body), 4U);
  // z of the file is y of the scene, and y of the file is -z of the scene.
  EXPECT_EQ(value_of<Vec3>(body, "size"), Vec3(6, 2, 3));
}

TEST(MagicaVoxel, OpensByItsNameAndAsASource) {
  const Scratch folder;
  const auto scene = load_scene(folder.write("castle.VOX", vox::every_chunk()));
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(body_of(scene->root).name, "castle");
  const auto pool = load_scene(
      folder.write("pool.toml", "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsource = \"castle.VOX\"\n"));
  ASSERT_TRUE(pool) << pool.error().message();
  EXPECT_EQ(filled_cells(body_of(pool->root)), 4U);
  EXPECT_NE(pool->root.find("material", "cube_color_247"), nullptr)
      << "the material must be a node that the user can edit";
}

// ---- mistakes ----

TEST(MagicaVoxel, TruncationAtAnyByteIsAnErrorThatNamesTheFile) {
  const std::string whole = vox::every_chunk();
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(vox_error(whole.substr(0, length)).rfind("castle.vox: ", 0), 0U) << "at byte " << length;
  EXPECT_EQ(vox_error(whole + "tail"), "accepted") << "bytes after MAIN are not part of the file";
}

/// Corrects the length of MAIN after bytes have been removed from its children.
std::string with_length(std::string bytes) {
  const std::string length = number(static_cast<std::int64_t>(bytes.size()) - 20);
  return bytes.size() < 20 ? bytes : bytes.replace(16, 4, length);
}

TEST(MagicaVoxel, ChunksCutAtAnyByteDoNotCrash) {
  const std::string whole = vox::every_chunk();
  for (std::size_t length = 20; length < whole.size(); ++length) {
    const std::string sentence = vox_error(with_length(whole.substr(0, length)));
    EXPECT_TRUE(sentence == "accepted" || sentence.starts_with("castle.vox: ")) << "at byte " << length;
  }
}

TEST(MagicaVoxel, EachByteReplacedGivesADesignOrAnErrorThatNamesTheFile) {
  const std::string whole = vox::every_chunk();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char value : {'\0', '\x7f', '\x80', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = value;
      const std::string sentence = vox_error(bytes);
      EXPECT_TRUE(sentence == "accepted" || sentence.starts_with("castle.vox: ")) << "at byte " << at;
    }
}

TEST(MagicaVoxel, ErrorsInChunksNamePlaceFoundAndExpected) {
  const std::string dot = model({1, 1, 1}, {{0, 0, 0, 1}});
  EXPECT_EQ(vox_error(""), "castle.vox: byte 0 = \"\": must be \"VOX \"; the file is not a MagicaVoxel file");
  EXPECT_EQ(vox_error("<VXA>\xff"),
            "castle.vox: byte 0 = \"<VXA\": must be \"VOX \"; the file is not a MagicaVoxel file");
  EXPECT_EQ(vox_error("VOX \x96"), "castle.vox: version at byte 4 = 1 of 4 bytes: must be 150 or 200");
  EXPECT_EQ(vox_error("VOX " + number(150) + "MAI"),
            "castle.vox: chunk at byte 8 = 3 bytes: a chunk must have at least 12 bytes");
  EXPECT_EQ(vox_error("VOX " + number(150) + dot), "castle.vox: byte 8 = \"SIZE\": must be the chunk \"MAIN\"");
  EXPECT_EQ(vox_error("VOX " + number(150) + "MAIN" + numbers({0, 40}) + dot.substr(0, 24)),
            "castle.vox: MAIN at byte 8 = 0 bytes of content and 40 bytes of children: must be 0 to 24 bytes in total, "
            "because the file ends there");
  EXPECT_EQ(chunk_error("SIZE" + numbers({-1, 0})),
            "castle.vox: SIZE at byte 20 = -1 bytes of content and 0 bytes of children: must be 0 to 0 bytes in total, "
            "because MAIN ends there");
  EXPECT_EQ(chunk_error("SIZE" + numbers({0x7fffffff, 0x7fffffff})),
            "castle.vox: SIZE at byte 20 = 2147483647 bytes of content and 2147483647 bytes of children: must be 0 to "
            "0 bytes in total, because MAIN ends there");
  EXPECT_EQ(chunk_error(chunk("SIZE", numbers({1, 1}))),
            "castle.vox: SIZE at byte 20 = 0 bytes of content after byte 40: must have 4 bytes there for the size of a "
            "model");
  EXPECT_EQ(chunk_error(chunk("RGBA", "abc") + dot),
            "castle.vox: RGBA at byte 20 = 3 bytes of content after byte 32: must have 1024 bytes there for 256 "
            "colours");
  EXPECT_EQ(chunk_error(""), "castle.vox: MAIN at byte 8 = no model: must contain at least one SIZE and XYZI");
  EXPECT_EQ(chunk_error(chunk("PACK", number(3)) + dot),
            "castle.vox: PACK at byte 20 = 3 models: must be the number of models in the file, 1");
}

TEST(MagicaVoxel, ErrorsInModelsNamePlaceFoundAndExpected) {
  EXPECT_EQ(chunk_error(model({1000000000, 1, 1}, {})),
            "castle.vox: SIZE at byte 20 = 1000000000 cells along an axis: must be 1 to 256");
  EXPECT_EQ(chunk_error(model({1, 0, 1}, {})), "castle.vox: SIZE at byte 20 = 0 cells along an axis: must be 1 to 256");
  EXPECT_EQ(chunk_error(model({1, 1, -1}, {})),
            "castle.vox: SIZE at byte 20 = -1 cells along an axis: must be 1 to 256");
  EXPECT_EQ(chunk_error(vox::voxels({})),
            "castle.vox: XYZI at byte 20 = no SIZE before it: must follow the SIZE of the same model");
  EXPECT_EQ(chunk_error(chunk("SIZE", numbers({1, 1, 1}))),
            "castle.vox: SIZE at byte 20 = no XYZI after it: must be followed by the XYZI of the same model");
  EXPECT_EQ(chunk_error(chunk("SIZE", numbers({1, 1, 1})) + chunk("SIZE", numbers({1, 1, 1}))),
            "castle.vox: SIZE at byte 44 = a second SIZE: must be followed by the XYZI of the same model");
  const std::string size = chunk("SIZE", numbers({2, 3, 4}));
  EXPECT_EQ(chunk_error(size + chunk("XYZI", numbers({2, 0x01000000}))),
            "castle.vox: number of voxels of XYZI at byte 44 = 2: must be 0 to 1, because the chunk ends at byte 64");
  EXPECT_EQ(chunk_error(size + chunk("XYZI", numbers({-1, 0x01000000}))),
            "castle.vox: number of voxels of XYZI at byte 44 = -1: must be 0 to 1, because the chunk ends at byte 64");
  EXPECT_EQ(chunk_error(model({2, 3, 4}, {{1, 2, 3, 1}, {1, 2, 3, 0}})),
            "castle.vox: voxel 2 of XYZI at byte 44, byte 64 = colour index 0: must be a colour index, 1 to 255");
  EXPECT_EQ(chunk_error(model({2, 3, 4}, {{1, 3, 3, 1}})),
            "castle.vox: voxel 1 of XYZI at byte 44, byte 60 = y = 3: must be 0 to 2, because SIZE is 2 x 3 x 4");
  EXPECT_EQ(chunk_error(model({2, 3, 4}, {})),
            "castle.vox: models = no visible voxel: must contain at least one voxel");
}

TEST(MagicaVoxel, ErrorsInTheSceneGraphNamePlaceFoundAndExpected) {
  const std::string dot = model({1, 1, 1}, {{0, 0, 0, 1}});
  const auto error = [&](const std::string& nodes) { return chunk_error(dot + nodes); };
  EXPECT_EQ(error(transform(0, 1) + group(1, {2}) + transform(2, 1)),
            "castle.vox: node 1 at byte 104 = a node below itself: the scene graph must not contain cycles");
  EXPECT_EQ(error(transform(0, 0)),
            "castle.vox: node 0 at byte 64 = a node below itself: the scene graph must not contain cycles");
  EXPECT_EQ(error(transform(0, 7)), "castle.vox: node 0 at byte 64 = child node 7: must be the identifier of a node");
  EXPECT_EQ(error(transform(1, 2) + shape(2, 0)),
            "castle.vox: scene graph = 2 nodes: must contain the root, the node 0");
  EXPECT_EQ(error(transform(0, 1) + shape(1, 1)), "castle.vox: node 1 at byte 104 = model 1: must be 0 to 0");
  EXPECT_EQ(error(transform(0, 1) + shape(1, -1)), "castle.vox: node 1 at byte 104 = model -1: must be 0 to 0");
  EXPECT_EQ(error(transform(0, 1) + shape(1, 0) + shape(1, 0)),
            "castle.vox: node at byte 136 = identifier 1: must differ from that of the node at byte 104");
  EXPECT_EQ(error(transform(0, 1, {{"_t", "1 2"}})),
            "castle.vox: _t of nTRN at byte 64 = \"1 2\": must be three whole numbers from -1000000000 to 1000000000");
  EXPECT_EQ(error(transform(0, 1, {{"_t", "1 2 9999999999999999999999"}})).substr(0, 34),
            "castle.vox: _t of nTRN at byte 64 ");
  EXPECT_EQ(error(transform(0, 1, {{"_t", "1 2 3\xff\n"}})),
            "castle.vox: _t of nTRN at byte 64 = \"1 2 3? \": must be three whole numbers from -1000000000 to "
            "1000000000");
  for (const char* rotation : {"0", "5", "3", "12", "128", "-1", "x", "4 4", ""})
    EXPECT_EQ(error(transform(0, 1, {{"_r", rotation}})),
              "castle.vox: _r of nTRN at byte 64 = \"" + std::string(rotation) +
                  "\": must be a packed rotation, 0 to 127, with different columns for its first two rows");
  EXPECT_EQ(error(chunk("nGRP", number(0) + vox::dictionary({}) + number(1000000))),
            "castle.vox: number of child nodes of nGRP at byte 64 = 1000000: must be 0 to 0, because the chunk ends at "
            "byte 88");
  EXPECT_EQ(error(chunk("nGRP", numbers({0, 1, 1000}))),
            "castle.vox: number of attributes of nGRP at byte 64 = 1: must be 0 to 0, because the chunk ends at byte "
            "88");
  EXPECT_EQ(error(chunk("nGRP", numbers({0, 1, 1000, 0}))),
            "castle.vox: length of a text of nGRP at byte 64 = 1000: must be 0 to 4, because the chunk ends at byte "
            "92");
  EXPECT_EQ(error(chunk("nSHP", numbers({0, 0, 0}))),
            "castle.vox: number of models of nSHP at byte 64 = 0: must be 1 to 0, because the chunk ends at byte 88");
}

TEST(MagicaVoxel, ABodyOfTooManyCellsAlongAnAxisIsRefused) {
  const std::string bytes = vox::file(model({1, 1, 1}, {{0, 0, 0, 1}}) + transform(0, 1) + group(1, {2, 4}) +
                                      transform(2, 3, {{"_t", "0 0 0"}}) + shape(3, 0) +
                                      transform(4, 5, {{"_t", "200000 0 0"}}) + shape(5, 0));
  const auto scene = read_vox(bytes, "castle.vox");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().message(),
            "castle.vox: has 200001 cells along an axis: a voxel body may have at most 100000");
}

TEST(MagicaVoxel, SmallFilesThatAskForMuchWorkAreRefused) {
  const std::string far = model({1, 1, 1}, {{0, 0, 0, 1}});
  EXPECT_EQ(chunk_error(far + transform(0, 1) + group(1, {2, 4}) + transform(2, 3, {{"_t", "1000000000 0 0"}}) +
                        shape(3, 0) + transform(4, 5, {{"_t", "-1000000000 0 0"}}) + shape(5, 0)),
            "castle.vox: models = 2000000001 x 1 x 1 cells: must span at most 4194304 cells");
  // Each group contains the next group twice, so the nodes are used 2^40 times.
  std::string doubled = far + transform(0, 1);
  for (int i = 1; i < 41; ++i) doubled += group(i, {i + 1, i + 1});
  EXPECT_NE(chunk_error(doubled + group(41, {})).find("may use its nodes at most 1048576 times"), std::string::npos);
  EXPECT_NE(chunk_error(doubled + shape(41, 0)).find("may use its nodes at most 1048576 times"), std::string::npos);
  std::string deep = far;
  for (int i = 0; i < 5000; ++i) deep += transform(i, i + 1);
  EXPECT_NE(chunk_error(deep + shape(5000, 0)).find("may have at most 1000"), std::string::npos);
  // A full layer of voxels is used 2^12 times.
  std::vector<vox::Voxel> layer_of_voxels;
  for (int i = 0; i < 65536; ++i) layer_of_voxels.push_back({i % 256, i / 256, 0, 1});
  std::string often = model({256, 256, 1}, layer_of_voxels) + transform(0, 1);
  for (int i = 1; i < 13; ++i) often += group(i, {i + 1, i + 1});
  EXPECT_EQ(chunk_error(often + shape(13, 0)),
            "castle.vox: scene graph = more than 67108864 voxels: must place at most 67108864 voxels, counting "
            "each use of a model");
  // Each of 2^17 uses of a transform looks for its layer among 2^18 hidden layers.
  std::string layered = far + transform(0, 1);
  for (int i = 1; i < 18; ++i) layered += group(i, {i + 1, i + 1});
  layered += transform(18, 19, {}, 0) + shape(19, 0);
  for (int i = 0; i < 1 << 18; ++i) layered += layer(i + 1, {{"_hidden", "1"}});
  EXPECT_EQ(vox_design(vox::file(layered)).cells(), 1U);
}

// ---- export ----

void expect_same_voxels(const VoxelDesign& got, const VoxelDesign& expected) {
  EXPECT_EQ(got.nx, expected.nx);
  EXPECT_EQ(got.ny, expected.ny);
  EXPECT_EQ(got.nz, expected.nz);
  ASSERT_EQ(got.materials.size(), expected.materials.size());
  for (std::size_t m = 0; m < got.materials.size(); ++m) {
    EXPECT_EQ(got.materials[m].name, expected.materials[m].name);
    EXPECT_EQ(got.materials[m].display_rgb, expected.materials[m].display_rgb);
  }
  EXPECT_TRUE(got.code == expected.code);
}

TEST(MagicaVoxel, AnImportedDesignComesBackFromItsExport) {
  for (const std::string& bytes : {vox::file(sample_model()), vox::file(sample_model() + vox::palette())}) {
    const VoxelDesign design = vox_design(bytes);
    expect_same_voxels(vox_design(test::checked(design_to_vox(design))), design);
  }
}

TEST(MagicaVoxel, ADesignWiderThanOneModelIsWrittenInBlocks) {
  VoxelDesign design;
  design.nx = 600;
  design.ny = 1;
  design.nz = 300;
  design.code.assign(design.cells(), 0);
  for (const char* name : {"color_3", "color_250"}) {
    design.materials.emplace_back();
    design.materials.back().name = name;
    design.materials.back().display_rgb = Vec3(1, 0.2, 0);
  }
  std::mt19937 random(1);
  for (std::uint16_t& code : design.code)
    code = static_cast<std::uint16_t>(std::uniform_int_distribution<int>(0, 2)(random));
  design.code.front() = design.code.back() = 1;
  for (std::size_t z = 0; z < 256; ++z)  // removes all voxels of one block
    for (std::size_t x = 256; x < 512; ++x) design.code[x + 600 * z] = 0;
  const std::string bytes = test::checked(design_to_vox(design));
  const VoxFile vox = test::checked(parse_vox_file(bytes, "blocks.vox"));
  EXPECT_EQ(vox.models.size(), 5U) << "3 x 2 blocks, of which one is empty";
  expect_same_voxels(vox_design(bytes), design);
}

TEST(MagicaVoxel, MaterialsGetTheIndexInTheirNameOrTheLowestThatIsFree) {
  VoxelDesign design;
  design.nx = 6;
  design.ny = design.nz = 1;
  for (const char* name : {"gum", "color_1", "color_1", "color_300", "color_-2", "color_9x"}) {
    design.materials.emplace_back();
    design.materials.back().name = name;
    design.code.push_back(static_cast<std::uint16_t>(design.materials.size()));
  }
  const VoxelDesign back = vox_design(test::checked(design_to_vox(design)));
  EXPECT_EQ(picture(back), "213456");
  design.materials.resize(256);
  EXPECT_EQ(design_to_vox(design).error().message(), "has 256 materials: a .vox file can contain at most 255 colours");
}

TEST(MagicaVoxel, ABodyOfASceneIsExported) {
  Node scene = test::checked(read_vxa(small_design(), "creature.vxa")).root;
  const auto exported = write_design(scene, "", "out/Creature.Vox");
  ASSERT_TRUE(exported) << exported.error().message();
  EXPECT_EQ(exported->warning,
            "a .vox file contains only cells and colours; the voxel size, the properties of materials, regions and the "
            "world are omitted");
  const Node back = test::checked(read_vox(exported->text, "creature.vox")).root;
  EXPECT_EQ(value_of<TextList>(body_of(back), "layers"), value_of<TextList>(body_of(scene), "layers"));
  // The file stores one byte per sRGB channel, so the rounding error is at most 0.5 / 255. Conversion to linear light
  // multiplies the error by at most 2.3, the largest derivative of the transfer function.
  EXPECT_LE((value_of<Vec3>(*back.find("material", "color_1"), "color") -
             value_of<Vec3>(*scene.find("material", "Soft"), "color"))
                .cwiseAbs()
                .maxCoeff(),
            2.3 * 0.5 / 255);
}

}  // namespace
}  // namespace vw
