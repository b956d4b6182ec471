// Uses the installed library as another program would: prints the state hash of a packaged scene after 24 steps.
//   library_user SCENE
#include <cstdio>
#include <utility>

#include "sim/api/run.h"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  auto scene = vw::api::open_scene(arguments[1]);
  if (!scene) return std::fprintf(stderr, "%s\n", scene.error().message().c_str()), 1;
  auto run = vw::api::Run::create(std::move(*scene));
  if (!run) return std::fprintf(stderr, "%s\n", run.error().message().c_str()), 1;
  if (auto stepped = run->step(24); !stepped) return 1;
  std::printf("%016llx\n", static_cast<unsigned long long>(run->hash()));
  return 0;
}
