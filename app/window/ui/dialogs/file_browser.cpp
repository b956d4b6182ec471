#include "app/window/ui/dialogs/file_browser.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/base/system/folders.h"
#include "sim/base/text.h"

namespace vw::ui {
namespace fs = std::filesystem;
namespace {

/// Shortens a path to its last `limit` bytes, such as "…/samples/evosoro".
std::string short_path(const std::string& path, std::size_t limit) {
  return path.size() <= limit ? path : "\xE2\x80\xA6" + path.substr(path.size() - limit);
}

/// Whether the name of a file has one of the extensions, in any letter case.
bool ends_in_one_of(const std::string& name, const std::vector<std::string>& extensions) {
  const std::string lower = lowercase(name);
  return std::ranges::any_of(extensions, [&](const std::string& extension) {
    return lower.size() > extension.size() && lower.ends_with(extension);
  });
}

}  // namespace

void FileBrowser::go_to(const std::string& folder) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(folder.empty() ? fs::current_path(error) : fs::path(folder), error);
  folder_ = error || full.empty() ? "/" : full.string();
  entries_ = list_folder(folder_, extensions_);
  ++listings_;
}

void FileBrowser::begin(Mode mode, const std::string& folder, std::vector<std::string> extensions, std::string name) {
  mode_ = mode;
  just_opened_ = true;
  name_ = std::move(name);
  extensions_ = std::move(extensions);
  go_to(folder);
}

void FileBrowser::open_for_opening(const std::string& folder) { begin(Mode::opening, folder, openable_extensions()); }

void FileBrowser::open_for_comparing(const std::string& folder) {
  std::vector<std::string> extensions = openable_extensions();
  const std::vector<std::string> states = state_extensions();
  extensions.insert(extensions.end(), states.begin(), states.end());
  begin(Mode::comparing, folder, std::move(extensions));
}

void FileBrowser::open_for_saving(const std::string& path) {
  // The scene is written as TOML. Files of other programs that can be opened as scenes are not offered.
  begin(Mode::saving, fs::path(path).parent_path().string(), {".toml"}, fs::path(path).filename().string());
}

void FileBrowser::open_for_saving_state(const std::string& path) {
  begin(Mode::saving_state, fs::path(path).parent_path().string(), state_extensions(),
        fs::path(path).filename().string());
}

void FileBrowser::open_for_loading_state(const std::string& folder) {
  begin(Mode::loading_state, folder, state_extensions());
}

void FileBrowser::open_for_saving_session(const std::string& path) {
  begin(Mode::saving_session, fs::path(path).parent_path().string(), session_extensions(),
        fs::path(path).filename().string());
}

void FileBrowser::open_for_importing(const std::string& folder) { begin(Mode::importing, folder, mesh_extensions()); }

void FileBrowser::open_for_choosing(const std::string& folder, std::vector<std::string> extensions) {
  begin(Mode::choosing, folder, std::move(extensions));
}

void FileBrowser::open_for_opening_cells(const std::string& folder, std::vector<std::string> extensions) {
  begin(Mode::opening_cells, folder, std::move(extensions));
}

void FileBrowser::open_for_saving_cells(const std::string& path) {
  begin(Mode::saving_cells, fs::path(path).parent_path().string(), export_endings(),
        fs::path(path).filename().string());
}

const std::vector<PackagedScene>& FileBrowser::packaged() {
  if (!packaged_read_) {
    packaged_ = packaged_scenes();
    packaged_read_ = true;
  }
  return packaged_;
}

void FileBrowser::choose(const std::string& path, Outcome& outcome) {
  using Kind = Outcome::Kind;
  const Kind kind = mode_ == Mode::saving           ? Kind::save
                    : mode_ == Mode::importing      ? Kind::import
                    : mode_ == Mode::choosing       ? Kind::choose
                    : mode_ == Mode::saving_state   ? Kind::save_state
                    : mode_ == Mode::loading_state  ? Kind::load_state
                    : mode_ == Mode::saving_session ? Kind::save_session
                    : mode_ == Mode::opening_cells  ? Kind::open_cells
                    : mode_ == Mode::saving_cells   ? Kind::save_cells
                    : mode_ == Mode::comparing      ? Kind::compare
                                                    : Kind::open;
  outcome = {kind, path};
  mode_ = Mode::closed;
  ImGui::CloseCurrentPopup();
}

void FileBrowser::draw_places(const std::vector<std::string>& recent, Outcome& outcome) {
  ImGui::BeginChild("places", {em(15), -em(2.6F)});
  dim_text("Places");
  std::error_code error;
  if (ImGui::Selectable("Working folder")) go_to({});
  if (const std::string home = home_folder(); !home.empty() && ImGui::Selectable("Home")) go_to(home);
  if (!packaged().empty() && ImGui::Selectable("Packaged scenes"))
    go_to(fs::path(packaged().front().path).parent_path().string());
  if ((mode_ == Mode::opening || mode_ == Mode::comparing) && !recent.empty()) {
    ImGui::Dummy({0, em(0.4F)});
    dim_text("Recent");
    for (const std::string& path : recent) {
      ImGui::PushID(path.c_str());
      if (ImGui::Selectable(fs::path(path).filename().string().c_str())) choose(path, outcome);
      tooltip(path);
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
}

void FileBrowser::draw_crumbs() {
  if (ImGui::Button("Up")) go_to(fs::path(folder_).parent_path().string());
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  dim_text(short_path(folder_, 80));
}

void FileBrowser::draw_entries(Outcome& outcome) {
  std::string enter;
  ImGui::BeginChild("entries", {0, -em(2.6F)}, false);
  draw_crumbs();
  ImGui::BeginChild("list");
  if (entries_.empty())
    dim_text(fmt::format("This folder contains no files of these types: {}. Choose another folder on the left.",
                         fmt::join(extensions_, ", ")));
  for (const FileEntry& entry : entries_) {
    ImGui::PushID(entry.name.c_str());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool picked =
        ImGui::Selectable("##entry", name_ == entry.name, ImGuiSelectableFlags_AllowDoubleClick, {0, em(1.3F)});
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (entry.folder)
      draw_icon(list, Icon::folder, {at.x + em(0.6F), at.y + em(0.65F)}, em(0.4F), color(palette::accent, 0.8F));
    list->AddText({at.x + em(1.5F), at.y + em(0.15F)}, color(palette::text), entry.name.c_str());
    if (!entry.folder) {
      const std::string size = pretty_bytes(entry.bytes);
      const float right = at.x + ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(size.c_str()).x;
      list->AddText({right, at.y + em(0.15F)}, color(palette::dim), size.c_str());
    }
    if (picked && entry.folder) enter = entry.name;
    if (picked && !entry.folder) {
      name_ = entry.name;
      if (!is_saving() && ImGui::IsMouseDoubleClicked(0)) choose((fs::path(folder_) / entry.name).string(), outcome);
    }
    ImGui::PopID();
  }
  ImGui::EndChild();
  ImGui::EndChild();
  if (!enter.empty()) go_to((fs::path(folder_) / enter).string());
}

void FileBrowser::draw_footer(Outcome& outcome) {
  const bool saving = is_saving();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - em(14));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  bool accepted = ImGui::InputTextWithHint("##name",
                                           mode_ == Mode::saving           ? "name.toml"
                                           : mode_ == Mode::saving_state   ? "name.state"
                                           : mode_ == Mode::saving_session ? "name.vwj"
                                           : mode_ == Mode::saving_cells   ? "name.vxa"
                                           : mode_ == Mode::opening        ? "path of a scene"
                                           : mode_ == Mode::importing      ? "path of a mesh"
                                                                           : "path of a file",
                                           &name_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  std::error_code error;
  fs::path path = fs::path(folder_) / name_;  // if name_ is an absolute path, operator/ discards the folder
  // Cells have several formats. If their writer does not know an extension, it names those that it knows.
  const bool is_complete =
      mode_ == Mode::saving_cells ? !path.extension().empty() : ends_in_one_of(path.filename().string(), extensions_);
  const bool lacks_extension = saving && !name_.empty() && !is_complete && !fs::is_directory(path, error);
  if (lacks_extension) path += extensions_.front();
  const bool exists = !name_.empty() && fs::exists(path, error);
  const char* label = saving ? exists ? "Overwrite" : "Save" : mode_ == Mode::opening ? "Open" : "Choose";
  accepted |= primary_button(label, {em(6), 0});
  ImGui::SameLine();
  if (ImGui::Button("Cancel", {em(6), 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) {
    mode_ = Mode::closed;
    ImGui::CloseCurrentPopup();
    return;
  }
  if (!accepted || name_.empty()) return;
  if (fs::is_directory(path, error)) {
    name_.clear();
    return go_to(path.string());
  }
  choose(path.string(), outcome);
}

FileBrowser::Outcome FileBrowser::draw(const std::vector<std::string>& recent) {
  Outcome outcome;
  if (mode_ == Mode::closed) return outcome;
  const char* title = mode_ == Mode::saving           ? "Save scene###browser"
                      : mode_ == Mode::saving_state   ? "Save state###browser"
                      : mode_ == Mode::saving_session ? "Save session###browser"
                      : mode_ == Mode::loading_state  ? "Load state###browser"
                      : mode_ == Mode::importing      ? "Import mesh###browser"
                      : mode_ == Mode::choosing       ? "Choose file###browser"
                      : mode_ == Mode::opening_cells  ? "Open cells###browser"
                      : mode_ == Mode::saving_cells   ? "Save cells###browser"
                      : mode_ == Mode::comparing      ? "Compare with###browser"
                                                      : "Open scene###browser";
  if (just_opened_) ImGui::OpenPopup("###browser");
  just_opened_ = false;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(em(56), display.x * 0.9F), std::min(em(34), display.y * 0.85F)},
                           ImGuiCond_Appearing);
  bool open = true;
  if (!ImGui::BeginPopupModal(title, &open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    mode_ = Mode::closed;
    return outcome;
  }
  draw_places(recent, outcome);
  ImGui::SameLine();
  if (mode_ != Mode::closed) draw_entries(outcome);
  if (mode_ != Mode::closed) draw_footer(outcome);
  ImGui::EndPopup();
  if (!open) mode_ = Mode::closed;
  return outcome;
}

}  // namespace vw::ui
