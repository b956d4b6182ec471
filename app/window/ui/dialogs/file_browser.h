// File dialog with recent files and packaged scenes at the left and a folder at the right. It is drawn with ImGui,
// because a native dialog would block the window.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/window/document/file_listing.h"
#include "sim/scene/scene.h"

namespace vw::ui {

class FileBrowser {
 public:
  void open_for_opening(const std::string& folder);
  /// Opens the dialog to choose the file with which the run is compared.
  void open_for_comparing(const std::string& folder);
  void open_for_saving(const std::string& path);
  /// Opens the dialog to save or to load the state of a run (.state).
  void open_for_saving_state(const std::string& path);
  void open_for_loading_state(const std::string& folder);
  /// Opens the dialog to save a session with all its branches (.vwj).
  void open_for_saving_session(const std::string& path);
  void open_for_importing(const std::string& folder);
  /// Opens the dialog to choose a file with one of these extensions as the source of a new node.
  void open_for_choosing(const std::string& folder, std::vector<std::string> extensions);
  /// Opens the dialog to read the cells of the voxel editor from a file, or to save them.
  void open_for_opening_cells(const std::string& folder, std::vector<std::string> extensions);
  void open_for_saving_cells(const std::string& path);
  [[nodiscard]] bool is_open() const { return mode_ != Mode::closed; }

  struct Outcome {
    enum class Kind {
      none,
      open,
      save,
      import,
      choose,
      save_state,
      load_state,
      save_session,
      open_cells,
      save_cells,
      compare
    } kind = Kind::none;
    std::string path;
  };
  /// Draws the dialog while it is open. When a file has been chosen, returns the outcome once.
  Outcome draw(const std::vector<std::string>& recent);
  /// The listed folder and its entries. `listings` counts how often a folder was read.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const std::vector<FileEntry>& entries() const { return entries_; }
  [[nodiscard]] std::uint64_t listings() const { return listings_; }
  /// Packaged scenes. The list is read on first use.
  const std::vector<PackagedScene>& packaged();

 private:
  enum class Mode {
    closed,
    opening,
    saving,
    importing,
    choosing,
    saving_state,
    loading_state,
    saving_session,
    opening_cells,
    saving_cells,
    comparing
  } mode_ = Mode::closed;
  void begin(Mode mode, const std::string& folder, std::vector<std::string> extensions, std::string name = {});
  void go_to(const std::string& folder);
  void draw_places(const std::vector<std::string>& recent, Outcome& outcome);
  void draw_crumbs();
  void draw_entries(Outcome& outcome);
  void draw_footer(Outcome& outcome);
  void choose(const std::string& path, Outcome& outcome);
  [[nodiscard]] bool is_saving() const {
    return mode_ == Mode::saving || mode_ == Mode::saving_state || mode_ == Mode::saving_session ||
           mode_ == Mode::saving_cells;
  }

  bool just_opened_ = false;
  std::uint64_t listings_ = 0;
  std::string folder_, name_;
  std::vector<std::string> extensions_;  ///< extensions of the listed files
  std::vector<FileEntry> entries_;
  std::vector<PackagedScene> packaged_;
  bool packaged_read_ = false;
};

}  // namespace vw::ui
