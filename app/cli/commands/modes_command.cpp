// voxwake modes: computes the lowest natural frequencies of a voxel body and writes the mode shapes as a table.
#include <chrono>
#include <iterator>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/warnings.h"
#include "sim/api/analysis/analysis.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/base/system/interrupt.h"

namespace vw::cli {
namespace {

struct ModesOptions {
  SceneOptions scene;
  std::string system, out;
  std::int64_t count = 12, threads = 0;
  bool loaded = false, json = false;
};

struct Analysed {
  api::BodyAnalysis body;
  ModalAnalysis found;
  double wall_s = 0;
  /// Step of the implicit integrator [s]. 0 means explicit steps, which have no numerical damping.
  double implicit_step_s = 0;
};

/// Error with an exit code. The code is exit_bad_input for errors in the scene and exit_failed for failures of a
/// solver.
struct Failure {
  Error error;
  int code = exit_bad_input;
};

tl::expected<Analysed, Failure> analyse(ModesOptions& options) {
  const auto bad = [](const Error& error, int code) { return tl::unexpected<Failure>(Failure{error, code}); };
  auto opened = open_scene(options.scene);
  if (!opened) return bad(opened.error(), exit_bad_input);
  auto name = api::choose_voxel_body(opened->root, options.system);
  if (!name) return bad(name.error(), exit_bad_input);
  options.system = *name;
  auto body = api::BodyAnalysis::create(opened->root, *name);
  if (!body) return bad(body.error(), exit_bad_input);
  const auto begun = std::chrono::steady_clock::now();
  if (options.loaded) {
    // The static load includes contact with obstacles. A run is created only to print its notes on the files of the
    // obstacles.
    if (const auto run = api::Run::create(*opened)) say_notes(run->notes());
    StaticOptions how;
    how.progress = [](double, double) { return !interrupted(); };
    if (const auto settled = body->settle(how); !settled) return bad(settled.error(), exit_failed);
  }
  ModalOptions how;
  how.count = static_cast<int>(options.count);
  how.progress = [](PairStage, int) { return !interrupted(); };
  auto found = body->modes(how);
  if (!found) return bad(found.error(), exit_failed);
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return Analysed{std::move(*body), std::move(*found), wall_s, api::implicit_substep(opened->root, options.system)};
}

void print_table(const ModesOptions& options, const Analysed& of) {
  const ModalAnalysis& found = of.found;
  fmt::print(
      "{}: {} voxels, {} degrees of freedom, {} rigid-body modes, {:.6g} kg of voxels that are not held, computed in "
      "{:.2f} s\n\n",
      options.system, found.voxels, found.freedoms, found.rigid, found.free_mass, of.wall_s);
  const bool implicit = of.implicit_step_s > 0;
  fmt::print("{:>4}  {:>14}  {:<8}  {:>35}  {:>9}{}\n", "mode", "frequency [Hz]", "kind",
             "effective mass along x, y, z [%]", "residual", implicit ? "     numerical damping [%]" : "");
  for (std::size_t i = 0; i < found.modes.size(); ++i) {
    const Mode& mode = found.modes[i];
    const Vec3 share = 100 * mode.effective_mass / (found.free_mass > 0 ? found.free_mass : 1);
    fmt::print("{:>4}  {:>14.6g}  {:<8}  {:>11.3f} {:>11.3f} {:>11.3f}  {:>9.1e}", i + 1, mode.hertz,
               mode_kind_name(mode.kind), share.x(), share.y(), share.z(), mode.residual);
    if (implicit) fmt::print("  {:>24.3g}", 100 * api::numerical_damping(mode.hertz, of.implicit_step_s));
    fmt::print("\n");
  }
}

void print_modes_json(const ModesOptions& options, const Analysed& of) {
  nlohmann::ordered_json out;
  out["scene"] = options.scene.scene;
  out["system"] = options.system;
  out["about"] = options.loaded ? "equilibrium under load" : "rest shape";
  out["voxels"] = of.found.voxels;
  out["freedoms"] = of.found.freedoms;
  out["rigid_motions"] = of.found.rigid;
  out["free_mass"] = of.found.free_mass;
  out["wall_s"] = of.wall_s;
  out["implicit_step"] = of.implicit_step_s;
  out["modes"] = nlohmann::ordered_json::array();
  for (const Mode& mode : of.found.modes) {
    nlohmann::ordered_json one;
    one["hertz"] = mode.hertz;
    one["kind"] = mode_kind_name(mode.kind);
    one["omega_squared"] = mode.omega_squared;
    one["modal_mass"] = mode.modal_mass;
    one["effective_mass"] = {mode.effective_mass.x(), mode.effective_mass.y(), mode.effective_mass.z()};
    one["residual"] = mode.residual;
    one["numerical_damping"] = api::numerical_damping(mode.hertz, of.implicit_step_s);
    out["modes"].push_back(std::move(one));
  }
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string shapes_csv(const Analysed& of) {
  std::string text = "mode,hertz,kind,voxel,x,y,z,ux,uy,uz,rx,ry,rz\n";
  auto to = std::back_inserter(text);
  const std::vector<Vec3> at = of.body.positions();
  const auto append = [&](const Vec3& v) { fmt::format_to(to, ",{},{},{}", v.x(), v.y(), v.z()); };
  for (std::size_t i = 0; i < of.found.modes.size(); ++i) {
    const Mode& mode = of.found.modes[i];
    for (std::size_t v = 0; v < at.size(); ++v) {
      fmt::format_to(to, "{},{},{},{}", i + 1, mode.hertz, mode_kind_name(mode.kind), v);
      append(at[v]), append(mode.displacement[v]), append(mode.rotation[v]);
      text += '\n';
    }
  }
  return text;
}

int modes(ModesOptions& options) {
  if (auto good = check_outputs({options.out}, files_read(options.scene)); !good) return report_error(good.error());
  use_threads(options.threads);
  catch_interrupts();
  const auto analysed = analyse(options);
  if (!analysed) {
    if (interrupted()) return report_interrupt();
    say(analysed.error().error.message());
    return analysed.error().code;
  }
  if (!options.out.empty())
    if (auto written = write_file_atomic(options.out, shapes_csv(*analysed)); !written)
      return report_error(written.error());
  options.json ? print_modes_json(options, *analysed) : print_table(options, *analysed);
  return exit_done;
}

}  // namespace

void add_modes(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ModesOptions>();
  CLI::App& command = add_command(program, "modes", "Compute the natural frequencies and mode shapes of a voxel body");
  add_scene(command, options->scene).required();
  add_name(command, "--system", options->system, "Name of the voxel body (default: the only one)", "NAME");
  add_integer(command, "--count", options->count, 1, max_mode_count,
              "Number of modes, including rigid-body modes (default 12)");
  add_flag(command, "--loaded", options->loaded,
           "Linearise about the equilibrium under load instead of the rest shape");
  add_flag(command, "--json", options->json, "Print one JSON object");
  add_file(command, "--out", options->out, "Write the mode shapes to this CSV file");
  add_threads(command, options->threads);
  when_typed(command, [options, &chosen] { chosen = [options] { return modes(*options); }; });
}

}  // namespace vw::cli
