// Checks that the simulation calls no elementary function of the C library, of Eigen or of Highway, and no approximate
// operation or fused multiply-add of Highway. The results of these functions depend on version, compiler and
// instruction set (docs/design/elementary.md).
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_elementary(std::string name) {
  static const std::set<std::string> names{"sin",   "cos",   "sincos", "tan",    "asin",   "acos",  "atan", "atan2",
                                           "sinh",  "cosh",  "tanh",   "asinh",  "acosh",  "atanh", "exp",  "exp2",
                                           "exp10", "expm1", "log",    "log1p",  "log2",   "log10", "pow",  "cbrt",
                                           "hypot", "erf",   "erfc",   "tgamma", "lgamma", "fma",   "polar"};
  if (names.contains(name)) return true;
  const bool suffix = name.ends_with('f') || name.ends_with('l');
  return suffix && names.contains(name.substr(0, name.size() - 1));
}

/// Returns whether the name is a forbidden call. `before` is the line up to the name. `called` is true if a bracket
/// follows the name.
bool is_forbidden(const std::string& name, const std::string& before, bool called) {
  static const std::set<std::string> members{"slerp", "angularDistance", "eulerAngles", "canonicalEulerAngles",
                                             "computeDirect"};
  const bool standard = before.ends_with("std::"), member = before.ends_with('.') || before.ends_with("->");
  const bool qualified = before.ends_with("::") && before.size() > 2 && is_letter(before[before.size() - 3]);
  if (name.starts_with("AngleAxis") || name.starts_with("Rotation2D")) return true;
  if (name.starts_with("Approximate") || name.ends_with("MulAdd") || name.ends_with("MulSub")) return true;
  if (standard && (name.ends_with("_distribution") || name == "arg")) return true;
  if (member && called && members.contains(name)) return true;
  // std::sin is forbidden even without a bracket, because it may be passed as an argument. Without std::, only a call
  // is forbidden. This includes calls after a dot, which are elementwise functions of Eigen's arrays.
  return is_elementary(name) && (standard || (called && !qualified));
}

/// Returns the forbidden call in a line of code, or empty. Comments and string literals are skipped.
std::string forbidden_call(const std::string& line) {
  if (line.find("hwy/contrib/math") != std::string::npos) return line;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.compare(i, 2, "//") == 0) break;
    if (line[i] == '"') {
      for (++i; i < line.size() && line[i] != '"'; ++i)
        if (line[i] == '\\') ++i;
      continue;
    }
    if (!is_letter(line[i])) continue;
    std::size_t end = i;
    while (end < line.size() && is_letter(line[end])) ++end;
    const std::size_t next = line.find_first_not_of(' ', end);
    const std::string name = line.substr(i, end - i);
    if (is_forbidden(name, line.substr(0, i), next != std::string::npos && line[next] == '(')) return name;
    i = end - 1;
  }
  return {};
}

TEST(ElementaryFunctions, TheSimulationUsesOurOwn) {
  const fs::path root(VOXWAKE_SOURCE_DIR);
  std::string found;
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "sim")) {
    const std::string name = fs::relative(entry.path(), root).generic_string();
    if (!(name.ends_with(".cpp") || name.ends_with(".h")) || name.starts_with("sim/base/elementary/")) continue;
    ++files;
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (!forbidden_call(line).empty()) found += name + ":" + std::to_string(number) + ": " + line + "\n";
    }
  }
  EXPECT_GT(files, 300U);
  EXPECT_EQ(found, "") << "Use sim/base/elementary/elementary.h, or sim/base/rotation.h for rotations.";
}

TEST(ElementaryFunctions, TheCheckerSeesEachKindOfCall) {
  for (const char* line :
       {"x = std::sin(y);", "x = 2*cosf (y);", "= ::pow(x, 2)", "std::transform(a, b, c, std::exp);", "a.array().exp()",
        "Eigen::AngleAxisd(angle, axis)", "q.slerp(t, r)", "std::log1pf(x)", "std::normal_distribution<double> d;",
        "#include <hwy/contrib/math/math-inl.h>", "hn::NegMulAdd(a, b, c)", "hn::ApproximateReciprocalSqrt(a)"})
    EXPECT_NE(forbidden_call(line), "") << line;
  for (const char* line : {"elementary::sin(x)", "elementary::HWY_NAMESPACE::exp(d, x)", "// 1 - exp(-x)", "cosine(x)",
                           "{\"sin\", sin_of}", "std::sqrt(x)", "std::fmod(x, y)", "lerp(a, b, t)", "using_sin(x)"})
    EXPECT_EQ(forbidden_call(line), "") << line;
}

}  // namespace
