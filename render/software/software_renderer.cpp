// Draws a frame tile by tile: surfaces into samples, shading, particles from back to front, overlays, and conversion to
// bytes.
#include "render/software/software_renderer.h"

#include <mutex>

#include <fmt/format.h>

#include "render/labels/legend_picture.h"
#include "render/scene/frame_data.h"
#include "render/scene/light/background.h"
#include "render/scene/light/ground_map.h"
#include "render/scene/light/sun_grid.h"
#include "render/scene/puffs.h"
#include "render/software/air_overlay.h"
#include "render/software/encode.h"
#include "render/software/fluid_sheet.h"
#include "render/software/overlay.h"
#include "render/software/splat_set.h"

namespace vw {
namespace {

using namespace soft;

/// Data of a picture that all tiles share.
struct Sheet {
  const Scenery& scenery;
  SplatRanks ranks;
  SplatFrame splats;
  std::vector<PicturePath> paths;
};

/// Scratch memory of one thread, reused for each tile.
struct TileScratch {
  Tile tile;
  SortedSplats splats;
};

class TileScratchPool {
 public:
  [[nodiscard]] std::unique_ptr<TileScratch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<TileScratch>();
    auto desk = std::move(free_.back());
    free_.pop_back();
    return desk;
  }
  void give_back(std::unique_ptr<TileScratch> desk) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(desk));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<TileScratch>> free_;
};

/// Unit normal n and level dot(n, p) of the visible ground. If there is none, the level is far below the scene.
glm::vec4 ground_level(const Scenery& scenery) {
  if (!scenery.has_ground) return {0, 1, 0, -1e9F};
  const glm::vec3 n = glm::cross(scenery.ground.u, scenery.ground.v);
  const glm::vec3 up = n * (glm::dot(n, scenery.projector.eye - scenery.ground.foot) < 0 ? -1.0F : 1.0F);
  return {up, glm::dot(up, scenery.ground.foot)};
}

}  // namespace

struct SoftwareRenderer::Impl {
  FrameData set;
  SunMap sun_map;
  GroundMap ground_map;
  Caustics caustics;
  SunGrid sun_grid;  ///< shadow of fluids and smoke
  SeeThroughPlanes planes;
  SplatSet splats;
  PuffShade puffs;
  AirOverlay air;
  Facets facets, glass;
  SolidPicture solids;
  FluidSheet fluid;
  SrgbEncoder encode;
  LegendPicture legend_picture;
  TileScratchPool desks;
  bool plain = false;

  void light(Scenery& scenery);
  void draw_solids(const Sheet& sheet, std::size_t index, Tile& tile) const;
  void draw_tile(const Sheet& sheet, std::size_t index, TileScratch& desk) const;
  /// Calls draw(index, desk) for all tiles of a picture in parallel. `desk` is the scratch memory of a thread.
  template <class Draw>
  void each_tile(int width, int height, const Draw& draw);
  void blend(const SplatFrame& frame, const SortedSplats& splats, std::size_t rank, Tile& tile) const;
  void write(const Tile& tile, Image& image) const;
};

void SoftwareRenderer::Impl::light(Scenery& scenery) {
  const Snapshot& snapshot = scenery.snapshot;
  // Flat discs are not lit. If there are no other objects, no shadow map is needed.
  const auto is_disc = [&](const Figure& f) {
    return is_blended(f, scenery.view.particle_style) && scenery.view.particle_style == ParticleStyle::discs;
  };
  const auto figures = std::span(set.figures).first(set.count);
  const bool lit = std::any_of(figures.begin(), figures.end(), [&](const Figure& f) { return !is_disc(f); }) ||
                   (scenery.view.colliders && !snapshot.colliders.empty());
  if (!lit)
    sun_map.clear();
  else
    sun_map.draw(set);
  caustics.clear();
  const int which = ground_of(snapshot);
  if (which < 0 || !is_shown(snapshot.colliders[static_cast<std::size_t>(which)], scenery.view)) return;
  const ColliderSnapshot& ground = snapshot.colliders[static_cast<std::size_t>(which)];
  if (!set.fluid.is_channel()) caustics.draw(set.fluid, ground.position.y(), scenery.sun);
  const bool tinted = !set.fluid.empty() || puffs.any();
  if (tinted) {
    sun_grid.start(set.box, scenery.sun);
    sun_grid.add_fluids(set.figures, set.count);
    sun_grid.add_smoke(puffs);
    sun_grid.finish();
  }
  scenery.contact_box =
      ground_map.draw(set.figures, set.count, set.solids, set.box, ground.position.y(), tinted ? &sun_grid : nullptr);
}

/// Blends the splats of one rank over the tile.
void SoftwareRenderer::Impl::blend(const SplatFrame& frame, const SortedSplats& sorted, std::size_t rank,
                                   Tile& tile) const {
  for (std::size_t r = sorted.runs_before[rank]; r < sorted.runs_before[rank + 1]; ++r) {
    const auto& [kind, first, end] = sorted.runs[r];
    const auto part = [first = first, end = end](const auto& all) {
      return std::span(all).subspan(first, end - first);
    };
    if (kind == SortedSplats::Kind::disc)
      plain ? blend_discs_plainly(frame, part(sorted.discs), tile) : blend_discs(frame, part(sorted.discs), tile);
    else if (kind == SortedSplats::Kind::ball)
      plain ? blend_balls_plainly(frame, part(sorted.balls), tile) : blend_balls(frame, part(sorted.balls), tile);
    else
      plain ? blend_puffs_plainly(frame, part(sorted.puffs), tile) : blend_puffs(frame, part(sorted.puffs), tile);
  }
}

/// Draws sky, ground and opaque facets into the tile.
void SoftwareRenderer::Impl::draw_solids(const Sheet& sheet, std::size_t index, Tile& tile) const {
  const Scenery& scenery = sheet.scenery;
  const bool blended = splats.any_in(index) || !glass.in(index).empty() || !set.fluid.empty() || air.any();
  if (facets.in(index).empty() && shade_sky(scenery, tile)) return;
  begin_tile(scenery, tile);
  draw_visible(facets, facets.in(index), tile);
  shade_tile(scenery, blended || !scenery.see_through.empty() || sheet.splats.front, tile);
}

void SoftwareRenderer::Impl::draw_tile(const Sheet& sheet, std::size_t index, TileScratch& desk) const {
  const Scenery& scenery = sheet.scenery;
  Tile& tile = desk.tile;
  draw_solids(sheet, index, tile);
  draw_glass(scenery, glass, index, false, tile);
  splats.sort_tile(index, sheet.ranks, desk.splats);
  blend(sheet.splats, desk.splats, 0, tile);
  draw_see_through_planes(scenery, tile);
  if (!set.fluid.empty()) fluid.blend(scenery, solids, tile);
  for (std::size_t layer = 0; layer < air.layers(); ++layer) {
    air.draw_sheets(layer, tile);
    blend(sheet.splats, desk.splats, 1 + layer, tile);
    air.draw_lines(layer, index, tile);
  }
  draw_glass(scenery, glass, index, true, tile);
  draw_hidden_arrows(scenery, facets.in(index), tile);
  draw_paths(sheet.paths, tile);
  resolve_edges(tile);
}

template <class Draw>
void SoftwareRenderer::Impl::each_tile(int width, int height, const Draw& draw) {
  const auto across = static_cast<std::size_t>((width + tile_px - 1) / tile_px),
             down = static_cast<std::size_t>((height + tile_px - 1) / tile_px);
  parallel_for(across * down, 1, [&](Range part, std::size_t) {
    auto desk = desks.take();
    for (std::size_t i = part.begin; i < part.end; ++i) {
      desk->tile.x0 = static_cast<int>(i % across) * tile_px;
      desk->tile.y0 = static_cast<int>(i / across) * tile_px;
      desk->tile.width = std::min(tile_px, width - desk->tile.x0);
      desk->tile.height = std::min(tile_px, height - desk->tile.y0);
      draw(i, *desk);
    }
    desks.give_back(std::move(desk));
  });
}

void SoftwareRenderer::Impl::write(const Tile& tile, Image& image) const {
  for (int y = 0; y < tile.height; ++y) {
    std::uint8_t* to = &image.rgba[4 * (static_cast<std::size_t>(tile.y0 + y) * static_cast<std::size_t>(image.width) +
                                        static_cast<std::size_t>(tile.x0))];
    for (int x = 0; x < tile.width; ++x, to += 4) {
      const std::size_t at = Tile::cell(x, y);
      to[0] = encode(tile.red[at]);
      to[1] = encode(tile.green[at]);
      to[2] = encode(tile.blue[at]);
      to[3] = 255;
    }
  }
}

SoftwareRenderer::SoftwareRenderer() : impl_(std::make_unique<Impl>()) {}
SoftwareRenderer::~SoftwareRenderer() = default;

Result<Image> SoftwareRenderer::draw_image(const Frame& frame, const Camera& given, const ViewParams& view,
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
  const Snapshot& snapshot = *frame.newest;
  const Camera camera = given.drawn();
  m.set.fluid_detail = FluidDetail::surface;
  m.set.prepare(frame, view, camera, selection, width, height);
  const Projector projector(camera, width, height);
  Scenery scenery{m.set,     snapshot,     view,       m.facets,     m.sun_map,
                  projector, m.ground_map, m.caustics, glm::vec4(0), sun_direction()};
  scenery.plain = plain_background(view);
  scenery.set_planes(camera);
  m.puffs.build(std::span(m.set.figures).first(m.set.count), scenery.sun);
  m.light(scenery);
  m.planes.collect(snapshot, view, camera.eye);
  m.facets.gather(m.set, selection, projector);
  m.glass.gather_glass(m.set, projector);
  const SplatRanks ranks(m.planes, m.set.air.sheets());
  m.puffs.apply(std::span(m.set.figures).first(m.set.count));
  m.splats.project(m.set, view, selection, projector, m.sun_map, ranks, ground_level(scenery));
  m.air.project(m.set.air, projector, static_cast<float>(view.air_opacity));
  if (m.air.overfull() || m.facets.overfull() || m.glass.overfull() || m.splats.overfull())
    return fail(
        fmt::format("particles or faces cover too much of the picture ({} x {} pixels): use a smaller picture, or "
                    "fewer or smaller particles",
                    width, height));
  Sheet sheet{scenery,
              ranks,
              {projector.focal_px, projector.middle_x, projector.middle_y, m.set.light},
              paths_of(m.set.marks, projector)};
  sheet.splats.front = !m.set.arrows.empty() || !sheet.paths.empty();
  Image image{width, height,
              std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
  if (!m.set.fluid.empty()) {
    m.solids.size(width, height);
    m.each_tile(width, height, [&](std::size_t i, TileScratch& desk) {
      m.draw_solids(sheet, i, desk.tile);
      draw_glass(scenery, m.glass, i, false, desk.tile);
      draw_see_through_planes(scenery, desk.tile);
      resolve_edges(desk.tile);
      m.solids.keep(desk.tile);
    });
    m.fluid.draw(m.set.fluid, m.set.light, projector, m.solids);
  }
  m.each_tile(width, height, [&](std::size_t i, TileScratch& desk) {
    m.draw_tile(sheet, i, desk);
    m.write(desk.tile, image);
  });
  put_legends(image);
  return image;
}

void SoftwareRenderer::note(const Snapshot& snapshot, const ViewParams& view) { impl_->set.note(snapshot, view); }
const std::vector<Legend>& SoftwareRenderer::legends() const { return impl_->set.legends; }
const VectorLegend& SoftwareRenderer::vector_legend() const { return impl_->set.vectors.legend(); }
const VectorLegend& SoftwareRenderer::force_legend() const { return impl_->set.forces.legend(); }
const VectorLegend& SoftwareRenderer::air_legend() const { return impl_->set.air.arrow_legend(); }
void SoftwareRenderer::use_plain_code(bool plain) { impl_->plain = plain; }

}  // namespace vw
