#include "app/cli/warnings.h"

#include "app/cli/commands/commands.h"

namespace vw::cli {

void Warnings::begin(const World& world) const {
  for (const std::string& note : world.notes()) say("warning: " + note);
}

void Warnings::after_step(const World& world) {
  if (!world.slow().empty() && slow_ != world.slow()) say("warning: " + world.slow());
  slow_ = world.slow();
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    const System& system = world.system(i);
    if (system.schema().kind != "particles") continue;  // totals of other systems are expensive to compute
    system.totals(totals_);
    for (const std::string& caution : cautions_.note(system.name(), totals_)) say("warning: " + caution);
  }
}

}  // namespace vw::cli
