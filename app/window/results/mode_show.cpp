#include "app/window/results/mode_show.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

Quat turned(const Vec3& rotation, const Quat& q) {
  const double angle = rotation.norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, rotation / angle)) * q : q;
}

bool same_children(const Node& a, const Node& b, std::string_view slot) {
  const auto left = a.all(slot), right = b.all(slot);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!same_node(*left[i], *right[i])) return false;
  return true;
}

/// Whether two bodies are equal, apart from parameters of the time integration and of self-contact. These parameters do
/// not affect the modes.
bool same_body(const Node& a, const Node& b) {
  if (a.schema != b.schema) return false;
  Node as_a = b;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    for (const std::string_view name : {"integrator", "implicit_step", "implicit_tolerance", "implicit_iterations",
                                        "precision", "safety", "self_contact"})
      if (a.schema->params[i].name == name) as_a.values[i] = a.values[i];
  return same_node(a, as_a);
}

}  // namespace

Result<FoundModes> find_modes_of(const ModeRequest& request,
                                 const std::function<bool(PairStage stage, int solves)>& progress) {
  const auto begun = std::chrono::steady_clock::now();
  auto body = api::BodyAnalysis::create(request.scene, request.system);
  if (!body) return Unexpected(body.error());
  if (request.loaded) {
    StaticOptions how;
    how.progress = [&](double, double) { return !progress || progress(PairStage::ordering, 0); };
    if (const auto settled = body->settle(how); !settled) return Unexpected(settled.error());
  }
  ModalOptions how;
  how.count = request.count;
  how.progress = progress;
  auto analysis = body->modes(how);
  if (!analysis) return Unexpected(analysis.error());
  FoundModes out;
  out.request = request;
  out.position = body->positions();
  out.orientation = body->orientations();
  Vec3 low = out.position.front(), high = low;
  for (const Vec3& x : out.position) low = low.cwiseMin(x), high = high.cwiseMax(x);
  out.extent_m = (high - low).maxCoeff() + body->voxel_edge_m();
  out.analysis = std::move(*analysis);
  out.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return out;
}

void ModalSolver::start(ModeRequest request, std::function<Result<Node>()> make_scene) {
  stop();
  newest_ = std::make_shared<Slot>();
  workers_.run([slot = newest_, request = std::move(request), make_scene = std::move(make_scene)]() mutable {
    const auto find = [&]() -> Result<FoundModes> {
      if (make_scene) {
        auto scene = make_scene();
        if (!scene) return Unexpected(scene.error());
        request.scene = std::move(*scene);
      }
      return find_modes_of(request, [&slot](PairStage stage, int solves) {
        slot->stage = static_cast<int>(stage);
        slot->solves = solves;
        return !slot->stopped;
      });
    };
    Result<FoundModes> outcome = find();
    const std::lock_guard lock(slot->mutex);
    slot->outcome.emplace(std::move(outcome));
    slot->done = true;
  });
}

void ModalSolver::stop() {
  if (newest_ != nullptr) newest_->stopped = true;
  newest_.reset();
}

std::string ModalSolver::status() const {
  if (newest_ == nullptr) return {};
  switch (newest_->stage) {
    case static_cast<int>(PairStage::factorising): return "Factorising the stiffness matrix\xE2\x80\xA6";
    case static_cast<int>(PairStage::searching):
      return fmt::format("Searching for modes\xE2\x80\xA6 {} linear solves", newest_->solves.load());
    default: return "Assembling the stiffness matrix\xE2\x80\xA6";
  }
}

std::optional<Result<FoundModes>> ModalSolver::poll() {
  if (newest_ == nullptr || !newest_->done) return std::nullopt;
  std::optional<Result<FoundModes>> outcome;
  {
    const std::lock_guard lock(newest_->mutex);
    outcome = std::move(newest_->outcome);
  }
  newest_.reset();
  return outcome;
}

bool pose_mode(const FoundModes& found, std::size_t mode, double amplitude_m, double phase, SystemSnapshot& out) {
  const Mode& shape = found.analysis.modes[mode];
  if (out.position.size() != found.position.size() || out.orientation.size() != found.position.size()) return false;
  const double swing = amplitude_m * std::sin(phase);
  for (std::size_t v = 0; v < found.position.size(); ++v) {
    out.position[v] = (found.position[v] + swing * shape.displacement[v]).cast<float>();
    out.orientation[v] = turned(swing * shape.rotation[v], found.orientation[v]).cast<float>();
  }
  for (Vec3f& v : out.velocity) v.setZero();
  // The channels belong to the simulated state. Without channels, the deformed body is drawn in its material colours.
  out.channels.clear();
  ++out.revision;
  return true;
}

std::vector<std::string> damping_lines(double step_s, const FoundModes* found) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view what, double hertz) {
    const double percent = 100 * api::numerical_damping(hertz, step_s);
    lines.push_back(fmt::format("{}{:.3g} Hz: {:.2g} %", what, hertz, percent));
  };
  add("", 10);
  if (found == nullptr) return lines;
  const auto& modes = found->analysis.modes;
  const auto lowest =
      std::find_if(modes.begin(), modes.end(), [](const Mode& mode) { return mode.kind == ModeKind::flexible; });
  if (lowest != modes.end()) add("lowest mode, ", lowest->hertz);
  return lines;
}

bool still_holds(const FoundModes& found, const Node& scene) {
  const Node* before = found.request.scene.find("system", found.request.system);
  const Node* now = scene.find("system", found.request.system);
  if (before == nullptr || now == nullptr || !same_body(*before, *now) ||
      !same_children(found.request.scene, scene, "material"))
    return false;
  const Node *world_before = found.request.scene.only("world"), *world_now = scene.only("world");
  if (!found.request.loaded || world_before == nullptr || world_now == nullptr) return true;
  return same_node(*world_before, *world_now) && same_children(found.request.scene, scene, "collider");
}

}  // namespace vw
