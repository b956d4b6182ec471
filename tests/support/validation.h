// Records the results of cases with known (analytic) values. docs/validation.md is generated from these records.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace vw::test {

/// Records a case in the test's XML report. If VOXWAKE_VALIDATION_OUT names a file, also appends the line `subject
/// <tab> name <tab> measured <tab> expected <tab> tolerance <tab> unit` to it. Names are unique within a subject. The
/// tolerance is relative to |expected|, or absolute if expected is 0.
inline void record_case(const std::string& subject, const std::string& name, double measured, double expected,
                        double tolerance, const std::string& unit = "") {
  char line[512];
  std::snprintf(line, sizeof line, "%s\t%s\t%.9g\t%.9g\t%.3g\t%s\n", subject.c_str(), name.c_str(), measured, expected,
                tolerance, unit.c_str());
  ::testing::Test::RecordProperty("case", std::string(line, std::char_traits<char>::length(line) - 1));
  const char* path = std::getenv("VOXWAKE_VALIDATION_OUT");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "a"); file != nullptr) {
    // One call writes the whole line, so that lines of programs that run at the same time do not mix.
    std::fputs(line, file);
    std::fclose(file);
  }
}

/// Returns the error of `measured`: relative to |expected|, or absolute if expected is 0.
inline double case_error(double measured, double expected) {
  return expected == 0 ? std::abs(measured) : std::abs(measured - expected) / std::abs(expected);
}

/// Records the case and expects its error to be within the tolerance.
inline void expect_case(const std::string& subject, const std::string& name, double measured, double expected,
                        double tolerance, const std::string& unit = "") {
  record_case(subject, name, measured, expected, tolerance, unit);
  EXPECT_LE(case_error(measured, expected), tolerance)
      << name << ": measured " << measured << ", expected " << expected;
}

}  // namespace vw::test
