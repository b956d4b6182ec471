// Rows of parameter widgets, generated from the declarations alone. The same code serves the world, materials, systems,
// rules and the view.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include <imgui.h>

#include "app/window/document.h"

namespace vw::ui {

/// Rows of one frame. The caller applies `edits` to its document.
struct ParamRows {
  const Document* document = nullptr;
  std::vector<std::string> hidden;  ///< paths of parameters that are shown elsewhere
  std::vector<std::string> only;    ///< paths of the rows to show, in this order; empty: all
  std::string left_out;             ///< prefix to remove from labels because the context implies it: "Air "
  std::string filter;               ///< words that the row's path or doc must contain
  /// Choices of a text parameter or of a list of texts; may be null
  std::function<std::vector<std::string>(const std::string& path)> choices;
  /// Text being typed, by path; kept by the caller
  std::unordered_map<std::string, std::string>* text_buffers = nullptr;
  std::unordered_map<std::string, Value>* typed_values = nullptr;  ///< numbers being typed, by path; kept by the caller
  /// Reason why a row has no effect at present, or empty; may be null
  std::function<std::string(const std::string& path)> idle;
  std::function<std::string(const std::string& path)> derived;  ///< number that a 0 stands for, or empty; may be null
  bool show_path = false;                                       ///< label rows with their full path (search results)
  std::string noted;                                            ///< path of the row below which `note` is drawn
  std::function<void()> note;                                   ///< may be null
  std::vector<Assignment> edits;                                ///< output
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
