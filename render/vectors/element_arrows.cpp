#include "render/vectors/element_arrows.h"

#include <algorithm>

#include "render/vectors/vector_colors.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

const std::vector<Vec3f>* find_vector(const SystemSnapshot& system, const std::string& name) {
  const auto found = std::ranges::find(system.vectors, name, &VectorChannel::name);
  return found != system.vectors.end() && found->values.size() == system.position.size() ? &found->values : nullptr;
}

std::string unit_of(const Snapshot& snapshot, const std::string& name) {
  for (const SystemSnapshot& system : snapshot.systems)
    for (const ChannelInfo& one : system.available_vectors)
      if (one.name == name) return one.unit;
  return name == "velocity" ? "m/s" : "";
}

bool is_shown(const SystemSnapshot& system, const ViewParams& view) {
  if (is_hidden(view.hidden, system.name)) return false;
  return view.vector_systems.empty() ||
         std::ranges::find(view.vector_systems, system.name) != view.vector_systems.end();
}

}  // namespace

/// Finds the values of the displayed vector. Returns false if the system does not have this vector. If both snapshots
/// have the same elements in the same rows, the values are interpolated. Otherwise, the newest values are taken.
bool ElementArrows::find_values(const Scene& scene, std::size_t s, std::vector<glm::vec3>& scratch,
                                std::span<const glm::vec3>& values) {
  const SystemSnapshot& system = scene.newest.systems[s];
  const Figure& figure = scene.figures[s];
  if (scene.view.vector_of == "velocity") {
    values = figure.velocity;
    return true;
  }
  const std::vector<Vec3f>* now = find_vector(system, scene.view.vector_of);
  if (now == nullptr || now->size() != figure.places.size()) return false;
  const SystemSnapshot* before =
      scene.previous != nullptr && s < scene.previous->systems.size() ? &scene.previous->systems[s] : nullptr;
  const bool same =
      before != nullptr && scene.blend < 1 && before->revision == system.revision && before->id == system.id;
  const std::vector<Vec3f>* then = same ? find_vector(*before, scene.view.vector_of) : nullptr;
  scratch.resize(now->size());
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    scratch[i] = to_glm((*now)[i]);
    if (then != nullptr) scratch[i] = glm::mix(to_glm((*then)[i]), scratch[i], scene.blend);
  }
  values = scratch;
  return true;
}

void ElementArrows::build(const Scene& scene) {
  const ViewParams& view = scene.view;
  arrows_.clear();
  legend_ = {};
  if (!view.vectors) return field_.clear();
  const std::size_t count = std::min(scene.newest.systems.size(), scene.figures.size());
  std::vector<std::pair<std::string, glm::vec3>> entries;
  std::string shown = view.vector_of;
  sources_.clear();
  values_.resize(count);
  tints_.resize(count);
  for (std::size_t s = 0; s < count; ++s) {
    const Figure& figure = scene.figures[s];
    std::span<const glm::vec3> values;
    if (!is_shown(scene.newest.systems[s], view) || !find_values(scene, s, values_[s], values)) continue;
    const bool is_bound = figure.look == LookKind::voxels, is_sparse = !is_bound && view.vector_of != "velocity";
    tints_[s] = system_tint(s);
    const glm::vec3* tint = view.vector_color == VectorColor::system ? &tints_[s] : nullptr;
    const bool is_slender = figure.shape == FigureShape::members && figure.turns.size() == figure.places.size();
    sources_.push_back({figure.places, values, figure.id, figure.revision, is_bound, is_sparse, tint, 0,
                        is_slender ? figure.turns : no_turns_});
    if (tint != nullptr && !values.empty()) entries.emplace_back(figure.name, *tint);
    shown += "\n" + figure.name;
  }
  if (shown != shown_) field_.forget();
  shown_ = std::move(shown);
  ArrowScaling law = arrow_scaling_of(view);
  law.length = view.vector_length;
  law.per_unit = view.vector_scale == VectorScale::manual ? static_cast<float>(view.vector_seconds) : 0;
  law.range = view.vector_range_auto ? 0 : static_cast<float>(view.vector_range);
  law.color = view.vector_color;
  field_.build(sources_, law, scene.newest.parts_number(), scene.time_s,
               scene.pixel * glm::length(scene.camera.target - scene.camera.eye));
  arrows_ = field_.arrows();
  legend_ = field_.legend();
  legend_.title = view.vector_of;
  legend_.unit = unit_of(scene.newest, view.vector_of);
  legend_.entries = std::move(entries);
  legend_.axes = glm::mat3(scene.camera.view());
  legend_.turns = is_axial(legend_.unit);
  if (legend_.turns) add_second_heads(arrows_, scene.camera.eye, scene.pixel);
}

}  // namespace vw
