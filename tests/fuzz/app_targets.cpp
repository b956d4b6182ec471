#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "tests/fuzz/targets.h"

namespace vw::fuzz {

void command_line(std::string_view bytes) {
  constexpr std::size_t most_arguments = 64;
  std::vector<std::string> arguments;
  while (!bytes.empty() && arguments.size() < most_arguments) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    arguments.emplace_back(bytes.substr(0, end));
    std::erase(arguments.back(), '\0');  // a null byte ends an argument of a process
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  if (const auto read = check_command_line(std::move(arguments)); !read)
    promise(!read.error().message().empty(), "a refused command line has a message");
}

}  // namespace vw::fuzz
