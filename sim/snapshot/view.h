// How a user looks at a world: camera, colouring, overlays, quality. Slot `view` of a scene; saved with it, but part of neither state nor hash.
#pragma once

#include <algorithm>
#include <span>

#include "sim/base/node.h"

namespace vw {

enum class VectorScale { automatic, manual };
enum class VectorLength { linear, logarithmic, constant };
/// By how large a vector is, by where it points, or as its system is.
enum class VectorColor { magnitude, direction, system };
enum class Quality { automatic, low, medium, high };
enum class ParticleStyle { balls, discs };
enum class FluidStyle { automatic, surface, particles };
enum class RigidStyle { surface, particles };
enum class JointStyle { links, all, none };
enum class Cut { none, x, y, z };

/// What to show of the fields: what the simulation samples for a picture.
struct FieldLook {
  std::string field;                                       ///< name of a field; empty: the sum of all
  std::string quantity{"speed"};                           ///< of planes: speed, velocity_x, _y, _z, vorticity, vorticity_x, _y, _z, value, pressure
  bool plane_x = false, plane_y = false, plane_z = false;  ///< planes across these axes
  Vec3 planes_at = Vec3::Zero();                           ///< [m] where they cross
  bool glyphs = false;                                     ///< arrows on the planes, or throughout the box where there is none
  std::string glyph_of{"velocity"};                        ///< what they show: velocity, acceleration, vorticity
  std::int64_t samples = 96;                               ///< along the longest side of a plane
  std::int64_t glyph_count = 24;                           ///< arrows along the longest side
  std::int64_t streamlines = 0;                            ///< how many lines; 0: none
  double streamline_length_m = 0;                          ///< 0: twice the box
  std::int64_t pathlines = 0;                              ///< how many ways of markers that the air carries; 0: none
  double pathline_s = 1;                                   ///< the time that they show
  Vec3 box_center = Vec3::Zero();
  Vec3 box_size = Vec3::Zero();  ///< [m]; 0 along an axis: as large as the scene
  [[nodiscard]] bool any() const { return plane_x || plane_y || plane_z || glyphs || streamlines > 0 || pathlines > 0; }
  bool operator==(const FieldLook&) const = default;
};

struct ViewParams : FieldLook {
  Vec3 eye{0.6, 0.4, 0.8};  ///< camera position [m]
  Vec3 target{0, 0.1, 0};   ///< what it looks at [m]
  double fov_deg = 40;      ///< vertical, of pictures of 16:9 and wider; narrower ones keep the horizontal
  bool auto_frame = true;   ///< at the start, move the camera so that everything is in the picture (ignores eye's distance, keeps its direction)
  std::string color_by;     ///< "material" or a channel's name
  bool range_auto = true;   ///< colour range from the values shown
  double range_min = 0, range_max = 1;  ///< when range_auto is off
  bool vectors = false;                 ///< vector overlay
  std::string vector_of{"velocity"};    ///< velocity, acceleration, net_force, or a vector of its systems such as vorticity
  TextList vector_systems;              ///< names of systems; none: all
  VectorScale vector_scale = VectorScale::automatic;
  VectorLength vector_length = VectorLength::linear;
  double vector_seconds = 0.05;      ///< manual: arrow length [m] for a value of 1
  std::int64_t vector_limit = 3000;  ///< arrows at most, evenly subsampled
  VectorColor vector_color = VectorColor::magnitude;
  double vector_clamp = 3;        ///< no arrow is longer than so many that are as long as the range's end; 0: no limit
  bool vector_range_auto = true;  ///< the range of lengths and colours ends at the 95th percentile of the values shown
  double vector_range = 1;        ///< its end when that is off
  double vector_decades = 2;      ///< of logarithmic lengths: values that many decades below the range's end have no length
  bool ground_grid = true;
  bool colliders = true;
  TextList hidden;         ///< names of systems and obstacles that are not drawn
  bool wireframe = false;  ///< voxel edges on the skin
  bool legend = true;
  bool trace = false;                                ///< path of each body's centre of mass
  bool trails = false;                               ///< ways of elements
  double trail_s = 2;                                ///< the time that they show
  std::int64_t trail_limit = 300;                    ///< elements with a trail at most, evenly subsampled
  TextList trail_systems;                            ///< names of systems; none: all
  VectorColor trail_color = VectorColor::magnitude;  ///< of the speed
  std::string follow;  ///< what the camera goes along with: "system" (its centre of mass) or "system.id" (an element); empty: nothing
  ParticleStyle particle_style = ParticleStyle::balls;
  FluidStyle fluid_style = FluidStyle::automatic;
  double fluid_clarity_m = 0;  ///< how deep a fluid takes on its colour; 0: by its size
  bool foam = true;            ///< where a fluid's surface breaks
  RigidStyle rigid_style = RigidStyle::surface;
  JointStyle joints = JointStyle::links;  ///< ropes and rods alone, or all of every joint
  bool body_frames = false;               ///< principal axes of rigid bodies
  bool mass_centers = false;              ///< of rigid bodies one by one, of voxel bodies as a whole
  bool sleepers = false;                  ///< what sleeps is darker
  bool contacts = false;                  ///< where rigid bodies are pressed, and the force there
  TextList forces;                        ///< nodes of rules whose forces on elements are drawn
  double force_scale = 0;                 ///< arrow length [m] per force [N]; 0: fitted
  Cut cut = Cut::none;                    ///< the axis along which the scene is cut open
  double cut_at_m = 0;
  bool cut_flip = false;       ///< what lies below cut_at_m is taken away in place of what lies above
  double air_opacity = 0.85;   ///< of planes
  bool air_range_auto = true;  ///< colours of planes and lines from the values shown
  double air_range_min = 0, air_range_max = 1;
  double air_seconds = 0;  ///< arrow length [m] per speed [m/s] of glyphs; 0: fitted
  Quality quality = Quality::automatic;
};
/// Whether a system or an obstacle is among the names that are not drawn (ViewParams::hidden).
[[nodiscard]] inline bool is_hidden(std::span<const std::string> hidden, const std::string& name) {
  return std::ranges::find(hidden, name) != hidden.end();
}
[[nodiscard]] const ParamTable<ViewParams>& view_params();
[[nodiscard]] const Schema& view_schema();

}  // namespace vw
