// Table of all benchmarks.
#include "bench/registry.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/arguments.h"
#include "bench/cases/voxel/voxel_scene.h"
#include "bench/machine.h"
#include "bench/measure.h"
#include "sim/base/parallel/parallel.h"

namespace vw::bench {
namespace {

Argument probe_argument() {
  return whole("probe", 1, 0, 1, "1: measure the peak of the machine and report shares of it; 0: do not.");
}

Argument spin() { return real("spin", 0, 0, 100, "Initial angular velocity [rad/s]."); }
Argument shape(CubeShape usual) {
  Argument argument =
      choice("shape", {"dense", "hollow", "sparse"},
             "dense: full cube; hollow: shell of one voxel; sparse: lattice of struts, about 30 % full.");
  argument.default_value = static_cast<double>(usual);
  return argument;
}

Argument usual_scheme() {
  Argument argument = choice("scheme", {"single", "loop", "collision_then_contact", "exact"}, "Collision scheme.");
  argument.default_value = 2;
  return argument;
}

/// Returns the arguments of all voxel benchmarks.
std::vector<Argument> cube_arguments() {
  return {whole("n", 20, 2, 300, "Number of voxels along an edge."),
          real("nu", 0.35, 0, 0.49, "Poisson's ratio."),
          whole("self-contact", 0, 0, 1, "1: voxels of the body that are not bonded repel each other; 0: they do not."),
          shape(CubeShape::dense),
          spin(),
          real("dt", 1.0 / 120, 1e-6, 1, "World step [s]; systems divide it into substeps."),
          probe_argument()};
}

/// Writes whole numbers without a decimal point and choices as words.
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
       "Arrows of elements with OpenGL at 1280x720: time to select and build them, and their share of the frame time.",
       {whole("arrows", 5000, 1, 1000000, "Maximum number of arrows."),
        whole("elements", 5000, 1, 10000000, "Number of elements."),
        choice("color", {"magnitude", "direction", "system"}, "Colour of the arrows.")},
       arrows},
      {"body-totals",
       "Forces and torques on 1, 100 and 10,000 bodies, summed from those on their particles by a segmented reduction "
       "and, for comparison, by a "
       "loop over bodies. One row per number of bodies.",
       {whole("particles", 200000, 1, 100000000, "Number of particles of all bodies together.")},
       body_totals},
      {"dam-break",
       "Dam break of a water cube in a box: the fluid solver under the conditions of published measurements, compared "
       "with reference code; its stages one by one; and the same dam as a scene with default parameters "
       "(scene_wall_s_per_simulated_s).",
       {whole("particles", 9261, 8, 8000000, "Number of particles, rounded to the nearest cube."),
        choice("method", {"dfsph", "wcsph"}, "Pressure solver."),
        real("simulate", 0, 0, 100, "Simulated time [s]; 0: the time of the published measurements.")},
       dam_break},
      {"dam-break-sizes",
       "Dam break with increasing numbers of particles and equal work per substep (four iterations per solve), to "
       "check that the cost is linear. "
       "One row per size.",
       {whole("max-particles", 1000000, 8, 8000000,
              "Largest of the sizes 10,648, 46,656, 185,193 and 1,000,000; if below all, the only size."),
        whole("steps", 8, 1, 1000000, "Number of substeps that are measured."),
        choice("method", {"dfsph", "wcsph"}, "Pressure solver.")},
       dam_break_sizes},
      {"drawing",
       "Pictures of a packaged scene with OpenGL at 1280x720, one row per quality tier: the time of a frame of the "
       "window, "
       "and of its passes one after the other.",
       {choice("scene", {"showcase", "school", "windmill"}, "Packaged scene."),
        choice("highest", {"low", "medium", "high", "ultra"}, "Highest quality tier that is drawn."),
        real("time", 0.1, 0, 100, "Simulated time at which the scene is drawn [s].")},
       drawing},
      {"elementary",
       "Elementary functions of one argument at a time on one thread, compared with those of the C library. One "
       "row per function; mean_ratio is the geometric mean of the ratios of the times.",
       {whole("points", 4096, 16, 10000000, "Number of arguments per sample.")},
       elementary_functions},
      {"flock",
       "Flocks with all steering components (neighbours, obstacles, home, wander, turbulent wind) at equal density "
       "from 5,000 members up: updates "
       "per second, and the neighbour search with cells and vector lanes compared with a loop over all pairs.",
       {whole("members", 50000, 5000, 200000, "Number of members of the largest flock.")},
       flock},
      {"fluid-surface",
       "Closed mesh around the particles of a fluid: a disordered block, a sheet of one layer, and spray. One row "
       "each.",
       {whole("particles", 100000, 8, 10000000, "Number of particles; spray has a tenth of this number."),
        real("cell", 0.5, 0.3, 0.7, "Edge of a grid cell, as a fraction of the particle spacing.")},
       fluid_surface},
      {"fluid-walls",
       "Boundary samples of a fluid for shapes of about 1 m: time to generate them up to the first substep, and time "
       "of a substep in which all "
       "walls move.",
       {whole("cells", 100, 4, 1000, "Number of particle spacings per metre."),
        whole("triangles", 10000, 24, 2000000, "Approximate number of triangles of the mesh.")},
       fluid_walls},
      {"grains",
       "Grains that settle in a shaft: contacts between particles of one system.",
       {whole("grains", 3000, 2, 1000000, "Number of grains in the shaft."),
        real("settle", 0.3, 0, 100, "Simulated time before the measurement [s].")},
       grains},
      {"history",
       "History of a run: cost of keyframes, time to go to a random past moment, to save the "
       "session, to open it, and to go to a moment of the opened session (first picture, exact state).",
       {choice("scene", {"jelly-drop", "dam-break", "showcase", "lab-bounce", "rain"},
               "Packaged scene, or rain: 50,000 particles."),
        real("simulated_s", 2, 0.1, 100'000, "Duration of the session [s]."),
        whole("edits", 10, 0, 1'000'000, "Number of edits of a parameter during the session."),
        whole("seeks", 20, 0, 100'000, "Number of random moments."),
        whole("memory_mb", 1024, 1, 1 << 20, "Memory for keyframes [MiB]."),
        whole("spill_mb", 4096, 0, 1 << 20, "Size of the file for keyframes that do not fit into memory [MiB].")},
       history_of_run},
      {"implicit-cube",
       "A stiff cube that lands on the ground with the implicit integrator: speed relative to real time.",
       {whole("n", 10, 2, 100, "Number of voxels along an edge."),
        real("youngs", 1e7, 1, 1e13, "Young's modulus [Pa]."), real("nu", 0.35, 0, 0.49, "Poisson's ratio.")},
       implicit_cube},
      {"noise",
       "Values and gradients of Perlin noise, and an octave of noise wind, at scattered points on one thread: vector "
       "lanes of every instruction "
       "set compared with scalar double precision. One row per case.",
       {whole("points", 8192, 16, 100000000,
              "Number of points per sample; more than about ten thousand exceed the caches.")},
       noise},
      {"particles-lives",
       "Particles in a turbulent wind, with equal rates of emission and removal: emission, removal, drag.",
       {whole("particles", 100000, 1, 4000000, "Number of particles alive.")},
       particles_lives},
      {"particles-motion",
       "Substep of particles with drag among obstacles of several kinds, with vector and scalar code, on one "
       "thread and on all. One row per "
       "kind.",
       {whole("particles", 100000, 1, 10000000, "Number of particles."), usual_scheme(),
        choice("detection", {"interference", "swept"}, "Collision detection.")},
       particles_motion},
      {"particles-plane",
       "Particles that fall onto a plane: emission, gravity, collision.",
       {whole("particles", 100000, 1, 10000000, "Number of particles in flight.")},
       particles_plane},
      {"peak", "Peak of the machine: float multiply-adds and memory bandwidth, on one thread and on all.", {}, peak},
      {"rigid-pile",
       "Bricks that fall into a pit and pile up: updates per second, and the search for pairs with grids compared with "
       "a loop over all pairs.",
       {whole("bodies", 1000, 2, 100000, "Approximate number of bricks."),
        real("settle", 1, 0, 100, "Simulated time before the measurement [s]; from 6 s on all bricks sleep.")},
       rigid_pile},
      {"scenes",
       "Every packaged scene for some steps after the first: simulated time over wall time (all steps, and the best of "
       "five windows), and duration of the slowest step and of the first. One row per scene, the slowest scene first.",
       {whole("steps", 60, 1, 1000000, "Number of steps that are measured.")},
       packaged_scene_speeds},
      {"self-contact",
       "A soft body that collapses onto itself, in steps of one substep: cost of self-contact, and duration of the "
       "slowest step.",
       {whole("n", 20, 4, 300, "Number of voxels along an edge."), shape(CubeShape::sparse), spin()},
       self_contact},
      {"shape-queries",
       "Distance queries and sweeps of every kind of shape (1 m across) at points in random order: within 3 cm of the "
       "surface, and anywhere "
       "around it.",
       {whole("points", 20000, 1, 10000000, "Number of points."),
        whole("triangles", 10000, 24, 2000000, "Approximate number of triangles of the mesh.")},
       shape_queries},
      {"snapshot",
       "Snapshots of a voxel cube with and without channels.",
       {whole("n", 20, 1, 300, "Number of voxels along an edge.")},
       snapshot},
      {"software-splats",
       "Particles drawn without OpenGL at 1280x720: complete pictures, compared with scalar code for the same "
       "blending.",
       {whole("particles", 1000000, 1, 20000000, "Number of particles in the picture."),
        real("radius", 2, 0.01, 500, "Radius of a particle in the picture [px]."),
        real("opacity", 0.6, 0.01, 1, "Opacity of a particle."),
        choice("style", {"discs", "balls"},
               "discs: flat discs; balls: shaded balls that read the shadow map of the sun.")},
       software_splats},
      {"spectral-build",
       "A spectral wind (vectors, four nodes per wavelength): time to generate it, to compute its values at a new "
       "time, and of the Fourier "
       "transforms. One row per size.",
       {whole("max-nodes", 128, 32, 128, "Largest of the sizes 32, 64 and 128."),
        choice("change", {"frozen", "rotating"}, "frozen: the modes are constant in time; rotating: they rotate.")},
       spectral_build},
      {"state",
       "Saving and hashing the state of a voxel cube.",
       {whole("n", 40, 1, 300, "Number of voxels along an edge.")},
       state},
      {"turbulence",
       "Wind of a Perlin turbulence at scattered points.",
       {whole("octaves", 3, 1, 12, "Number of octaves of noise."),
        whole("points", 100000, 1, 10000000, "Number of points per sample.")},
       turbulence},
      {"voxel-cube",
       "A cube of damped voxels on the ground, compared with scalar reference code for the same physics and with the "
       "peak of the machine.",
       cube_arguments(), voxel_cube},
      {"voxel-grid",
       "Picture of the voxel editor with OpenGL at 1280x720: a cube of voxels with a section, orbited by the camera, "
       "and the same with new faces in every frame.",
       {whole("edge", 100, 2, 160, "Number of voxels along an edge.")},
       voxel_grid},
      {"voxel-suite",
       "voxel-cube for every size, Poisson's ratio, self-contact, shape and number of threads. One row per case.",
       {whole("max-n", 64, 2, 300, "Largest of the sizes 10, 20, 40 and 64; if below all, the only size."),
        real("dt", 1.0 / 120, 1e-6, 1, "World step [s]; systems divide it into substeps."), probe_argument()},
       voxel_suite},
      {"voxelise",
       "Search for the cells of a lattice inside a mesh of about 1 m, by slices compared with a distance query per "
       "cell. One row each for a "
       "closed mesh and a mesh with a hole, at two resolutions.",
       {whole("cells", 64, 2, 100, "Number of cells along each axis."),
        whole("triangles", 100000, 24, 2000000, "Approximate number of triangles of the mesh.")},
       voxelise},
      {"wind-grid",
       "Spectral wind at many points: from a grid with vector code, with scalar double precision, and through a "
       "field that changes at every "
       "step.",
       {whole("n", 64, 16, 256, "Number of grid nodes along an axis."),
        whole("points", 1000000, 1, 100000000, "Number of points."),
        whole("grids", 1, 1, 4, "Number of grids that are added, rotated against each other."),
        choice("spline", {"linear", "cubic"}, "Interpolation between nodes."),
        choice("order", {"random", "sorted"}, "random: points in random order; sorted: points sorted by cell.")},
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
  error.what = fmt::format("unknown benchmark \"{}\": expected one of {}", name, fmt::join(names, ", "));
  error.hint = nearest_word(name, names);
  return fail(std::move(error));
}

Result<Outcome> run_benchmark(const Benchmark& benchmark, const Arguments& given) {
  const auto full = complete_arguments(benchmark, given);
  if (!full) return Unexpected(full.error());
  const BusyLoops beside(full->whole("beside"));
  return benchmark.run(*full);
}

std::string outcome_json(const Benchmark& benchmark, const Arguments& given, const Outcome& outcome) {
  nlohmann::ordered_json json{{"name", benchmark.name},
                              {"build", build_description()},
                              {"processor", processor_name()},
                              {"date", today()},
                              {"threads", thread_count()}};
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
