#include "sim/api/analysis/field_spectrum.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/world/parts.h"

namespace vw::api {
namespace {

constexpr std::size_t spectrum_grain = 4096;

/// Selects the field to measure and sets `name` to its name. Returns null for the sum of all fields.
Result<const Field*> choose(const FieldSet& fields, std::string& name) {
  const std::vector<std::string> names = fields.names();
  if (names.empty()) return fail("the scene has no field");
  if (!name.empty()) {
    if (const Field* field = fields.find(name)) return field;
    Error error;
    error.what = fmt::format("the scene has no field \"{}\": expected one of {}", name, fmt::join(names, ", "));
    error.hint = nearest_word(name, names);
    return fail(std::move(error));
  }
  std::vector<std::string> asked;
  for (const std::string& one : names)
    if (fields.find(one)->asked_spectrum()) asked.push_back(one);
  if (asked.size() > 1)
    return fail(fmt::format("several fields of the scene have a prescribed spectrum: choose one of {}",
                            fmt::join(asked, ", ")));
  if (asked.empty() && names.size() > 1) return nullptr;
  name = asked.empty() ? names[0] : asked[0];
  return fields.find(name);
}

/// Source of the samples: the field `one`, or the sum of all fields if `one` is null. The region of the field is
/// ignored, and the field may be disabled.
struct Source {
  const FieldSet& fields;
  const Field* one = nullptr;

  [[nodiscard]] bool is_scalar() const { return one != nullptr && one->has_value(); }
  template <class T>
  void sample(std::span<const Vec3> place, double time, std::span<T> out) const {
    constexpr bool scalar = std::is_same_v<T, double>;
    if (one == nullptr)
      return fields.sample(scalar ? FieldQuantity::value : FieldQuantity::velocity, {}, place, time, out);
    const FieldMoment moment{time, nullptr};
    one->prepare(moment);
    if constexpr (scalar)
      std::fill(out.begin(), out.end(), 0.0);
    else
      std::fill(out.begin(), out.end(), Vec3::Zero());
    parallel_for(place.size(), spectrum_grain, [&](Range range, std::size_t) {
      const auto at = place.subspan(range.begin, range.size());
      if constexpr (scalar)
        one->add_value(at, moment, out.subspan(range.begin, range.size()));
      else
        one->add_velocity(at, moment, out.subspan(range.begin, range.size()));
    });
  }
};

/// Samples the source at all grid nodes, one layer of constant z at a time.
template <class T>
void fill(const Source& source, double time, const Vec3& corner, GridValues& grid) {
  const auto n = static_cast<std::size_t>(grid.n);
  const double spacing = grid.period_m / grid.n;
  std::vector<Vec3> place(n * n);
  std::vector<T> answer(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        place[i + n * j] =
            corner + spacing * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
    source.sample<T>(place, time, answer);
    for (std::size_t i = 0; i < n * n; ++i) {
      const std::size_t at = i + n * n * k;
      if constexpr (std::is_same_v<T, double>) {
        grid.x[at] = static_cast<float>(answer[i]);
      } else {
        grid.x[at] = static_cast<float>(answer[i].x());
        grid.y[at] = static_cast<float>(answer[i].y());
        grid.z[at] = static_cast<float>(answer[i].z());
      }
    }
  }
}

/// Tests whether the source has equal values at positions that are `period` [m] apart. For a sum of periodic grid
/// fields with different periods, `period` is the period of the first field, and the result is false.
template <class T>
bool repeats(const Source& source, double time, const Vec3& corner, double period) {
  std::vector<Vec3> place;
  place.reserve(16);
  for (int i = 0; i < 8; ++i) place.push_back(corner + period * Vec3(0.11 * i, 0.53 - 0.07 * i, 0.29 + 0.05 * i));
  for (int i = 0; i < 8; ++i) place.push_back(place[static_cast<std::size_t>(i)] + period * Vec3::Unit(i % 3));
  std::vector<T> answer(place.size());
  source.sample<T>(place, time, answer);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const T apart = answer[i + 8] - answer[i];
    if constexpr (std::is_same_v<T, double>) {
      difference += apart * apart;
      size += answer[i] * answer[i];
    } else {
      difference += apart.squaredNorm();
      size += answer[i].squaredNorm();
    }
  }
  return difference <= 1e-6 * size;
}

/// Chooses the cube over which the spectrum is measured. If the field is periodic, the cube is one period. Otherwise,
/// the spacing of the samples resolves 1.25 times the highest wave number of the target spectrum `asked`. If this wave
/// number is unknown, the spacing is 1/8 of the field's characteristic length `length` [m].
void choose_cube(FieldSpectrum& about, double length, const NominalSpectrum* asked, int grid) {
  if (about.repeats && asked != nullptr) {
    about.side_m = asked->period_m;
    // Up to the limit, the cube has more samples than the field has grid nodes, so that samples lie between the nodes
    // and the measurement includes the field's interpolation.
    about.nodes = grid > 0 ? grid : std::clamp((5 * asked->nodes / 4 + 1) / 2 * 2, 32, most_spectrum_grid);
    return;
  }
  about.nodes = grid > 0 ? grid : 128;
  if (asked != nullptr && std::isfinite(asked->highest) && asked->highest > 0)
    about.side_m = about.nodes * pi / (1.25 * asked->highest);
  else
    about.side_m = about.nodes / 8.0 * length;
}

}  // namespace

Result<FieldSpectrum> spectrum_of_field(const Node& scene, const std::string& field, double time, int grid) {
  if (grid != 0 && (grid < least_spectrum_grid || grid > most_spectrum_grid))
    return wrong_value(0, "grid", std::to_string(grid),
                       fmt::format("must lie in [{}, {}]", least_spectrum_grid, most_spectrum_grid));
  const auto fields = build_fields(scene);
  if (!fields) return Unexpected(fields.error());
  FieldSpectrum about;
  about.field = field;
  const auto chosen = choose(*fields, about.field);
  if (!chosen) return Unexpected(chosen.error());
  const Source source{*fields, *chosen};
  about.scalar = source.is_scalar();
  const double length = source.one != nullptr ? source.one->length_m() : fields->length_m();
  const auto asked = source.one != nullptr ? source.one->asked_spectrum() : std::nullopt;
  if (!asked && !std::isfinite(length))
    return fail(fmt::format("{} is uniform in space and has no spectrum",
                            about.field.empty() ? "the sum of the fields" : about.field));
  about.power_law = asked && std::isfinite(asked->slope);
  const bool centered = source.one != nullptr && source.one->where().region != FieldExtent::everywhere;
  const Vec3 middle = centered ? source.one->where().region_center : Vec3::Zero();
  if (asked && asked->period_m > 0)
    about.repeats = about.scalar ? repeats<double>(source, time, middle, asked->period_m)
                                 : repeats<Vec3>(source, time, middle, asked->period_m);
  choose_cube(about, length, asked ? &*asked : nullptr, grid);
  GridValues values;
  values.n = about.nodes;
  values.period_m = about.side_m;
  const std::size_t count =
      static_cast<std::size_t>(values.n) * static_cast<std::size_t>(values.n) * static_cast<std::size_t>(values.n);
  values.x.resize(count);
  if (!about.scalar) values.y.resize(count), values.z.resize(count);
  const Vec3 corner = middle - Vec3::Constant(0.5 * about.side_m);
  about.scalar ? fill<double>(source, time, corner, values) : fill<Vec3>(source, time, corner, values);
  static_cast<MeasuredSpectrum&>(about) =
      measure_spectrum(values, asked ? &*asked : nullptr, about.repeats ? SpectrumWindow::none : SpectrumWindow::hann);
  return about;
}

}  // namespace vw::api
