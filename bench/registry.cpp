// The table of benchmarks.
#include "bench/registry.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/arguments.h"
#include "bench/measure.h"
#include "bench/voxel_scene.h"
#include "sim/base/parallel.h"

namespace vw::bench {
namespace {

Argument probe() { return whole("probe", 1, 0, 1, "0: do not measure the machine's peak, nor tell shares of it."); }

Argument spin() { return real("spin", 0, 0, 100, "Angular velocity at the start [rad/s]."); }
Argument shape(CubeShape usual) {
  Argument argument = choice("shape", {"dense", "hollow", "sparse"},
                             "Full cube; shell of one voxel; lattice of struts, about 30 % full.");
  argument.default_value = static_cast<double>(usual);
  return argument;
}

Argument usual_scheme() {
  Argument argument =
      choice("scheme", {"single", "loop", "collision_then_contact", "exact"}, "How a step meets obstacles.");
  argument.default_value = 2;
  return argument;
}

/// Arguments common to all voxel benchmarks.
std::vector<Argument> cube_arguments() {
  return {whole("n", 20, 2, 300, "Voxels along an edge."),
          real("nu", 0.35, 0, 0.49, "Poisson's ratio."),
          whole("self-contact", 0, 0, 1, "1: voxels of the body that are not joined push each other away."),
          shape(CubeShape::dense),
          spin(),
          real("dt", 1.0 / 120, 1e-6, 1, "World step [s]; substeps run inside."),
          probe()};
}

/// Whole numbers without a decimal point, choices as words.
nlohmann::ordered_json argument_json(const Argument& argument, double value) {
  if (argument.kind == Argument::Kind::choice) return argument.words[static_cast<std::size_t>(value)];
  if (argument.kind == Argument::Kind::whole) return static_cast<std::int64_t>(value);
  return value;
}

nlohmann::ordered_json rows_json(const std::vector<Row>& rows) {
  auto json = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    nlohmann::ordered_json one = nlohmann::ordered_json::object();
    for (const auto& [key, text] : row.labels) one[key] = text;
    for (const auto& [key, value] : row.values) one[key] = value;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

double figure(const Figures& figures, std::string_view key) {
  for (const auto& [name, value] : figures)
    if (name == key) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

double Outcome::value(std::string_view key) const {
  const double rate = figure(rates, key);
  return std::isnan(rate) ? figure(figures, key) : rate;
}

std::span<const Benchmark> benchmarks() {
  static const std::vector<Benchmark> table{
      {"arrows",
       "Arrows of elements by OpenGL at 1280x720: what choosing and building them takes, and what they add to a frame.",
       {whole("arrows", 5000, 1, 1000000, "Arrows at most."),
        whole("elements", 5000, 1, 10000000, "Balls that may have one."),
        choice("color", {"magnitude", "direction", "system"}, "What colours them.")},
       arrows},
      {"body-totals",
       "Forces and torques on 1, 100 and 10,000 bodies from those on their particles: one segmented reduction, beside "
       "a loop over bodies. One row "
       "each.",
       {whole("particles", 200000, 1, 100000000, "Particles of all bodies together.")},
       body_totals},
      {"dam-break",
       "A cube of water that falls over in a box: the fluid's solver as others were measured, beside plain code; its "
       "stages one by one at the end.",
       {whole("particles", 9261, 8, 8000000, "Particles; the nearest cube is taken."),
        choice("method", {"dfsph", "wcsph"}, "Pressure solver."),
        real("simulate", 0, 0, 100, "Simulated seconds; 0: as in the comparison with others.")},
       dam_break},
      {"dam-break-sizes",
       "The same dam with more and more particles, in substeps of the same work (four iterations a solve): how linear "
       "the cost is. One row each.",
       {whole("max-particles", 1000000, 8, 8000000,
              "Largest of the sizes 10,648, 46,656, 185,193, 1,000,000; a smaller one is taken itself."),
        whole("steps", 8, 1, 1000000, "Substeps that are measured."),
        choice("method", {"dfsph", "wcsph"}, "Pressure solver.")},
       dam_break_sizes},
      {"flock",
       "Flocks with all rules (neighbours, obstacles, home, wander, turbulent wind) at equal density from 5,000 "
       "members up: updates a second; who "
       "sees "
       "whom, by cells and lanes, beside each asking all.",
       {whole("members", 50000, 5000, 200000, "Members of the largest flock.")},
       flock},
      {"fluid-walls",
       "Walls of a fluid as samples: from nothing to the first substep, and a substep of walls that all move; shapes "
       "about 1 m across.",
       {whole("cells", 100, 4, 1000, "Spacings of the fluid's particles in a metre."),
        whole("triangles", 10000, 24, 2000000, "Of the mesh, about.")},
       fluid_walls},
      {"grains",
       "Grains that settle in a shaft: contacts of particles among themselves.",
       {whole("grains", 3000, 2, 1000000, "Grains in the shaft."),
        real("settle", 0.3, 0, 100, "Simulated seconds before the clock starts.")},
       grains},
      {"implicit-cube",
       "A stiff cube that lands on the ground with the implicit integrator: how fast against real time.",
       {whole("n", 10, 2, 100, "Voxels along an edge."), real("youngs", 1e7, 1, 1e13, "Stiffness [Pa]."),
        real("nu", 0.35, 0, 0.49, "Poisson's ratio.")},
       implicit_cube},
      {"noise",
       "Perlin noise at scattered points on one thread, values and gradients, and an octave of the wind made of it: by "
       "lanes with every instruction "
       "set, beside plain double. One row each.",
       {whole("points", 8192, 16, 100000000, "Points a sample; more than some ten thousand leave the caches.")},
       noise},
      {"particles-lives",
       "Particles in a turbulent wind of which as many are born as die: emission, removal, drag.",
       {whole("particles", 100000, 1, 4000000, "Particles alive.")},
       particles_lives},
      {"particles-motion",
       "The substep of particles with drag among obstacles of several kinds, by vector lanes and one by one, on one "
       "thread and on all: one row each.",
       {whole("particles", 100000, 1, 10000000, "Particles."), usual_scheme(),
        choice("detection", {"interference", "swept"}, "What counts as meeting one.")},
       particles_motion},
      {"particles-plane",
       "Particles that rain on a plane: emission, gravity, collision.",
       {whole("particles", 100000, 1, 10000000, "Particles in flight.")},
       particles_plane},
      {"peak",
       "What this machine can do at best: float multiply-adds and memory traffic, on one thread and on all.",
       {},
       peak},
      {"rigid-pile",
       "Bricks that fall into a pit and pile up: bodies a second; who could touch whom, by grids, beside a loop over "
       "all pairs.",
       {whole("bodies", 1000, 2, 100000, "Bricks, about."),
        real("settle", 1, 0, 100, "Simulated seconds before the clock starts; from 6 on all sleep.")},
       rigid_pile},
      {"self-contact",
       "A soft body that collapses onto itself in steps of one substep: cost of contact within the body, and how far "
       "the worst step stalls.",
       {whole("n", 20, 4, 300, "Voxels along an edge."), shape(CubeShape::sparse), spin()},
       self_contact},
      {"shape-queries",
       "Distances and sweeps of every kind of shape at places in no order: within 3 cm of a surface 1 m across, and "
       "anywhere about it.",
       {whole("points", 20000, 1, 10000000, "Places."), whole("triangles", 10000, 24, 2000000, "Of the mesh, about.")},
       shape_queries},
      {"snapshot",
       "Snapshots of a voxel cube with and without channels.",
       {whole("n", 20, 1, 300, "Voxels along an edge.")},
       snapshot},
      {"software-splats",
       "Particles drawn without OpenGL at 1280x720: whole pictures, beside plain scalar code for the same blending.",
       {whole("particles", 1000000, 1, 20000000, "Particles in the picture."),
        real("radius", 2, 0.01, 500, "Radius of each on the picture [px]."),
        real("opacity", 0.6, 0.01, 1, "Opacity of each."),
        choice("style", {"discs", "balls"}, "Flat discs; or shaded balls, each with a look at the sun's shadow map.")},
       software_splats},
      {"spectral-build",
       "A spectral wind (vectors, four nodes a wavelength): from its recipe to its first values; its values at a new "
       "time; what the transforms take. "
       "One row a size.",
       {whole("max-nodes", 128, 32, 128, "Largest of the sizes 32, 64, 128."),
        choice("change", {"frozen", "rotating"}, "Whether its modes turn in time.")},
       spectral_build},
      {"state",
       "Saving and hashing the state of a voxel cube.",
       {whole("n", 40, 1, 300, "Voxels along an edge.")},
       state},
      {"turbulence",
       "The wind of a Perlin turbulence at scattered points.",
       {whole("octaves", 3, 1, 12, "Octaves of noise."), whole("points", 100000, 1, 10000000, "Points a sample.")},
       turbulence},
      {"voxel-cube",
       "A cube of damped voxels on the ground, beside plain scalar code for the same physics and the machine's peak.",
       cube_arguments(), voxel_cube},
      {"voxel-suite",
       "voxel-cube for every size, Poisson's ratio, self-contact, shape and number of threads: one row each.",
       {whole("max-n", 64, 2, 300, "Largest of the sizes 10, 20, 40, 64; a smaller one is taken itself."),
        real("dt", 1.0 / 120, 1e-6, 1, "World step [s]; substeps run inside."), probe()},
       voxel_suite},
      {"voxelise",
       "Which cells of a lattice lie inside a mesh of about 1 m: by slices, beside each cell's distance. Closed or "
       "with a hole, then twice as fine.",
       {whole("cells", 64, 2, 100, "Cells along each axis."),
        whole("triangles", 100000, 24, 2000000, "Of the mesh, about.")},
       voxelise},
      {"wind-grid",
       "Spectral wind at many places: straight from a grid's lanes, by plain double code, and through a field that "
       "changes at every step.",
       {whole("n", 64, 16, 256, "Nodes along an axis."), whole("points", 1000000, 1, 100000000, "Places."),
        whole("grids", 1, 1, 4, "Grids that are added, turned against each other."),
        choice("spline", {"linear", "cubic"}, "Between nodes."),
        choice("order", {"random", "sorted"}, "Places as they come, or sorted by cell.")},
       wind_grid},
  };
  return table;
}

Result<const Benchmark*> find_benchmark(std::string_view name) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return &benchmark;
    names.push_back(benchmark.name);
  }
  Error error;
  error.what = fmt::format("\"{}\" is no benchmark; there are: {}", name, fmt::join(names, ", "));
  error.hint = nearest_word(name, names);
  return fail(std::move(error));
}

Result<Outcome> run_benchmark(const Benchmark& benchmark, const Arguments& given) {
  const auto full = complete_arguments(benchmark, given);
  if (!full) return Unexpected(full.error());
  return benchmark.run(*full);
}

std::string outcome_json(const Benchmark& benchmark, const Arguments& given, const Outcome& outcome) {
  nlohmann::ordered_json json{{"name", benchmark.name}, {"build", build_description()}, {"threads", thread_count()}};
  if (const auto full = complete_arguments(benchmark, given))
    for (const Argument& argument : all_arguments(benchmark))
      json["arguments"][argument.name] = argument_json(argument, full->real(argument.name));
  for (const auto& [key, value] : outcome.rates) json[key] = value;
  for (const auto& [key, value] : outcome.figures) json[key] = value;
  if (!outcome.rows.empty()) json["rows"] = rows_json(outcome.rows);
  return json.dump(2) + "\n";
}

std::string rows_table(const Outcome& outcome) {
  if (outcome.rows.empty()) return {};
  std::string head = "|", rule = "|", body;
  const auto column = [&](const std::string& title) {
    head += " " + title + " |";
    rule += "---|";
  };
  for (const auto& [key, text] : outcome.rows.front().labels) column(key);
  for (const std::string& key : outcome.columns) column(key);
  for (const Row& row : outcome.rows) {
    body += "|";
    for (const auto& [key, text] : row.labels) body += " " + text + " |";
    for (const std::string& key : outcome.columns) body += fmt::format(" {:.3g} |", row.value(key));
    body += "\n";
  }
  return head + "\n" + rule + "\n" + body;
}

}  // namespace vw::bench
