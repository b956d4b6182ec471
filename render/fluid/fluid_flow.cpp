#include "render/fluid/fluid_flow.h"

#include <algorithm>
#include <cmath>

#include "render/vectors/vectors.h"

namespace vw {
namespace {

/// Widths of ribbons, tubes and bands, in particle spacings.
constexpr float ribbon_width = 0.7F, tube_width = 0.25F, fluid_band_width = 0.25F;

}  // namespace

void FluidFlow::build(const Scene& scene) {
  points_.clear(), ends_.clear(), solids_.clear(), legends_.clear(), shown_.clear();
  for (const FluidPicture& picture : scene.newest.fluids)
    if (picture.system < scene.newest.systems.size()) shown_.push_back(&picture);
  surfaces_.resize(shown_.size());
  if (shown_.empty()) return;
  draw_lines(scene);
  for (std::size_t k = 0; k < shown_.size(); ++k) {
    surfaces_[k].build(shown_[k]->surfaces, scene.newest.systems[shown_[k]->system].name, scene.view, scene.time_s,
                       scene.view.fluid_surface_opacity);
    solids_.insert(solids_.end(), surfaces_[k].solids().begin(), surfaces_[k].solids().end());
    legends_.insert(legends_.end(), surfaces_[k].legends().begin(), surfaces_[k].legends().end());
  }
}

/// Colours the lines by speed and converts them to points, ribbons or tubes.
void FluidFlow::draw_lines(const Scene& scene) {
  values_.clear();
  bool has_streamlines = false, has_streaklines = false;
  for (const FluidPicture* picture : shown_) {
    values_.insert(values_.end(), picture->streamlines.speed.begin(), picture->streamlines.speed.end());
    values_.insert(values_.end(), picture->streaklines.speed.begin(), picture->streaklines.speed.end());
    has_streamlines |= !picture->streamlines.point.empty();
    has_streaklines |= !picture->streaklines.point.empty();
  }
  if (values_.empty()) return;
  const ValueRange range =
      follow_range(range_, "fluid_streamlines", value_range(values_, false, scratch_), scene.time_s);
  const ColorMap& map = magnitude_map();
  const char* title = !has_streaklines ? "streamlines: speed" : has_streamlines ? "lines: speed" : "streaklines: speed";
  const bool has_meshes = scene.draws_tubes || (scene.view.fluid_ribbons && has_streamlines);
  if (has_meshes || !scene.meshes_only) legends_.push_back({title, "m/s", range.min, range.max, map, {}});
  std::vector<SurfaceMesh> bands(line_bands);
  for (const FluidPicture* picture : shown_) {
    const float spacing_m = spacing_of_fluid(scene.newest.systems[picture->system]);
    for (const FieldLines* lines : {&picture->streamlines, &picture->streaklines}) {
      if (scene.view.fluid_ribbons && lines == &picture->streamlines)
        add_line_meshes(*lines, LineShape::ribbon, ribbon_width * spacing_m, range, bands);
      else if (scene.draws_tubes)
        add_line_meshes(*lines, LineShape::tube, tube_width * spacing_m, range, bands);
      else
        add_points(scene, *lines, fluid_band_width * spacing_m, range);
    }
  }
  add_band_solids(std::move(bands), map, solids_);
}

void FluidFlow::add_points(const Scene& scene, const FieldLines& lines, float width_m, const ValueRange& range) {
  if (lines.speed.size() != lines.point.size()) return;
  const ColorMap& map = magnitude_map();
  const auto last = static_cast<float>(map.size() - 1);
  const float scale = last / std::max(range.max - range.min, 1e-30F);
  for (std::size_t l = 0; l + 1 < lines.start.size(); ++l) {
    for (std::size_t i = lines.start[l]; i < lines.start[l + 1]; ++i) {
      const glm::vec3 place = to_glm(lines.point[i]);
      const float at = std::clamp((lines.speed[i] - range.min) * scale, 0.0F, last);
      const float pixel = scene.pixel * std::max(glm::length(place - scene.eye), 1e-6F);
      points_.push_back({place, map[static_cast<std::size_t>(at + 0.5F)],
                         std::clamp(0.5F * width_m / pixel, 0.7F, 2.4F) + band_rim_px, 1});
    }
    ends_.push_back(points_.size());
  }
}

}  // namespace vw
