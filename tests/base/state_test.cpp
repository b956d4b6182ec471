// Saved state: hash, memory block and file use the same visitor, and damaged files are rejected with an error message.
#include <cmath>
#include <filesystem>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "sim/base/data/state.h"
#include "sim/base/files/file.h"
#include "sim/base/random.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

struct Body {
  std::vector<Vec3> position{{1, 2, 3}, {4, 5, 6}};
  std::vector<std::uint8_t> held{1, 0};
  double time = 0.5;
  void visit(StateVisitor& v) {
    v.scope("body.");
    v("position", position);
    v("held", held);
    v("time", time);
  }
};

std::uint64_t hash_of(Body body) {
  StateHasher hasher;
  body.visit(hasher);
  return hasher.digest();
}

TEST(State, HashSeesEveryBit) {
  const Body body;
  Body other = body;
  other.position[1][2] = std::nextafter(6.0, 7.0);
  EXPECT_EQ(hash_of(body), hash_of(Body{}));
  EXPECT_NE(hash_of(body), hash_of(other));
  other = body;
  other.held[1] = 1;
  EXPECT_NE(hash_of(body), hash_of(other));
}

TEST(State, BlockRestoresArraysOfAnotherLength) {
  Body body;
  StateBlock block;
  {
    StateWriter writer(block);
    body.visit(writer);
  }
  Body other;
  other.position.assign(5, Vec3::Zero());
  other.held.clear();
  other.time = 9;
  StateReader reader(block);
  other.visit(reader);
  EXPECT_EQ(reader.error(), "");
  EXPECT_EQ(hash_of(other), hash_of(body));
}

TEST(State, ReaderNamesWhatIsMissing) {
  Body body;
  StateBlock block;
  StateWriter writer(block);
  writer.scope("body.");
  writer("position", body.position);
  StateReader reader(block);
  body.visit(reader);
  EXPECT_EQ(reader.error(), "the array \"body.held\" is missing at its position in the state");
}

TEST(State, AWriterThatStartsAnewLeavesNothingOfALongerState) {
  std::vector<double> first{1, 2}, second{3};
  StateBlock block, expected;
  StateWriter writer(block), only(expected);
  writer("first", first);
  writer("second", second);
  writer.restart();
  writer("first", first);
  writer.finish();
  only("first", first);
  EXPECT_EQ(block.entries.size(), 1U);
  EXPECT_EQ(hash_of(block), hash_of(expected));
}

TEST(StateFile, RoundTripsAndKeepsItsHeader) {
  Body body;
  StateBlock block;
  {
    StateWriter writer(block);
    body.visit(writer);
  }
  const test::Scratch scratch;
  const std::string path = scratch.path("round.state");
  ASSERT_TRUE(write_state_file(path, "{\"scene\":\"x\"}", block));
  EXPECT_TRUE(is_state_file(path));
  EXPECT_FALSE(is_state_file(scratch.folder()));
  EXPECT_FALSE(is_state_file(scratch.write("text", "VWSTAT")));
  const auto file = read_state_file(path);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->header, "{\"scene\":\"x\"}");
  EXPECT_EQ(file->block.bytes, block.bytes);
}

TEST(StateFile, EveryTruncationAndFlippedByteIsRefused) {
  Body body;
  StateBlock block;
  {
    StateWriter writer(block);
    body.visit(writer);
  }
  const test::Scratch scratch;
  const std::string path = scratch.path("damaged.state");
  ASSERT_TRUE(write_state_file(path, "{}", block));
  const std::string whole = *read_file(path, 1 << 20);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ASSERT_TRUE(write_file_atomic(path, std::string_view(whole).substr(0, length)));
    const auto result = read_state_file(path);
    ASSERT_FALSE(result) << length;
    EXPECT_EQ(result.error().message().find('\n'), std::string::npos);
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x41);
    ASSERT_TRUE(write_file_atomic(path, flipped));
    EXPECT_FALSE(read_state_file(path)) << i;
  }
}

TEST(File, LinksAndDevicesAreWrittenThroughNotReplaced) {
  namespace fs = std::filesystem;
  const test::Scratch scratch;
  const std::string target = scratch.path("linked"), link = scratch.path("link");
  ASSERT_TRUE(write_file_atomic(target, "old"));
  fs::create_symlink(target, link);
  ASSERT_TRUE(write_file_atomic(link, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file(target, 100).value(), "new");
  // If the tests run as root, a rename over a device would replace the device file of the machine. No temporary file
  // may remain next to the device either.
  ASSERT_TRUE(write_file_atomic("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const auto full = write_file_atomic("/dev/full", "much");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message(), "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(StateFile, HugeFileOfSomethingElseIsRefusedWithoutReadingItIntoMemory) {
  // A sparse file of 3 GiB: reading all of it would exceed the memory limit of 1 GiB.
  const test::Scratch scratch;
  const std::string path = scratch.path("holes");
  ASSERT_TRUE(write_file_atomic(path, "VWSTATE1"));
  std::filesystem::resize_file(path, std::uintmax_t{3} << 30);
  const auto refused = read_state_file(path);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("damaged or truncated"), std::string::npos);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(used.ru_maxrss, 1 << 20);  // ru_maxrss is in KiB
}

TEST(File, ErrorsNameThePathAndTheReason) {
  EXPECT_EQ(read_file("/nowhere/x", 10).error().message(), "/nowhere/x: cannot be opened: No such file or directory");
  EXPECT_EQ(read_file("/", 10).error().message(), "/: is a folder, not a file");
  EXPECT_EQ(read_file("/dev/null", 10).error().message(), "/dev/null: is not a regular file");
  EXPECT_EQ(write_file_atomic("/nowhere/x", "a").error().message(),
            "/nowhere/x: cannot be written: No such file or directory");
}

}  // namespace
}  // namespace vw
