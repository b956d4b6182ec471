// Options of `voxwake render` for figures: several moments and views, captions, fonts, scale bars and axes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/options.h"

namespace vw::cli {

struct FigureOptions {
  std::vector<double> strip_s;     ///< moments of the panels [s]; empty means the end of the run
  std::int64_t contact_sheet = 0;  ///< number of evenly spaced moments; 0 means that `strip_s` applies
  std::vector<std::string> views;  ///< names of views (picture_views.h); empty means the camera of the scene
  std::int64_t columns = 0;        ///< panels in a row; 0 means automatic
  std::string title, caption;      ///< text above and below the figure or in the video
  std::string font;                ///< family name or path (TextFont::find()); empty means automatic
  double font_size_pt = 9;         ///< size of the text on the printed page [pt]
  double width_mm = 170;           ///< width of the printed page [mm]
  bool scale_bar = false, axes = false;
  std::vector<std::string> plots;  ///< names of plots of the scene, or "all"
};

void add_figure_options(CLI::App& command, FigureOptions& options);
/// Returns whether the picture `file` is composed as a figure. Otherwise, the file contains one picture with its
/// legends.
[[nodiscard]] bool makes_figure(const FigureOptions& options, const std::string& file);
/// Returns whether the name ends in .svg or .pdf, ignoring case.
[[nodiscard]] bool is_document_name(const std::string& file);

}  // namespace vw::cli
