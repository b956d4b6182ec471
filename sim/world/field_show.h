// The picture of a world's air: planes, arrows and lines, as a user asked for them. In: the fields at a time, what stands in them, the rest of the
// snapshot (how large the scene is). Out: FieldPicture. Simulation thread; nothing of it is state, and no bit of the state depends on it.
#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"
#include "sim/world/air_quantity.h"
#include "sim/world/flow_lines.h"

namespace vw {

/// What to look at where there is nothing but fields: their regions, else a cube of one period or of some of their lengths.
[[nodiscard]] Box3 extent_of(const FieldSet& fields);

/// What arrows may show of the air: velocity, acceleration (of the air that passes the place, material), vorticity.
[[nodiscard]] std::vector<std::string> air_glyphs();

class FieldShow {
 public:
  void ask(const FieldLook& look);
  /// Fields or obstacles are no longer what they were.
  void forget() { stale_ = true; }
  /// Time no longer goes on from where it was: markers are born anew, the box is measured anew.
  void restart();

  /// Fills scene.field, for the world at `time`; everything else in `scene` is filled. Not `fresh`: with the last picture, if there is one.
  void write(const FieldSet& fields, const Obstacles* obstacles, double time, bool fresh, Snapshot& scene);

 private:
  void make(const FieldSet& fields, const Obstacles* obstacles, double time, const Snapshot& scene);
  [[nodiscard]] std::string reason(const FieldSet& fields) const;
  void measure_box(const FieldSet& fields, const Snapshot& scene);
  void make_planes(const Air& air, double time);
  template <class Place>
  void blank_solids(const Air& air, double time, const Place& place, FieldSlice& slice);
  void make_glyphs(const Air& air, double time);
  void accelerate(const Air& air, double time);

  FieldLook look_;
  FieldPicture picture_;
  bool made_ = false, stale_ = true;
  double time_ = 0;  ///< of the picture
  Box3 scene_box_;   ///< about the scene with room around, steady; empty: not measured
  Box3 box_;         ///< that is looked at
  AirSampler sampler_;
  Streamlines streamlines_;
  Pathlines pathlines_;
  std::vector<Vec3> place_, velocity_, way_, behind_, ahead_;
  std::vector<double> clear_;
};

}  // namespace vw
