// View settings of a world: camera, colouring, overlays, quality. Slot `view` of a scene. They are saved with the scene
// but are not part of the state or its hash.
#pragma once

#include <algorithm>
#include <span>

#include "sim/base/node.h"

namespace vw {

enum class VectorScale { automatic, manual };
enum class VectorLength { linear, logarithmic, constant };
/// Colour by magnitude, by direction, or with the colour of the system.
enum class VectorColor { magnitude, direction, system };
enum class Quality { automatic, low, medium, high };
enum class ParticleStyle { balls, discs };
enum class FluidStyle { automatic, surface, particles };
enum class RigidStyle { surface, particles };
enum class JointStyle { links, all, none };
enum class Cut { none, x, y, z };

/// Visualisation of the fields, as sampled by the simulation for each snapshot.
struct FieldViewParams {
  std::string field;  ///< name of a field; empty: the sum of all
  /// Quantity on the planes: speed, velocity_x, _y, _z, vorticity, vorticity_x, _y, _z, value, pressure.
  std::string quantity{"speed"};
  bool plane_x = false, plane_y = false, plane_z = false;  ///< show a plane perpendicular to this axis
  Vec3 planes_at = Vec3::Zero();                           ///< point in which the planes intersect [m]
  bool glyphs = false;               ///< arrows on the planes, or throughout the box if no plane is shown
  std::string glyph_of{"velocity"};  ///< quantity of the arrows: velocity, acceleration, vorticity
  std::int64_t samples = 96;         ///< samples along the longest side of a plane
  std::int64_t glyph_count = 24;     ///< arrows along the longest side
  std::int64_t streamlines = 0;      ///< number of streamlines; 0: none
  double streamline_length_m = 0;    ///< length [m]; 0: twice the longest side of the box
  std::int64_t pathlines = 0;        ///< number of pathlines (paths of markers carried by the air); 0: none
  double pathline_s = 1;             ///< time span of each pathline [s]
  Vec3 box_center = Vec3::Zero();
  Vec3 box_size = Vec3::Zero();  ///< [m]; 0 along an axis: the extent of the scene
  [[nodiscard]] bool any() const { return plane_x || plane_y || plane_z || glyphs || streamlines > 0 || pathlines > 0; }
  bool operator==(const FieldViewParams&) const = default;
};

struct ViewParams : FieldViewParams {
  Vec3 eye{0.6, 0.4, 0.8};  ///< camera position [m]
  Vec3 target{0, 0.1, 0};   ///< point that the camera looks at [m]
  /// Vertical field of view for pictures with an aspect ratio of 16:9 or more [degrees]; narrower pictures keep the
  /// horizontal one.
  double fov_deg = 40;
  /// At the start, move the camera along its viewing direction so that everything is visible (ignores the distance of
  /// `eye`).
  bool auto_frame = true;
  std::string color_by = "material";    ///< "material" or the name of a channel
  bool range_auto = true;               ///< colour range from the values shown
  double range_min = 0, range_max = 1;  ///< used when range_auto is off
  bool vectors = false;                 ///< vector overlay
  /// Vector to draw: velocity, acceleration, net_force, or a vector that the systems provide, such as vorticity.
  std::string vector_of{"velocity"};
  TextList vector_systems;  ///< names of systems; empty: all
  VectorScale vector_scale = VectorScale::automatic;
  VectorLength vector_length = VectorLength::linear;
  double vector_seconds = 0.05;      ///< manual scale: arrow length [m] for a value of 1
  std::int64_t vector_limit = 3000;  ///< largest number of arrows; more elements are evenly subsampled
  VectorColor vector_color = VectorColor::magnitude;
  double vector_clamp = 3;        ///< longest arrow, as a multiple of the arrow at the range's end; 0: no limit
  bool vector_range_auto = true;  ///< the range of lengths and colours ends at the 95th percentile of the values shown
  double vector_range = 1;        ///< end of the range when vector_range_auto is off
  double vector_decades = 2;  ///< logarithmic lengths: values this many decades below the range's end have zero length
  bool ground_grid = true;
  bool colliders = true;
  TextList hidden;         ///< names of systems and colliders that are not drawn
  bool wireframe = false;  ///< draw voxel edges on the skin
  bool legend = true;
  bool trace = false;                                ///< path of each body's centre of mass
  bool trails = false;                               ///< paths of elements
  double trail_s = 2;                                ///< time span of a trail [s]
  std::int64_t trail_limit = 300;                    ///< largest number of elements with a trail, evenly subsampled
  TextList trail_systems;                            ///< names of systems; empty: all
  VectorColor trail_color = VectorColor::magnitude;  ///< magnitude: the speed
  /// Target that the camera follows: "system" (its centre of mass) or "system.id" (an element); empty: none.
  std::string follow;
  ParticleStyle particle_style = ParticleStyle::balls;
  FluidStyle fluid_style = FluidStyle::automatic;
  double fluid_clarity_m = 0;  ///< depth at which a fluid takes on its colour [m]; 0: according to its size
  bool foam = true;            ///< foam where a fluid's surface breaks
  RigidStyle rigid_style = RigidStyle::surface;
  JointStyle joints = JointStyle::links;  ///< links: ropes and rods only; all: every part of every joint
  bool body_frames = false;               ///< draw principal axes of rigid bodies
  bool mass_centers = false;              ///< mark the centre of mass of each rigid body and of each voxel body
  bool sleepers = false;                  ///< draw sleeping bodies darker
  bool contacts = false;                  ///< mark contacts of rigid bodies with their forces
  TextList forces;                        ///< nodes of rules whose forces on elements are drawn
  double force_scale = 0;                 ///< arrow length per force [m/N]; 0: automatic
  Cut cut = Cut::none;                    ///< axis across which the scene is cut open
  double cut_at_m = 0;
  bool cut_flip = false;       ///< remove the part below cut_at_m instead of the part above
  double air_opacity = 0.85;   ///< of planes
  bool air_range_auto = true;  ///< colour range of planes and lines from the values shown
  double air_range_min = 0, air_range_max = 1;
  double air_seconds = 0;  ///< arrow length per speed [m per m/s] of glyphs; 0: automatic
  Quality quality = Quality::automatic;
};
/// Whether a system or collider is listed in ViewParams::hidden.
[[nodiscard]] inline bool is_hidden(std::span<const std::string> hidden, const std::string& name) {
  return std::ranges::find(hidden, name) != hidden.end();
}
[[nodiscard]] const ParamTable<ViewParams>& view_params();
[[nodiscard]] const Schema& view_schema();

}  // namespace vw
