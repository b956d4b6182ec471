// Draws snapshots: places and colours the figures, draws shadows, scene and overlay, selects the quality tier, and
// divides large pictures into tiles.
#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "render/fluid/fluid_pick.h"
#include "render/fluid/refraction.h"
#include "render/gl/context.h"
#include "render/gl/stage.h"
#include "render/labels/legend_picture.h"
#include "render/scene/collider_drawing.h"
#include "render/scene/frame_data.h"
#include "render/scene/light/background.h"
#include "render/scene/light/ground_map.h"
#include "render/scene/mesh_pick.h"
#include "render/scene/puffs.h"
#include "render/scene/visible_balls.h"

namespace vw {
namespace {

constexpr Tier low_tier{.name = "low", .simple = true, .shadow_px = 0, .taps = 0, .exact_depth = false, .samples = 1};
constexpr Tier medium_tier{
    .name = "medium", .simple = false, .shadow_px = 2048, .taps = 6, .exact_depth = true, .samples = 1};
constexpr Tier high_tier{
    .name = "high", .simple = false, .shadow_px = 4096, .taps = 24, .exact_depth = true, .samples = 4, .occlusion = 2};
constexpr Tier ultra_tier{.name = "ultra",
                          .simple = false,
                          .shadow_px = 6144,
                          .taps = 32,
                          .exact_depth = true,
                          .samples = 8,
                          .occlusion = 1,
                          .rays = 4};
/// Quality tier for pictures and videos that software OpenGL draws. Shadows are fine and edges are antialiased. The
/// fragment shader does not write depth, which would be the most expensive operation.
constexpr Tier software_picture_tier{
    .name = "picture", .simple = false, .shadow_px = 4096, .taps = 24, .exact_depth = false, .samples = 4};
/// Number of refracted rays for each pixel of a picture.
constexpr int picture_rays = 4;
// The margin around a tile contains the places from which a fluid's surface takes its background.
constexpr int picture_tile_px = 2048, picture_tile_margin_px = 192;
static_assert(picture_tile_margin_px > largest_shift_px);

/// Part of a large picture. The corner is relative to the lower left corner of the picture, as in GL.
struct PictureTile {
  int x = 0, y = 0, width = 0, height = 0;
};

void set_lookup(GLuint texture, GLint filter) {
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, filter);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

struct Target {
  GlFramebuffer framebuffer;
  GlTexture bytes;  ///< non-sRGB texture whose storage `color` shares; empty if multisampled
  GlTexture color, depth;
  int width = 0, height = 0, samples = 0;

  void size(int w, int h, int s) {
    if (w == width && h == height && s == samples) return;
    const GLenum kind = s > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    framebuffer = make_framebuffer();
    depth = make_texture(kind);
    if (s > 1) {
      color = make_texture(kind);
      glTextureStorage2DMultisample(color.id(), s, GL_SRGB8_ALPHA8, w, h, GL_TRUE);
      glTextureStorage2DMultisample(depth.id(), s, GL_DEPTH_COMPONENT32F, w, h, GL_TRUE);
    } else {
      bytes = make_texture(kind);
      glTextureStorage2D(bytes.id(), 1, GL_RGBA8, w, h);
      GLuint view = 0;
      glGenTextures(1, &view);
      color = GlTexture(view);
      glTextureView(view, GL_TEXTURE_2D, bytes.id(), GL_SRGB8_ALPHA8, 0, 1, 0, 1);
      glTextureStorage2D(depth.id(), 1, GL_DEPTH_COMPONENT32F, w, h);
      // Fluids sample these textures while they are drawn.
      set_lookup(color.id(), GL_LINEAR);
      set_lookup(depth.id(), GL_NEAREST);
    }
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, color.id(), 0);
    glNamedFramebufferTexture(framebuffer.id(), GL_DEPTH_ATTACHMENT, depth.id(), 0);
    width = w;
    height = h;
    samples = s;
  }
};

}  // namespace

const Tier& tier(Quality quality) {
  switch (quality) {
    case Quality::medium: return medium_tier;
    case Quality::high: return high_tier;
    case Quality::ultra: return ultra_tier;
    case Quality::low:
    case Quality::automatic: break;
  }
  return low_tier;
}

/// Minimum number of balls for occlusion culling.
constexpr std::size_t many_balls = 1000;
constexpr float largest_point_px = 14;  ///< maximum radius of balls that are drawn as points

/// Static background of a picture, which is reused until it changes.
struct Backdrop {
  Target target;
  /// Values on which the backdrop depends, recorded for the last picture and for the picture before it.
  std::vector<float> seen, seen_before;
  bool drawn = false;
};

struct Renderer::Impl {
  Stage stage;
  FrameData set;
  SunGrid sun;
  GroundMap ground;
  Caustics caustics;
  SeeThroughPlanes planes;
  SplatList splats;
  PuffShade puffs;
  std::vector<VisibleBalls> balls;  ///< visible balls of each figure; used on simple quality tiers
  MeshTrees trees;
  Target many, single;  ///< multisampled target, and the target into which it is resolved
  Backdrop backdrop;
  LegendPicture legend_picture;
  GlTexture legend_texture;
  int legend_width = 0, legend_height = 0;
  std::vector<std::uint8_t> bytes;  ///< scratch of read_tile()
  std::string device;
  bool software = false;
  int most_samples = 4;         ///< largest number of samples for each pixel that the device offers
  int automatic = 1, best = 3;  ///< current and highest level of the automatic quality tier, from 1 (low) to 3 (high)
  int in_force = 1;
  bool surface_is_slow = false;  ///< whether the surface of a fluid was too slow even on the lowest quality tier
  float frame_ms = 0;
  int frames_at_step = 0;

  [[nodiscard]] const Tier& choose(Quality wanted) {
    in_force = wanted == Quality::automatic ? automatic : static_cast<int>(wanted);
    return tier(static_cast<Quality>(in_force));
  }
  void prepare(const Frame& frame, const ViewParams& view, const Camera& camera, const Selection& selection,
               const Tier& quality, int width, int height);
  void set_frame(const Camera& camera, const ViewParams& view, const Tier& quality, int width, int height);
  void light(const Frame& frame, const ViewParams& view, const Camera& camera, const Tier& quality, int width,
             int height);
  void upload_figure(std::size_t at, const ViewParams& view, const Camera& camera, const Tier& quality, int width,
                     int height);
  [[nodiscard]] bool panes_stand_behind(const ViewParams& view) const;
  void note_backdrop(const Frame& frame, const ViewParams& view, bool panes, int width, int height);
  [[nodiscard]] bool put_backdrop(SceneView scene);
  void crop(const Camera& camera, int width, int height, const PictureTile& tile);
  void read_tile(const PictureTile& tile, const PictureTile& inner, Image& image);
  void overlay(int width, int height, const ViewParams& view);
  [[nodiscard]] SceneView scene(const Frame& frame, const ViewParams& view, const Selection& selection,
                                const Tier& quality, const FluidTarget& target) const {
    return {*frame.newest,      set.figures, set.count,  set.arrows,    view,      selection, quality,     set.box,
            set.marks.groups(), splats,      set.solids, set.obstacles, set.fluid, set.air,   set.members, target};
  }
};

void Renderer::Impl::prepare(const Frame& frame, const ViewParams& view, const Camera& camera,
                             const Selection& selection, const Tier& quality, int width, int height) {
  set.few_triangles = quality.simple;
  stage.clock.begin();
  set.prepare(frame, view, camera, selection, width, height);
  stage.clock.end("frame data");
  set_frame(camera, view, quality, width, height);
  light(frame, view, camera, quality, width, height);
  planes.collect(*frame.newest, view, camera.eye);
  puffs.apply(std::span(set.figures).first(set.count));
  splats.gather(set.figures, set.count, view, selection, camera, {planes, set.air.sheets()});
  stage.air.upload(set.air, camera);
  stage.upload_splats(splats.all());
  stage.clock.end("particles, field");
}

void Renderer::Impl::set_frame(const Camera& camera, const ViewParams& view, const Tier& quality, int width,
                               int height) {
  FrameBlock& b = stage.block;
  const glm::mat4 to_view = camera.view();
  b.eye = {camera.eye, pixel_per_distance(camera, width, height)};
  b.right = {to_view[0][0], to_view[1][0], to_view[2][0], quality.shadow_px > 0 ? 1.0F : 0.0F};
  b.up = {to_view[0][1], to_view[1][1], to_view[2][1], static_cast<float>(quality.taps)};
  b.sun = {sun_direction(), 0};
  const LightEnvironment& light = set.light;
  const bool gridded = view.ground_grid && (light.floor == FloorMaterial::plain || light.floor == FloorMaterial::sweep);
  b.plain = plain_background(view);
  const bool is_plain = b.plain.w > 0 || light.horizon == light.zenith;
  b.options = {view.wireframe ? 1.0F : 0.0F, gridded ? 1.0F : 0.0F, camera.target_distance(),
               quality.simple || is_plain ? 0 : 1.0F / 255};
  b.key_color = {light.sun_light, light.softness};
  b.sky_color = {light.sky_light, static_cast<float>(light.floor)};
  b.bounce_color = {light.bounce_light, 0};
  b.horizon = {light.horizon, 0};
  b.zenith = {light.zenith, 0};
  b.nadir = {light.nadir, 0};
  b.shadow_factor = {light.shadow_factor, 0};
  stage.near_eye = camera.near_eye();
  b.mark = {mark_color, 0};
  b.cut = set.cut.plane;
  stage.cuts = set.cut.count;
  const float aspect = static_cast<float>(width) / static_cast<float>(height), half = camera.half_height(aspect);
  b.picture = {half * aspect, half, 2 * half * most_shift_px(height) / static_cast<float>(height), 0};
  crop(camera, width, height, {0, 0, width, height});
}

void Renderer::Impl::crop(const Camera& camera, int width, int height, const PictureTile& tile) {
  const glm::vec2 full(static_cast<float>(width), static_cast<float>(height)),
      part(static_cast<float>(tile.width), static_cast<float>(tile.height));
  const glm::vec2 middle = glm::vec2(static_cast<float>(tile.x), static_cast<float>(tile.y)) + 0.5F * part;
  const glm::vec2 zoom = full / part, shift = (1.0F - 2.0F * middle / full) * zoom;
  const glm::mat4 window =
      glm::translate(glm::mat4(1), glm::vec3(shift, 0)) * glm::scale(glm::mat4(1), glm::vec3(zoom, 1));
  const glm::mat4 projection = camera.projection(full.x / full.y);
  stage.block.clip_from_world = window * projection * camera.view();
  stage.block.world_from_clip = glm::inverse(stage.block.clip_from_world);
  const glm::vec3 right(stage.block.right), up(stage.block.up);
  const glm::vec3 to_right = right / projection[0][0], to_top = up / projection[1][1];
  // Compute 1 / depth at the near and far planes from the elements of glm::perspective.
  const float near = (projection[2][2] - 1) / projection[3][2], far = (projection[2][2] + 1) / projection[3][2];
  stage.block.sight_middle = {glm::cross(up, right) - shift.x / zoom.x * to_right - shift.y / zoom.y * to_top, near};
  // A tiled picture has no reflections of other parts of the picture, because they would differ between its tiles.
  stage.block.picture.w = tile.width >= width && tile.height >= height ? 1.0F : 0.0F;
  stage.block.sight_x = {to_right / zoom.x, near - far};
  stage.block.sight_y = {to_top / zoom.y, 0};
}

/// Uploads a figure. On simple quality tiers, the sunlight on the figure is computed on the CPU. If there are many
/// balls, these tiers upload only the visible balls.
void Renderer::Impl::upload_figure(std::size_t at, const ViewParams& view, const Camera& camera, const Tier& quality,
                                   int width, int height) {
  Figure& figure = set.figures[at];
  const bool crowd = quality.simple && figure.shape == FigureShape::balls && figure.places.size() >= many_balls;
  if (!crowd || is_blended(figure, view.particle_style)) {
    if (quality.simple) sun.shade(figure);
    return stage.upload_figure(at, figure);
  }
  if (balls.size() <= at) balls.resize(at + 1);
  balls[at].find(figure, camera, width, height);
  sun.shade(figure, balls[at].rows());
  stage.upload_balls(at, figure, balls[at].rows(), balls[at].largest_px() < largest_point_px);
}

void Renderer::Impl::light(const Frame& frame, const ViewParams& view, const Camera& camera, const Tier& quality,
                           int width, int height) {
  const Snapshot& snapshot = *frame.newest;
  std::vector<Figure>& figures = set.figures;
  puffs.build(std::span(figures).first(set.count), glm::vec3(stage.block.sun));
  const bool sunny = quality.simple || !set.fluid.empty() || puffs.any();
  if (sunny) {
    sun.start(set.box, glm::vec3(stage.block.sun));
    sun.add_fluids(figures, set.count);
    sun.add_smoke(puffs);
    for (std::size_t f = 0; quality.simple && f < set.count; ++f) sun.add(figures[f]);
    for (const ColliderSnapshot& solid : set.solids)
      if (quality.simple && casts_shadow(solid)) sun.add(solid);
    sun.finish();
  }
  stage.clock.end("light grid");
  for (std::size_t f = 0; f < set.count; ++f) upload_figure(f, view, camera, quality, width, height);
  stage.upload_meshes(set.solids);
  stage.members.upload(figures, set.count, set.members, set.shading_members);
  stage.fluid.upload(set.fluid);
  stage.clock.end("upload");
  // Every map of the shaders is bound even if it is not looked up. For a lookup without a map, Mesa's llvmpipe may
  // compile an instruction that is invalid on processors with AVX2 (LLVM 15).
  if (quality.shadow_px > 0)
    draw_shadow_maps(stage, set, quality.shadow_px);
  else
    bind_shadow_maps(stage);
  stage.bind_ground_map(GroundMap::side);
  stage.clock.end("shadow maps");
  stage.block.contact_box = {};
  caustics.clear();
  stage.upload_caustics(caustics);
  const int which = ground_of(snapshot);
  if (which < 0 || !is_shown(snapshot.colliders[static_cast<std::size_t>(which)], view)) return;
  const float level = snapshot.colliders[static_cast<std::size_t>(which)].position.y();
  if (!quality.simple && !set.fluid.is_channel()) {
    caustics.draw(set.fluid, level, glm::vec3(stage.block.sun));
    stage.upload_caustics(caustics);
  }
  stage.block.contact_box = ground.draw(figures, set.count, set.solids, set.box, level, sunny ? &sun : nullptr);
  stage.upload_ground_map(ground.texels(), GroundMap::side);
  stage.clock.end("contact shadows, caustics");
}

/// Whether transparent planes may be drawn as a part of the backdrop, that is, before all objects. An object behind a
/// plane must be drawn before the plane. The function therefore returns false if a splat, collider, body or ball lies
/// behind a plane, or if there are arrows or transparent colliders.
bool Renderer::Impl::panes_stand_behind(const ViewParams& view) const {
  if (!planes.any()) return true;
  if (!set.arrows.empty() || splats.end_of(0) > 0) return false;
  for (const ColliderSnapshot& solid : set.solids)
    if (is_glass(solid) || planes.hides({solid.position.x(), solid.position.y(), solid.position.z()})) return false;
  for (std::size_t f = 0; f < set.count; ++f) {
    if (set.figures[f].shape == FigureShape::surface || is_blended(set.figures[f], view.particle_style)) continue;
    for (const glm::vec4& place : set.figures[f].places)
      if (place.w >= 0 && planes.hides(glm::vec3(place))) return false;
  }
  return true;
}

/// Records all values on which the backdrop depends.
void Renderer::Impl::note_backdrop(const Frame& frame, const ViewParams& view, bool panes, int width, int height) {
  std::vector<float>& seen = backdrop.seen;
  backdrop.seen_before.swap(seen);
  seen.clear();
  const auto note = [&seen](const auto& values) {
    seen.insert(seen.end(), glm::value_ptr(values), glm::value_ptr(values) + values.length());
  };
  for (int k = 0; k < 4; ++k) note(stage.block.clip_from_world[k]);
  note(stage.block.eye);
  note(stage.near_eye);
  const FrameBlock& b = stage.block;
  for (const glm::vec4& v : {b.options, b.key_color, b.sky_color, b.horizon, b.zenith, b.nadir, b.plain}) note(v);
  for (const float x : {static_cast<float>(width), static_cast<float>(height), panes ? 1.0F : 0.0F}) seen.push_back(x);
  const int lowest = ground_of(*frame.newest);
  for (std::size_t i = 0; i < frame.newest->colliders.size(); ++i) {
    const ColliderSnapshot& collider = frame.newest->colliders[i];
    const bool is_ground = static_cast<int>(i) == lowest;
    PlaneDrawing look;
    if (collider.kind != ColliderSnapshot::Kind::plane || !is_shown(collider, view) || (!panes && !is_ground)) continue;
    if (!make_plane_drawing(frame.newest->colliders, i, is_ground, stage.near_eye, stage.block.options.z, set.box,
                            look))
      continue;
    for (const glm::vec3& v : {look.foot, look.u, look.v, look.albedo}) note(v);
    note(look.grid);
    note(look.middle);
    for (const float x : {look.extent, look.fade_radius, look.opacity}) seen.push_back(x);
    for (std::size_t k = 0; k < look.corners; ++k) note(look.corner[k]);
    for (std::size_t k = 0; k < look.cuts; ++k) note(look.cut[k]);
  }
}

/// Copies the backdrop into the target. Returns false if the backdrop has changed since the previous picture, because
/// it will probably change again.
bool Renderer::Impl::put_backdrop(SceneView scene) {
  if (backdrop.seen != backdrop.seen_before) {
    backdrop.drawn = false;
    return false;
  }
  const int width = scene.target.width, height = scene.target.height;
  backdrop.target.size(width, height, 1);
  if (!backdrop.drawn) {
    glBindFramebuffer(GL_FRAMEBUFFER, backdrop.target.framebuffer.id());
    glViewport(0, 0, width, height);
    draw_backdrop(stage, scene, scene.panes_in_backdrop);
    backdrop.drawn = true;
  }
  glBlitNamedFramebuffer(backdrop.target.framebuffer.id(), scene.target.framebuffer, 0, 0, width, height, 0, 0, width,
                         height, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, scene.target.framebuffer);
  glViewport(0, 0, width, height);
  return true;
}

/// Copies the pixels of `inner` from the rendered `tile` to the picture.
void Renderer::Impl::read_tile(const PictureTile& tile, const PictureTile& inner, Image& image) {
  glEnable(GL_FRAMEBUFFER_SRGB);  // average samples in linear light
  glBlitNamedFramebuffer(many.framebuffer.id(), single.framebuffer.id(), 0, 0, tile.width, tile.height, 0, 0,
                         tile.width, tile.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glBindFramebuffer(GL_FRAMEBUFFER, single.framebuffer.id());
  const auto row_bytes = 4 * static_cast<std::size_t>(inner.width);
  bytes.resize(row_bytes * static_cast<std::size_t>(inner.height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(inner.x - tile.x, inner.y - tile.y, inner.width, inner.height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
  for (int row = 0; row < inner.height; ++row) {
    const auto to =
        static_cast<std::size_t>(image.height - 1 - (inner.y + row)) * static_cast<std::size_t>(image.width) +
        static_cast<std::size_t>(inner.x);
    std::memcpy(&image.rgba[4 * to], &bytes[row_bytes * static_cast<std::size_t>(row)], row_bytes);
  }
}

void Renderer::Impl::overlay(int width, int height, const ViewParams& view) {
  if (!view.legend || !legend_picture.compose(set.legends, set.vector_legends(), height, legend_style(view))) return;
  const Image& image = legend_picture.image();
  if (!legend_texture || image.width != legend_width || image.height != legend_height) {
    legend_texture = make_texture(GL_TEXTURE_2D);
    glTextureStorage2D(legend_texture.id(), 1, GL_RGBA8, image.width, image.height);
    glTextureParameteri(legend_texture.id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(legend_texture.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    legend_width = image.width;
    legend_height = image.height;
  }
  glTextureSubImage2D(legend_texture.id(), 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                      image.rgba.data());
  stage.use(Pass::overlay);
  glBindTextureUnit(0, legend_texture.id());
  const float left = -1 + 2 * static_cast<float>(legend_picture.margin()) / static_cast<float>(width);
  const float bottom = -1 + 2 * static_cast<float>(legend_picture.margin()) / static_cast<float>(height);
  glUniform4f(0, left, bottom + 2 * static_cast<float>(image.height) / static_cast<float>(height),
              left + 2 * static_cast<float>(image.width) / static_cast<float>(width), bottom);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(stage.empty.id());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_BLEND);
}

Renderer::Renderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::create() {
  auto impl = std::make_unique<Impl>();
  if (auto built = Stage::build(impl->stage); !built) return tl::unexpected(built.error());
  impl->device = gl_description();
  for (const char* name : {"llvmpipe", "softpipe", "SwiftShader", "Software"})
    impl->software |= impl->device.find(name) != std::string::npos;
  for (const GLenum kind : {GL_MAX_COLOR_TEXTURE_SAMPLES, GL_MAX_DEPTH_TEXTURE_SAMPLES}) {
    GLint most = 4;
    glGetIntegerv(kind, &most);
    impl->most_samples = std::min(kind == GL_MAX_COLOR_TEXTURE_SAMPLES ? most : impl->most_samples, most);
  }
  impl->automatic = impl->software ? 1 : 3;
  impl->best = impl->software ? 1 : 3;  // on software OpenGL, the next quality tier costs ten times as much
  return std::unique_ptr<Renderer>(new Renderer(std::move(impl)));
}

void Renderer::draw(const Frame& frame, const Camera& given, const ViewParams& view, const Selection& selection,
                    int width, int height, unsigned target, LegendOverlay legends) {
  if (frame.newest == nullptr || width <= 0 || height <= 0) return;
  Impl& m = *impl_;
  Tier quality = m.choose(view.quality);
  quality.samples = std::min(quality.samples, m.most_samples);
  m.set.surface_is_cheap = shows_surfaces();
  m.set.fluid_detail = quality.simple ? FluidDetail::particles : FluidDetail::images;
  const Camera camera = given.drawn();
  m.prepare(frame, view, camera, selection, quality, width, height);
  // Splats and fluids need a separate target: `target` may lack the sRGB conversion that splats need for blending, and
  // the fluid pass cannot sample `target`.
  const bool keeps = m.software && quality.simple;
  Target* own = quality.samples > 1                                                           ? &m.many
                : !keeps && m.splats.all().empty() && m.set.fluid.empty() && !m.set.air.any() ? nullptr
                                                                                              : &m.single;
  if (own != nullptr) own->size(width, height, quality.samples);
  glBindFramebuffer(GL_FRAMEBUFFER, own != nullptr ? own->framebuffer.id() : target);
  glViewport(0, 0, width, height);
  FluidTarget into{own != nullptr ? own->framebuffer.id() : target, width, height, quality.simple};
  into.rays = quality.rays;
  if (own == &m.single) into.color = own->color.id(), into.depth = own->depth.id();
  SceneView scene = m.scene(frame, view, selection, quality, into);
  if (keeps) {
    scene.panes_in_backdrop = m.panes_stand_behind(view);
    scene.dark_part = m.ground.dark_part();
    m.note_backdrop(frame, view, scene.panes_in_backdrop, width, height);
    scene.on_backdrop = m.put_backdrop(scene);
    scene.panes_in_backdrop &= scene.on_backdrop;
  }
  draw_scene(m.stage, scene);
  if (own != nullptr) {
    glBlitNamedFramebuffer(own->framebuffer.id(), target, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                           GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
  }
  if (legends == LegendOverlay::drawn) m.overlay(width, height, view);
  m.stage.clock.end("samples, legends");
}

Result<Image> Renderer::draw_image(const Frame& frame, const Camera& given, const ViewParams& view,
                                   const Selection& selection, int width, int height, LegendOverlay legends) {
  if (width < 1 || height < 1 || width > largest_picture_px || height > largest_picture_px)
    return fail(
        fmt::format("picture size {} x {} pixels: expected each side in [1, {}]", width, height, largest_picture_px));
  if (frame.newest == nullptr) return fail("there is nothing to draw yet");
  Impl& m = *impl_;
  const auto put_legends = [&](Image& image) {
    if (legends == LegendOverlay::drawn && view.legend &&
        m.legend_picture.compose(m.set.legends, m.set.vector_legends(), height, legend_style(view)))
      m.legend_picture.paste(image);
  };
  if (view.transparent) {
    auto image = draw_transparent(view, [&](const ViewParams& plain) {
      return draw_image(frame, given, plain, selection, width, height, LegendOverlay::none);
    });
    if (image) put_legends(*image);
    return image;
  }
  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  Tier quality = m.choose(view.quality);
  if (view.quality == Quality::automatic && m.software) quality = software_picture_tier;
  quality.samples = std::min(view.quality == Quality::low ? 1 : std::max(quality.samples, 4), m.most_samples);
  m.set.surface_is_cheap = true;  // a still picture may take longer to draw
  m.set.fluid_detail = view.quality == Quality::low ? FluidDetail::images : FluidDetail::surface;
  const Camera camera = given.drawn();
  m.prepare(frame, view, camera, selection, quality, width, height);
  Image image{width, height,
              std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
  const int across = std::min(picture_tile_px, width), down = std::min(picture_tile_px, height);
  // Draw a margin around each tile, because the shading of a fluid's surface and ambient occlusion depend on
  // surrounding pixels.
  const bool reads_around = !m.set.fluid.empty() || quality.occlusion > 0;
  const int margin = !reads_around || (across == width && down == height) ? 0 : picture_tile_margin_px;
  m.many.size(across + 2 * margin, down + 2 * margin, quality.samples);
  m.single.size(across + 2 * margin, down + 2 * margin, 1);
  for (int y = 0; y < height; y += down)
    for (int x = 0; x < width; x += across) {
      const PictureTile inner{x, y, std::min(across, width - x), std::min(down, height - y)};
      const PictureTile tile{x - margin, y - margin, inner.width + 2 * margin, inner.height + 2 * margin};
      m.crop(camera, width, height, tile);
      glBindFramebuffer(GL_FRAMEBUFFER, m.many.framebuffer.id());
      glViewport(0, 0, tile.width, tile.height);
      FluidTarget into{m.many.framebuffer.id(), tile.width, tile.height, false};
      // Without several rays, the outlines of objects in the fluid would be jagged.
      into.rays = view.quality == Quality::low ? 1 : std::max(quality.rays, picture_rays);
      draw_scene(m.stage, m.scene(frame, view, selection, quality, into));
      m.read_tile(tile, inner, image);
    }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
  put_legends(image);
  return image;
}

void Renderer::note(const Snapshot& snapshot, const ViewParams& view) { impl_->set.note(snapshot, view); }

std::optional<Pick> Renderer::pick(const Snapshot& snapshot, const Ray& ray,
                                   std::span<const std::string> hidden) const {
  const FluidCloud& fluid = impl_->set.fluid;
  const CutPlanes& cut = impl_->set.cut;
  const bool through = !fluid.empty() && !fluid.is_channel();
  const auto straight =
      pick_element(snapshot, ray, impl_->trees, through ? FluidPick::transparent : FluidPick::opaque, hidden, cut);
  if (!through || fluid.around_eye()) return straight;
  const auto is_solid = [&](const Pick& pick) {
    return std::none_of(snapshot.systems.begin(), snapshot.systems.end(), [&](const SystemSnapshot& system) {
      return system.name == pick.system && system.look_kind() == LookKind::fluid;
    });
  };
  const FrameBlock& block = impl_->stage.block;
  const PictureAxes axes{glm::vec3(block.eye), glm::vec3(block.right), glm::vec3(block.up), glm::vec2(block.picture),
                         block.picture.z};
  std::vector<std::string> unseen(hidden.begin(), hidden.end());
  for (const SystemSnapshot& system : snapshot.systems)
    if (system.look_kind() == LookKind::fluid) unseen.push_back(system.name);
  const auto end_of = [&](const Ray& along) {
    const auto solid = pick_element(snapshot, along, impl_->trees, FluidPick::opaque, unseen, cut);
    return solid ? solid->distance : std::numeric_limits<float>::max();
  };
  const auto bent = refracted_ray(fluid, ray, end_of, axes);
  if (!bent) return straight;
  const auto seen = pick_element(snapshot, bent->ray, impl_->trees, FluidPick::transparent, hidden, cut);
  if (seen && !seen->system.empty() && is_solid(*seen) && seen->distance > bent->surface_m) return seen;
  // The surface shows no element, so elements behind it are ignored even if the straight ray hits one.
  return pick_element(snapshot, ray, impl_->trees, FluidPick::opaque, hidden, cut);
}
const std::vector<Legend>& Renderer::legends() const { return impl_->set.legends; }
const VectorLegend& Renderer::vector_legend() const { return impl_->set.vectors.legend(); }
const VectorLegend& Renderer::force_legend() const { return impl_->set.forces.legend(); }
const VectorLegend& Renderer::air_legend() const { return impl_->set.air.arrow_legend(); }

bool Renderer::is_software() const { return impl_->software; }

bool Renderer::shows_surfaces() const { return !impl_->software && !impl_->surface_is_slow; }

std::string Renderer::quality_in_force() const {
  constexpr const char* names[] = {"", "low", "medium", "high", "ultra"};
  return fmt::format("{} ({})", names[impl_->in_force], impl_->device.substr(0, impl_->device.find_first_of(" (,")));
}

void Renderer::measure_passes(bool on) { impl_->stage.clock.run(on); }
bool Renderer::measures_passes() const { return impl_->stage.clock.runs(); }
const std::vector<PassTime>& Renderer::pass_times() const { return impl_->stage.clock.passes(); }

void Renderer::report_frame_ms(float ms) {
  Impl& m = *impl_;
  m.frame_ms = m.frame_ms <= 0 ? ms : 0.9F * m.frame_ms + 0.1F * ms;
  if (++m.frames_at_step < 45) return;  // wait for enough frames to average, which also prevents oscillation
  m.surface_is_slow |= m.frame_ms > 50 && m.in_force == 1 && !m.set.fluid.empty();
  const int step = m.frame_ms > 33 ? -1 : m.frame_ms < 5 ? 1 : 0;
  const int wanted = std::clamp(m.automatic + step, 1, m.best);
  if (wanted == m.automatic) return;
  m.automatic = wanted;
  m.best = step < 0 ? wanted : m.best;  // do not return to a quality tier that was too slow
  m.frames_at_step = 0;
  m.frame_ms = 0;
}

}  // namespace vw
