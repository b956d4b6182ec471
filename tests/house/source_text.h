// Reads source files for the checks in tests/house.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace vw::test {

inline std::string source_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace vw::test
