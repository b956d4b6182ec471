// Actions on saved states (checkpoints from which a run continues) and on session files.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/window/document/file_listing.h"
#include "app/window/document/save_target.h"
#include "app/window/ui/app.h"
#include "app/window/ui/scene_changes.h"

namespace vw::ui {
namespace {

bool is_of_display(const std::string& path) { return path.starts_with("view.") || path.starts_with("plot."); }

/// Sends the view and the plots to the running world, so that the state contains them. The world does not receive them
/// otherwise, because they have no effect on it.
void send_display(App& app) {
  ChangeNodes command = difference_between(app.session.world_scene, fitted_to_world(app, scene_with_camera(app)));
  std::erase_if(command.changes, [](const ChangeNodes::Change& change) {
    return change.parent.empty() ? change.node.slot != "plot" : !change.parent.starts_with("plot.");
  });
  std::erase_if(command.values, [](const SetParameter& value) { return !is_of_display(value.path); });
  if (command.changes.empty() && command.values.empty()) return;
  (void)apply_changes(app.session.world_scene, command);
  for (const SetParameter& value : command.values)
    (void)set_parameter(app.session.world_scene, value.path, value.value);
  app.session.run->change(std::move(command), [log = &app.log](Result<void> good) {
    if (!good)
      log->warning("The saved state does not contain the latest changes to the view and to plots: " +
                   good.error().message());
  });
}

/// Folder of the open scene, or the user's documents folder for packaged scenes and scenes without a file.
std::string folder_of_scene(App& app) {
  const std::string own = app.session.document == nullptr ? std::string() : app.session.document->path();
  if (own.empty() || is_packaged(app, own)) return capture_folder("Documents");
  return std::filesystem::path(own).parent_path().string();
}

}  // namespace

void ask_where_to_save_state(App& app) {
  if (app.session.run == nullptr) return;
  const std::filesystem::path folder = folder_of_scene(app);
  app.ui.browser.open_for_saving_state((folder / (app.session.scene_name() + ".state")).string());
}

void ask_which_state_to_load(App& app) { app.ui.browser.open_for_loading_state(folder_of_scene(app)); }

void save_state(App& app, const std::string& path) {
  if (app.session.run == nullptr) return;
  if (auto good = check_save_target(*app.session.document, path); !good) return app.log.error(good.error().message());
  send_display(app);
  app.times.busy_until_s = app.times.wall_s + 1;  // frames are drawn, so that the message appears
  app.session.run->save_checkpoint(path, [log = &app.log, path](Result<void> good) {
    good ? log->info("Saved the state to " + path, Toast::yes) : log->error(good.error().message());
  });
}

void ask_where_to_save_session(App& app) {
  if (app.session.run == nullptr) return;
  const std::filesystem::path folder = folder_of_scene(app);
  app.ui.browser.open_for_saving_session((folder / (app.session.scene_name() + ".vwj")).string());
}

void save_session(App& app, const std::string& path) {
  if (app.session.run == nullptr) return;
  if (auto good = check_save_target(*app.session.document, path); !good) return app.log.error(good.error().message());
  app.session.run->set_display(api::display_text(scene_with_camera(app)));
  app.times.busy_until_s = app.times.wall_s + 1;  // frames are drawn, so that the message appears
  constexpr std::uint64_t keyframe_bytes = std::uint64_t{256} << 20;
  app.session.run->save_session(path, keyframe_bytes, [log = &app.log, path](Result<void> good) {
    if (!good) return log->error(good.error().message());
    std::error_code ignored;
    log->info(
        fmt::format("Saved the session to {} ({})", path, pretty_bytes(std::filesystem::file_size(path, ignored))),
        Toast::yes);
  });
}

void request_load_state(App& app, const std::string& path) { request(app, {Pending::Kind::load_state, path}); }

}  // namespace vw::ui
