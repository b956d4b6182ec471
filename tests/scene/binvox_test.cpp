// Files with run-length encoding (.binvox): order of cells, axes, scale, mistakes in files, and export.
#include <random>

#include "scene_test_support.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using namespace scene_test;

/// Returns a run-length encoding of a list of pairs. Each pair consists of a value and a number of cells.
std::string run_lengths(std::initializer_list<std::pair<int, int>> pairs) {
  std::string bytes;
  for (const auto& [value, length] : pairs) {
    bytes += static_cast<char>(value);
    bytes += static_cast<char>(length);
  }
  return bytes;
}

std::string binvox(const std::string& header, const std::string& data) {
  return "#binvox 1\n" + header + "data\n" + data;
}

/// Returns a cube of 2 cells along each edge. Its filled cells are (0, 0, 0), (0, 1, 0) and (1, 0, 1).
std::string small_binvox() {
  return binvox("dim 2 2 2\ntranslate -1 0 2.5e-1\nscale 0.5\n", run_lengths({{1, 2}, {0, 4}, {1, 1}, {0, 1}}));
}

VoxelDesign binvox_design(const std::string& bytes) { return test::checked(parse_binvox(bytes, "bunny.binvox")); }

std::string binvox_error(const std::string& bytes) {
  const auto design = parse_binvox(bytes, "bunny.binvox");
  return design ? "accepted" : design.error().message();
}

TEST(Binvox, CellsAreInTheOrderOfTheFormatWithYUp) {
  const auto scene = test::checked(read_binvox(small_binvox(), "bunny.binvox"));
  EXPECT_TRUE(scene.warnings.empty());
  const Node& body = body_of(scene.root);
  EXPECT_EQ(body.name, "bunny");
  EXPECT_EQ(value_of<double>(body, "voxel_size"), 0.25) << "scale of the file divided by the number of cells";
  EXPECT_EQ(value_of<Vec3>(body, "size"), Vec3(2, 2, 2));
  // As in the file, the layers are in the order of y, the rows in the order of z, and the codes in the order of x.
  EXPECT_EQ(value_of<TextList>(body, "layers"), (TextList{"1./.1", "1./.."}));
  EXPECT_EQ(value_of<TextList>(body, "palette"), TextList{"material"});
}

TEST(Binvox, UnequalDimensionsAreAlongXZAndY) {
  // The lattice has 2 cells along x, 3 along z and 4 along y. The filled cells are (0, 3, 0), (1, 0, 2) and (1, 1, 2).
  const std::string bytes = binvox("dim 2 3 4\nscale 2\n", run_lengths({{0, 3}, {1, 1}, {0, 16}, {1, 2}, {0, 2}}));
  const Node body = body_of(test::checked(read_binvox(bytes, "bunny.binvox")).root);
  EXPECT_EQ(value_of<double>(body, "voxel_size"), 0.5) << "scale divided by the largest number of cells";
  EXPECT_EQ(value_of<Vec3>(body, "size"), Vec3(2, 4, 3));
  EXPECT_EQ(value_of<TextList>(body, "layers"), (TextList{"../../.1", "../../.1", "../../..", "1./../.."}));
}

TEST(Binvox, TheLatticeIsAsLargeAsTheFilledCells) {
  // The file holds a rod along x in a cube of 300^3 cells. The cube has more cells than a body may have, but only three
  // cells are filled.
  std::string data;
  for (int x = 0; x < 300; ++x) {
    if (x >= 100 && x < 103) data += run_lengths({{1, 1}, {0, 44}});
    const int pairs = x >= 100 && x < 103 ? 89955 / 255 : 90000 / 255;
    for (int i = 0; i < pairs; ++i) data += run_lengths({{0, 255}});
    const int rest = (x >= 100 && x < 103 ? 89955 : 90000) % 255;
    if (rest > 0) data += run_lengths({{0, rest}});
  }
  const VoxelDesign design = binvox_design(binvox("dim 300 300 300\nscale 3\n", data));
  EXPECT_EQ(design.nx, 3U);
  EXPECT_EQ(design.cells(), 3U);
  EXPECT_EQ(design.edge_m, 0.01);
}

TEST(Binvox, RunsMayCrossRows) {
  const VoxelDesign design = binvox_design(binvox("dim 3 3 3\n", run_lengths({{0, 1}, {1, 13}, {0, 13}})));
  const auto filled = std::count(design.code.begin(), design.code.end(), 1);
  EXPECT_EQ(filled, 13);
  EXPECT_EQ(design.edge_m, 1.0 / 3) << "without a scale, the longest edge is 1 m";
}

TEST(Binvox, VersionTwoHasAMaterialForEachValue) {
  const VoxelDesign design =
      binvox_design("#binvox 2\ndim 2 2 1\ndata\n" + run_lengths({{200, 1}, {0, 1}, {3, 1}, {200, 1}}));
  ASSERT_EQ(design.materials.size(), 2U);
  EXPECT_EQ(design.materials[0].name, "value_3");
  EXPECT_EQ(design.materials[1].name, "value_200");
  EXPECT_NE(design.materials[0].display_rgb, design.materials[1].display_rgb);
  EXPECT_EQ(design.code, (std::vector<std::uint16_t>{0, 2, 2, 1}));
}

TEST(Binvox, OtherLinesAndLineEndsOfTheHeaderAreAccepted) {
  EXPECT_EQ(binvox_error("#binvox 1\r\n# a comment \xff\r\n\r\ndim  2\t2 2\r\ndata\r\n" + run_lengths({{1, 8}})),
            "accepted");
}

TEST(Binvox, OpensByItsNameAndAsASource) {
  const Scratch folder;
  const auto scene = load_scene(folder.write("bunny.binvox", small_binvox()));
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(body_of(scene->root).name, "bunny");
  const auto pool = load_scene(
      folder.write("pool.toml", "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsource = \"bunny.binvox\"\n"));
  ASSERT_TRUE(pool) << pool.error().message();
  EXPECT_EQ(filled_cells(body_of(pool->root)), 3U);
  EXPECT_NE(pool->root.find("material", "cube_material"), nullptr);
}

TEST(Binvox, TruncationAtAnyByteIsAnErrorThatNamesTheFile) {
  const std::string whole = small_binvox();
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(binvox_error(whole.substr(0, length)).rfind("bunny.binvox:", 0), 0U) << "at byte " << length;
}

TEST(Binvox, EachByteReplacedGivesADesignOrAnErrorThatNamesTheFile) {
  const std::string whole = small_binvox();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(value);
      const std::string sentence = binvox_error(bytes);
      EXPECT_TRUE(sentence == "accepted" || sentence.starts_with("bunny.binvox:")) << "at byte " << at;
    }
}

TEST(Binvox, ErrorsInTheHeaderNameLineFoundAndExpected) {
  EXPECT_EQ(binvox_error("ply\nformat"),
            "bunny.binvox:1: \"ply\": must be \"#binvox 1\"; the file is not a binvox file");
  EXPECT_EQ(binvox_error(""), "bunny.binvox:1: \"\": must be \"#binvox 1\"; the file is not a binvox file");
  EXPECT_EQ(binvox_error("#binvox 3\ndata\n"), "bunny.binvox:1: #binvox = 3: must be version 1 or 2");
  EXPECT_EQ(binvox_error("#binvox\ndata\n"), "bunny.binvox:1: #binvox = 0 values: must have 1");
  EXPECT_EQ(binvox_error("#binvox 1\ndim 2 2 2\n"),
            "bunny.binvox:3: the end of the file: the header must end with a line \"data\"");
  EXPECT_EQ(binvox_error("#binvox 1\n" + std::string(5000, 'x')),
            "bunny.binvox:2: a long line: the header must end with a line \"data\"");
  EXPECT_EQ(binvox_error("#binvox 1\n" + std::string(5000, '\n')),
            "bunny.binvox:100: 100 lines: the header must end with a line \"data\"");
  EXPECT_EQ(binvox_error(binvox("", "")), "bunny.binvox: header = no line \"dim\": must have the numbers of cells");
  EXPECT_EQ(binvox_error(binvox("dim 2 2\n", "")), "bunny.binvox:2: dim = 2 values: must have 3");
  for (const char* dim : {"0", "-1", "1.5", "nan", "x", "1000001", "99999999999999999999", "\xff"})
    EXPECT_EQ(binvox_error(binvox("dim 2 " + std::string(dim) + " 2\n", "")),
              "bunny.binvox:2: dim = " + std::string(*dim == '\xff' ? "?" : dim) +
                  ": must be three whole numbers from 1 to 1000000");
  EXPECT_EQ(binvox_error(binvox("dim 2 2 2\ntranslate 0 nan 0\n", "")),
            "bunny.binvox:3: translate = nan: must be a finite number");
  EXPECT_EQ(binvox_error(binvox("dim 2 2 2\nscale 1e999\n", "")),
            "bunny.binvox:3: scale = 1e999: must be a finite number");
  EXPECT_EQ(binvox_error(binvox("dim 2 2 4\nscale -2\n", "")),
            "bunny.binvox:3: scale = -2: the edge of a voxel, scale divided by the largest dim, is -0.5 m and must lie "
            "in [1e-09, 1000] m");
  EXPECT_EQ(binvox_error(binvox("dim 1000000 1000000 1000000\n", run_lengths({{0, 255}, {1, 1}}))),
            "bunny.binvox:2: dim = 1000000 1000000 1000000: the file has 4 bytes of data after byte 43, which describe "
            "at most 510 cells");
}

TEST(Binvox, ErrorsInTheDataNamePlaceFoundAndExpected) {
  const auto error = [](std::initializer_list<std::pair<int, int>> pairs) {
    return binvox_error(binvox("dim 2 2 2\n", run_lengths(pairs)));
  };
  EXPECT_EQ(error({{1, 9}}),
            "bunny.binvox: run at byte 25 = run length 9: must be at most 8, the number of cells that remain");
  EXPECT_EQ(error({{1, 4}, {0, 5}}),
            "bunny.binvox: run at byte 27 = run length 5: must be at most 4, the number of cells that remain");
  EXPECT_EQ(error({{1, 7}}),
            "bunny.binvox: run at byte 27 = 0 bytes after 7 of 8 cells: must have 2 bytes, a value and a run length");
  EXPECT_EQ(error({{1, 0}, {1, 8}}), "bunny.binvox: run at byte 25 = run length 0: must be 1 to 255");
  EXPECT_EQ(error({{2, 8}}), "bunny.binvox: run at byte 25 = value 2: must be 0 or 1");
  EXPECT_EQ(error({{0, 8}}), "bunny.binvox: data = no filled cell: must have at least one");
  EXPECT_EQ(error({{1, 8}, {1, 1}}), "bunny.binvox: byte 27 = 2 more bytes: the file must end after 8 cells");
}

TEST(Binvox, BodiesBeyondTheLimitAreRefused) {
  std::string ends = run_lengths({{1, 1}}), full;
  for (int i = 0; i < 20000; ++i) full += run_lengths({{1, 255}});
  EXPECT_EQ(binvox_error(binvox("dim 5100000 1 1\n", full)),
            "bunny.binvox:2: dim = 5100000: must be three whole numbers from 1 to 1000000");
  EXPECT_EQ(binvox_error(binvox("dim 5100 1000 1\n", full)),
            "bunny.binvox: data = more filled cells: must have at most 4194304");
  for (int i = 0; i < 19999; ++i) ends += run_lengths({{0, 255}});
  EXPECT_EQ(binvox_error(binvox("dim 5100 1000 1\n", ends + run_lengths({{0, 253}, {1, 1}}))),
            "bunny.binvox: data = filled cells within 5100 x 1 x 1000 cells: must lie within at most 4194304 cells");
}

// ---- export ----

TEST(Binvox, AnImportedDesignComesBackFromItsExport) {
  std::mt19937 random(1);
  for (const double edge_m : {0.001, 0.01, 1.0 / 3, 0.7}) {
    VoxelDesign design;
    design.nx = 9;
    design.ny = 4;
    design.nz = 70;
    design.edge_m = edge_m;
    design.materials.resize(3);
    for (std::size_t cell = 0; cell < design.cells(); ++cell)
      design.code.push_back(static_cast<std::uint16_t>(std::uniform_int_distribution<int>(0, 3)(random)));
    design.code.front() = design.code.back() = 3;
    const VoxelDesign back = binvox_design(test::checked(design_to_binvox(design)));
    EXPECT_EQ(back.edge_m, edge_m) << "must be equal to the last bit";
    for (std::uint16_t& code : design.code) code = code == 0 ? 0 : 1;
    EXPECT_EQ(back.nx, design.nx);
    EXPECT_EQ(back.ny, design.ny);
    EXPECT_EQ(back.nz, design.nz);
    EXPECT_TRUE(back.code == design.code);
  }
}

TEST(Binvox, AWrittenFileIsACubeInTheOrderOfTheFormat) {
  const VoxelDesign design = binvox_design(small_binvox());
  EXPECT_EQ(test::checked(design_to_binvox(design)),
            "#binvox 1\ndim 2 2 2\ntranslate 0 0 0\nscale 0.5\ndata\n" + run_lengths({{1, 2}, {0, 4}, {1, 1}, {0, 1}}));
  VoxelDesign rod;
  rod.nx = 3;
  rod.ny = rod.nz = 1;
  rod.edge_m = 0.5;
  rod.code = {1, 1, 1};
  rod.materials.resize(1);
  EXPECT_EQ(test::checked(design_to_binvox(rod)), "#binvox 1\ndim 3 3 3\ntranslate 0 0 0\nscale 1.5\ndata\n" +
                                                      run_lengths({{1, 1}, {0, 8}, {1, 1}, {0, 8}, {1, 1}, {0, 8}}));
  rod.nx = 2000;
  EXPECT_EQ(design_to_binvox(rod).error().message(),
            "has 2000 cells along its longest edge: a .binvox file is a cube of at most 1024 cells along each edge");
}

TEST(Binvox, ABodyOfASceneIsExported) {
  Node scene = test::checked(read_vxa(small_design(), "creature.vxa")).root;
  const auto exported = write_design(scene, "creature", "creature.binvox");
  ASSERT_TRUE(exported) << exported.error().message();
  EXPECT_EQ(exported->warning,
            "a .binvox file contains only cells and the voxel size; materials, regions and the world are omitted");
  const Node back = test::checked(read_binvox(exported->text, "creature.binvox")).root;
  EXPECT_EQ(value_of<double>(body_of(back), "voxel_size"), value_of<double>(body_of(scene), "voxel_size"));
  EXPECT_EQ(value_of<Vec3>(body_of(back), "size"), value_of<Vec3>(body_of(scene), "size"));
  EXPECT_EQ(filled_cells(body_of(back)), filled_cells(body_of(scene)));
  EXPECT_EQ(write_design(scene, "", "creature.txt").error().message(),
            "creature.txt: must end in one of .vxa .vxd .vox .binvox");
}

}  // namespace
}  // namespace vw
