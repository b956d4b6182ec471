// Robots of EvoGym (.npz, .json): the layout in both formats, extrusion to a body, types of voxels, and mistakes in
// files.
#include <zlib.h>

#include <bit>
#include <random>

#include "scene_test_support.h"
#include "sim/scene/designs/npz_read.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using namespace scene_test;

std::string bytes_of(std::uint64_t value, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}

/// Returns the bytes of a NumPy array (.npy file). `data` holds the bytes of the elements.
std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                bool columns_first = false) {
  std::string head = "{'descr': '" + type + "', 'fortran_order': " + (columns_first ? "True" : "False") +
                     ", 'shape': " + shape + ", }";
  head.append(63 - (10 + head.size()) % 64, ' ');
  head += '\n';
  return "\x93NUMPY" + bytes_of(1, 2) + bytes_of(head.size(), 2) + head + data;
}

std::string doubles(const std::vector<double>& values) {
  std::string data;
  for (const double value : values) data += bytes_of(std::bit_cast<std::uint64_t>(value), 8);
  return data;
}

/// Compresses bytes with raw deflate, as zip files do.
std::string deflated(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(bytes.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Returns a zip file with one entry.
std::string zip(const std::string& name, const std::string& content, bool packs) {
  const std::string data = packs ? deflated(content) : content;
  const std::string common = bytes_of(0, 2) + bytes_of(packs ? 8 : 0, 2) + bytes_of(0, 8) + bytes_of(data.size(), 4) +
                             bytes_of(content.size(), 4) + bytes_of(name.size(), 2) + bytes_of(0, 2);
  const std::string local = "PK\x03\x04" + bytes_of(20, 2) + common + name + data;
  const std::string central =
      "PK\x01\x02" + bytes_of(20, 2) + bytes_of(20, 2) + common + bytes_of(0, 10) + bytes_of(0, 4) + name;
  return local + central + "PK\x05\x06" + bytes_of(0, 4) + bytes_of(1, 2) + bytes_of(1, 2) +
         bytes_of(central.size(), 4) + bytes_of(local.size(), 4) + bytes_of(0, 2);
}

/// Returns a layout with two rows of voxel types. Upper row: soft, empty, horizontal actuator. Lower row: rigid, rigid,
/// vertical actuator.
const std::vector<double>& small_layout() {
  static const std::vector<double> all{2, 0, 3, 1, 1, 4};
  return all;
}
std::string small_npz(bool packs = false) {
  return zip("arr_0.npy", npy("<f8", "(2, 3)", doubles(small_layout())), packs);
}
constexpr const char* small_rows = "[[2, 0, 3], [1, 1, 4]]";
constexpr const char* small_world = R"({"grid_width": 5, "grid_height": 4, "objects": {"robot": {
  "indices": [6, 7, 8, 11, 13], "types": [1, 1, 4, 2, 3],
  "neighbors": {"6": [7, 11], "7": [6, 8], "8": [7, 13], "11": [6], "13": [8]}}}})";

Node robot_of(const std::string& bytes, const std::string& file) {
  return test::checked(read_evogym(bytes, file)).root;
}

std::string evogym_error(const std::string& bytes, const std::string& file = "robot.json") {
  const auto scene = read_evogym(bytes, file);
  return scene ? "accepted" : scene.error().message();
}

TEST(EvoGym, AllFilesOfALayoutGiveTheSameBody) {
  const Node scene = robot_of(small_npz(), "robot.npz");
  const Node& body = body_of(scene);
  EXPECT_EQ(body.name, "robot");
  EXPECT_EQ(value_of<Vec3>(body, "size"), Vec3(3, 2, 3)) << "a body is three voxels thick";
  // The materials are in the order of EvoGym's types: rigid, soft, horizontal, vertical. The lowest layer is the last
  // row.
  EXPECT_EQ(value_of<TextList>(body, "layers"), (TextList{"114/114/114", "2.3/2.3/2.3"}));
  EXPECT_EQ(value_of<TextList>(body, "palette"), (TextList{"rigid", "soft", "horizontal", "vertical"}));
  for (const std::string& other : {small_npz(true), std::string(small_rows), std::string(small_world)})
    EXPECT_TRUE(same_node(scene, robot_of(other, "robot.json")));
  // The array holds the same layout in column-major order, as bytes.
  EXPECT_TRUE(same_node(
      scene,
      robot_of(zip("arr_0.npy", npy("|u1", "(2, 3)", std::string("\2\1\0\1\3\4", 6), true), false), "robot.npz")));
}

TEST(EvoGym, ActuatorsExpandWithTheWaveAndPassiveVoxelsDoNot) {
  const Node scene = robot_of(small_rows, "robot.json");
  for (const auto& [name, cte] :
       {std::pair{"rigid", 0.0}, std::pair{"soft", 0.0}, std::pair{"horizontal", 0.01}, std::pair{"vertical", 0.01}})
    EXPECT_EQ(value_of<double>(*scene.find("material", name), "cte"), cte) << name;
  EXPECT_GT(value_of<double>(*scene.find("material", "rigid"), "youngs_modulus"),
            value_of<double>(*scene.find("material", "soft"), "youngs_modulus"));
  const auto phase = value_of<NumberList>(body_of(scene), "phase");
  ASSERT_EQ(phase.size(), 18U);
  EXPECT_EQ(phase[2], 0.25) << "vertical actuators are a quarter of a cycle ahead";
  EXPECT_EQ(phase[11], 0);
}

TEST(EvoGym, AWarningNamesWhatABodyCannotHave) {
  EXPECT_EQ(test::checked(read_evogym("[[1, 2]]", "r.json")).warnings.size(), 0U);
  const auto moving = test::checked(read_evogym(small_rows, "r.json"));
  ASSERT_EQ(moving.warnings.size(), 1U);
  EXPECT_NE(moving.warnings.front().find("directions of actuators"), std::string::npos);
  std::string apart = small_world;
  apart.replace(apart.find("\"6\": [7, 11]"), 12, "\"6\": [11]    ");
  EXPECT_NE(test::checked(read_evogym(apart, "r.json")).warnings.front().find("gaps between adjacent voxels"),
            std::string::npos);
  EXPECT_FALSE(read_evogym(small_rows, "r.json", {.strict = true}));
}

TEST(EvoGym, FixedVoxelsAreHeld) {
  const Node scene = robot_of("[[2, 2], [5, 0]]", "robot.json");
  const auto regions = body_of(scene).all("region");
  ASSERT_EQ(regions.size(), 1U);
  EXPECT_TRUE(value_of<bool>(*regions.front(), "fixed"));
}

TEST(EvoGym, EmptyRowsAndColumnsAroundTheRobotAreLeftOut) {
  EXPECT_TRUE(same_node(robot_of("[[0, 0, 0], [0, 1, 2], [0, 0, 0]]", "r.json"), robot_of("[[1, 2]]", "r.json")));
}

TEST(EvoGym, MistakesAreReportedInOneSentence) {
  EXPECT_EQ(evogym_error("[[1, 2], [1]]"), "robot.json: row 2 = 1 numbers: must have 2, as the first row has");
  EXPECT_EQ(evogym_error("[[1, 7]]"), "robot.json: row 1 = 7: must be a type of EvoGym, 0 to 5");
  EXPECT_EQ(evogym_error("[[1, 0.5]]"), "robot.json: row 1 = 0.5: must be a type of EvoGym, 0 to 5");
  EXPECT_EQ(evogym_error("[[0, 0]]"), "robot.json: layout = no voxel: must contain at least one voxel");
  EXPECT_NE(evogym_error("[]").find("layout"), std::string::npos);
  EXPECT_NE(evogym_error("{}").find("grid_width"), std::string::npos);
  EXPECT_NE(evogym_error("").find("robot.json"), std::string::npos);
  EXPECT_NE(evogym_error(R"({"grid_width": 3, "objects": {}})").find("one object"), std::string::npos);
  EXPECT_NE(evogym_error(R"({"grid_width": 3, "objects": {"a": {"indices": [0, 1], "types": [1]}}})").find("types"),
            std::string::npos);
  EXPECT_NE(evogym_error(R"({"grid_width": 3, "objects": {"a": {"indices": [1e300], "types": [1]}}})").find("indices"),
            std::string::npos);
  EXPECT_NE(
      evogym_error(R"({"grid_width": 3, "objects": {"a": {"indices": [99999999999], "types": [1]}}})").find("indices"),
      std::string::npos);
  std::string wide = "[[1";
  for (int i = 0; i < 200; ++i) wide += ", 1";
  EXPECT_NE(evogym_error(wide + "]]").find("at most 100"), std::string::npos);
}

TEST(EvoGym, DamagedArchivesAreReported) {
  const auto archive_error = [](const std::string& bytes) { return evogym_error(bytes, "robot.npz"); };
  EXPECT_EQ(archive_error(zip("arr_0.npy", npy("<f8", "(3)", doubles({1, 2, 3})), false)),
            "robot.npz: arr_0 = 1 dimensions: must have two");
  EXPECT_EQ(archive_error(zip("arr_0.npy", npy("<f8", "(1, 2)", doubles({1, 0.5})), false)),
            "robot.npz: arr_0 = 0.5 in row 1, column 2: must be a whole number from -1000 to 1000");
  EXPECT_EQ(archive_error(zip("arr_0.npy", npy("<f8", "(1, 3)", doubles({1, 2})), false)),
            "robot.npz: arr_0 = too few numbers: must have the numbers of its shape");
  EXPECT_NE(archive_error(zip("arr_0.npy", npy("<U4", "(1, 1)", "abcd"), false)).find("real numbers"),
            std::string::npos);
  EXPECT_NE(archive_error(zip("arr_0.npy", npy("<f8", "(99999999, 99999999)", ""), false)).find("at most"),
            std::string::npos);
  EXPECT_NE(archive_error("PK").find("archive"), std::string::npos);
  const std::string whole = small_npz(true);
  std::mt19937 dice(5);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = read_evogym(whole.substr(0, length), "robot.npz");
    EXPECT_FALSE(cut) << "cut to " << length << " bytes";
  }
  for (int i = 0; i < 3000; ++i) {
    std::string broken = whole;
    for (int k = 0; k < 3; ++k) broken[dice() % broken.size()] = static_cast<char>(dice());
    if (const auto read = read_evogym(broken, "robot.npz"); !read) {
      EXPECT_FALSE(read.error().message().empty());
    }
  }
}

}  // namespace
}  // namespace vw
