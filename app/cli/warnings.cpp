#include "app/cli/warnings.h"

#include "app/cli/commands/commands.h"

namespace vw::cli {

void say_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) say("warning: " + note);
}

void say_warnings(api::Run& run) {
  for (const std::string& warning : run.take_warnings()) say("warning: " + warning);
}

}  // namespace vw::cli
