// Seeds of a long random test. VOXWAKE_SEQUENCES=FIRST:LAST selects a part of them, so that several processes can share
// the test.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace vw::test {

struct SeedRange {
  std::uint64_t first = 0, last = 0;  ///< both included
};

/// Returns the seeds of VOXWAKE_SEQUENCES, or `usual` if the variable is not set.
inline SeedRange seed_range(SeedRange usual) {
  const char* range = std::getenv("VOXWAKE_SEQUENCES");  // NOLINT(concurrency-mt-unsafe): one thread
  if (range == nullptr) return usual;
  char* end = nullptr;
  const std::uint64_t first = std::strtoull(range, &end, 10);
  return {first, *end == ':' ? std::strtoull(end + 1, nullptr, 10) : first};
}

}  // namespace vw::test
