#include "app/cli/hand_over.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/cli/commands/commands.h"

namespace vw::cli {

int hand_over(std::vector<std::string> words, const std::string& missing) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());  // returns only if it fails
  if (errno != ENOENT) return report_error(fail(words.front() + ": " + std::strerror(errno)).value());
  return report_error(fail(missing).value());
}

}  // namespace vw::cli
