// The table of field kinds, and the sum of the fields of a world.
#include "sim/field/field.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/velocity_gradient.h"
#include "sim/field/field_kinds.h"
#include "sim/field/sources/axial.h"

namespace vw {
namespace {

/// Number of positions per chunk. For a field with a region, add_within() computes the values of one chunk in a buffer
/// and multiplies them by the weights of the region.
constexpr std::size_t place_chunk = 1024;
/// Chunk size for fewer than `few_places` positions. Smaller chunks give all threads work.
constexpr std::size_t small_place_chunk = 256, few_places = 32 * place_chunk;
/// From this number of positions on, velocities are written with non-temporal stores (VelocityWriter), because they
/// would not stay in the caches until they are read.
constexpr std::size_t many_places = 256 * place_chunk;

template <class T>
constexpr bool is_vector = std::is_same_v<T, Vec3>;

template <class T>
T nothing() {
  if constexpr (is_vector<T>)
    return Vec3::Zero();
  else
    return T{};
}

/// Adds the values of a field to `out`, multiplied by the weights of the field's region. add(field, position, out)
/// computes the values.
template <class T, class Add>
void add_within(const Field& field, std::span<const Vec3> position, std::span<T> out, const Add& add) {
  if (!field.where().enabled) return;
  if (field.where().region == FieldExtent::everywhere) return add(field, position, out);
  std::array<double, place_chunk> share;
  bool any = false;
  for (std::size_t i = 0; i < position.size(); ++i)
    any = (share[i] = region_share(field.where(), position[i])) > 0 || any;
  if (!any) return;
  std::array<T, place_chunk> own;
  own.fill(nothing<T>());
  add(field, position, std::span<T>(own).first(position.size()));
  for (std::size_t i = 0; i < position.size(); ++i)
    if (share[i] > 0) out[i] += share[i] * own[i];
}

struct AddVelocity {
  void operator()(const Field& field, std::span<const Vec3> position, const FieldMoment& moment,
                  std::span<Vec3> velocity) const {
    field.add_velocity(position, moment, velocity);
  }
};

/// Writes the velocity of the field [m/s] to `out`, at positions that are displaced by `by`.
void velocity_at(const Field& field, std::span<const Vec3> position, const Vec3& by, const FieldMoment& moment,
                 std::span<Vec3> out) {
  std::array<Vec3, place_chunk> moved;
  for (std::size_t i = 0; i < position.size(); ++i) moved[i] = position[i] + by;
  std::fill(out.begin(), out.end(), Vec3::Zero());
  field.add_velocity(std::span<const Vec3>(moved).first(position.size()), moment, out);
}

/// Returns the gradient of region_share() [1/m], by central differences.
Vec3 region_slope(const FieldParams& field, const Vec3& position) {
  const double h = 1e-3 * field.region_edge_m;
  Vec3 slope;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 by = h * Vec3::Unit(axis);
    slope[axis] = (region_share(field, position + by) - region_share(field, position - by)) / (2 * h);
  }
  return slope;
}

/// Adds the contribution of the region's weight s to the vorticity: curl(s u) = s curl u + grad s x u, with the
/// velocity u. The term grad s x u is divided by s here, because add_within() will multiply it by s.
void add_fading(const Field& field, std::span<const Vec3> position, const FieldMoment& moment,
                std::span<Vec3> vorticity) {
  if (field.where().region == FieldExtent::everywhere || !(field.where().region_edge_m > 0)) return;
  std::array<Vec3, place_chunk> velocity;
  velocity_at(field, position, Vec3::Zero(), moment, std::span(velocity).first(position.size()));
  for (std::size_t i = 0; i < position.size(); ++i)
    if (const double share = region_share(field.where(), position[i]); share > 0 && share < 1)
      vorticity[i] += region_slope(field.where(), position[i]).cross(velocity[i]) / share;
}

}  // namespace

double region_share(const FieldParams& field, const Vec3& position) {
  const Vec3 r = position - field.region_center;
  double inside = 0;  // Distance from the border of the region [m], positive inside.
  switch (field.region) {
    case FieldExtent::everywhere: return 1;
    case FieldExtent::box: inside = (0.5 * field.region_size - r.cwiseAbs()).minCoeff(); break;
    case FieldExtent::sphere: inside = 0.5 * field.region_size.x() - r.norm(); break;
    case FieldExtent::cylinder:
      inside = std::min(0.5 * field.region_size.x() - elementary::hypot(r.x(), r.z()),
                        0.5 * field.region_size.y() - std::abs(r.y()));
      break;
  }
  if (!(inside > 0)) return 0;
  if (inside >= field.region_edge_m) return 1;
  return smooth_step(inside / field.region_edge_m);
}

void Field::add_vorticity(std::span<const Vec3> position, const FieldMoment& moment, std::span<Vec3> vorticity) const {
  const double length = length_m();
  if (!std::isfinite(length)) return;
  const double h = 0.01 * length;
  std::array<std::array<Vec3, place_chunk>, 3> slope;
  std::array<Vec3, place_chunk> before;
  for (std::size_t first = 0; first < position.size(); first += place_chunk) {
    const std::size_t count = std::min(place_chunk, position.size() - first);
    const auto part = position.subspan(first, count);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 by = h * Vec3::Unit(axis);
      auto& ahead = slope[static_cast<std::size_t>(axis)];
      velocity_at(*this, part, by, moment, std::span(ahead).first(count));
      velocity_at(*this, part, -by, moment, std::span(before).first(count));
      for (std::size_t i = 0; i < count; ++i) ahead[i] = (ahead[i] - before[i]) / (2 * h);
    }
    for (std::size_t i = 0; i < count; ++i)
      vorticity[first + i] +=
          Vec3(slope[1][i].z() - slope[2][i].y(), slope[2][i].x() - slope[0][i].z(), slope[0][i].y() - slope[1][i].x());
  }
}

std::span<const FieldKind> field_kinds() {
  static const std::vector<FieldKind> kinds{fan_kind(),      gust_kind(),           jet_kind(),        noise_kind(),
                                            spectral_kind(), spectral_noise_kind(), turbulence_kind(), uniform_kind(),
                                            updraft_kind(),  vortex_kind()};
  return kinds;
}

void FieldSet::add(std::string name, std::shared_ptr<Field> field) {
  const auto at = std::lower_bound(fields_.begin(), fields_.end(), name,
                                   [](const auto& entry, const std::string& key) { return entry.first < key; });
  if (at != fields_.end() && at->first == name)
    at->second = std::move(field);
  else
    fields_.insert(at, {std::move(name), std::move(field)});
}

void FieldSet::share(const FieldSet& other, std::string_view name) {
  for (const auto& [key, field] : other.fields_)
    if (key == name) add(key, field);
}

bool FieldSet::empty() const {
  return std::none_of(fields_.begin(), fields_.end(),
                      [](const auto& entry) { return entry.second->where().enabled && !entry.second->has_value(); });
}

std::vector<std::string> FieldSet::names() const {
  std::vector<std::string> names;
  for (const auto& [name, field] : fields_) names.push_back(name);
  return names;
}

const Field* FieldSet::find(std::string_view name) const {
  for (const auto& [key, field] : fields_)
    if (key == name) return field.get();
  return nullptr;
}

bool FieldSet::has(FieldQuantity quantity, std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& entry) {
    const auto& [key, field] = entry;
    if (!name.empty() && key != name) return false;
    switch (quantity) {
      case FieldQuantity::velocity:
      case FieldQuantity::vorticity:
      case FieldQuantity::q_criterion: return !field->has_value();
      case FieldQuantity::value: return field->has_value();
      case FieldQuantity::pressure: return field->has_pressure();
    }
    return false;
  });
}

double FieldSet::length_m() const { return length_m({}); }

/// Returns the smallest length [m] over which the field `name` varies considerably. If `name` is empty, all enabled
/// fields are considered.
double FieldSet::length_m(std::string_view name) const {
  double length = std::numeric_limits<double>::infinity();
  for (const auto& [key, field] : fields_)
    if ((name.empty() || key == name) && field->where().enabled) length = std::min(length, field->length_m());
  return length;
}

template <class T, class Add>
void FieldSet::sum(std::string_view name, std::span<const Vec3> position, double time, std::span<T> out,
                   const Add& add) const {
  const FieldMoment moment{time, obstacles_};
  const Field* wind = nullptr;
  std::size_t winds = 0;
  for (const auto& [key, field] : fields_)
    if ((name.empty() || key == name) && field->where().enabled) {
      field->prepare(moment);
      if (!field->has_value()) wind = field.get(), ++winds;
    }
  const std::size_t grain = position.size() < few_places ? small_place_chunk : place_chunk;
  if constexpr (std::is_same_v<Add, AddVelocity>)
    if (winds == 1 && wind->where().region == FieldExtent::everywhere)
      if (const auto* writer = dynamic_cast<const VelocityWriter*>(wind)) {
        const bool many = position.size() >= many_places;
        return parallel_for(position.size(), many ? 16 * place_chunk : grain, [&](Range range, std::size_t) {
          writer->write_velocity(position.subspan(range.begin, range.size()), out.subspan(range.begin, range.size()),
                                 many);
        });
      }
  parallel_for(position.size(), grain, [&](Range range, std::size_t) {
    const auto part = out.subspan(range.begin, range.size());
    std::fill(part.begin(), part.end(), nothing<T>());
    for (std::size_t first = range.begin; first < range.end; first += grain) {
      const std::size_t count = std::min(grain, range.end - first);
      for (const auto& [key, field] : fields_)
        if (name.empty() || key == name)
          add_within(*field, position.subspan(first, count), out.subspan(first, count),
                     [&](const Field& one, std::span<const Vec3> at, std::span<T> to) { add(one, at, moment, to); });
    }
  });
}

void FieldSet::velocity(std::span<const Vec3> position, double time, std::span<Vec3> out) const {
  sample(FieldQuantity::velocity, {}, position, time, out);
}

void FieldSet::sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time,
                      std::span<Vec3> out) const {
  if (quantity == FieldQuantity::vorticity)
    sum(name, position, time, out,
        [](const Field& field, std::span<const Vec3> at, const FieldMoment& moment, std::span<Vec3> to) {
          field.add_vorticity(at, moment, to);
          add_fading(field, at, moment, to);
        });
  else
    sum(name, position, time, out, AddVelocity());
}

void FieldSet::sample(FieldQuantity quantity, std::string_view name, std::span<const Vec3> position, double time,
                      std::span<double> out) const {
  if (quantity == FieldQuantity::q_criterion) return sample_q(name, position, time, out);
  const bool value = quantity == FieldQuantity::value;
  sum(name, position, time, out,
      [value](const Field& field, std::span<const Vec3> at, const FieldMoment& moment, std::span<double> to) {
        if (value)
          field.add_value(at, moment, to);
        else
          field.add_pressure(at, moment, to);
      });
}

/// The Q criterion is not linear in the velocity. It is therefore computed from the gradient of the total velocity.
void FieldSet::sample_q(std::string_view name, std::span<const Vec3> position, double time,
                        std::span<double> out) const {
  const double length = length_m(name);
  if (!std::isfinite(length)) return std::fill(out.begin(), out.end(), 0.0);
  const double h = 0.01 * length;
  std::vector<Vec3> moved(position.size()), ahead(position.size()), behind(position.size());
  std::vector<Mat3> gradient(position.size());
  for (int axis = 0; axis < 3; ++axis) {
    const auto velocity_beside = [&](double by, std::vector<Vec3>& velocity) {
      for (std::size_t i = 0; i < position.size(); ++i) moved[i] = position[i] + by * Vec3::Unit(axis);
      sample(FieldQuantity::velocity, name, moved, time, velocity);
    };
    velocity_beside(h, ahead);
    velocity_beside(-h, behind);
    for (std::size_t i = 0; i < position.size(); ++i) gradient[i].col(axis) = (ahead[i] - behind[i]) / (2 * h);
  }
  for (std::size_t i = 0; i < position.size(); ++i) out[i] = q_criterion(gradient[i]);
}

const ParamTable<FieldParams>& field_params() {
  using P = FieldParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::enabled, .key = "enabled", .live = Live::yes, .doc = "Whether the field acts."},
      Param<P>{.member = &P::region,
               .key = "region",
               .live = Live::yes,
               .choices = {"everywhere", "box", "sphere", "cylinder"},
               .doc = "Region in which the field acts. everywhere: all space. box: a box with the edge lengths "
                      "`region_size`. sphere: a sphere with the diameter region_size.x. cylinder: an upright cylinder "
                      "with the diameter region_size.x and the height region_size.y."},
      Param<P>{.member = &P::region_center,
               .key = "region_center",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Centre of the region in which the field acts, if `region` is not \"everywhere\"."},
      Param<P>{.member = &P::region_size,
               .key = "region_size",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .live = Live::yes,
               .doc = "Size of the region in which the field acts, if `region` is not \"everywhere\". For a box, the "
                      "values are the edge lengths. For a sphere, x is the diameter. For a cylinder, x is the diameter "
                      "and y is the height."},
      Param<P>{.member = &P::region_edge_m,
               .key = "region_edge",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Width of the layer in which the field fades to zero. The layer lies inside the region, along "
                      "its border. 0 means a sharp border."},
  };
  return table;
}

}  // namespace vw
