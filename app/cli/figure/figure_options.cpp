#include "app/cli/figure/figure_options.h"

#include <filesystem>

#include "app/cli/figure/picture_views.h"
#include "sim/base/text.h"

namespace vw::cli {

void add_figure_options(CLI::App& command, FigureOptions& options) {
  constexpr double longest_s = 1e9;
  const Option strip = add_numbers(command, "--strip", options.strip_s, {.max = longest_s, .above_min = false},
                                   "Draw these moments, in seconds, side by side in one figure");
  add_integer(command, "--contact-sheet", options.contact_sheet, 2, 400,
              "Draw this number of evenly spaced moments, from the start to the end of the run, in one figure")
      .excludes(strip);
  add_names(command, "--views", options.views, view_names(), "Draw these views in one figure");
  add_integer(command, "--columns", options.columns, 1, 64, "Number of panels in a row of the figure");
  add_list(command, "--plots", options.plots,
           "Draw these plots of the scene, or all, as vector graphics in panels of the figure");
  add_text(command, "--title", options.title, "Title above the figure or in the video");
  add_text(command, "--caption", options.caption,
           "Text below the figure or in the video; {time} stands for the simulated time in seconds");
  add_text(command, "--font", options.font, "Font of figures: a family such as \"DejaVu Sans\", or a .ttf file",
           "NAME");
  add_number(command, "--font-size", options.font_size_pt, {.min = 1, .max = 144, .above_min = false},
             "Size of the text of figures in points on the printed page (default 9)");
  add_number(command, "--width", options.width_mm, {.min = 10, .max = 5000, .above_min = false},
             "Width of the printed figure in millimetres (default 170)");
  add_flag(command, "--scale-bar", options.scale_bar, "Draw a scale bar at the depth of the camera's target");
  add_flag(command, "--axes", options.axes, "Draw the directions of the x, y and z axes");
}

bool is_document_name(const std::string& file) {
  const std::string ending = lowercase(std::filesystem::path(file).extension().string());
  return ending == ".svg" || ending == ".pdf";
}

bool makes_figure(const FigureOptions& options, const std::string& file) {
  return !file.empty() && (!options.strip_s.empty() || options.contact_sheet > 0 || !options.views.empty() ||
                           !options.title.empty() || !options.caption.empty() || !options.font.empty() ||
                           options.scale_bar || options.axes || !options.plots.empty() || is_document_name(file));
}

}  // namespace vw::cli
