#include "app/cli/hand_over.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "app/cli/commands/commands.h"
#include "sim/base/system/process.h"

namespace vw::cli {

int hand_over(std::vector<std::string> words, const std::string& missing) {
  const std::string program = words.front();
  const int reason = become_program(std::move(words));
  if (reason != ENOENT) return report_error(fail(program + ": " + std::strerror(reason)).value());
  return report_error(fail(missing).value());
}

}  // namespace vw::cli
