// Visualisation of a world's fields: slice planes, arrows, lines and iso-surfaces, as requested by the user
// (FieldViewParams). The inputs are the fields at a time, the obstacles, and the other contents of the snapshot, which
// determine the size of the scene. The result is a FieldPicture. The class is used on the simulation thread only.
// Nothing here belongs to the state or affects it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"
#include "sim/world/air/air_quantity.h"
#include "sim/world/air/air_surfaces.h"
#include "sim/world/air/flow_lines.h"
#include "sim/world/flow/streaklines.h"

namespace vw {

/// Returns the box [m] to show if the scene contains only fields: the union of the fields' regions. If no field has a
/// region, returns a cube whose side is one period, ten characteristic lengths or, if the fields have neither, 1 m.
[[nodiscard]] Box3 extent_of(const FieldSet& fields);

class FieldVisualizer {
 public:
  void ask(const FieldViewParams& look);
  /// Must be called when fields or obstacles have changed.
  void forget() { stale_ = true; }
  /// Must be called when time jumps. Markers are then released again, and the box is recomputed.
  void restart();

  /// Fills scene.field for the world at `time` [s]. All other members of `scene` must already be filled. If `fresh` is
  /// false, the previous picture, if any, is reused.
  void write(const FieldSet& fields, const Obstacles* obstacles, double time, bool fresh, Snapshot& scene);

 private:
  void make(const FieldSet& fields, const Obstacles* obstacles, double time, const Snapshot& scene);
  [[nodiscard]] std::string reason(const FieldSet& fields) const;
  void measure_box(const FieldSet& fields, const Snapshot& scene);
  void make_planes(const Air& air, double time);
  template <class Place>
  void blank_solids(const Air& air, double time, const Place& place, FieldSlice& slice);
  [[nodiscard]] std::span<const Vec3> seeds(std::int64_t count);
  void make_lines(const Air& air, double time);
  void make_ribbons(const Air& air, double time);
  void make_glyphs(const Air& air, double time);
  void accelerate(const Air& air, double time);

  FieldViewParams look_;
  FieldPicture picture_;
  bool made_ = false, stale_ = true;
  double time_ = 0;  ///< time of the picture [s]
  /// Bounding box of the scene with a margin. It is updated only if the scene no longer fits into it or has become much
  /// smaller. It is empty until computed.
  Box3 scene_box_;
  Box3 box_;  ///< box that is shown
  AirSampler sampler_;
  Streamlines streamlines_;
  Pathlines pathlines_;
  Streaklines streaklines_;
  AirSurfaces surfaces_;
  std::vector<Vec3> seeds_, place_, velocity_, way_, behind_, ahead_;
  std::vector<double> clear_;
};

}  // namespace vw
