// voxwake field: lists the fields of a scene, writes samples of fields to files, and computes spectra.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands/commands.h"
#include "app/cli/export/air_grid.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "sim/api/analysis/field_spectrum.h"
#include "sim/api/analysis/fields.h"
#include "sim/base/files/file.h"
#include "sim/base/system/interrupt.h"

namespace vw::cli {
namespace {

constexpr std::int64_t most_a_side = 8192, most_values = 4'000'000'000, most_times = 10'000;

struct FieldOptions {
  SceneOptions scene;
  std::string grid, box, out, field, quantity, times;
  double time_s = 0;
  bool spectrum = false;
  std::int64_t threads = 0;
};

// ---- Reading options -----------------------------------------------------------------------------------------------

Unexpected bad_option(const std::string& name, const std::string& text, std::string expected) {
  return wrong_value(0, name, text.empty() ? "\"\"" : text.substr(0, 80), std::move(expected));
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

template <class T>
bool read_number(const std::string& text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(static_cast<double>(out));
}

/// Parses "64x48x32", or one number for all three axes.
Result<void> read_grid(const std::string& text, AirGrid& grid) {
  if (text.empty()) return {};
  const std::string expected = fmt::format("must be NxNxN or N, with each N from 1 to {}", most_a_side);
  const auto parts = split(text, 'x');
  if (parts.size() != 1 && parts.size() != 3) return bad_option("--grid", text, expected);
  double all = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t count = 0;
    if (!read_number(parts[parts.size() == 1 ? 0 : axis], count) || count < 1 || count > most_a_side)
      return bad_option("--grid", text, expected);
    grid.count[axis] = static_cast<std::size_t>(count);
    all *= static_cast<double>(count);
  }
  if (all > static_cast<double>(most_values))
    return bad_option("--grid", text, fmt::format("must have at most {} points", most_values));
  return {};
}

Result<void> read_box(const std::string& text, const api::Fields& fields, Eigen::AlignedBox3d& box) {
  if (text.empty()) {
    box = fields.extent();
    return {};
  }
  const auto parts = split(text, ',');
  std::array<double, 6> at{};
  bool good = parts.size() == 6;
  for (std::size_t i = 0; good && i < 6; ++i) good = read_number(parts[i], at[i]) && std::abs(at[i]) <= 1e9;
  for (std::size_t axis = 0; good && axis < 3; ++axis) good = at[axis] <= at[axis + 3];
  if (!good)
    return bad_option("--box", text, "must be X0,Y0,Z0,X1,Y1,Z1 in metres with X0 <= X1, Y0 <= Y1 and Z0 <= Z1");
  box = Eigen::AlignedBox3d(Vec3(at[0], at[1], at[2]), Vec3(at[3], at[4], at[5]));
  return {};
}

Result<void> read_times(const FieldOptions& options, std::vector<double>& times) {
  times = {options.time_s};
  if (options.times.empty()) return {};
  const auto parts = split(options.times, ',');
  double from = 0, to = 0;
  std::int64_t count = 0;
  const bool good = parts.size() == 3 && read_number(parts[0], from) && read_number(parts[1], to) &&
                    read_number(parts[2], count) && from <= to && std::abs(from) <= 1e9 && std::abs(to) <= 1e9 &&
                    count >= 1 && count <= most_times;
  if (!good)
    return bad_option("--times", options.times,
                      fmt::format("must be FIRST,LAST,COUNT in seconds, with a count from 1 to {}", most_times));
  times.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = count == 1 ? from : from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1);
  return {};
}

/// Checks that the field `name` exists. The empty name means the sum of all fields.
Result<void> check_field(const std::string& name, const api::Fields& fields) {
  const auto names = fields.names();
  if (names.empty()) return fail("the scene has no field");
  if (name.empty() || std::ranges::find(names, name) != names.end()) return {};
  return wrong_value(0, "--field", name, fmt::format("must be one of {}", fmt::join(names, ", ")),
                     nearest_word(name, names));
}

Result<void> read_quantities(const FieldOptions& options, const api::Fields& fields,
                             std::vector<const AirQuantity*>& out) {
  std::vector<std::string> names;
  for (const AirQuantity& quantity : air_quantities()) names.emplace_back(quantity.name);
  const bool any_wind = fields.provides(*find_air_quantity("velocity"), options.field);
  const std::string typed = !options.quantity.empty() ? options.quantity : any_wind ? "velocity" : "value";
  for (const std::string& name : split(typed, ',')) {
    const AirQuantity* quantity = find_air_quantity(name);
    if (quantity == nullptr)
      return wrong_value(0, "--quantity", name, fmt::format("must be one of {}", fmt::join(names, ", ")),
                         nearest_word(name, names));
    if (!fields.provides(*quantity, options.field))
      return fail(options.field.empty() ? fmt::format("no field of this scene has the quantity {}", name)
                                        : fmt::format("field {} does not have the quantity {}", options.field, name));
    if (std::find(out.begin(), out.end(), quantity) != out.end())
      return wrong_value(0, "--quantity", typed, "must not repeat a quantity");
    out.push_back(quantity);
  }
  return {};
}

// ---- Writing samples -----------------------------------------------------------------------------------------------

int write_samples(const FieldOptions& options, api::Fields& fields) {
  SamplingRequest order;
  order.name = options.field;
  const std::string ending = std::filesystem::path(options.out).extension().string();
  if (ending != ".npy" && ending != ".vti")
    return report_error(bad_option("--out", options.out, "must end in .npy or .vti").value());
  for (const auto& good : {read_grid(options.grid, order.grid), read_box(options.box, fields, order.grid.box),
                           read_times(options, order.times), read_quantities(options, fields, order.quantities)})
    if (!good) return report_error(good.error());
  if (ending == ".npy" && order.quantities.size() > 1)
    return report_error(
        bad_option("--quantity", options.quantity, "must be one quantity for a .npy file; a .vti file can hold several")
            .value());
  const bool is_series = ending == ".vti" && order.times.size() > 1;
  if (is_series) {
    const std::vector<std::string> inputs = files_read(options.scene);
    for (const std::string& file : vti_series_files(options.out, order.times.size()))
      if (auto good = check_outputs({file}, inputs); !good) return report_error(good.error());
  }
  WorkBar bar;
  const auto keep_going = [&](double share) {
    bar.show(share, options.out);
    return !interrupted();
  };
  const auto written = ending == ".npy" ? write_npy(options.out, fields, order, keep_going)
                       : is_series      ? write_vti_series(options.out, fields, order, keep_going)
                                        : write_vti(options.out, fields, order, order.times[0], keep_going);
  bar.clear();
  if (!written && was_stopped(written.error())) {
    say("interrupted; incomplete files were not kept");
    return exit_failed;
  }
  if (!written) return report_error(written.error());
  std::vector<std::string_view> names;
  for (const AirQuantity* quantity : order.quantities) names.push_back(quantity->name);
  const auto corner = [](const Vec3& at) { return fmt::format("({:g}, {:g}, {:g})", at.x(), at.y(), at.z()); };
  const std::string when = order.times.size() == 1 ? fmt::format("{:g} s", order.times[0])
                                                   : fmt::format("{} instants from {:g} to {:g} s", order.times.size(),
                                                                 order.times.front(), order.times.back());
  fmt::print("{}: {} of {} at {}x{}x{} points from {} to {} m, {}\n", options.out, fmt::join(names, ", "),
             options.field.empty() ? "all fields" : options.field, order.grid.count[0], order.grid.count[1],
             order.grid.count[2], corner(order.grid.box.min()), corner(order.grid.box.max()), when);
  return exit_done;
}

// ---- The spectrum --------------------------------------------------------------------------------------------------

std::string spectrum_csv(const api::FieldSpectrum& found) {
  std::string text = "k,measured,asked\n";
  for (const SpectrumRow& row : found.rows)
    if (std::isfinite(row.asked))
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", row.k, row.measured, row.asked);
    else
      fmt::format_to(std::back_inserter(text), "{},{},\n", row.k, row.measured);
  return text;
}

std::string number_or_dash(double value, const char* format = "{:.4g}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

void print_spectrum(const api::FieldSpectrum& found) {
  fmt::print("{}: {}^3 points in a cube of {:g} m, {}\n", found.field.empty() ? "all fields" : found.field, found.nodes,
             found.side_m,
             found.repeats ? "one period of the field" : "with a window function, because the field is not periodic");
  const bool scalar = found.scalar;
  fmt::print("{} {:.4g}{}", scalar ? "rms" : "rms of a component", std::sqrt(found.mean_square / (scalar ? 1 : 3)),
             scalar ? "" : " m/s");
  if (found.power_law)
    fmt::print(", slope {}, prescribed {}", number_or_dash(found.slope, "{:.3f}"),
               number_or_dash(found.asked_slope, "{:.3f}"));
  if (!scalar) fmt::print(", divergence {:.2g}", found.divergence);
  fmt::print("\n\n{:>20}  {:>14}  {:>14}\n", "wave number [rad/m]", scalar ? "power [m]" : "E [m^3/s^2]", "prescribed");
  for (const SpectrumRow& row : found.rows)
    fmt::print("{:>20.6g}  {:>14.6g}  {:>14}\n", row.k, row.measured, number_or_dash(row.asked, "{:.6g}"));
}

int spectrum(const FieldOptions& options, const Node& scene) {
  if (const std::string ending = std::filesystem::path(options.out).extension().string();
      ending == ".npy" || ending == ".vti")
    return report_error(bad_option("--out", options.out, "must name a CSV file if --spectrum is used").value());
  std::int64_t grid = 0;
  if (!options.grid.empty() &&
      (!read_number(options.grid, grid) || grid < api::least_spectrum_grid || grid > api::most_spectrum_grid))
    return report_error(bad_option("--grid", options.grid,
                                   fmt::format("must be a whole number from {} to {} if --spectrum is used",
                                               api::least_spectrum_grid, api::most_spectrum_grid))
                            .value());
  const auto found = api::spectrum_of_field(scene, options.field, options.time_s, static_cast<int>(grid));
  if (!found && interrupted()) return report_interrupt();
  if (!found) return report_error(found.error());
  if (!options.out.empty())
    if (auto written = write_file_atomic(options.out, spectrum_csv(*found)); !written)
      return report_error(written.error());
  print_spectrum(*found);
  return exit_done;
}

// ---- Listing fields ------------------------------------------------------------------------------------------------

int list_fields(const FieldOptions& options, const Node& scene, const api::Fields& fields) {
  Eigen::AlignedBox3d box;
  if (auto good = read_box(options.box, fields, box); !good) return report_error(good.error());
  std::size_t width = 5;
  for (const std::string& name : fields.names()) width = std::max(width, name.size());
  fmt::print("{:<{}}  {:<14}  {:<10}  {:>10}  {:>10}  {:>10}  {:<8}  {:>10}  {:>10}\n", "field", width, "kind",
             "region", "rms", "peak", "divergence", "pressure", "length [m]", "period [m]");
  for (const std::string& name : fields.names()) {
    if (!options.field.empty() && name != options.field) continue;
    const api::FieldInfo info = fields.info(name);
    const api::FieldStatistics found = fields.statistics(name, box, options.time_s);
    fmt::print("{:<{}}  {:<14}  {:<10}  {:>10.4g}  {:>10.4g}  {:>10}  {:<8}  {:>10}  {:>10}\n", name, width,
               scene.find("field", name)->schema->kind, info.region, found.rms, found.peak,
               info.is_scalar ? "-" : fmt::format("{:.2g}", found.divergence), info.has_pressure ? "known" : "-",
               number_or_dash(info.length_m), info.period_m > 0 ? fmt::format("{:.4g}", info.period_m) : "-");
  }
  fmt::print(
      "\nrms and peak are in m/s, or in the unit of the value for noise fields. divergence is relative to the velocity "
      "gradient. All three are computed at {} points from ({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g}) m at {:g} s.\n",
      api::field_statistics_points, box.min().x(), box.min().y(), box.min().z(), box.max().x(), box.max().y(),
      box.max().z(), options.time_s);
  return exit_done;
}

int field(const FieldOptions& options) {
  if (auto good = check_outputs({options.out}, files_read(options.scene)); !good) return report_error(good.error());
  use_threads(options.threads);
  catch_interrupts();
  const auto opened = open_scene(options.scene);
  if (!opened) return report_error(opened.error());
  const GenerationBar bar;
  if (options.spectrum) return spectrum(options, opened->root);
  auto fields = api::Fields::open(opened->root);
  if (!fields && interrupted()) return report_interrupt();
  if (!fields) return report_error(fields.error(), options.scene.scene);
  if (auto good = check_field(options.field, *fields); !good) return report_error(good.error());
  return options.out.empty() ? list_fields(options, opened->root, *fields) : write_samples(options, *fields);
}

}  // namespace

void add_field(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<FieldOptions>();
  CLI::App& command =
      add_command(program, "field", "List the fields of a scene, sample them to a file or measure their spectrum");
  add_scene(command, options->scene).required();
  add_name(command, "--field", options->field, "Name of the field (default: the sum of all fields)", "NAME");
  const Option out = add_file(command, "--out", options->out,
                              "Write the samples as NumPy (.npy) or VTK ImageData (.vti); with --spectrum, write CSV");
  const Option grid =
      add_name(command, "--grid", options->grid,
               "Number of points along x, y and z, including both ends of the box (default 64x64x64)", "NxNxN");
  const Option box = add_name(command, "--box", options->box,
                              "Corners of the box in metres (default: from the region, period or length of the fields)",
                              "X0,Y0,Z0,X1,Y1,Z1");
  const Option quantity = add_name(command, "--quantity", options->quantity,
                                   "Quantity to write: velocity, speed, vorticity, value, pressure, velocity_x, ...; a "
                                   ".vti file can hold several, separated by commas",
                                   "NAME");
  const Option time = add_number(command, "--time", options->time_s, {.min = -1e9, .max = 1e9, .above_min = false},
                                 "Simulated time in seconds (default 0)");
  const Option times =
      add_name(command, "--times", options->times,
               "First time, last time and number of evenly spaced times, in seconds", "FIRST,LAST,COUNT")
          .excludes(time);
  const Option spectrum =
      add_flag(command, "--spectrum", options->spectrum, "Print the measured and the prescribed energy spectrum");
  add_threads(command, options->threads);
  when_typed(command, [options, out, grid, box, quantity, times, spectrum, &chosen] {
    for (const auto& [option, name] : {std::pair{quantity, "--quantity"}, std::pair{times, "--times"}}) {
      if (option.given() && !out.given()) refuse_usage(fmt::format("{} requires --out", name));
      if (option.given() && spectrum.given()) refuse_usage(fmt::format("{} cannot be used with --spectrum", name));
    }
    if (grid.given() && !out.given() && !spectrum.given()) refuse_usage("--grid requires --out or --spectrum");
    if (box.given() && spectrum.given())
      refuse_usage(
          "--box cannot be used with --spectrum: the program chooses the cube in which it measures the spectrum");
    chosen = [options] { return field(*options); };
  });
}

}  // namespace vw::cli
