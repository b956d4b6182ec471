// The menu bar: files, edits, arrangement (arrange_menu.cpp), view, help.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/window/document/scene_edit.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/actions/actions.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

std::string start_folder(const App& app) {
  if (app.session.document == nullptr) return {};
  return std::filesystem::path(app.session.document->path()).parent_path().string();
}

/// Draws the menu that exports a voxel body of the scene as a VoxCAD design.
void export_menu(App& app) {
  std::vector<std::string> bodies;
  if (app.session.document != nullptr)
    for (const Node* system : app.session.document->root().all("system"))
      if (system->schema->kind == "voxel_body") bodies.push_back(system->name);
  if (!ImGui::BeginMenu("Export as .vxa", !bodies.empty())) return;
  for (const std::string& body : bodies) {
    if (ImGui::MenuItem(body.c_str())) export_design(app, body);
    tooltip("Writes a VoxCAD design of this body to your documents folder");
  }
  ImGui::EndMenu();
}

/// Draws the submenu of templates for new scenes.
void new_menu(App& app) {
  if (!ImGui::BeginMenu("New")) return;
  if (!app.ui.templates) app.ui.templates = scene_templates();
  for (const PackagedScene& one : *app.ui.templates) {
    if (ImGui::MenuItem(one.title.c_str())) request_new(app, one.path);
    tooltip(one.description);
  }
  if (app.ui.templates->empty()) dim_text("No templates are installed.");
  ImGui::EndMenu();
}

void file_menu(App& app) {
  if (!ImGui::BeginMenu("File")) return;
  new_menu(app);
  menu_action(app, "open", "Open\xE2\x80\xA6");
  if (ImGui::BeginMenu("Open recent", !app.ui.recent.paths().empty())) {
    const auto paths = app.ui.recent.paths();  // a copy, because opening a file changes the list
    for (const std::string& path : paths) {
      if (ImGui::MenuItem(std::filesystem::path(path).filename().string().c_str())) request_open(app, path);
      tooltip(path);
    }
    ImGui::EndMenu();
  }
  if (ImGui::MenuItem("Start page\xE2\x80\xA6")) show_start_page(app);
  tooltip("Shows recent scenes, templates and packaged scenes");
  if (ImGui::MenuItem("Packaged scenes\xE2\x80\xA6")) app.ui.gallery.open(app.ui.browser.packaged());
  ImGui::Separator();
  menu_action(app, "save", "Save");
  menu_action(app, "save_as", "Save as\xE2\x80\xA6");
  export_menu(app);
  if (ImGui::MenuItem("Save state\xE2\x80\xA6", nullptr, false, app.session.run != nullptr))
    ask_where_to_save_state(app);
  tooltip("Writes the scene and the present state of the world, from which a run can continue");
  if (ImGui::MenuItem("Load state\xE2\x80\xA6")) ask_which_state_to_load(app);
  tooltip("Opens the scene of a saved state and continues from that state");
  if (ImGui::MenuItem("Save session\xE2\x80\xA6", nullptr, false, app.session.run != nullptr))
    ask_where_to_save_session(app);
  tooltip("Writes the whole timeline with all branches and bookmarks. Open\xE2\x80\xA6 continues with it");
  if (ImGui::MenuItem("Import mesh\xE2\x80\xA6", nullptr, false, app.session.document != nullptr))
    app.ui.browser.open_for_importing(start_folder(app));
  tooltip("Adds a triangle mesh to this scene as a rigid body or a voxel body");
  ImGui::Separator();
  menu_action(app, "screenshot", "Screenshot");
  menu_action(app, "record", app.view.recorder.active() ? "Stop recording" : "Record video");
  ImGui::Separator();
  menu_action(app, "quit", "Quit");
  ImGui::EndMenu();
}

void edit_menu(App& app) {
  if (!ImGui::BeginMenu("Edit")) return;
  const std::string undone = undo_label(app), redone = redo_label(app);
  menu_action(app, "undo", (undone.empty() ? "Undo" : "Undo: " + undone) + "###undo");
  menu_action(app, "redo", (redone.empty() ? "Redo" : "Redo: " + redone) + "###redo");
  ImGui::Separator();
  menu_action(app, "duplicate", "Duplicate");
  menu_action(app, "remove", "Remove");
  menu_action(app, "hide", "Hide or show");
  ImGui::EndMenu();
}

/// Draws the menu item of a boolean parameter of the view.
void view_item(App& app, const char* label, const char* param, bool on) {
  if (!ImGui::MenuItem(label, nullptr, on)) return;
  app.session.document->end_gesture();
  edit(app, {{std::string("view.") + param, Value(!on)}});
}

/// Draws the menu items for overlays on rigid bodies and for force arrows.
void overlays(App& app) {
  const ViewParams view = app.session.view();
  view_item(app, "Body axes", "body_frames", view.body_frames);
  view_item(app, "Centres of mass", "mass_centers", view.mass_centers);
  view_item(app, "Contacts", "contacts", view.contacts);
  view_item(app, "Dark sleeping bodies", "sleepers", view.sleepers);
  const bool all = view.joints == JointStyle::all, particles = view.rigid_style == RigidStyle::particles;
  if (ImGui::MenuItem("Joint anchors and axes", nullptr, all))
    edit(app, {{"view.joints", Value(std::string(all ? "links" : "all"))}});
  const Snapshot* now = app.session.snapshot();
  const bool filled = now != nullptr && std::ranges::any_of(now->systems, [](const SystemSnapshot& s) {
                        const auto* rigid = s.look_as<RigidLook>();
                        return rigid != nullptr && rigid->particle_m > 0;
                      });
  if (ImGui::MenuItem("Rigid bodies as particles", nullptr, particles, particles || filled))
    edit(app, {{"view.rigid_style", Value(std::string(particles ? "surface" : "particles"))}});
  if (!ImGui::BeginMenu("Force arrows", !app.session.document->root().all("interaction").empty())) return;
  std::string toggled;
  for (const Node* rule : app.session.document->root().all("interaction"))
    if (ImGui::MenuItem((node_label(*rule) + "##" + rule->name).c_str(), nullptr, app.session.shows_forces(rule->name)))
      toggled = rule->name;
  if (!toggled.empty()) toggle_forces(app, toggled);
  ImGui::EndMenu();
}

/// Draws the submenus of stored cameras.
void camera_menus(App& app) {
  const bool has_scene = app.session.document != nullptr;
  const auto menu = [&](const char* label, const char* id_start) {
    if (!ImGui::BeginMenu(label, has_scene)) return;
    for (int number = 1; number <= stored_cameras; ++number)
      menu_action(app, fmt::format("{}{}", id_start, number), fmt::format("Camera {}", number));
    ImGui::EndMenu();
  };
  menu("Store camera", "store_camera_");
  menu("Go to camera", "go_to_camera_");
}

void scale_menu(App& app) {
  if (!ImGui::BeginMenu("Interface scale")) return;
  const double chosen = app.ui.preferences.interface_scale();
  if (ImGui::MenuItem("As the display", nullptr, chosen == 0)) set_interface_scale(app, 0);
  for (const double scale : {0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5})
    if (ImGui::MenuItem(fmt::format("{:.0f} %", 100 * scale).c_str(), nullptr, chosen == scale))
      set_interface_scale(app, scale);
  ImGui::EndMenu();
}

/// Draws the submenu that compares the run with other branches and files.
void compare_menu(App& app) {
  if (!ImGui::BeginMenu("Compare with", app.session.have_snapshot)) return;
  const auto timeline = app.session.run->timeline();
  const std::uint32_t present = app.session.run->newest().place.branch;
  for (const Timeline::Branch& branch : timeline->branches)
    if (branch.number != present && ImGui::MenuItem(fmt::format("{}##{}", branch.name, branch.number).c_str()))
      compare_with_branch(app, branch.number);
  if (timeline->branches.size() < 2) ImGui::MenuItem("This run has no other branch yet", nullptr, false, false);
  ImGui::Separator();
  if (ImGui::MenuItem("Scene or session\xE2\x80\xA6")) ask_what_to_compare_with(app);
  tooltip("Shows another scene, a saved state, a session or the moment of a picture beside this run");
  const std::string file = app.session.document->path();
  if (ImGui::MenuItem("The scene as in its file", nullptr, false, !file.empty())) compare_with_file(app, file);
  tooltip("Shows this scene without your edits and actions beside this run");
  ImGui::Separator();
  if (ImGui::MenuItem("End the comparison", nullptr, false, app.session.comparison.is_active())) end_comparison(app);
  ImGui::EndMenu();
}

void view_menu(App& app) {
  if (!ImGui::BeginMenu("View")) return;
  ImGui::MenuItem("Left sidebar", nullptr, &app.ui.layout.left);
  ImGui::MenuItem("Right sidebar", nullptr, &app.ui.layout.right);
  menu_action(app, "timeline", "Timeline", app.ui.layout.timeline);
  compare_menu(app);
  scale_menu(app);
  menu_action(app, "library", "Material library", app.ui.library.materials.open);
  ImGui::Separator();
  menu_action(app, "frame_subject", "Frame subject");
  menu_action(app, "frame_all", "Frame all");
  menu_action(app, "frame_selection", "Frame selection");
  menu_action(app, "follow", "Follow selection", !app.session.view().follow.empty());
  camera_menus(app);
  if (ImGui::BeginMenu("Look from")) {
    for (const auto& [id, label] :
         {std::pair{"look_front", "Front"}, std::pair{"look_back", "Back"}, std::pair{"look_right", "Right"},
          std::pair{"look_left", "Left"}, std::pair{"look_top", "Top"}, std::pair{"look_bottom", "Bottom"}})
      menu_action(app, id, label);
    ImGui::EndMenu();
  }
  menu_action(app, "orthographic", "Orthographic", app.view.viewport.camera.is_orthographic);
  if (ImGui::MenuItem("Show hidden", nullptr, false, !app.session.view().hidden.empty())) show_all_hidden(app);
  if (ImGui::MenuItem("Unlock all", nullptr, false, !app.session.view().locked.empty())) unlock_all(app);
  ImGui::Separator();
  menu_action(app, "vectors", "Vector arrows", app.session.view().vectors);
  menu_action(app, "color_by", "Colour by next quantity");
  ImGui::Separator();
  if (app.session.document != nullptr) overlays(app);
  ImGui::EndMenu();
}

void title_at_right(App& app) {
  std::string title = app.session.scene_name();
  if (app.session.document != nullptr && app.session.document->modified()) title += " (edited)";
  if (app.session.loader.busy())
    title = "Opening " + std::filesystem::path(app.session.loader.path()).filename().string() + "\xE2\x80\xA6";
  const float width = ImGui::CalcTextSize(title.c_str()).x;
  ImGui::SameLine(ImGui::GetWindowWidth() - width - em(1));
  ImGui::TextColored(palette::dim, "%s", title.c_str());
  if (app.session.document != nullptr) tooltip(app.session.document->path());
}

}  // namespace

void draw_menu(App& app) {
  if (!ImGui::BeginMainMenuBar()) return;
  file_menu(app);
  edit_menu(app);
  draw_arrange_menu(app);
  view_menu(app);
  if (ImGui::BeginMenu("Help")) {
    menu_action(app, "help", "Mouse and keys");
    if (ImGui::MenuItem("Start page\xE2\x80\xA6##help")) show_start_page(app);
    tooltip("Shows recent scenes, templates and packaged scenes");
    if (ImGui::MenuItem("Tour", nullptr, app.ui.tour.is_active())) start_tour(app);
    tooltip("Shows in five steps how to look around, run, drag, edit and record");
    if (ImGui::MenuItem("Save a report\xE2\x80\xA6")) ask_about_report(app);
    tooltip(
        "Writes an archive with the scene, the journal, the log and the version, to send when you report a problem");
    if (ImGui::MenuItem("About Voxwake")) app.ui.layout.about = true;
    ImGui::EndMenu();
  }
  title_at_right(app);
  ImGui::EndMainMenuBar();
}

}  // namespace vw::ui
