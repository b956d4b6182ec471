#include "app/window/ui/panels/equilibrium_panel.h"

#include <cmath>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/widgets/plot.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

std::string counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Formats a vector. Components below 1e-6 of the largest component are rounding errors and are written as zero.
std::string plain_triple(const Vec3& v) {
  const double least = 1e-6 * v.cwiseAbs().maxCoeff();
  const auto part = [least](double x) { return std::abs(x) <= least ? 0.0 : x; };
  return fmt::format("{:.3g}, {:.3g}, {:.3g}", part(v.x()), part(v.y()), part(v.z()));
}

void draw_progress(App& app) {
  const api::SettleProgress now = app.session.run->settle_progress();
  if (app.session.equilibrium.stopped) return dim_text("Stopping\xE2\x80\xA6");
  if (now.iterations == 0)
    dim_text("Solving for equilibrium\xE2\x80\xA6");
  else
    dim_text(fmt::format("Load {:.3g} %, iteration {}, residual {:.2g}", 100 * now.share, now.iterations,
                         now.relative_residual));
  if (ImGui::Button("Stop", {-1, 0})) {
    app.session.equilibrium.stopped = true;
    app.session.run->stop_settling();
  }
  tooltip("Stops the solver and leaves the body unchanged");
}

void draw_found(const Equilibrium& found) {
  const StaticSolution& s = found.solution;
  dim_text(fmt::format("{}: equilibrium of {} voxels, {:.2g} s", found.system, found.voxels, found.wall_s));
  if (!begin_stats("equilibrium")) return;
  stat_row("Residual", fmt::format("{:.1e} of the load", s.relative_residual),
           "Unbalanced force that remains, relative to loads and reactions");
  stat_row("Iterations", fmt::format("{} in {}", s.newton, counted(s.load_steps, "load step", "load steps")),
           "Iterations of Newton's method");
  if (s.linear > 0) stat_row("Linear solver", counted(s.linear, "iteration", "iterations"));
  stat_row("Elastic energy", si_number(s.elastic_energy) + "J", "Elastic energy of the bonds");
  stat_row("Largest displacement", fmt::format("{}m, voxel {}", si_number(found.displacement.norm()), found.farthest),
           "Displacement from the start of the scene");
  stat_row("Centre of mass", plain_triple(found.center_of_mass) + " m");
  stat_row("Reaction", plain_triple(s.reaction) + " N", "Force of all held voxels and obstacles on the body");
  if (s.contacts > 0)
    stat_row(
        "Contacts", fmt::format("{}, {} would slip", counted(s.contacts, "voxel", "voxels"), s.slipping),
        "Number of voxels in contact with obstacles, and number of these voxels that friction cannot hold in place");
  if (!s.stable) stat_row("Stable", "no", "A small disturbance makes the body leave this equilibrium");
  ImGui::EndTable();
}

}  // namespace

void settle_body(App& app, const std::string& system) {
  if (app.session.run == nullptr || app.session.equilibrium.sought) return;
  hide_mode(app);
  app.session.equilibrium = {.sought = true, .system = system, .found = std::nullopt};
  (void)app.session.run->take_settled();  // result of a search that an edit has made obsolete
  app.session.run->submit(Settle{system});
}

void update_equilibrium(App& app) {
  if (app.session.run == nullptr || !app.session.equilibrium.sought) return;
  app.times.busy_until_s = app.times.wall_s + 0.3;
  auto ended = app.session.run->take_settled();
  if (!ended) return;
  app.session.equilibrium.sought = false;
  app.session.equilibrium.found = std::move(ended);
}

void draw_equilibrium(App& app, const std::string& body) {
  heading("Equilibrium", app.ui.fonts.strong);
  const EquilibriumState& e = app.session.equilibrium;
  if (e.sought) return draw_progress(app);
  if (ImGui::Button("Solve equilibrium", {-1, 0})) settle_body(app, body);
  tooltip("Moves " + body + " to its static equilibrium under load; the journal records this");
  if (!e.found || e.system != body) return;
  if (*e.found)
    draw_found(**e.found);
  else
    dim_text(e.stopped ? "Stopped: the body is unchanged." : e.found->error().message());
}

}  // namespace vw::ui
