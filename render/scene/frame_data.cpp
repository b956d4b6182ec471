#include "render/scene/frame_data.h"

#include <algorithm>
#include <cmath>

#include "render/scene/collider_drawing.h"
#include "render/scene/cut_caps.h"

namespace vw {
namespace {

bool has_channel(const SystemSnapshot& system, const std::string& name) {
  return std::any_of(system.channels.begin(), system.channels.end(),
                     [&](const Channel& c) { return c.name == name && c.values.size() == system.position.size(); });
}

/// Marks elements behind the cut plane as hidden. Skins and surfaces are clipped when they are drawn. In a fluid that
/// is drawn as a surface, the particles just behind the cut plane stay visible, because their balls fill the cut face.
/// If the cut face has a cap, particles whose balls would protrude from the cap are hidden too.
void mark_hidden(const CutPlanes& cut, bool is_capped, Figure& figure) {
  if (!cut.is_open()) return;
  const float reach = is_capped                              ? -0.5F * figure.spacing_m
                      : figure.shape == FigureShape::surface ? fluid_ball_share * figure.spacing_m
                                                             : 0;
  for (glm::vec4& place : figure.places)
    if (cut.hides(glm::vec3(place), reach)) place.w = -1;
}

/// Marks all elements of the system as hidden.
void hide(Figure& figure) {
  figure.shape = FigureShape::hidden;
  for (glm::vec4& place : figure.places) place.w = -1;
}

std::int64_t selected_of(const SystemSnapshot& system, const Selection& selection) {
  return selection.system == system.name ? selection.element : -1;
}

/// Whether the view shows rigid bodies as the particles that fill them.
bool shows_fill(const SystemSnapshot& system, const ViewParams& view) {
  const auto* rigid = system.look_as<RigidLook>();
  return view.rigid_style == RigidStyle::particles && rigid != nullptr && rigid->particle_m > 0 &&
         rigid->particles.size() == system.position.size();
}

/// Adds the legend of the dots at the parts that actuators drive.
void add_actuator_legend(const std::vector<SignalSnapshot>& signals, std::vector<Legend>& legends) {
  constexpr std::string_view slot = "actuator.";
  Legend legend;
  legend.title = "Actuators";
  legend.lists_one = true;
  for (const SignalSnapshot& signal : signals)
    if (!signal.places.empty() && signal.name.starts_with(slot))
      legend.entries.emplace_back(signal.name.substr(slot.size()), actuator_color(signal));
  if (!legend.entries.empty()) legends.push_back(std::move(legend));
}

}  // namespace

float pixel_per_distance(const Camera& camera, int width, int height) {
  return 2 * camera.half_height(static_cast<float>(width) / static_cast<float>(height)) / static_cast<float>(height);
}

void FrameData::add_bodies(const SystemSnapshot& system, const Figure& figure, std::int64_t selected) {
  const auto meshes = meshes_of(system);
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    if (meshes[i] == nullptr) continue;
    const glm::vec4 &place = figure.places[i], &turn = figure.turns[i];
    glm::vec3 color = linear_of(figure.colors[i]);
    if (static_cast<std::int64_t>(i) == selected) color = glm::mix(color, mark_color, 0.6F);
    ColliderSnapshot& solid = solids.emplace_back();
    solid.name = system.name;
    solid.kind = ColliderSnapshot::Kind::mesh;
    solid.mesh = meshes[i];
    solid.position = {place.x, place.y, place.z};
    solid.orientation = Quatf(turn.w, turn.x, turn.y, turn.z);
    solid.color = {color.r, color.g, color.b};
  }
}

void FrameData::gather_solids(const Snapshot& newest, const ViewParams& view, const Selection& selection) {
  solids.clear();
  for (const ColliderSnapshot& collider : newest.colliders)
    if (collider.kind != ColliderSnapshot::Kind::plane && is_shown(collider, view)) solids.push_back(collider);
  obstacles = solids.size();
  for (std::size_t f = 0; f < newest.systems.size(); ++f)
    if (figures[f].shape == FigureShape::bodies && !shows_fill(newest.systems[f], view))
      add_bodies(newest.systems[f], figures[f], selected_of(newest.systems[f], selection));
}

/// Adds a figure of balls for each system whose rigid bodies are drawn as particles.
void FrameData::add_fills(const Snapshot& newest, const ViewParams& view, const Selection& selection) {
  for (std::size_t f = 0; f < newest.systems.size(); ++f) {
    const SystemSnapshot& system = newest.systems[f];
    if (figures[f].shape != FigureShape::bodies || !shows_fill(system, view)) continue;
    if (figures.size() == count) figures.emplace_back();
    place_fill(system, figures[f], selected_of(system, selection), figures[count]);
    mark_hidden(cut, false, figures[count++]);
  }
}

/// Adds a figure of puffs for foam and spray: several small, soft puffs about each foaming particle of the fluids. The
/// positions of the puffs relative to the particle depend on its id only, so the puffs move with the particle.
void FrameData::add_spray() {
  constexpr std::uint32_t puffs = 6;
  constexpr std::uint32_t white = 0xFFFFFFFFU;
  if (figures.size() == count) figures.emplace_back();
  Figure& out = figures[count++];
  out = Figure();
  out.soft = out.is_spray = true;
  for (const SprayParticle& particle : fluid.spray())
    for (std::uint32_t k = 0; k < puffs; ++k) {
      std::uint32_t hash = (particle.id * puffs + k) * 2654435761U + 40503U;
      const auto random = [&hash] {
        hash ^= hash << 13U, hash ^= hash >> 17U, hash ^= hash << 5U;  // G. Marsaglia, "Xorshift RNGs", 2003
        return static_cast<float>(hash >> 8U) / 16777216;
      };
      random();
      const glm::vec3 aside = glm::vec3(random(), random(), random()) - 0.5F;
      const float size = particle.spacing_m * (0.1F + 0.3F * random());
      const glm::vec3 at = particle.place + 2.4F * particle.spacing_m * aside;
      if (fluid.walls().touched_by(at, 0) > 0) continue;
      out.places.emplace_back(at, size);
      out.colors.push_back(white);
      out.opacity.push_back(static_cast<std::uint8_t>(255 * std::min(0.4F * particle.amount, 1.0F)));
      out.id.push_back(particle.id * puffs + k);
    }
}

/// Places and colours the figures of all systems, and collects the legends.
void FrameData::place_figures(const Snapshot* previous, const Snapshot& newest, float blend, const ViewParams& view,
                              double time_s) {
  count = newest.systems.size();
  if (figures.size() < count) figures.resize(count);
  ranges_.resize(std::max(ranges_.size(), count));
  legends.resize(count);
  std::size_t shown = 0;
  for (std::size_t f = 0; f < count; ++f) {
    const SystemSnapshot* before =
        previous != nullptr && f < previous->systems.size() ? &previous->systems[f] : nullptr;
    place_figure(before, newest.systems[f], blend, figures[f]);
    const bool colored = has_channel(newest.systems[f], view.color_by);
    const bool by_itself = surface_is_cheap && !colored;
    if (newest.systems[f].look_kind() == LookKind::fluid &&
        (view.fluid_style == FluidStyle::automatic ? by_itself : view.fluid_style == FluidStyle::surface))
      figures[f].shape = FigureShape::surface;
    mark_hidden(cut, view.cut_caps && colored && newest.systems[f].look_kind() == LookKind::fluid, figures[f]);
    const bool shown_at_all = !is_hidden(view.hidden, newest.systems[f].name);
    if (!shown_at_all) hide(figures[f]);
    Legend& legend = legends[shown];
    color_figure(newest.systems[f], view, time_s, ranges_[f], scratch_, figures[f], legend);
    if (!shown_at_all || joins_another(legend, {legends.data(), shown})) continue;
    if (!legend.colors.empty() || !legend.entries.empty()) ++shown;
  }
  legends.resize(shown);
}

void FrameData::prepare(const Frame& frame, const ViewParams& view, const Camera& camera, const Selection& selection,
                        int width, int height) {
  const Snapshot& newest = *frame.newest;
  const Snapshot* previous =
      frame.previous != nullptr && frame.previous->parts_number() == newest.parts_number() ? frame.previous : nullptr;
  const double earlier = previous != nullptr ? previous->time_s : newest.time_s;
  const double time_s = earlier + static_cast<double>(frame.blend) * (newest.time_s - earlier);
  const float pixel = pixel_per_distance(camera, width, height),
              pixel_m = pixel * glm::length(camera.target - camera.eye);
  cut = cut_of(view);
  light = environment_of(view);
  place_figures(previous, newest, frame.blend, view, time_s);
  bool is_channel = false;
  for (std::size_t f = 0; f < count; ++f)
    is_channel |= figures[f].shape == FigureShape::surface && has_channel(newest.systems[f], view.color_by);
  gather_solids(newest, view, selection);
  fluid.build(figures, count, view, is_channel, newest.colliders, camera.eye, fluid_detail, solids);
  if (view.cut_caps) add_cut_caps(cut, std::span(figures).first(count), solids);
  vectors.build({previous, newest, frame.blend, figures, view, camera, time_s, pixel});
  forces.build(newest, figures, view, time_s, pixel_m);
  arrows = vectors.arrows();
  arrows.insert(arrows.end(), forces.arrows().begin(), forces.arrows().end());
  note(newest, view);
  element_trails.build({newest, figures, view, time_s, camera.eye, pixel});
  bool has_surface = false;
  for (std::size_t f = 0; f < count; ++f) has_surface |= figures[f].shape == FigureShape::surface;
  flow.build({newest, view, time_s, camera.eye, pixel, has_surface, meshes_only});
  solids.insert(solids.end(), flow.solids().begin(), flow.solids().end());
  air.build({previous, newest, frame.blend, view, camera, cut, time_s, pixel, element_trails, flow, meshes_only});
  solids.insert(solids.end(), air.solids().begin(), air.solids().end());
  arrows.insert(arrows.end(), air.arrows().begin(), air.arrows().end());
  legends.insert(legends.end(), air.legends().begin(), air.legends().end());
  if (view.actuators && !meshes_only) add_actuator_legend(newest.signals, legends);
  marks.build({newest, previous, frame.blend, figures, count, view, selection, trails, camera.eye, pixel});
  add_fills(newest, view, selection);
  if (fluid_detail != FluidDetail::particles && !fluid.spray().empty()) add_spray();
  // Light and shadow keep a fine resolution near the target, even if a few particles are far away.
  const Bounds3 scene = scene_bounds(newest);
  box = near_target(scene, camera, 1.5F);
  shadows = fit_shadow_maps(scene, camera, static_cast<float>(width) / static_cast<float>(height));
  order_members(newest, selection, camera, width, height);
}

/// Colours the selected member, then selects the members for the camera and for the shadow maps.
void FrameData::order_members(const Snapshot& newest, const Selection& selection, const Camera& camera, int width,
                              int height) {
  constexpr int shadow_px = 2048;
  for (std::size_t f = 0; f < newest.systems.size(); ++f) {
    const auto at = static_cast<std::size_t>(selected_of(newest.systems[f], selection));
    if (figures[f].shape != FigureShape::members || at >= figures[f].colors.size()) continue;
    figures[f].colors[at] = pack_linear(glm::mix(linear_of(figures[f].colors[at]), mark_color, 0.85F));
  }
  members.for_eye(figures, count, camera, width, height, few_triangles);
  shading_members.for_sun(figures, count, shadows.texels_per_m(shadow_px));
}

}  // namespace vw
