// Rows of tuning widgets, generated from the declarations alone: the same code serves the world, materials, systems, rules and the view.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include <imgui.h>

#include "app/window/document.h"

namespace vw::ui {

/// One frame's worth of rows. The caller applies `edits` to its document.
struct ParamRows {
  const Document* document = nullptr;
  std::vector<std::string> hidden;                                           ///< paths that have a better place than a row
  std::vector<std::string> only;                                             ///< paths of the rows that are wanted, in this order; empty: all
  std::string left_out;                                                      ///< beginning of labels that the place says: "Air "
  std::string filter;                                                        ///< words that the row's path or doc must contain
  std::function<std::vector<std::string>(const std::string& path)> choices;  ///< for texts, and lists of them, that are really choices; may be null
  std::unordered_map<std::string, std::string>* text_buffers = nullptr;      ///< what is being typed, by path; kept by the caller
  std::unordered_map<std::string, Value>* typed_values = nullptr;            ///< likewise, of numbers
  std::function<std::string(const std::string& path)> idle;                  ///< why a row has no effect now, or empty; may be null
  std::function<std::string(const std::string& path)> derived;               ///< the number that a 0 stands for, or empty; may be null
  bool show_path = false;                                                    ///< label rows by their whole path (search results)
  std::string noted;                                                         ///< path of the row that `note` is drawn below
  std::function<void()> note;                                                ///< may be null
  std::vector<Assignment> edits;                                             ///< out
  struct Placed {
    std::string path;
    ImVec2 min, max;  ///< of the value widget
  };
  std::vector<Placed> placed;  ///< out: where each row's widget lies
};

/// Rows of a node's own parameters; true when any row passed the filter.
bool draw_rows(ParamRows& rows, const Node& node, const std::string& path);
/// True when draw_rows would show something here or in a child.
[[nodiscard]] bool any_row(const Node& node, const std::string& path, const std::string& filter);

}  // namespace vw::ui
