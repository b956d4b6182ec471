// Atomic file writes: a file is replaced completely or not at all. Covers symbolic links, file modes, temporary files
// of killed processes and full disks.
#include "sim/base/files/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "sim/base/files/file.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(AtomicFile, TheTemporaryNameCannotBeForeseen) {
  const test::Scratch scratch;
  const std::string path = scratch.path("a");
  auto first = AtomicFile::open(path), second = AtomicFile::open(path);
  ASSERT_TRUE(first && second);
  const auto names = names_in(scratch.folder());
  ASSERT_EQ(names.size(), 2U) << "two writers of one target do not share a temporary file";
  EXPECT_NE(names[0], names[1]);
  for (const std::string& name : names) EXPECT_EQ(name.find(std::to_string(::getpid())), std::string::npos) << name;
}

TEST(AtomicFile, TheTemporaryNameContainsWholeCharacters) {
  const test::Scratch scratch;
  std::string name = "x";  // the name is cut after an even number of bytes
  for (int i = 0; i < 110; ++i) name += "\u00fc";
  const auto file = AtomicFile::open(scratch.path(name));
  ASSERT_TRUE(file);
  EXPECT_NE(file->path_to_write().find("\u00fc."), std::string::npos) << file->path_to_write();
}

TEST(AtomicFile, ALinkUnderTheOldPredictableNameIsNotFollowed) {
  const test::Scratch scratch;
  const std::string victim = scratch.write("victim", "precious"), path = scratch.path("a");
  fs::create_symlink(victim, path + ".part" + std::to_string(::getpid()));
  ASSERT_TRUE(write_file_atomic(path, "mine"));
  EXPECT_EQ(read_file(victim, 100).value(), "precious");
}

TEST(AtomicFile, TheModeOfTheReplacedFileIsKept) {
  const test::Scratch scratch;
  const std::string path = scratch.write("a", "old");
  for (const mode_t mode : {0600U, 0640U, 0644U, 0755U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    ASSERT_TRUE(write_file_atomic(path, "new"));
    EXPECT_EQ(mode_of(path), mode);
  }
  const mode_t mask = ::umask(027);
  ASSERT_TRUE(write_file_atomic(scratch.path("fresh"), "new"));
  ::umask(mask);
  EXPECT_EQ(mode_of(scratch.path("fresh")), 0640U);
}

TEST(AtomicFile, FilesLeftByKilledWritersAreRemovedAndThoseOfLivingOnesAreNot) {
  const test::Scratch scratch;
  const std::string path = scratch.path("a");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const std::string left = scratch.write(".a.0123456789abcdef.part", "half"),
                    young = scratch.write(".a.00000000000000ff.part", "half");
  const std::string others = scratch.write(".b.0123456789abcdef.part", "half"),
                    similar = scratch.write(".a.notes.part", "mine");
  for (const std::string& file : {left, others, similar}) fs::last_write_time(file, old);
  auto living = AtomicFile::open(path);
  ASSERT_TRUE(living);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(young)) << "a process may be about to lock it";
  EXPECT_TRUE(fs::exists(others));
  EXPECT_TRUE(fs::exists(similar));

  for (const std::string& name : names_in(scratch.folder())) fs::last_write_time(scratch.path(name), old);
  const auto before = names_in(scratch.folder()).size();
  ASSERT_TRUE(write_file_atomic(path, "other"));  // creates the target and removes `young`, now an hour old
  EXPECT_EQ(names_in(scratch.folder()).size(), before);
  ASSERT_TRUE(living->write("new"));
  ASSERT_TRUE(living->finish());
  EXPECT_EQ(read_file(path, 100).value(), "new");
}

TEST(AtomicFile, WithoutFinishTheOldFileStaysAndNothingIsLeft) {
  const test::Scratch scratch;
  const std::string path = scratch.write("a", "old");
  {
    auto file = AtomicFile::open(path);
    ASSERT_TRUE(file && file->write("half"));
  }
  EXPECT_EQ(read_file(path, 100).value(), "old");
  EXPECT_EQ(names_in(scratch.folder()).size(), 1U);
}

TEST(AtomicFile, WhatIsPublishedEarlyGrowsInPlace) {
  const test::Scratch scratch;
  const std::string path = scratch.write("a", "old");
  auto file = AtomicFile::open(path);
  ASSERT_TRUE(file && file->write("one "));
  EXPECT_EQ(read_file(path, 100).value(), "old");
  ASSERT_TRUE(file->publish());
  EXPECT_EQ(read_file(path, 100).value(), "one ");
  ASSERT_TRUE(file->write("two") && file->finish());
  EXPECT_EQ(read_file(path, 100).value(), "one two");
  EXPECT_EQ(names_in(scratch.folder()).size(), 1U);
}

TEST(AtomicFile, AFileThatMayNotGrowLeavesTheOldOne) {
  const test::Scratch scratch;
  const std::string path = scratch.write("a", "old");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto refused = write_file_atomic(path, std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(), path + ": cannot be written: File too large");
  EXPECT_EQ(read_file(path, 100).value(), "old");
  EXPECT_EQ(names_in(scratch.folder()).size(), 1U);
}

}  // namespace
}  // namespace vw
