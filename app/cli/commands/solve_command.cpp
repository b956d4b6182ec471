// voxwake solve: computes the static equilibrium of a voxel body under load.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/export/csv_export.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/warnings.h"
#include "sim/api/analysis/analysis.h"
#include "sim/api/run.h"
#include "sim/base/system/interrupt.h"

namespace vw::cli {
namespace {

struct SolveOptions {
  SceneOptions scene;
  std::string system, out, save;
  double tolerance = StaticOptions{}.tolerance;
  std::int64_t threads = 0;
  bool json = false;
};

void print_sentences(const SolveOptions& options, const Equilibrium& of) {
  const StaticSolution& s = of.solution;
  const auto text = [](const Vec3& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x(), v.y(), v.z()); };
  fmt::print("{}: equilibrium of {} voxels, computed in {:.2f} s\n", options.system, of.voxels, of.wall_s);
  fmt::print("{:<22} {:.2e} of the load ({:.3g} of {:.3g} N)\n", "residual", s.relative_residual, s.residual_n,
             s.load_n);
  fmt::print("{:<22} {} load step{}, {} Newton iterations{}\n", "iterations", s.load_steps,
             s.load_steps == 1 ? "" : "s", s.newton,
             s.linear > 0 ? fmt::format(", {} of the linear solver", s.linear) : "");
  fmt::print("{:<22} {:.6g} J\n", "elastic energy", s.elastic_energy);
  fmt::print("{:<22} {:.6g} m, {} of voxel {}\n", "largest displacement", of.displacement.norm(), text(of.displacement),
             of.farthest);
  fmt::print("{:<22} {} m\n", "centre of mass", text(of.center_of_mass));
  fmt::print("{:<22} {} N\n", "reaction", text(s.reaction));
  if (s.contacts > 0)
    fmt::print("{:<22} {} voxels against obstacles, {} beyond the friction limit\n", "contact", s.contacts, s.slipping);
  if (!s.stable) fmt::print("{:<22} no: a small disturbance makes the body leave this equilibrium\n", "stable");
}

void print_equilibrium_json(const SolveOptions& options, const Equilibrium& of, std::uint64_t hash) {
  const auto list = [](const Vec3& v) { return nlohmann::ordered_json{v.x(), v.y(), v.z()}; };
  const StaticSolution& s = of.solution;
  nlohmann::ordered_json out;
  out["scene"] = options.scene.scene;
  out["system"] = options.system;
  out["voxels"] = of.voxels;
  out["relative_residual"] = s.relative_residual;
  out["residual"] = s.residual_n;
  out["load"] = s.load_n;
  out["load_steps"] = s.load_steps;
  out["newton_iterations"] = s.newton;
  out["linear_iterations"] = s.linear;
  out["elastic_energy"] = s.elastic_energy;
  out["largest_displacement"] = of.displacement.norm();
  out["largest_displacement_vector"] = list(of.displacement);
  out["largest_displacement_voxel"] = of.farthest;
  out["centre_of_mass"] = list(of.center_of_mass);
  out["reaction"] = list(s.reaction);
  out["contacts"] = s.contacts;
  out["slipping"] = s.slipping;
  out["stable"] = s.stable;
  out["wall_s"] = of.wall_s;
  out["state_hash"] = hash_text(hash);
  fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

Result<void> keep(const SolveOptions& options, api::Run& run) {
  if (!options.out.empty()) {
    auto table = CsvExport::open(options.out, run, 1);
    if (!table) return Unexpected(table.error());
    if (auto written = table->offer(run); !written) return written;
    if (auto written = table->finish(); !written) return written;
  }
  return options.save.empty() ? Result<void>{} : run.save(options.save);
}

int solve(SolveOptions& options) {
  if (auto good = check_outputs({options.out, options.save}, files_read(options.scene)); !good)
    return report_error(good.error());
  use_threads(options.threads);
  auto opened = open_scene(options.scene);
  if (!opened) return report_error(opened.error());
  auto name = api::choose_voxel_body(opened->root, options.system);
  if (!name) return report_error(name.error());
  options.system = *name;
  auto run = api::Run::create(std::move(*opened));
  if (!run) return report_error(run.error());
  say_notes(run->notes());
  catch_interrupts();
  StaticOptions how;
  how.tolerance = options.tolerance;
  how.progress = [](double, double) { return !interrupted(); };
  const auto solved = api::settle(*run, *name, how);
  if (!solved) {
    if (interrupted()) return report_interrupt();
    say(solved.error().message());
    return exit_failed;
  }
  if (auto kept = keep(options, *run); !kept) return report_error(kept.error());
  options.json ? print_equilibrium_json(options, *solved, run->hash()) : print_sentences(options, *solved);
  if (const double left = solved->solution.relative_residual; left > options.tolerance) {
    say(
        fmt::format("the residual is {:.2g} of the load, above --tolerance {:g}, because the rounding of positions "
                    "limits the accuracy",
                    left, options.tolerance));
    return exit_failed;
  }
  return exit_done;
}

}  // namespace

void add_solve(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App& command = add_command(program, "solve", "Compute the static equilibrium of a voxel body under its load");
  add_scene(command, options->scene).required();
  add_name(command, "--system", options->system, "Name of the voxel body (default: the only one)", "NAME");
  add_number(command, "--tolerance", options->tolerance, {0, 1},
             "Tolerance of the residual, relative to the load (default 1e-8)");
  add_flag(command, "--json", options->json, "Print one JSON object");
  add_file(command, "--out", options->out, "Write the elements in equilibrium to this CSV file");
  add_file(command, "--save", options->save, "Write a checkpoint of the equilibrium for `voxwake run --resume`");
  add_threads(command, options->threads);
  when_typed(command, [options, &chosen] { chosen = [options] { return solve(*options); }; });
}

}  // namespace vw::cli
