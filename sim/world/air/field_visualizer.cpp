#include "sim/world/air/field_visualizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/snapshot/extent.h"

namespace vw {
namespace {

constexpr std::size_t most_glyphs = 100'000;

/// Cell centres of a regular division of a box, or of a rectangle in it.
struct Lattice {
  Vec3 first = Vec3::Zero(), step = Vec3::Zero();
  std::array<std::size_t, 3> count{1, 1, 1};

  [[nodiscard]] std::size_t size() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] Vec3 place(std::size_t i) const {
    const std::size_t x = i % count[0], y = i / count[0] % count[1], z = i / count[0] / count[1];
    return first + step.cwiseProduct(Vec3(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)));
  }
};

/// Divides the box into cells, with about `along` cells along its longest side. If `normal` is an axis (0 to 2), the
/// result is a single layer of cells perpendicular to this axis at the coordinate `at`. If `normal` is -1, the cells
/// fill the entire box.
Lattice cells_of(const Box3& box, double along, int normal, double at) {
  Lattice cells;
  const double spacing = box.sizes().maxCoeff() / along;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = box.sizes()[axis], count = axis == normal ? 1 : std::max(1.0, std::round(side / spacing));
    cells.count[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(count);
    cells.step[axis] = side / count;
    cells.first[axis] = axis == normal ? at : box.min()[axis] + 0.5 * cells.step[axis];
  }
  return cells;
}

bool has_fields(const FieldSet& fields) {
  return fields.has(FieldQuantity::velocity) || fields.has(FieldQuantity::value);
}

std::array<bool, 3> planes_of(const FieldViewParams& look) { return {look.plane_x, look.plane_y, look.plane_z}; }

void clear(FieldLines& lines) {
  lines.start.assign(1, 0);
  lines.point.clear();
  lines.speed.clear();
  lines.across.clear();
}

/// The air as a medium for markers. Markers end at obstacles and at the sides of the box.
class AirMedium final : public CarryingMedium {
 public:
  explicit AirMedium(const Air& air) : air_(air) {}
  void velocity(std::span<const Vec3> place, double time, std::span<Vec3> out) override {
    air_.fields.sample(FieldQuantity::velocity, air_.name, place, time, out);
  }
  void contains(std::span<const Vec3> place, double time, std::span<std::uint8_t> out) override {
    clearance(air_, place, time, 1e-6, clear_);
    for (std::size_t i = 0; i < place.size(); ++i) out[i] = clear_[i] >= 0 && air_.box.contains(place[i]) ? 1 : 0;
  }

 private:
  const Air& air_;
  std::vector<double> clear_;
};

/// Returns the kind of arrow with this name, or the velocity if the name is unknown.
const GlyphKind& glyph_kind(std::string_view name) {
  const auto found = std::ranges::find(glyph_kinds, name, &GlyphKind::name);
  return found == glyph_kinds.end() ? glyph_kinds[0] : *found;
}

}  // namespace

Box3 extent_of(const FieldSet& fields) {
  Box3 box;
  double side = 0;
  for (const std::string& name : fields.names()) {
    const Field& field = *fields.find(name);
    const FieldParams& where = field.where();
    if (!where.enabled) continue;
    const auto spectrum = field.asked_spectrum();
    if (where.region != FieldExtent::everywhere) {
      const Vec3 size = where.region == FieldExtent::box ? where.region_size
                        : where.region == FieldExtent::sphere
                            ? Vec3::Constant(where.region_size.x())
                            : Vec3(where.region_size.x(), where.region_size.y(), where.region_size.x());
      box.extend(Box3(where.region_center - 0.5 * size, where.region_center + 0.5 * size));
    } else if (spectrum && spectrum->period_m > 0) {
      side = std::max(side, spectrum->period_m);
    } else if (std::isfinite(field.length_m())) {
      side = std::max(side, 10 * field.length_m());
    }
  }
  if (box.isEmpty()) box = Box3(Vec3::Zero(), Vec3::Constant(side > 0 ? side : 1));
  return box;
}

void FieldVisualizer::ask(const FieldViewParams& look) {
  if (look == look_) return;
  look_ = look;
  made_ = false;
  surfaces_.forget();
}

void FieldVisualizer::restart() {
  made_ = false;
  pathlines_.forget();
  streaklines_.forget();
  surfaces_.forget();
  scene_box_.setEmpty();
}

void FieldVisualizer::write(const FieldSet& fields, const Obstacles* obstacles, double time, bool fresh,
                            Snapshot& scene) {
  const bool still_good = made_ && (!fresh || (!stale_ && time == time_));
  if (!still_good) make(fields, obstacles, time, scene);
  scene.field = picture_;
}

void FieldVisualizer::make(const FieldSet& fields, const Obstacles* obstacles, double time, const Snapshot& scene) {
  made_ = true;
  stale_ = false;
  time_ = time;
  picture_.is_signed = false;
  picture_.glyph_of = glyph_kinds[0].name;
  picture_.glyph_unit = glyph_kinds[0].unit;
  picture_.glyph_place.clear();
  picture_.glyph_value.clear();
  clear(picture_.streamlines);
  clear(picture_.pathlines);
  clear(picture_.streaklines);
  picture_.surfaces = {};
  picture_.note.clear();
  picture_.quantity = look_.quantity;
  picture_.unit.clear();
  if (!look_.any()) return picture_.slices.clear();
  measure_box(fields, scene);
  picture_.box_min = box_.min().cast<float>();
  picture_.box_max = box_.max().cast<float>();
  picture_.note = reason(fields);
  if (!has_fields(fields) || (!look_.field.empty() && fields.find(look_.field) == nullptr))
    return picture_.slices.clear();
  const Air air{fields, look_.field, obstacles, box_};
  make_planes(air, time);
  if (look_.glyphs) make_glyphs(air, time);
  make_lines(air, time);
  if (!look_.surface_of.empty()) surfaces_.make(air, time, look_, picture_.surfaces);
}

/// Returns the reason why a requested visualisation is not shown, or an empty text.
std::string FieldVisualizer::reason(const FieldSet& fields) const {
  if (!has_fields(fields)) return "the scene has no field";
  if (!look_.field.empty() && fields.find(look_.field) == nullptr)
    return fmt::format("the scene has no field \"{}\"", look_.field);
  const auto shown = planes_of(look_);
  const auto lacks = [&](const std::string& name) -> std::string {
    const AirQuantity* quantity = find_air_quantity(name);
    if (quantity == nullptr) return fmt::format("\"{}\" is not an air quantity", name);
    if (fields.has(quantity->of, look_.field)) return {};
    return look_.field.empty() ? fmt::format("no field of this scene has the quantity {}", quantity->name)
                               : fmt::format("field {} does not have the quantity {}", look_.field, quantity->name);
  };
  if (std::any_of(shown.begin(), shown.end(), [](bool plane) { return plane; }))
    if (std::string note = lacks(look_.quantity); !note.empty()) return note;
  if (look_.surface_of.empty()) return {};
  if (std::string note = lacks(look_.surface_of); !note.empty()) return note;
  return look_.surface_color.empty() ? std::string() : lacks(look_.surface_color);
}

/// Computes the box to show. By default it is the scene's bounding box with a margin, because the air around a body is
/// of interest. The box changes only if the scene no longer fits into it or has become much smaller, so that the box
/// does not vary at every step.
void FieldVisualizer::measure_box(const FieldSet& fields, const Snapshot& scene) {
  const bool needs_scene = (look_.box_size.array() <= 0).any();
  if (needs_scene) {
    Box3 extent = extent_of(scene).cast<double>();
    if (extent.isEmpty()) extent = extent_of(fields);
    const double side = std::max(extent.sizes().maxCoeff(), 1e-6);
    const bool holds = !scene_box_.isEmpty() && scene_box_.contains(extent) && scene_box_.sizes().maxCoeff() < 4 * side;
    if (!holds) {
      const Vec3 half = (0.5 * extent.sizes()).cwiseMax(0.25 * side) + Vec3::Constant(0.25 * side);
      scene_box_ = Box3(extent.center() - half, extent.center() + half);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const bool given = look_.box_size[axis] > 0;
    const double half = 0.5 * (given ? look_.box_size[axis] : scene_box_.sizes()[axis]);
    const double center = given ? look_.box_center[axis] : scene_box_.center()[axis];
    box_.min()[axis] = center - half;
    box_.max()[axis] = center + half;
  }
}

void FieldVisualizer::make_planes(const Air& air, double time) {
  const AirQuantity* quantity = find_air_quantity(look_.quantity);
  if (quantity == nullptr || !air.fields.has(quantity->of, air.name)) return picture_.slices.clear();
  AirQuantity shown = *quantity;
  if (!shown.is_number()) shown.part = AirQuantity::Part::length;
  picture_.unit = shown.unit;
  picture_.is_signed = shown.is_signed();
  const auto planes = planes_of(look_);
  picture_.slices.resize(static_cast<std::size_t>(std::count(planes.begin(), planes.end(), true)));
  auto slice_at = picture_.slices.begin();
  for (int normal = 0; normal < 3; ++normal) {
    if (!planes[static_cast<std::size_t>(normal)]) continue;
    FieldSlice& slice = *slice_at++;
    const int u = normal == 0 ? 1 : 0, v = normal == 2 ? 1 : 2;
    const double spacing = std::max(box_.sizes()[u], box_.sizes()[v]) / static_cast<double>(look_.samples - 1);
    const auto steps = [&](int axis) {
      return std::max(1, static_cast<int>(std::lround(box_.sizes()[axis] / spacing)));
    };
    slice.nu = steps(u) + 1;
    slice.nv = steps(v) + 1;
    Vec3 origin = box_.min();
    origin[normal] = look_.planes_at[normal];
    const Vec3 du = box_.sizes()[u] / steps(u) * Vec3::Unit(u), dv = box_.sizes()[v] / steps(v) * Vec3::Unit(v);
    slice.origin = origin.cast<float>();
    slice.u_step = du.cast<float>();
    slice.v_step = dv.cast<float>();
    const auto columns = static_cast<std::size_t>(slice.nu), count = columns * static_cast<std::size_t>(slice.nv);
    slice.value.resize(count);
    const auto place = [&](std::size_t i) -> Vec3 {
      const std::size_t row = i / columns, column = i % columns;
      return origin + static_cast<double>(column) * du + static_cast<double>(row) * dv;
    };
    sampler_.sample(air.fields, air.name, shown, time, count, place, slice.value);
    blank_solids(air, time, place, slice);
  }
}

/// Sets samples inside obstacles to NaN.
template <class Place>
void FieldVisualizer::blank_solids(const Air& air, double time, const Place& place, FieldSlice& slice) {
  if (air.obstacles == nullptr || air.obstacles->empty()) return;
  for (std::size_t first = 0; first < slice.value.size(); first += AirSampler::round) {
    place_.resize(std::min(AirSampler::round, slice.value.size() - first));
    for (std::size_t i = 0; i < place_.size(); ++i) place_[i] = place(first + i);
    clearance(air, place_, time, 1e-6, clear_);
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (clear_[i] < 0) slice.value[first + i] = std::numeric_limits<float>::quiet_NaN();
  }
}

/// Returns the seed points of streamlines or streaklines.
std::span<const Vec3> FieldVisualizer::seeds(std::int64_t count) {
  if (look_.rake_from == look_.rake_to) {
    seeds_.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < seeds_.size(); ++i) seeds_[i] = even_place(box_, i);
  } else {
    seeds_ = rake_places(look_.rake_from, look_.rake_to, static_cast<std::size_t>(count));
    std::erase_if(seeds_, [&](const Vec3& place) { return !box_.contains(place); });
  }
  return seeds_;
}

void FieldVisualizer::make_lines(const Air& air, double time) {
  const double side = box_.sizes().maxCoeff();
  if (look_.streamlines > 0) {
    const double length = look_.streamline_length_m > 0 ? look_.streamline_length_m : 2 * side;
    streamlines_.trace(air, time, seeds(look_.streamlines), length, picture_.streamlines);
    if (look_.ribbons) make_ribbons(air, time);
  }
  if (look_.pathlines > 0)
    pathlines_.trace(air, time, static_cast<std::size_t>(look_.pathlines), look_.pathline_s, picture_.pathlines);
  if (look_.streaklines == 0) return;
  AirMedium medium(air);
  streaklines_.trace(medium,
                     {.seeds = seeds(look_.streaklines),
                      .seconds = look_.streakline_s,
                      .reach_m = std::min(side / 50, 0.5 * air.fields.length_m()),
                      .known_since = 0},
                     time, picture_.streaklines);
}

/// Turns the streamlines into ribbons.
void FieldVisualizer::make_ribbons(const Air& air, double time) {
  const AirQuantity& vorticity = *find_air_quantity("vorticity");
  const std::vector<Vec3f>& point = picture_.streamlines.point;
  std::vector<Vec3f> turning(point.size());
  sampler_.sample(
      air.fields, air.name, vorticity, time, point.size(), [&](std::size_t i) { return Vec3(point[i].cast<double>()); },
      std::span(turning.empty() ? nullptr : turning.front().data(), 3 * turning.size()));
  twist_ribbons(turning, picture_.streamlines);
}

/// Replaces velocity_ by the material acceleration of the air at place_: du/dt + (u . grad) u with the velocity u. The
/// acceleration is a central difference of the velocity along the path of the air. The path covers at most a hundredth
/// of the field's characteristic length and at most one millisecond in each direction.
void FieldVisualizer::accelerate(const Air& air, double time) {
  constexpr double longest_s = 1e-3, share = 0.01;
  double fastest = 0;
  for (const Vec3& u : velocity_)
    if (u.allFinite()) fastest = std::max(fastest, u.norm());
  const Field* field = look_.field.empty() ? nullptr : air.fields.find(look_.field);
  const double length = field == nullptr ? air.fields.length_m() : field->length_m();
  const double h = fastest > 0 ? std::min(longest_s, share * length / fastest) : longest_s;
  const auto look = [&](double shift_s, std::vector<Vec3>& out) {
    way_.resize(place_.size());
    for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = place_[i] + shift_s * velocity_[i];
    out.resize(way_.size());
    air.fields.sample(FieldQuantity::velocity, air.name, way_, time + shift_s, out);
  };
  look(-h, behind_);
  look(h, ahead_);
  for (std::size_t i = 0; i < velocity_.size(); ++i) velocity_[i] = (ahead_[i] - behind_[i]) / (2 * h);
}

void FieldVisualizer::make_glyphs(const Air& air, double time) {
  const auto planes = planes_of(look_);
  const bool on_planes = planes[0] || planes[1] || planes[2];
  auto along = static_cast<double>(look_.glyph_count);
  place_.clear();
  for (int normal = 0; normal < 3; ++normal) {
    if (on_planes ? !planes[static_cast<std::size_t>(normal)] : normal > 0) continue;
    Lattice cells = cells_of(box_, along, on_planes ? normal : -1, look_.planes_at[normal]);
    while (cells.size() > most_glyphs)
      cells = cells_of(box_, along *= 0.9, on_planes ? normal : -1, look_.planes_at[normal]);
    for (std::size_t i = 0; i < cells.size(); ++i) place_.push_back(cells.place(i));
  }
  const GlyphKind& kind = glyph_kind(look_.glyph_of);
  picture_.glyph_of = kind.name;
  picture_.glyph_unit = kind.unit;
  velocity_.resize(place_.size());
  air.fields.sample(kind.of, air.name, place_, time, velocity_);
  if (kind.name == glyph_acceleration) accelerate(air, time);
  clearance(air, place_, time, box_.sizes().maxCoeff() / along, clear_);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    if (clear_[i] < 0) continue;
    picture_.glyph_place.push_back(place_[i].cast<float>());
    picture_.glyph_value.push_back(velocity_[i].cast<float>());
  }
}

}  // namespace vw
