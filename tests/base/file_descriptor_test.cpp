// Ownership of an open file: which object closes the file, and when.
#include "sim/base/system/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "sim/base/files/file.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

FileDescriptor null_device() { return FileDescriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC)); }

TEST(FileDescriptor, IsClosedOnce) {
  int number = -1;
  {
    FileDescriptor first = null_device();
    number = first.number();
    ASSERT_TRUE(is_open(number));
    const FileDescriptor second = std::move(first);
    EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move): the test checks the moved-from state
    EXPECT_EQ(first.close(), 0) << "it owns none";
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
  FileDescriptor stale = null_device();
  ASSERT_EQ(::close(stale.number()), 0);
  EXPECT_EQ(stale.close(), EBADF);
  EXPECT_FALSE(stale.is_open());
}

TEST(FileDescriptor, ClosesWhatAnotherTakesThePlaceOf) {
  FileDescriptor first = null_device(), second = null_device();
  const int before = first.number(), after = second.number();
  first = std::move(second);
  EXPECT_FALSE(is_open(before));
  EXPECT_EQ(first.number(), after);
  FileDescriptor& itself = first;
  first = std::move(itself);
  EXPECT_TRUE(is_open(after));
}

TEST(FileDescriptor, WritesAllOrSaysHowMuchAndWhyNot) {
  const test::Scratch scratch;
  const std::string path = scratch.path("a"), text(100'000, 'x');
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  const auto whole = file.write(text);
  EXPECT_EQ(whole.bytes, text.size());
  EXPECT_EQ(whole.reason, 0);
  EXPECT_EQ(file.close(), 0);
  EXPECT_EQ(read_file(path, 1'000'000).value(), text);
  EXPECT_EQ(file.write(text).reason, EBADF);
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  EXPECT_EQ(full.write(text).bytes, 0U);
  EXPECT_EQ(full.write(text).reason, ENOSPC);
}

TEST(FileDescriptor, AnUnnamedFileHasNoNameWhileItIsOpen) {
  const test::Scratch scratch;
  const FileDescriptor file = FileDescriptor::open_unnamed(scratch.folder());
  ASSERT_TRUE(file.is_open());
  EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

}  // namespace
}  // namespace vw
