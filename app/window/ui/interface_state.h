// State of the interface that is neither the scene nor its picture: layout, dialogs, texts that are being typed.
// Use only on the drawing thread.
#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/window/document/archive.h"
#include "app/window/document/autosave.h"
#include "app/window/document/preferences.h"
#include "app/window/document/recent_files.h"
#include "app/window/guide/check_show.h"
#include "app/window/guide/tour.h"
#include "app/window/ui/dialogs/file_browser.h"
#include "app/window/ui/dialogs/scene_gallery.h"
#include "app/window/ui/library/library_state.h"
#include "app/window/ui/widgets/further_letters.h"
#include "app/window/ui/widgets/theme.h"
#include "sim/base/data/value.h"
#include "sim/base/system/folders.h"
#include "sim/scene/import_mesh.h"

namespace vw::ui {

/// State of the layout that persists between frames.
struct Layout {
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);
  bool left = true, right = true;
  bool timeline = true;
  float left_em = 24, right_em = 22;
  std::string selected_path = "world";  ///< path of the node shown in the inspector
  /// Nodes that are selected together with the node at selected_path (node_selection.h). The list is ignored unless
  /// selected_path equals `beside`. Code that only assigns selected_path thus selects a single node.
  struct FurtherNodes {
    std::string beside;
    std::vector<std::string> paths;
  } further;
  bool reveal_selected = false;  ///< whether to scroll the tree to the node at selected_path
  std::string filter;
  /// Field in the tree in which the user renames a node.
  struct NameField {
    std::string path;         ///< path of the node
    std::string text;         ///< text that is being typed
    std::string error;        ///< sentence that explains why the text cannot be the name; may be empty
    bool takes_focus = true;  ///< whether the next frame moves the keyboard focus to the field
  };
  std::optional<NameField> renaming;
  std::string inspected_path;  ///< node whose parameters were shown in the last frame
  float tree_height = 1e6F;    ///< height of the scene tree's content in the last frame [window units]
  float tree_share = 0.45F;    ///< largest fraction of the height of the left sidebar that the tree takes
  bool checks_open = false;    ///< whether the findings of the checks are listed, not only counted
  float checks_height = 0;     ///< height of the list of findings in the last frame [window units]
  float notes_height = 0;      ///< height of the notes below the parameters in the last frame [window units]
  /// Corners of buttons in the last frame, beside which the tour shows its cards.
  struct Place {
    ImVec2 low{0, 0}, high{0, 0};
  } play_button, screenshot_button;
  /// Field whose spectrum is measured. If empty, the field shown in the Air panel is measured.
  std::optional<std::string> spectrum_of;
  bool reveal_spectrum = false;  ///< whether to scroll to the spectrum once it is measured
  bool help = false, about = false;
  /// Whether the world is paused because the gallery draws thumbnails on the same cores.
  bool waits_for_gallery = false;
  bool card_left = false;  ///< whether the selected element's card is on the left, so that it does not hide the element
  bool card_folded = false;         ///< whether only the card's header is shown
  bool wants_element_menu = false;  ///< whether draw_element_menu() opens the context menu in this frame
  struct Element {
    std::string system;
    std::uint32_t id = 0;
  };
  std::optional<Element> compared;  ///< element whose values the card shows below the values of the selected element
  float legends_height = 0;         ///< height of the legends in the lower left corner [window units]
  float tour_offer_height = 0;      ///< height of the card that offers the tour; messages appear above it; 0: no card
  float legends_width = 0;
  /// Tab that the next frame brings to the front. `none` keeps the present tab.
  enum class Tab { none, plots, view, air, rules, statistics, modes, capture, log } open_tab = Tab::none;
  Tab shown_tab = Tab::none;  ///< tab that was visible in the last frame
  /// Position of the selected pair of systems in the matrix of the Rules panel. The panel shows the rules of this pair.
  std::size_t rule_row = no_row, rule_column = 0;
  /// Pair that the Rules panel has drawn last. After a change of the systems, the panel finds the pair by its names.
  struct RulePair {
    std::size_t row = no_row, column = 0, rows = 0;
    std::string row_name, row_kind, column_name;
  } drawn_rules;
  int plot_window = 1;         ///< index of the time span chosen in the statistics panel
  std::uint64_t log_seen = 0;  ///< revision of the log when its panel was last visible
};

/// State of the timeline (panels/timeline_panel.cpp).
struct TimelineState {
  double from_s = 0, to_s = 0;      ///< shown range of times since the start of the session [s]; if empty, all times
  bool is_dragging = false;         ///< whether a drag to another moment is in progress
  double requested_s = -1;          ///< time of the last seek during the drag [s]; -1 before the first one
  std::uint32_t menu_branch = 0;    ///< branch whose menu is open
  std::uint64_t menu_bookmark = 0;  ///< step of the bookmark whose menu is open
  struct NameField {
    bool is_bookmark = false;  ///< whether the name is that of the present moment, not of a branch
    std::uint32_t branch = 0;
    std::string text = {};
    bool opens = true;  ///< whether the next frame opens the field
  };
  std::optional<NameField> naming;
};

/// Action that is postponed until the user has answered the question about unsaved edits (unsaved_question.cpp).
struct Pending {
  enum class Kind : std::uint8_t { none, create, open, restore, load_state, quit } kind = Kind::none;
  std::string path;
};

/// State of the dialog that asks how to import a mesh (import_question.cpp).
struct MeshQuestion {
  std::string mesh;  ///< path of the mesh file. Empty if no mesh is to be imported.
  MeshImport how;
  std::future<Result<Vec3>> measured;  ///< size of the mesh, computed in the background
  std::optional<Result<Vec3>> size;    ///< size of the mesh in units of the file, once `measured` is ready
};

/// State of the dialog that offers scenes after a crash (recovery_question.cpp).
struct Recovery {
  std::vector<LeftCopy> copies;      ///< copies that the dialog offers. If there are none, the dialog is closed.
  std::optional<LeftCopy> restored;  ///< copy that is being restored
};

/// State of the dialog that saves a report (report_question.cpp).
struct ReportQuestion {
  std::string path;                          ///< archive to be written. Empty if the dialog is closed.
  std::vector<ArchiveFile> files;            ///< contents of the archive so far
  std::future<Result<std::string>> journal;  ///< journal of the run, which the simulation thread writes
  std::string missing;                       ///< sentence that explains why there is no journal; may be empty
};

struct Interface {
  RecentFiles recent{config_folder()};
  FileBrowser browser;
  std::optional<std::vector<PackagedScene>> templates = {};  ///< read when the menu is opened for the first time
  SceneGallery gallery;
  Tour tour;
  bool offers_tour = false;  ///< whether the window asks whether to start the tour
  CheckShow checks;
  Layout layout;
  TimelineState timeline;
  Pending pending;
  MeshQuestion import;
  Recovery recovery;
  ReportQuestion report;
  Preferences preferences{config_folder()};
  LibraryState library;
  FurtherLetters letters;
  /// Whether the fonts must be rebuilt for a new Preferences::interface_scale() or for further letters.
  bool scale_changed = false;
  Fonts fonts;
  std::unordered_map<std::string, std::string> text_buffers;  ///< texts that are being typed, by path of the parameter
  std::unordered_map<std::string, Value> typed_values;        ///< numbers that are being typed, by path
  bool quit = false;
};

/// Times of frames and of input. Unless noted otherwise, times are wall times since the window opened [s].
struct FrameTimes {
  double frame_ms = 0;  ///< smoothed drawing time of a frame [ms]
  double fps = 0;
  double wall_s = 0;            ///< time of the present frame [s]
  double first_picture_s = -1;  ///< time of the first picture [s], or -1 if none has been drawn
  double last_input_s = -1e9;   ///< time of the last mouse or key event [s]
  double busy_until_s = 1;      ///< frames are drawn at the display's rate until this time [s]
};

}  // namespace vw::ui
