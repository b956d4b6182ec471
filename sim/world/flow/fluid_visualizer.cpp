#include "sim/world/flow/fluid_visualizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace vw {
namespace {

/// Cell size of the grid of an iso-surface, in particle spacings.
constexpr double fluid_surface_cell = 0.8;
/// Length of a streamline as a multiple of the fluid's longest side.
constexpr double streamline_sides = 1.5;
/// Largest distance that a marker of a streakline moves in a step, in particle spacings.
constexpr double streak_reach = 0.5;

struct DerivedQuantity {
  std::string_view name, unit;
  bool is_signed;
  double (*value)(const FlowSample&);
};
constexpr std::array derived_quantities{
    DerivedQuantity{"speed", "m/s", false, [](const FlowSample& s) { return s.velocity.norm(); }},
    DerivedQuantity{"vorticity", "1/s", false, [](const FlowSample& s) { return vorticity_of(s.gradient).norm(); }},
    DerivedQuantity{"q_criterion", "1/s^2", true, [](const FlowSample& s) { return q_criterion(s.gradient); }}};

/// A quantity of a fluid that can be evaluated at any position: derived from the velocity, or a channel of the
/// particles.
struct FluidQuantity {
  const DerivedQuantity* derived = nullptr;
  const Channel* channel = nullptr;
  std::string unit = {};
  bool is_signed = false;

  [[nodiscard]] bool exists() const { return derived != nullptr || channel != nullptr; }
  /// Returns the value at a position [m], or NaN outside the fluid.
  [[nodiscard]] double at(const ParticleFlow& flow, const Vec3& place) const {
    if (channel != nullptr) return flow.mean_at(place, channel->values);
    const FlowSample sample = flow.at(place);
    return sample.fraction >= ParticleFlow::least_fraction ? derived->value(sample)
                                                           : std::numeric_limits<double>::quiet_NaN();
  }
};

FluidQuantity quantity_of(const SystemSnapshot& system, const std::string& name) {
  FluidQuantity out;
  const auto derived = std::ranges::find(derived_quantities, name, &DerivedQuantity::name);
  const auto channel = std::ranges::find(system.channels, name, &Channel::name);
  if (derived != derived_quantities.end()) {
    out.derived = &*derived;
    out.unit = derived->unit;
    out.is_signed = derived->is_signed;
  } else if (channel != system.channels.end()) {
    out.channel = &*channel;
    const auto info = std::ranges::find(system.available, name, &ChannelInfo::name);
    if (info != system.available.end()) out.unit = info->unit, out.is_signed = info->is_signed;
  }
  return out;
}

FieldLines field_lines(const FlowLines& lines) {
  FieldLines out;
  out.start = lines.start;
  for (const Vec3& p : lines.point) out.point.push_back(p.cast<float>());
  for (const double s : lines.speed) out.speed.push_back(static_cast<float>(s));
  for (const Vec3& n : lines.normal) out.across.push_back(n.cast<float>());
  return out;
}

/// A fluid whose velocity is interpolated linearly in time between two states. Before the first state and after the
/// second state, the velocity is that of the nearer state.
class FluidMedium final : public CarryingMedium {
 public:
  FluidMedium(const ParticleFlow& before, double before_time, const ParticleFlow& now, double now_time)
      : before_(before), now_(now), before_time_(before_time), now_time_(now_time) {}
  void velocity(std::span<const Vec3> place, double time, std::span<Vec3> out) override {
    const double share = share_at(time);
    parallel_for(place.size(), 64, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        out[i] = share > 0 ? Vec3(share * now_.at(place[i]).velocity) : Vec3(Vec3::Zero());
        if (share < 1) out[i] += (1 - share) * before_.at(place[i]).velocity;
      }
    });
  }
  void contains(std::span<const Vec3> place, double time, std::span<std::uint8_t> out) override {
    const ParticleFlow& nearer = share_at(time) >= 0.5 ? now_ : before_;
    parallel_for(place.size(), 64, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        out[i] = place[i].allFinite() && nearer.at(place[i]).fraction >= ParticleFlow::least_fraction ? 1 : 0;
    });
  }

 private:
  [[nodiscard]] double share_at(double time) const {
    return now_time_ > before_time_ ? std::clamp((time - before_time_) / (now_time_ - before_time_), 0.0, 1.0) : 1;
  }
  const ParticleFlow &before_, &now_;
  double before_time_, now_time_;
};

bool has_rake(const FluidViewParams& look) { return look.fluid_rake_from != look.fluid_rake_to; }

}  // namespace

void FluidVisualizer::ask(const FluidViewParams& look) {
  if (look == look_) return;
  const bool keeps_seeds = look.fluid_streaklines == look_.fluid_streaklines &&
                           look.fluid_rake_from == look_.fluid_rake_from && look.fluid_rake_to == look_.fluid_rake_to;
  look_ = look;
  made_ = false;
  for (Fluid& fluid : fluids_) {
    fluid.automatic.reset();
    if (!keeps_seeds) fluid.seeds.clear();
  }
  if (!look.any_flow()) restart();
}

void FluidVisualizer::restart() {
  made_ = false;
  fluids_.clear();
  pictures_.clear();
}

void FluidVisualizer::write(double time, bool fresh, Snapshot& scene) {
  if (!look_.any_flow()) return scene.fluids.clear();
  const bool still_good = made_ && (!fresh || time == made_time_);
  bool is_due = false;
  for (const Fluid& fluid : fluids_)
    is_due |= look_.fluid_streaklines > 0 && time >= fluid.streaklines.next_time() && time > fluid.time;
  if (still_good && !is_due) {
    scene.fluids = pictures_;
    return;
  }
  if (!still_good) pictures_.clear();
  std::size_t count = 0;
  for (std::size_t s = 0; s < scene.systems.size(); ++s) {
    const SystemSnapshot& system = scene.systems[s];
    if (!(spacing_of_fluid(system) > 0)) continue;
    if (count == fluids_.size()) fluids_.emplace_back();
    Fluid& fluid = fluids_[count++];
    update(time, system, fluid);
    if (look_.fluid_streaklines > 0) advance(time, fluid);
    if (still_good) continue;
    FluidPicture& picture = pictures_.emplace_back();
    picture.system = s;
    if (!fluid.now.empty()) draw(system, fluid, picture);
  }
  fluids_.resize(count);
  if (!still_good) made_ = true, made_time_ = time;
  scene.fluids = pictures_;
}

/// Takes over the particles of a snapshot. Keeps the previous particles for streaklines.
void FluidVisualizer::update(double time, const SystemSnapshot& system, Fluid& fluid) {
  if (fluid.name != system.name || time < fluid.time) {
    fluid = {};
    fluid.name = system.name;
  } else {
    std::swap(fluid.before, fluid.now);
    fluid.before_time = fluid.time;
  }
  fluid.now.build(system.position, system.velocity, static_cast<double>(spacing_of_fluid(system)));
  fluid.time = time;
  if (fluid.before.empty()) fluid.before_time = time;
}

/// Advances the streaklines of a fluid to the time of its newest particles.
void FluidVisualizer::advance(double time, Fluid& fluid) {
  const auto count = static_cast<std::size_t>(look_.fluid_streaklines);
  if (has_rake(look_))
    fluid.seeds = rake_places(look_.fluid_rake_from, look_.fluid_rake_to, count);
  else if (fluid.seeds.size() < std::min(count, fluid.now.count()))
    fluid.seeds = fluid.now.even_places(count);
  FluidMedium medium(fluid.before, fluid.before_time, fluid.now, fluid.time);
  if (!fluid.streaks) fluid.streaks.emplace();
  fluid.streaklines.trace(medium,
                          {.seeds = fluid.seeds,
                           .seconds = look_.fluid_streakline_s,
                           .reach_m = streak_reach * fluid.now.spacing_m(),
                           .known_since = time},
                          time, *fluid.streaks);
}

void FluidVisualizer::draw(const SystemSnapshot& system, Fluid& fluid, FluidPicture& out) const {
  if (look_.fluid_streamlines > 0) {
    const double length = streamline_sides * fluid.now.box().sizes().maxCoeff();
    const auto count = static_cast<std::size_t>(look_.fluid_streamlines);
    out.streamlines = field_lines(fluid.now.streamlines(
        has_rake(look_) ? rake_places(look_.fluid_rake_from, look_.fluid_rake_to, count) : fluid.now.even_places(count),
        length));
  }
  if (look_.fluid_streaklines > 0 && fluid.streaks) out.streaklines = *fluid.streaks;
  if (!look_.fluid_surface_of.empty()) add_surfaces(system, fluid, out.surfaces);
}

/// Creates the iso-surfaces of a fluid, or none if the fluid does not have the quantity.
void FluidVisualizer::add_surfaces(const SystemSnapshot& system, Fluid& fluid, FlowSurfaces& out) const {
  const FluidQuantity quantity = quantity_of(system, look_.fluid_surface_of);
  if (!quantity.exists()) return;
  const ParticleFlow& flow = fluid.now;
  out.quantity = look_.fluid_surface_of;
  out.unit = quantity.unit;
  const ValueGrid grid =
      flow.sample(fluid_surface_cell * flow.spacing_m(), [&](const Vec3& place) { return quantity.at(flow, place); });
  NumberList levels = look_.fluid_surface_at;
  const bool is_automatic_vortex = levels.empty() && out.quantity == "q_criterion";
  if (levels.empty()) {
    if (!fluid.automatic) fluid.automatic = automatic_level(grid, out.quantity == "q_criterion");
    if (fluid.automatic) levels.push_back(*fluid.automatic);
  }
  const FluidQuantity color =
      look_.fluid_surface_color.empty() ? FluidQuantity() : quantity_of(system, look_.fluid_surface_color);
  if (color.exists()) {
    out.color = look_.fluid_surface_color;
    out.color_unit = color.unit;
    out.color_is_signed = color.is_signed;
  }
  add_iso_surfaces(grid, std::move(levels), [&](double level, SurfaceMesh mesh) {
    if (is_automatic_vortex) mesh = without_small_parts(mesh, least_vortex_triangles);
    if (mesh.triangle.empty()) return;
    FlowSurface& surface = out.surface.emplace_back();
    surface.level = level;
    surface.mesh = std::make_shared<const SurfaceMesh>(std::move(mesh));
    if (!color.exists()) return;
    const std::vector<Vec3f>& vertex = surface.mesh->position;
    surface.value.resize(vertex.size());
    parallel_for(vertex.size(), 256, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const double value = color.at(flow, vertex[i].cast<double>());
        surface.value[i] = static_cast<float>(value);
      }
    });
  });
}

}  // namespace vw
