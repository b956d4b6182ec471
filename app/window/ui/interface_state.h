// State of the interface that is neither the scene nor its picture: layout, dialogs, texts that are being typed.
// Drawing thread only.
#pragma once

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <unordered_map>

#include "app/window/document/recent_files.h"
#include "app/window/ui/dialogs/file_browser.h"
#include "app/window/ui/dialogs/scene_gallery.h"
#include "app/window/ui/widgets/theme.h"
#include "sim/base/data/value.h"
#include "sim/scene/import_mesh.h"

namespace vw::ui {

/// State of the layout that persists between frames.
struct Layout {
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);
  bool left = true, right = true;
  float left_em = 24, right_em = 22;
  std::string selected_path = "world";  ///< path of the node shown in the inspector
  bool reveal_selected = false;         ///< scroll the tree to the node at selected_path
  std::string filter;
  float tree_height = 1e6F;  ///< height of the scene tree's content in the last frame [window units]
  /// Field whose spectrum is measured. Without a value, this is the field shown in the Air panel.
  std::optional<std::string> spectrum_of;
  bool reveal_spectrum = false;  ///< scroll to the spectrum once it is measured
  bool help = false, about = false;
  bool waits_for_gallery = false;  ///< the world is paused because the gallery draws thumbnails on the same cores
  bool card_left = false;          ///< the selected element's card is on the left, so that it does not hide the element
  bool card_folded = false;        ///< only the card's header is shown
  bool wants_element_menu = false;  ///< draw_element_menu() opens the context menu in this frame
  struct Element {
    std::string system;
    std::uint32_t id = 0;
  };
  std::optional<Element> compared;  ///< element whose values the card shows beside those of the selected element
  float legends_height = 0;         ///< height of the legends in the lower left corner [window units]
  float legends_width = 0;
  /// Tab that the next frame brings to the front. `none` keeps the present tab.
  enum class Tab { none, plots, view, air, rules, statistics, modes, capture, log } open_tab = Tab::none;
  Tab shown_tab = Tab::none;  ///< tab that was visible in the last frame
  /// Position of the selected pair of systems in the matrix of the Rules panel, which shows the rules of that pair.
  std::size_t rule_row = no_row, rule_column = 0;
  int plot_window = 1;         ///< index of the time span chosen in the statistics panel
  std::uint64_t log_seen = 0;  ///< revision of the log when its panel was last visible
};

/// Action that is postponed until the user has answered the question about unsaved edits (unsaved_question.cpp).
struct Pending {
  enum class Kind : std::uint8_t { none, open, quit } kind = Kind::none;
  std::string path;
};

/// State of the dialog that asks how to import a mesh (import_question.cpp).
struct MeshQuestion {
  std::string mesh;  ///< path of the mesh file. Empty if no mesh is to be imported.
  MeshImport how;
  std::future<Result<Vec3>> measured;  ///< size of the mesh, computed in the background
  std::optional<Result<Vec3>> size;    ///< size of the mesh in units of the file, once `measured` is ready
};

struct Interface {
  RecentFiles recent{config_folder()};
  FileBrowser browser;
  SceneGallery gallery;
  Layout layout;
  Pending pending;
  MeshQuestion import;
  Fonts fonts;
  std::unordered_map<std::string, std::string> text_buffers;  ///< texts that are being typed, by path of the parameter
  std::unordered_map<std::string, Value> typed_values;        ///< numbers that are being typed, by path
  bool quit = false;
};

/// Times of frames and input, in seconds of wall time since the window opened.
struct FrameTimes {
  double frame_ms = 0;  ///< smoothed drawing time of a frame [ms]
  double fps = 0;
  double wall_s = 0;            ///< time of the present frame [s]
  double first_picture_s = -1;  ///< time of the first picture [s], or -1 if none has been drawn
  double last_input_s = -1e9;   ///< time of the last mouse or key event [s]
  double busy_until_s = 1;      ///< frames are drawn at the display's rate until this time [s]
};

}  // namespace vw::ui
