// Display of the flow inside particle fluids: streamlines, ribbons, and iso-surfaces of a quantity, for example of the
// Q criterion, which shows the cores of vortices. The input is the newest snapshot. Streamlines are lines of points for
// the bands of air_lines.h. Ribbons and surfaces are meshes that are drawn as obstacles are. This file contains CPU
// data only, no GL objects.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "render/air/air_lines.h"
#include "render/labels/figure.h"
#include "sim/surface/particle_flow.h"

namespace vw {

class FluidFlow {
 public:
  struct Scene {
    const Snapshot& newest;
    const ViewParams& view;
    double time_s;  ///< time of the picture
    glm::vec3 eye;
    float pixel;  ///< width of a pixel per unit distance from the eye
    /// Whether lines are tubes, which stay visible inside a fluid that is drawn as a surface.
    bool draws_tubes = false;
  };
  /// Traces lines and extracts surfaces if the snapshot or the settings have changed since the previous call.
  void build(const Scene& scene);
  /// Points of the streamlines, one line after the other. Empty if the lines are ribbons or tubes.
  [[nodiscard]] std::span<const LinePoint> points() const { return points_; }
  [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }
  /// Ribbons, tubes and iso-surfaces.
  [[nodiscard]] std::span<const ColliderSnapshot> solids() const { return solids_; }
  [[nodiscard]] std::span<const Legend> legends() const { return legends_; }

 private:
  /// What the lines and surfaces were made from.
  struct Made {
    std::uint64_t epoch = 0, changes = 0, sequence = 0, tick = 0;
    double time_s = -1;
    std::int64_t streamlines = 0;
    std::string surface_of;
    double surface_at = 0;
    bool operator==(const Made&) const = default;
  };
  void trace(const Scene& scene);
  void add_surface(const SystemSnapshot& system, const ViewParams& view);
  void draw_lines(const Scene& scene);
  void draw_meshes(const ValueRange& range, bool ribbons);

  Made made_;
  ParticleFlow flow_;
  std::vector<FlowLines> lines_;   ///< of each fluid
  std::vector<double> spacing_m_;  ///< of each fluid
  std::vector<ColliderSnapshot> surfaces_, solids_;
  std::vector<LinePoint> points_;
  std::vector<std::size_t> ends_;
  std::vector<Legend> legends_;
  std::string surface_unit_;
  std::vector<float> values_, scratch_;
  SmoothRange range_;
};

}  // namespace vw
