// Compares the state hashes of packaged scenes with tests/golden/hashes.tsv, for every instruction set that the
// processor has. tools/golden.sh makes the comparison.
#include <cstdlib>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

class Golden : public CliTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    setenv("VOXWAKE_INSTRUCTION_SET", GetParam(), 1);
  }
  void TearDown() override { unsetenv("VOXWAKE_INSTRUCTION_SET"); }
  /// Returns the output of the comparison. The output is empty if all hashes are equal.
  [[nodiscard]] std::string differences(const std::string& steps) const {
    const std::string out = path("differences.txt"), script = std::string(VOXWAKE_SOURCE_DIR) + "/tools/golden.sh";
    const std::string script_call = "'" + script + "' check '" + program() + "' " + steps;
    const int code = std::system((script_call + " > '" + out + "' 2>&1").c_str());
    const std::string text = slurp(out);
    return code == 0 || !text.empty() ? text : "exit status " + std::to_string(code);
  }
};

TEST_P(Golden, ScenesHaveTheirHashes) {
  const ProgramResult known = run({"--version"});
  if (known.code == 2) GTEST_SKIP() << known.err;
  EXPECT_EQ(differences("24"), "");
}
INSTANTIATE_TEST_SUITE_P(InstructionSets, Golden, ::testing::Values("AVX3", "AVX2", "SSE4", "SCALAR", "NEON"),
                         [](const auto& set) { return std::string(set.param); });

using GoldenRuns = CliTest;
TEST_F(GoldenRuns, LongRunsHaveTheirHashes) {
  const std::string script = std::string(VOXWAKE_SOURCE_DIR) + "/tools/golden.sh";
  EXPECT_EQ(std::system(("'" + script + "' check '" + program() + "' 240").c_str()), 0);
}

}  // namespace
}  // namespace vw
