// Passes all seeds, and all inputs that once failed, to the functions that the fuzzer calls.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/files/file.h"
#include "tests/fuzz/targets.h"

namespace vw::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

class Replay : public testing::TestWithParam<Target> {};

std::vector<fs::path> inputs(const std::string& folder, std::string_view target) {
  std::vector<fs::path> found;
  const fs::path of_target = fs::path(VOXWAKE_SOURCE_DIR) / "tests/fuzz" / folder / target;
  if (fs::is_directory(of_target))
    for (const auto& entry : fs::directory_iterator(of_target)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

TEST_P(Replay, SeedsAndRegressionsComeBack) {
  const auto seeds = inputs("seeds", GetParam().name);
  EXPECT_FALSE(seeds.empty()) << "add a seed: without one, the fuzzer finds little";
  auto all = seeds;
  const auto regressions = inputs("regressions", GetParam().name);
  all.insert(all.end(), regressions.begin(), regressions.end());
  for (const fs::path& path : all) {
    SCOPED_TRACE(path.string());
    const auto bytes = read_file(path.string(), 1U << 20U);
    ASSERT_TRUE(bytes) << bytes.error().message();
    GetParam().run(*bytes);
    for (const std::size_t part :
         {std::size_t{0}, bytes->size() / 3, bytes->size() - std::min<std::size_t>(bytes->size(), 1)})
      GetParam().run(std::string_view(*bytes).substr(0, part));  // truncated inputs are tested too
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace vw::fuzz
