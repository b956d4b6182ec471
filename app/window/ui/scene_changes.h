// Applies changes of the document's nodes to the running world. Only the actions of the window (app.cpp,
// scene_changes.cpp, and autosave_actions.cpp, state_actions.cpp and time_actions.cpp) use this file.
#pragma once

#include <span>

#include "app/window/ui/app.h"

namespace vw::ui {

// Defined in app.cpp.

enum class WorldOrigin { opened, rebuilt };
/// Replaces the running world by the world of `run`, whose scene is that of the open document.
void put_world(App& app, api::Run run, WorldOrigin origin, std::shared_ptr<RestoredHistory> history = {});
/// Sends assignments to the running world, except assignments to the view and to plots.
void forward(App& app, const std::vector<Assignment>& assignments);

// Defined in scene_changes.cpp.

/// Returns `scene` (a copy of the document) without the choices of the view and the curves of plots that refer to parts
/// that the running world lacks. The document may contain such choices and curves after the run has gone to another
/// moment, because the document keeps its view and its plots. The running world accepts the returned scene.
[[nodiscard]] Node fitted_to_world(const App& app, Node scene);
/// Like fitted_to_world(), for a file.
[[nodiscard]] Node fitted_for_file(const App& app, Node scene);
/// Receives the run that was created to check changes of nodes, and sends the changes to the running world.
void take_trial(App& app, Result<LoadedRun> outcome);
/// Checks the next change of nodes that waits, if no other request is in progress.
void start_next_change(App& app);
/// Reports a restart that a change of nodes has caused. If the running world could not apply a change, builds a new
/// world from the document.
void poll_change(App& app);
/// Replaces the nodes and values of the document by those of the moment to which the run went.
void show_scene_of_moment(App& app, const api::SceneOfMoment& scene);
/// Updates the plots after the scene's plots, or nodes that the plots refer to, have changed.
void plots_changed(App& app, std::span<const RenamedPart> renamed = {});
/// Shows the Plots tab if the scene has plots.
void show_plots(App& app);
void forget_modes(App& app);  ///< Removes the computed natural modes.

}  // namespace vw::ui
