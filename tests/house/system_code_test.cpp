// Only files whose names end in `_posix.cpp` or `_windows.cpp` may include headers of an operating system, call its
// functions by name, or test for it with the preprocessor (docs/architecture.md "Operating systems").
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

/// Returns the part of a source line that depends on the operating system, or an empty text if there is none.
std::string system_code(const std::string& line) {
  static const std::regex header(
      R"(^\s*#\s*include\s*<(unistd\.h|fcntl\.h|sys/.*|pthread\.h|sched\.h|dlfcn\.h|signal\.h|csignal|pwd\.h|termios\.h|poll\.h|spawn\.h|dirent\.h|linux/.*|EGL/.*|windows\.h|io\.h|direct\.h|process\.h|shlobj\.h|winsock2?\.h)>)");
  static const std::regex question(
      R"(^\s*#.*\b(__linux__|__unix__|__APPLE__|_WIN32|_WIN64|__MINGW32__|__MINGW64__|_POSIX_[A-Z_]+)\b)");
  static const std::regex call(
      R"(\b(localtime_r|gmtime_r|setenv|unsetenv|mkstemp|mkostemp|mkdtemp|popen|getuid|gettid)\(|\bM_PI\b)");
  const std::string code = line.substr(0, line.find("//"));
  std::smatch found;
  for (const std::regex* pattern : {&header, &question, &call})
    if (std::regex_search(code, found, *pattern)) return found.str();
  return {};
}

bool may_know_the_system(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem.ends_with("_posix") || stem.ends_with("_windows");
}

TEST(SystemCode, IsFoundInALine) {
  EXPECT_EQ(system_code("#include <unistd.h>"), "#include <unistd.h>");
  EXPECT_EQ(system_code("#if defined(__linux__) && 1"), "#if defined(__linux__");
  EXPECT_EQ(system_code("  localtime_r(&now, &parts);"), "localtime_r(");
  EXPECT_EQ(system_code("  const double area = M_PI * r * r;"), "M_PI");
  EXPECT_EQ(system_code("x = 1;  // __linux__"), "");
}

TEST(SystemCode, StandsInFilesForOneSystem) {
  const fs::path root = VOXWAKE_SOURCE_DIR;
  std::size_t files = 0;
  for (const char* folder : {"sim", "render", "app", "bench", "python"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".cpp" && file.extension() != ".h") continue;
      ++files;
      if (may_know_the_system(file)) continue;
      std::ifstream in(file);
      int number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        const std::string found = system_code(line);
        EXPECT_EQ(found, "") << fs::relative(file, root).string() << ":" << number;
      }
    }
  EXPECT_GT(files, 500U);
}

TEST(SystemCode, IsThereForEachSystem) {
  const fs::path root = VOXWAKE_SOURCE_DIR;
  for (const char* folder : {"sim", "render", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      std::string name = entry.path().string();
      if (!name.ends_with("_posix.cpp")) continue;
      name.replace(name.size() - std::string("posix.cpp").size(), std::string::npos, "windows.cpp");
      EXPECT_TRUE(fs::exists(name)) << name << " is missing";
    }
}

}  // namespace
