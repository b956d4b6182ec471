// Packed states and the spill file: the state that is read equals the state that was written, and damaged data are an
// error.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "sim/history/packed_state.h"
#include "sim/history/spill_file.h"
#include "tests/support/dice.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

/// Returns a block with arrays of several element sizes and lengths, among them empty ones.
StateBlock block_of(std::uint64_t seed) {
  test::Dice dice(seed);
  StateBlock block;
  for (const std::uint64_t element : {8U, 24U, 4U, 1U, 12U, 3U, 32U, 8U}) {
    const std::uint64_t size = element * dice.below(50);
    block.entries.push_back({"array." + std::to_string(block.entries.size()), element, block.bytes.size(), size});
    for (std::uint64_t i = 0; i < size; ++i)
      block.bytes.push_back(static_cast<std::byte>(dice.below(i % 3 == 0 ? 256 : 4)));
  }
  return block;
}

bool is_same(const StateBlock& a, const StateBlock& b) {
  if (a.bytes != b.bytes || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (a.entries[i].name != b.entries[i].name || a.entries[i].element_bytes != b.entries[i].element_bytes ||
        a.entries[i].offset != b.entries[i].offset || a.entries[i].size != b.entries[i].size)
      return false;
  return true;
}

TEST(StatePacker, RestoresEveryState) {
  StatePacker packer;
  std::vector<std::byte> packed;
  StateBlock out;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const StateBlock block = block_of(seed);
    packer.pack(block, packed);
    ASSERT_TRUE(packer.unpack(packed, out));
    ASSERT_TRUE(is_same(block, out)) << "seed " << seed;
    EXPECT_EQ(hash_of(block), hash_of(out));
  }
  packer.pack({}, packed);
  ASSERT_TRUE(packer.unpack(packed, out));
  EXPECT_TRUE(out.entries.empty() && out.bytes.empty());
}

TEST(StatePacker, MakesSmoothNumbersSmaller) {
  StateBlock block;
  block.entries.push_back({"position", 8, 0, 8 * 4096});
  for (int i = 0; i < 4096; ++i) {
    const double x = 1 + 1e-4 * i;
    const auto* bytes = reinterpret_cast<const std::byte*>(&x);
    block.bytes.insert(block.bytes.end(), bytes, bytes + sizeof x);
  }
  std::vector<std::byte> packed;
  StatePacker().pack(block, packed);
  EXPECT_LT(packed.size(), block.bytes.size() * 9 / 10);
}

TEST(StatePacker, DamagedDataAreAnErrorAndNeverACrash) {
  StatePacker packer;
  std::vector<std::byte> packed;
  StateBlock out;
  packer.pack(block_of(1), packed);
  for (std::size_t size = 0; size < packed.size(); size += 1 + size / 16)
    EXPECT_FALSE(packer.unpack(std::span(packed).first(size), out)) << size;
  test::Dice dice(7);
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<std::byte> bent = packed;
    bent[dice.below(bent.size())] ^= static_cast<std::byte>(1U << dice.below(8));
    refused += packer.unpack(bent, out) ? 0 : 1;
  }
  EXPECT_EQ(refused, 500);
}

TEST(StatePacker, RefusesATableOfVeryManyArrays) {
  // Arrays without names and numbers, which take much less space in the file than in memory.
  StateBlock block;
  block.entries.resize(1'000'001);
  for (StateBlock::Entry& entry : block.entries) entry.element_bytes = 1;
  StatePacker packer;
  std::vector<std::byte> packed;
  packer.pack(block, packed);
  StateBlock out;
  EXPECT_FALSE(packer.unpack(packed, out));
  EXPECT_TRUE(out.entries.empty());
}

std::vector<std::byte> bytes_of(std::size_t size, int seed) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(seed));
  return bytes;
}

TEST(SpillFile, ReadsWhatWasWrittenAndUsesFreedPlacesAgain) {
  const test::Scratch scratch;
  auto kept = std::make_optional<SpillFile>(scratch.folder(), 10000);
  SpillFile& file = *kept;
  const auto a = file.write(bytes_of(4000, 1)), b = file.write(bytes_of(4000, 2));
  ASSERT_TRUE(a && b);
  EXPECT_FALSE(file.write(bytes_of(4000, 3)));  // a third block would exceed the limit of 10,000 bytes
  EXPECT_EQ(file.used_bytes(), 8000U);
  file.free(*a);
  const auto c = file.write(bytes_of(1500, 4)), d = file.write(bytes_of(2500, 5));
  ASSERT_TRUE(c && d);
  EXPECT_LT(d->offset + d->size, 4001U);
  std::vector<std::byte> out;
  ASSERT_TRUE(file.read(*b, out));
  EXPECT_EQ(out, bytes_of(4000, 2));
  ASSERT_TRUE(file.read(*d, out));
  EXPECT_EQ(out, bytes_of(2500, 5));
  file.free(*c), file.free(*d), file.free(*b);
  EXPECT_EQ(file.used_bytes(), 0U);
  EXPECT_TRUE(file.write(bytes_of(10000, 6)));  // the freed regions were joined
  kept.reset();
  EXPECT_TRUE(std::filesystem::is_empty(scratch.folder())) << "the file remains";
}

TEST(SpillFile, AFolderThatCannotBeUsedMeansNoFile) {
  const test::Scratch scratch;
  SpillFile file(scratch.write("file", "text") + "/below", 1000);
  EXPECT_FALSE(file.write(bytes_of(10, 1)));
  EXPECT_EQ(file.limit_bytes(), 0U);
}

}  // namespace
}  // namespace vw
