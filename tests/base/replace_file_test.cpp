// Replacing a file in one step, on each system.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "sim/base/files/file.h"
#include "sim/base/system/file_descriptor.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

TEST(ReplaceFile, AFileThatIsOpenIsReplacedAndItsReaderKeepsTheOldOne) {
  const test::Scratch scratch;
  const std::string fresh = scratch.write("fresh", "new"), target = scratch.write("target", "old");
  {
    const FileDescriptor reader = FileDescriptor::open(target, FileUse::read);
    ASSERT_TRUE(reader.is_open());
    EXPECT_EQ(replace_file(fresh, target), 0);
    EXPECT_EQ(read_file(target, 100).value(), "new");
    std::array<char, 3> bytes{};
    EXPECT_EQ(reader.read_at(0, bytes.data(), bytes.size()), 3U);
    EXPECT_EQ(std::string(bytes.data(), bytes.size()), "old");
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(scratch.folder())) ++files;
  EXPECT_EQ(files, 1U) << "the old file disappears when it is closed";
}

TEST(ReplaceFile, AFolderIsNotReplaced) {
  const test::Scratch scratch;
  const std::string fresh = scratch.write("fresh", "new"), inside = scratch.write("folder/inside", "text");
  EXPECT_NE(replace_file(fresh, scratch.path("folder")), 0);
  EXPECT_EQ(read_file(inside, 100).value(), "text");
  EXPECT_EQ(read_file(fresh, 100).value(), "new");
}

}  // namespace
}  // namespace vw
