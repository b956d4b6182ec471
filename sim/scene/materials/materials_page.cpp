#include "sim/scene/materials/materials_page.h"

#include <vector>

#include <fmt/format.h>

#include "sim/scene/materials/material_library.h"

namespace vw {
namespace {

/// Escapes a text so that it can be the content of a table cell in Markdown.
std::string material_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string material_section(const LibraryMaterial& material) {
  std::string out =
      fmt::format("\n### {}\n\n{}\n\n| figure | value | conditions | source | checked |\n|---|---|---|---|---|\n",
                  material.title, material.note);
  for (const MaterialFigure& figure : material.figures)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", figure.kind->label, figure_text(figure),
                       material_cell(figure.at), material_cell(figure.source), figure.read ? "read" : "cited");
  return out;
}

}  // namespace

std::string materials_page() {
  const std::vector<std::string> folders{packaged_materials_folder()};
  std::string page =
      "# Materials\n\n"
      "*Generated from `assets/materials`. Do not edit: run `./test.sh pages`.*\n\n"
      "The material library of the window contains these materials ([guide](guide/window.md#material-library)). Each\n"
      "figure has a source. **Read** means that the figure was read in the source. **Cited** means that the source is "
      "the\n"
      "primary document, but the figure was taken over from another document or evaluated with the equations of the\n"
      "source.\n";
  std::string group;
  for (const LibraryMaterial& material : read_material_library(folders).materials) {
    if (material.group != group) page += fmt::format("\n## {}\n", spelt_out(material.group));
    group = material.group;
    page += material_section(material);
  }
  return page;
}

}  // namespace vw
