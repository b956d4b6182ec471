#include "render/air/air.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "render/vectors/vectors.h"
#include "sim/base/text.h"

namespace vw {
namespace {

constexpr std::size_t most_glyphs = 20'000;
/// Width of a ribbon, as a fraction of the diagonal of the box in which the field is shown.
constexpr float air_ribbon_share = 0.008F;
constexpr glm::vec3 pale_label{0.96F, 0.97F, 0.98F}, dark_label{0.10F, 0.11F, 0.14F};

/// Title of the legend of the lines.
std::string lines_title(const FieldPicture& picture) {
  const bool streams = !picture.streamlines.point.empty(), paths = !picture.pathlines.point.empty(),
             streaks = !picture.streaklines.point.empty();
  if (static_cast<int>(streams) + static_cast<int>(paths) + static_cast<int>(streaks) != 1) return "lines: speed";
  return streams ? "streamlines: speed" : paths ? "pathlines: speed" : "streaklines: speed";
}

/// Widens a range whose ends are almost equal, so that rounding errors do not appear as a colour pattern.
ValueRange steadied(ValueRange range, bool is_signed) {
  const float most = std::max(std::abs(range.min), std::abs(range.max));
  if (range.max - range.min >= 0.02F * most) return range;
  return is_signed ? ValueRange{-most, most} : range.max > 0 ? ValueRange{0, range.max} : ValueRange{range.min, 0};
}

/// Returns the spacing of the glyphs [m]: the least non-zero distance between two consecutive positions. If no two
/// consecutive positions differ, the function returns 0.1 m.
float spacing_of(const std::vector<Vec3f>& places) {
  float least = std::numeric_limits<float>::max();
  for (std::size_t i = 1; i < places.size(); ++i)
    if (const float gap = (places[i] - places[i - 1]).norm(); gap > 0) least = std::min(least, gap);
  return places.size() > 1 && least < std::numeric_limits<float>::max() ? least : 0.1F;
}

Legend bar(std::string title, std::string unit, const ValueRange& range, const ColorMap& map) {
  return {std::move(title), std::move(unit), range.min, range.max, map, {}};
}

}  // namespace

ValueRange AirDrawing::sheet_range(const Scene& scene) {
  const FieldPicture& picture = scene.newest.field;
  if (!scene.view.air_range_auto)
    return {static_cast<float>(scene.view.air_range_min), static_cast<float>(scene.view.air_range_max)};
  values_.clear();
  for (const FieldSlice& slice : picture.slices) values_.insert(values_.end(), slice.value.begin(), slice.value.end());
  const ValueRange wanted = steadied(value_range(values_, picture.is_signed, scratch_), picture.is_signed);
  return follow_range(sheet_range_, scene.view.field + "." + picture.quantity, wanted, scene.time_s);
}

ValueRange AirDrawing::line_range(const Scene& scene) {
  if (!scene.view.air_range_auto)
    return {static_cast<float>(scene.view.air_range_min), static_cast<float>(scene.view.air_range_max)};
  const FieldPicture& picture = scene.newest.field;
  values_.assign(picture.streamlines.speed.begin(), picture.streamlines.speed.end());
  values_.insert(values_.end(), picture.pathlines.speed.begin(), picture.pathlines.speed.end());
  values_.insert(values_.end(), picture.streaklines.speed.begin(), picture.streaklines.speed.end());
  return follow_range(line_range_, scene.view.field, steadied(value_range(values_, false, scratch_), false),
                      scene.time_s);
}

void AirDrawing::build(const Scene& scene) {
  const FieldPicture& picture = scene.newest.field;
  const FieldPicture* previous = scene.previous == nullptr || scene.blend >= 1 ? nullptr : &scene.previous->field;
  const std::string name = scene.view.field.empty() ? "air" : scene.view.field;
  legends_.clear();
  cut_ = scene.cut;
  ValueRange range;
  const bool has_sheets = !picture.slices.empty(), has_ribbons = !picture.streamlines.across.empty();
  const bool alike = has_sheets && picture.quantity == "speed";  // slice planes and lines share one legend
  const ColorMap sheet_map = with_levels(color_map(scene.view.color_map, picture.is_signed), scene.view.color_levels);
  if (has_sheets) {
    range = sheet_range(scene);
    if (!scene.meshes_only || (alike && has_ribbons)) {
      legends_.push_back(bar(name + ": " + spaced(picture.quantity), picture.unit, range, sheet_map));
      legends_.back().levels = scene.view.color_levels < 2 ? 0 : static_cast<int>(scene.view.color_levels);
    }
  }
  sheet_colors_.clear();
  for (const glm::vec3& color : sheet_map) sheet_colors_.push_back(light_of(color));
  sheets_.build(previous, picture, scene.blend, range, scene.camera.eye, scene.cut);
  const ColorMap plain_map = color_map(scene.view.color_map, false);
  const bool has_lines =
      !picture.streamlines.point.empty() || !picture.pathlines.point.empty() || !picture.streaklines.point.empty();
  if (has_lines && !alike) {
    range = line_range(scene);
    if (!scene.meshes_only || has_ribbons)
      legends_.push_back(bar(lines_title(picture), "m/s", range, has_sheets ? speed_map() : plain_map));
  }
  const ColorMap& line_map = has_sheets ? (alike ? sheet_map : speed_map()) : plain_map;
  solids_.clear();
  if (has_ribbons) {
    std::vector<SurfaceMesh> bands(line_bands);
    const float width_m = air_ribbon_share * std::max((picture.box_max - picture.box_min).norm(), 1e-6F);
    add_line_meshes(picture.streamlines, LineShape::ribbon, width_m, range, bands);
    add_band_solids(std::move(bands), line_map, solids_);
  }
  surfaces_.build(picture.surfaces, name, scene.view, scene.time_s, scene.view.surface_opacity);
  solids_.insert(solids_.end(), surfaces_.solids().begin(), surfaces_.solids().end());
  legends_.insert(legends_.end(), surfaces_.legends().begin(), surfaces_.legends().end());
  if (!scene.meshes_only && !scene.trails.legend().colors.empty()) legends_.push_back(scene.trails.legend());
  legends_.insert(legends_.end(), scene.flow.legends().begin(), scene.flow.legends().end());
  ways_.assign(scene.trails.points().begin(), scene.trails.points().end());
  ways_end_.assign(scene.trails.ends().begin(), scene.trails.ends().end());
  for (const std::size_t end : scene.flow.ends()) ways_end_.push_back(ways_.size() + end);
  ways_.insert(ways_.end(), scene.flow.points().begin(), scene.flow.points().end());
  lines_.build({previous, picture, scene.blend, sheets_, line_map, range, scene.camera.eye, scene.pixel, scene.cut,
                ways_, ways_end_, scene.camera.distance_factor});
  build_glyphs(scene);
}

/// Builds the arrows of the field. If slice planes are shown, all arrows are bold and have one colour that contrasts
/// with the colour map of the planes.
void AirDrawing::build_glyphs(const Scene& scene) {
  const FieldPicture& picture = scene.newest.field;
  arrows_.clear();
  arrow_legend_ = {};
  if (picture.glyph_place.empty() || picture.glyph_value.size() != picture.glyph_place.size()) return glyphs_.clear();
  const FieldPicture* before = scene.previous == nullptr || scene.blend >= 1 ? nullptr : &scene.previous->field;
  if (before != nullptr && (before->glyph_of != picture.glyph_of || before->glyph_place != picture.glyph_place ||
                            before->glyph_value.size() != picture.glyph_value.size()))
    before = nullptr;
  const float half = 0.5F * spacing_of(picture.glyph_place);
  const std::size_t n = picture.glyph_place.size();
  places_.resize(n);
  velocity_.resize(n);
  ids_.resize(n);
  std::iota(ids_.begin(), ids_.end(), 0U);
  for (std::size_t i = 0; i < n; ++i) {
    const glm::vec3 place = to_glm(picture.glyph_place[i]);
    places_[i] = {place, scene.cut.hides(place) ? -half : half};
    velocity_[i] = to_glm(picture.glyph_value[i]);
    if (before != nullptr) velocity_[i] = glm::mix(to_glm(before->glyph_value[i]), velocity_[i], scene.blend);
  }
  const bool on_sheets = !picture.slices.empty();
  const glm::vec3* tint = !on_sheets ? nullptr : picture.is_signed ? &dark_label : &pale_label;
  constexpr float thin = -0.5F, bold = -1;  // Arrow::shift.w: negative values hide the parts behind other objects
  const ArrowSource source{places_, velocity_, ids_, scene.newest.field.glyph_place.size(),
                           true,    false,     tint, on_sheets ? bold : thin};
  const float depth = glm::length(scene.camera.target - scene.camera.eye);
  ArrowScaling law = arrow_scaling_of(scene.view);
  law.per_unit = static_cast<float>(scene.view.air_seconds);
  law.limit = most_glyphs;
  law.reach = 0.95F;
  if (picture.glyph_of != shown_glyphs_) glyphs_.forget();
  shown_glyphs_ = picture.glyph_of;
  glyphs_.build({&source, 1}, law, scene.newest.epoch, scene.time_s, scene.pixel * depth);
  arrows_ = glyphs_.arrows();
  arrow_legend_ = glyphs_.legend();
  arrow_legend_.title = (scene.view.field.empty() ? "air" : scene.view.field) + ": " + picture.glyph_of;
  arrow_legend_.unit = picture.glyph_unit;
  arrow_legend_.axes = glm::mat3(scene.camera.view());
  arrow_legend_.turns = is_axial(picture.glyph_unit);
  if (arrow_legend_.turns) add_second_heads(arrows_, scene.camera.eye, scene.pixel);
  const float lift = arrow_lift / scene.camera.distance_factor;
  for (Arrow& arrow : arrows_) {
    arrow.tail = {lifted(glm::vec3(arrow.tail), scene.camera.eye, lift), arrow.tail.w};
    arrow.shift = {(1 - lift) * glm::vec3(arrow.shift), arrow.shift.w};
  }
}

}  // namespace vw
