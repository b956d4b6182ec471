// Autosave of the open scene, and restoring scenes after a crash.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "app/window/ui/app.h"
#include "app/window/ui/scene_changes.h"
#include "render/vectors/vectors.h"
#include "sim/base/files/file.h"
#include "sim/scene/toml/toml_guard.h"

namespace vw::ui {

Node scene_with_camera(const App& app) {
  return app.view.viewport.has_auto_camera() ? app.session.document->root() : scene_as_shown(app);
}

Node scene_as_shown(const App& app) {
  Node scene = app.session.document->root();
  const Camera& camera = app.view.viewport.camera;
  (void)set_parameter(scene, "view.eye", Value(to_eigen(camera.eye)));
  (void)set_parameter(scene, "view.target", Value(to_eigen(camera.target)));
  (void)set_parameter(scene, "view.auto_frame", Value(false));
  return scene;
}

namespace {

/// Whether the run records its session. If the disk is full, for example, it could not begin the file.
bool is_recorded(const App& app) {
  std::error_code ignored;
  return app.session.recording != nullptr && std::filesystem::exists(app.session.recording->path(), ignored);
}

/// Passes the view and the plots to the recording of the session, at most once a second.
void update_display_of_session(App& app) {
  constexpr double interval_s = 1;
  if (app.session.run == nullptr || app.times.wall_s - app.session.display_sent_s < interval_s) return;
  app.session.display_sent_s = app.times.wall_s;
  app.session.run->set_display(api::display_text(scene_with_camera(app)));
}

/// Number that changes with the document and with the cells of the voxel editor. It differs from the revision of the
/// document alone.
std::uint64_t revision_with_cells(const App& app) {
  constexpr int bits_of_document = 40;
  return app.session.document->revision() + ((app.view.voxel_editor->edits().revision() + 1) << bits_of_document);
}

}  // namespace

void update_autosave(App& app) {
  update_display_of_session(app);
  if (auto error = app.autosave.take_error())
    app.log.warning(error->message() + "; unsaved edits would be lost if the program crashed");
  const Document* document = app.session.document.get();
  if (document == nullptr || app.ui.quit) return;
  const bool has_cells = has_cells_to_keep(app);
  if (!document->modified() && !has_cells) return app.autosave.remove(app.background);
  const std::uint64_t revision = has_cells ? revision_with_cells(app) : document->revision();
  if (!app.autosave.is_due(revision, app.times.wall_s)) return;
  Node scene = fitted_for_file(app, scene_with_camera(app));
  if (auto edited = scene_with_cells(app, scene); edited) scene = std::move(*edited);
  app.autosave.write(std::move(scene), document->path(), revision, app.times.wall_s, app.background);
}

void end_autosave(App& app) { app.autosave.remove(app.background); }

void offer_recovery(App& app) {
  app.ui.recovery.copies = left_copies(autosave_folder());
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void request_restore(App& app, std::size_t copy) {
  app.ui.recovery.restored = std::move(app.ui.recovery.copies.at(copy));
  app.ui.recovery.copies.clear();  // the next start of the program offers the other copies
  request(app, {Pending::Kind::restore, {}});
}

void restore(App& app) {
  if (!app.ui.recovery.restored) return;
  const LeftCopy& copy = *app.ui.recovery.restored;
  if (copy.session) return app.session.loader.start({.path = copy.file});
  auto text = read_file(copy.file, max_scene_bytes);
  if (!text) {
    app.log.error(text.error().message());
    return app.ui.recovery.restored.reset();
  }
  app.session.loader.start({.path = copy.facts.path, .unsaved_text = std::move(*text)});
}

void finish_restoring(App& app, bool is_restored) {
  auto copy = std::exchange(app.ui.recovery.restored, std::nullopt);
  if (!copy) return;
  if (is_restored && copy->session) {
    // Only the recording contains the commands of the session, and the recording is deleted below. The commands may be
    // edits of the scene, so the scene counts as unsaved.
    if (std::ranges::any_of(copy->session->branches, [](const auto& branch) { return branch.commands > 0; }))
      app.session.document->mark_unsaved();
    if (!is_recorded(app))
      return app.log.warning("This window cannot record the session. The former recording stays in " + copy->file);
    return discard(std::move(*copy));  // the run has opened the file and no longer needs its name
  }
  if (is_restored) return app.autosave.adopt(std::move(*copy), app.session.document->revision());
  app.log.error("The scene cannot be restored. Its text stays in " + copy->file);
}

}  // namespace vw::ui
