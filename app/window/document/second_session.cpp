#include "app/window/document/second_session.h"

#include <utility>

#include "app/window/document/scene_loader.h"
#include "sim/api/saved_session.h"
#include "sim/base/data/state.h"

namespace vw {

Result<api::FollowedSession> load_second_session(const std::string& path) {
  auto loaded = load_run({.path = path, .is_state = is_state_file(path)});
  if (!loaded) return Unexpected(loaded.error());
  api::FollowedSession session{.journal = loaded->run.journal(), .start = loaded->run.start()};
  if (loaded->history == nullptr) return session;
  auto way = api::session_path(path);
  if (!way) return Unexpected(way.error());
  session.journal = std::move(way->journal);
  session.history = std::move(loaded->history);
  return session;
}

}  // namespace vw
