// Rows of parameter widgets, generated from the declared parameters. The same code draws the parameters of the world,
// materials, systems, rules and the view.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <imgui.h>

#include "app/window/document/document.h"

namespace vw::ui {

struct VariantMenu;

/// Rows of one frame. The caller applies `edits` to its document.
struct ParamRows {
  const Document* document = nullptr;
  std::vector<std::string> hidden;  ///< paths of parameters that are shown elsewhere
  std::vector<std::string> only;    ///< paths of the rows to show, in display order. Empty means all rows.
  std::string left_out;             ///< prefix that labels omit because the context implies it, such as "Air "
  std::string filter;               ///< words that the path, label or doc of a row must contain
  /// Returns the choices of a text parameter or of a list of texts. May be null.
  std::function<std::vector<std::string>(const std::string& path)> choices;
  /// Texts that are being typed, by path. The caller owns the map.
  std::unordered_map<std::string, std::string>* text_buffers = nullptr;
  /// Numbers that are being typed, by path. The caller owns the map.
  std::unordered_map<std::string, Value>* typed_values = nullptr;
  /// Kept values, which the context menus offer. May be null.
  VariantMenu* variants = nullptr;
  /// Returns the reason why a row has no effect at present, or an empty string. May be null.
  std::function<std::string(const std::string& path)> idle;
  /// Returns the number that a value of 0 stands for, or an empty string. May be null.
  std::function<std::string(const std::string& path)> derived;
  bool show_path = false;         ///< whether the label of a row is its full path
  std::string noted;              ///< path of the row below which note() is called
  std::function<void()> note;     ///< draws a note below the row `noted`. May be null.
  std::vector<Assignment> edits;  ///< output: the user's edits in this frame
  std::vector<Error> errors;      ///< output: errors of lists that the user has typed in this frame
  bool can_compare = false;       ///< whether the context menus offer a comparison of two runs
  /// Output: value and its origin (ValueComparison) with which the user wants to compare the run.
  std::optional<std::pair<Assignment, std::string>> comparison = {};
  struct Placed {
    std::string path;
    ImVec2 min, max;  ///< rectangle of the value widget
  };
  std::vector<Placed> placed;  ///< output: position of each row's widget
};

/// Draws the rows of a node's own parameters. Returns true if any row passed the filter.
bool draw_rows(ParamRows& rows, const Node& node, const std::string& path);
/// True if draw_rows() would show a row for this node or one of its descendants.
[[nodiscard]] bool any_row(const Node& node, const std::string& path, const std::string& filter);

}  // namespace vw::ui
