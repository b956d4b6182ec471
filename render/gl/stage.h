// OpenGL state that the passes share: programs, buffers, the data of the figures on the GPU, the constants of the
// frame, and the shadow map.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "render/air/air_pass.h"
#include "render/fluid/fluid_pass.h"
#include "render/gl/gl_object.h"
#include "render/gl/occlusion.h"
#include "render/gl/pass_clock.h"
#include "render/gl/shader.h"
#include "render/labels/figure.h"
#include "render/scene/cut.h"
#include "render/scene/light/caustics.h"
#include "render/scene/light/shadow_maps.h"
#include "render/scene/member_pass.h"
#include "render/scene/splats.h"
#include "render/vectors/arrow_visibility.h"
#include "render/vectors/arrows.h"
#include "render/vectors/marks.h"

namespace vw {

/// Uniform block of shaders/frame.glsl (std140 layout).
struct FrameBlock {
  glm::mat4 clip_from_world{1}, world_from_clip{1}, light_from_world{1};
  glm::vec4 eye{0}, right{0}, up{0}, sun{0}, contact_box{0}, options{0}, mark{0};
  std::array<glm::vec4, CutPlanes::most> cut = CutPlanes().plane;
  glm::vec4 sight_middle{0}, sight_x{0}, sight_y{0}, picture{0};
  glm::vec4 key_color{0}, sky_color{0}, bounce_color{0}, horizon{0}, zenith{0}, nadir{0}, shadow_factor{1},
      caustic_box{0}, water{0}, plain{0};
  std::array<glm::vec4, ShadowMaps::most> shadow_level{};
  glm::vec4 shadow{0};
};

struct Tier {
  const char* name;
  bool simple;    ///< lighting per vertex, and shadows from a coarse grid (sun_grid.h), for software rasterisers
  int shadow_px;  ///< side of the square shadow maps [texels]; 0 means no shadow maps
  /// Shadow map lookups per fragment; with more than 6, penumbrae widen with the distance of the occluder.
  int taps;
  bool exact_depth;   ///< whether the fragment shader writes the exact depth of spheres
  int samples;        ///< number of samples per pixel
  int occlusion = 0;  ///< side of the squares that share one value of ambient occlusion [px]; 0 means none
  int rays = 1;       ///< number of refracted rays for each pixel of a fluid's surface
};
[[nodiscard]] const Tier& tier(Quality quality);

enum class Pass : std::size_t {
  sky,
  plane,
  pane,
  ground,
  ground_mapped,
  ground_dark,
  skin,
  skin_simple,
  sphere,
  sphere_exact,
  sphere_simple,
  sphere_point,
  splat,
  sheet,
  band,
  mesh,
  mesh_simple,
  glass,
  member,
  member_simple,
  mote,
  mote_simple,
  fluid_depth,
  fluid_thickness,
  fluid_depth_points,
  fluid_thickness_points,
  fluid_mesh,
  fluid_smooth,
  fluid_smooth_simple,
  fluid_blur,
  fluid_surface,
  fluid_surface_simple,
  fluid_spread,
  occlusion,
  occlusion_blur,
  occlusion_apply,
  arrow,
  line,
  overlay,
  depth_skin,
  depth_sphere,
  depth_mesh,
  depth_member,
  depth_mote,
  count
};
/// Shaders of a pass: file names without extension, and definitions that are inserted before the text.
struct PassRecipe {
  Pass pass;
  const char* vertex;
  const char* fragment;
  const char* defines;
};
[[nodiscard]] std::span<const PassRecipe> pass_recipes();

struct FigureBuffers {
  StreamBuffer places, colors, corners, faces, quads, owners;
  std::shared_ptr<const VoxelSkin> skin;
  std::size_t balls = 0;            ///< number of balls to draw
  bool points = false;              ///< whether balls are small enough to be drawn as points
  std::vector<std::uint32_t> rows;  ///< figure rows of the uploaded balls; empty if all rows are uploaded in order

  /// Index of a figure's row among the uploaded balls; -1 if it is not uploaded.
  [[nodiscard]] int place_of(int row) const;
};

struct FrameData;

struct Stage {
  std::array<GlProgram, static_cast<std::size_t>(Pass::count)> programs;
  /// Vertex array without attributes, for vertices generated from gl_VertexID. It refers to the current index buffer.
  GlVertexArray empty;
  StreamBuffer frame, loop_indices, strip_indices, arrow_indices, arrow_data, line_data, splat_data;
  std::size_t loops = 0, strips = 0, arrow_slots = 0;
  std::vector<FigureBuffers> figures;
  ArrowVisibility sight;      ///< classifies the arrows of the frame as visible or hidden
  std::vector<float> depths;  ///< scratch for `sight`
  Mesh sphere, box;
  KeptMeshes meshes;                     ///< meshes of colliders and rigid bodies
  std::vector<glm::vec4> shadow_places;  ///< scratch of upload_figure() and upload_balls()
  std::vector<std::uint32_t> ball_colors;
  GlTexture shadow_map, ground_map, caustic_map;
  GlTexture shadow_depths;  ///< view of the shadow maps that is read without comparison
  std::array<GlFramebuffer, ShadowMaps::most> shadow_targets;  ///< one for each map
  FluidBuffers fluid;
  OcclusionBuffers occlusion;
  AirBuffers air;
  MemberBuffers members;
  int shadow_px = 0, shadow_layers = 0;  ///< size and number of the shadow maps
  FrameBlock block;
  PassClock clock;
  std::size_t cuts = 0;     ///< number of cut planes in `block`
  glm::vec3 near_eye{0};    ///< Camera::near_eye()
  glm::mat4 light_clip{1};  ///< transformation from the world to the clip space of the shadow map that is being drawn

  /// Compiles all programs and uploads the meshes of sphere and box. Returns an error if a shader does not compile.
  [[nodiscard]] static Result<void> build(Stage& stage);
  void use(Pass pass) const { glUseProgram(programs[static_cast<std::size_t>(pass)].id()); }
  /// Uploads a figure to the buffers with the index `at`.
  void upload_figure(std::size_t at, const Figure& figure);
  /// Uploads only the given rows of the figure's balls, in the given order.
  void upload_balls(std::size_t at, const Figure& figure, const std::vector<std::uint32_t>& rows, bool as_points);
  /// Draws the skin of an uploaded figure with the current program.
  void draw_skin(std::size_t at);
  /// Draws the balls of an uploaded figure with the current program.
  void draw_spheres(std::size_t at);
  /// Draws one vertex per element. The current program sets the point size.
  void draw_points(std::size_t count);
  /// Draws quads (strips of four vertices) with the current program.
  void draw_strips(std::size_t count) { draw_strips(0, count); }
  void draw_strips(std::size_t first, std::size_t count);
  /// Uploads and draws arrows with the current program.
  void draw_arrows(std::span<const Arrow> arrows);
  /// Draws the splats [first, first + count) of the most recent upload.
  void draw_splats(std::size_t first, std::size_t count) {
    splat_data.bind_storage(0);
    draw_strips(first, count);
  }
  void upload_splats(std::span<const Splat> splats) { splat_data.fill(splats); }
  /// Mesh of a sphere, a box or a mesh collider. Null if there is nothing to draw.
  [[nodiscard]] const Mesh* mesh_of(const ColliderSnapshot& collider);
  /// Draws a collider with the bound program of Pass::depth_mesh.
  void draw_depth(const ColliderSnapshot& collider);
  /// Uploads the meshes of the solids that are not on the GPU yet, and releases meshes that no solid uses.
  void upload_meshes(std::span<const ColliderSnapshot> solids);
  /// Binds the map of contact shadows, which is `side` texels wide. Its content is undefined until the first upload.
  void bind_ground_map(int side);
  void upload_ground_map(std::span<const std::uint8_t> texels, int side);
  /// Sets the constants of the caustics in `block`. If there are caustics, their map is uploaded.
  void upload_caustics(const Caustics& caustics);
  /// Uploads `block`.
  void upload_frame();

 private:
  void bind_indices(StreamBuffer& buffer, std::size_t& have, std::size_t wanted, std::span<const unsigned> pattern,
                    unsigned stride);
};

/// Enables clipping by the cut planes for programs that write gl_ClipDistance.
void set_cut(const Stage& stage);
/// Ends the clipping that set_cut() has enabled.
void clear_cut(const Stage& stage);
/// Draws all finite objects that cast a shadow into the maps of FrameData::shadows. `size_px`: side of a map [texels].
void draw_shadow_maps(Stage& stage, const FrameData& set, int size_px);
/// Binds the shadow maps for the shaders that look them up. If none were drawn yet, their content is undefined.
void bind_shadow_maps(Stage& stage);
/// Input of draw_scene() and draw_backdrop().
struct SceneView {
  const Snapshot& snapshot;
  const std::vector<Figure>& figures;
  std::size_t count;
  const std::vector<Arrow>& arrows;
  const ViewParams& view;
  const Selection& selection;
  const Tier& quality;
  Bounds3 box;
  std::span<const MarkGroup> marks;
  const SplatList& splats;
  std::span<const ColliderSnapshot> solids;
  std::size_t obstacles;  ///< number of colliders, which are the first elements of `solids`
  const FluidCloud& fluid;
  const AirDrawing& air;
  const MemberDrawList& members;
  FluidTarget target;              ///< the bound target, into which fluids are drawn
  bool on_backdrop = false;        ///< whether the target already contains the result of draw_backdrop()
  bool panes_in_backdrop = false;  ///< whether the backdrop includes the transparent planes
  glm::vec4 dark_part{0};  ///< bounding rectangle of the darkened part of the ground map: low and high corner in [0, 1]
};
/// Draws the scene into the bound target: opaque objects, planes, sky and arrows, then blended objects and marks.
/// Splats are blended in linear light if the target is encoded as sRGB.
void draw_scene(Stage& stage, const SceneView& scene);
/// Draws the static part of the picture for simple quality tiers: ground, sky and, if `panes` is set, transparent
/// planes.
void draw_backdrop(Stage& stage, const SceneView& scene, bool panes);

}  // namespace vw
