#include "render/software/shade.h"

#include <cmath>

#include "render/labels/color_map.h"
#include "render/software/light.h"
#include "render/vectors/vectors.h"

namespace vw::soft {
namespace {

/// Relative difference in depth above which two samples belong to different surfaces.
constexpr float jump = 0.02F;

/// Intersects a view ray with the plane of a triangle. Returns the barycentric weights of the second and third corner,
/// and the ray parameter.
glm::vec3 weights(const glm::vec3& eye, const glm::vec3& ray, const glm::vec3& a, const glm::vec3& b,
                  const glm::vec3& c) {
  const glm::vec3 e1 = b - a, e2 = c - a, p = glm::cross(ray, e2), s = eye - a, q = glm::cross(s, e1);
  const float det = glm::dot(e1, p);
  const float inverse = std::abs(det) > 1e-30F ? 1 / det : 0;
  return {glm::dot(s, p) * inverse, glm::dot(ray, q) * inverse, glm::dot(e2, q) * inverse};
}

/// CPU version of sun_on_surface() in shaders/light.glsl.
float sun_share(const Scenery& s, const glm::vec3& world, const glm::vec3& normal) {
  const float turn = shadow_turn(s.projector, world), n_l = glm::dot(normal, s.sun);
  float visible = s.sun_map.visible(world, normal * s.sun_map.offset_m(), turn);
  if (visible < 1 && n_l > -0.22F && n_l < 0.15F)
    visible = glm::mix(s.sun_map.visible(world, normal * (10 * s.sun_map.offset_m()), turn), visible,
                       smooth_step(0, 0.15F, n_l));
  return visible * s.caustics.light_at(world) * s.caustics.shade_at(world);
}

/// CPU version of shaders/skin.frag.
glm::vec3 skin_color(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item, const glm::vec2& at) {
  const Figure& figure = scenery.set.figures[object.index];
  const VoxelSkin::Quad& quad = figure.skin->quads[item / 2];
  const auto corner = [&](std::size_t k) -> const SkinCorner& {
    return figure.corners[static_cast<std::size_t>(quad.vertex[k])];
  };
  const std::size_t second = item % 2 == 0 ? 1 : 2, third = second + 1;
  const glm::vec3 a(corner(0).place), b(corner(second).place), c(corner(third).place);
  const glm::vec3 face = unit_or(
      glm::cross(glm::vec3(corner(2).place) - a, glm::vec3(corner(3).place) - glm::vec3(corner(1).place)), {0, 1, 0});
  // Coordinates within the face, whose corners have the coordinates (0, 0), (1, 0), (1, 1), (0, 1).
  const auto across_at = [&](const glm::vec3& w) {
    return second == 1 ? glm::vec2(w.x + w.y, w.y) : glm::vec2(w.x, w.x + w.y);
  };
  const auto weights_at = [&](const glm::vec2& p) {
    return weights(scenery.projector.eye, scenery.projector.ray(p.x, p.y), a, b, c);
  };
  const glm::vec3 w = weights_at(at);
  const glm::vec2 across = across_at(w), by_x = across_at(weights_at(at + glm::vec2(1, 0))) - across,
                  by_y = across_at(weights_at(at + glm::vec2(0, 1))) - across;
  const float pixel = std::max(std::abs(by_x.x) + std::abs(by_y.x), std::abs(by_x.y) + std::abs(by_y.y));
  const auto mixed = [&](auto part) {
    return (1 - w.x - w.y) * part(corner(0)) + w.x * part(corner(second)) + w.y * part(corner(third));
  };
  const glm::vec3 world = mixed([](const SkinCorner& k) { return glm::vec3(k.place); });
  const SkinFace& normals = figure.faces[item / 2];
  const glm::vec2 on = glm::clamp(across, 0.0F, 1.0F);
  const auto bilinear = [&](const auto& part) {
    return glm::mix(glm::mix(part(0), part(1), on.x), glm::mix(part(3), part(2), on.x), on.y);
  };
  const float open = bilinear([&](std::size_t k) { return corner(k).place.w; });
  const std::array<float, 4> from_edge{on.y, 1 - on.x, 1 - on.y, on.x};
  const float rim = std::min(std::min(from_edge[0], from_edge[1]), std::min(from_edge[2], from_edge[3]));
  LitPoint point;
  point.normal = unit_or(bilinear([&](std::size_t k) { return glm::vec3(normals.corner[k]); }), face);
  for (glm::vec3 own = point.normal; const std::size_t k : {0U, 1U, 2U, 3U}) {
    const float bevel = std::clamp(1 - 9 * from_edge[k], 0.0F, 1.0F);
    own += bevel * bevel * std::clamp(1.5F - 2 * pixel, 0.0F, 1.0F) * glm::vec3(normals.beyond[k]);
    if (k == 3) point.normal = unit_or(own, face);
  }
  const float seam =
      (1 - smooth_step(0, std::max(0.045F, 1.2F * pixel), rim)) * std::clamp(1 - pixel * 2.5F, 0.0F, 1.0F);
  point.albedo = unpack_linear(figure.colors[static_cast<std::size_t>(quad.voxel)]) * (1 - 0.16F * seam);
  point.to_eye = unit_or(scenery.projector.eye - world, face);
  point.open = open * (1 - 0.10F * seam);
  point.gloss = 0.45F;
  point.sun_share = sun_share(scenery, world, point.normal);
  glm::vec3 color = lit_with(point, scenery.sun, scenery.set.light);
  if (const float back = -glm::dot(point.normal, scenery.sun), sheet = normals.corner[0].w; sheet > 0 && back > 0) {
    const float through =
        back * sun_share(scenery, world - 1.1F * sheet * point.normal, -point.normal) * (0.6F + 0.4F * point.open);
    color += point.albedo * scenery.set.light.sun_light * (0.52F * 0.45F * through);
  }
  if (scenery.view.wireframe)
    color *= 1 - 0.75F * (1 - smooth_step(pixel * 0.6F, pixel * 1.6F, rim)) * std::clamp(1.2F - pixel * 2, 0.0F, 1.0F);
  if (object.selected == quad.voxel)
    color = glm::mix(color, mark_color * 1.6F, 0.25F + (rim <= std::max(0.07F, 1.5F * pixel) ? 0.75F : 0.0F));
  return glm::mix(shoulder(color), point.albedo, figure.own_colors ? 0 : channel_flat_share);
}

/// Surface point of a solid before lighting.
struct SolidPoint {
  LitPoint lit;
  glm::vec3 world{0}, local{0}, face{0};
};

SolidPoint point_of_solid(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item,
                          const glm::vec2& at) {
  const ColliderSnapshot& collider = scenery.set.solids[object.index];
  const SurfaceMesh& mesh = *surface_of(collider);
  const auto& triangle = mesh.triangle[item];
  const auto place = [&](std::size_t k) {
    return glm::vec3(object.place * glm::vec4(to_glm(mesh.position[triangle[k]]), 1));
  };
  const glm::vec3 a = place(0), b = place(1), c = place(2), ray = scenery.projector.ray(at.x, at.y);
  const glm::vec3 w = weights(scenery.projector.eye, ray, a, b, c), face = unit_or(glm::cross(b - a, c - a), {0, 1, 0});
  const auto normal = [&](std::size_t k) {
    return triangle[k] < mesh.normal.size() ? to_glm(mesh.normal[triangle[k]]) : glm::vec3(0, 1, 0);
  };
  const glm::vec3 mean = (1 - w.x - w.y) * normal(0) + w.x * normal(1) + w.y * normal(2);
  const glm::vec3 size = collider.kind == ColliderSnapshot::Kind::box ? to_glm(collider.half_extent) : glm::vec3(1);
  const auto corner = [&](std::size_t k) { return to_glm(mesh.position[triangle[k]]); };
  SolidPoint out;
  out.face = face;
  out.local = (1 - w.x - w.y) * corner(0) + w.x * corner(1) + w.y * corner(2);
  out.world = scenery.projector.eye + w.z * ray;
  out.lit.normal =
      unit_or(to_glm(collider.orientation * Vec3f(mean.x / size.x, mean.y / size.y, mean.z / size.z)), face);
  out.lit.albedo = to_glm(collider.color);
  out.lit.to_eye = unit_or(-ray, face);
  return out;
}

/// CPU version of shaders/mesh.frag.
glm::vec3 solid_color(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item, const glm::vec2& at) {
  SolidPoint point = point_of_solid(scenery, object, item, at);
  LitPoint& lit = point.lit;
  if (scenery.set.solids[object.index].two_sided && glm::dot(point.face, lit.to_eye) < 0) lit.normal = -lit.normal;
  lit.open = 0.82F + 0.18F * lit.normal.y;
  lit.gloss = 0.35F;
  lit.sun_share = sun_share(scenery, point.world, lit.normal);
  return shoulder(lit_with(lit, scenery.sun, scenery.set.light));
}

/// CPU version of shaders/member.frag.
glm::vec3 member_color(const Scenery& scenery, std::uint32_t item, const glm::vec2& at) {
  const MemberSurface& members = scenery.facets.members;
  const auto& corner = members.triangle[item];
  const glm::vec3 &a = members.place[corner[0]], &b = members.place[corner[1]], &c = members.place[corner[2]];
  const glm::vec3 ray = scenery.projector.ray(at.x, at.y), w = weights(scenery.projector.eye, ray, a, b, c);
  const auto mixed = [&](const auto& rows) {
    return (1 - w.x - w.y) * rows[corner[0]] + w.x * rows[corner[1]] + w.y * rows[corner[2]];
  };
  LitPoint point;
  point.normal = unit_or(mixed(members.normal), {0, 1, 0});
  point.albedo = with_eye(mixed(members.albedo), mixed(members.from_eye));
  point.to_eye = unit_or(-ray, point.normal);
  point.open = 0.82F + 0.18F * point.normal.y;
  point.gloss = 0.35F;
  point.sun_share = sun_share(scenery, scenery.projector.eye + w.z * ray, point.normal);
  return shoulder(lit_with(point, scenery.sun, scenery.set.light));
}

/// Returns the ray parameter at which a ray from the eye hits the plane. If the ray is parallel to the plane, the
/// parameter is very large.
float meet(const PlaneDrawing& plane, const glm::vec3& eye, const glm::vec3& ray) {
  const glm::vec3 n = glm::cross(plane.u, plane.v);
  const float away = glm::dot(n, plane.foot - eye), along = glm::dot(n, ray);
  return along != 0 ? away / along : 1e12F;
}

bool is_cut_away(const PlaneDrawing& plane, const glm::vec2& at) {
  for (std::size_t k = 0; k < plane.cuts; ++k)
    if (glm::dot(plane.cut[k], glm::vec3(at, 1)) < 0) return true;
  return false;
}

/// CPU version of shaders/pane.frag. `pixel_m`: width of a pixel on the pane [m].
glm::vec4 pane_color(const LightEnvironment& light, const PlaneDrawing& plane, const glm::vec2& at, float pixel_m) {
  const float there = 1 - smooth_step(0.25F, 1, glm::length(at - plane.middle) / plane.fade_radius);
  float line = 0;
  for (std::size_t k = 0; k < plane.cuts; ++k)
    line = std::max(line, 1.8F - glm::dot(plane.cut[k], glm::vec3(at, 1)) / pixel_m);
  line = std::min(line, 1.0F);
  const glm::vec3 c = shoulder(plane.albedo * (light.sun_light * 0.36F + light.sky_light * 0.62F) +
                               0.7F * light.background(0.45F)),
                  rim(0.855F, 0.91F, 1.0F);  // linear value of the constant in shaders/pane.frag
  return {glm::mix(c, rim, 0.6F * line), there * glm::mix(0.85F * plane.opacity, 0.45F, line)};
}

/// Coverage of a pixel by the nearest grid line. `px`: width of the line [px]. `width`: size of a pixel in grid
/// spacings.
float lines(const glm::vec2& at, const glm::vec2& width, float px) {
  const glm::vec2 near = glm::abs(glm::fract(at - 0.5F) - 0.5F);
  const glm::vec2 cover =
      glm::clamp(px * 0.5F + 0.5F - near / width, 0.0F, 1.0F) * glm::clamp(0.35F / width, 0.0F, 1.0F);
  return std::max(cover.x, cover.y);
}

/// Returns the value of the ground map at a point. x: contact shadow; y: shadow of fluids and smoke.
glm::vec2 contact(const Scenery& scenery, const glm::vec3& world) {
  const glm::vec4& box = scenery.contact_box;
  const glm::vec2 uv = (glm::vec2(world.x, world.z) - glm::vec2(box.x, box.y)) * glm::vec2(box.z, box.w);
  if (!(uv.x > 0 && uv.y > 0 && uv.x < 1 && uv.y < 1)) return glm::vec2(0);
  constexpr int side = GroundMap::side;
  const float x = std::clamp(uv.x * side - 0.5F, 0.0F, side - 1.001F),
              y = std::clamp(uv.y * side - 0.5F, 0.0F, side - 1.001F);
  const int ix = static_cast<int>(x), iy = static_cast<int>(y);
  const auto texel = [&](int dx, int dy) {
    const std::uint8_t* at = &scenery.ground_map.texels()[2 * static_cast<std::size_t>((iy + dy) * side + ix + dx)];
    return glm::vec2(at[0], at[1]);
  };
  const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
  return glm::mix(glm::mix(texel(0, 0), texel(1, 0), fx), glm::mix(texel(0, 1), texel(1, 1), fx), fy) / 255.0F;
}

}  // namespace

/// CPU version of shaders/glass.frag.
glm::vec4 glass_color(const Scenery& scenery, const SurfaceObject& object, std::uint32_t item, bool front,
                      const glm::vec2& at) {
  SolidPoint point = point_of_solid(scenery, object, item, at);
  LitPoint& lit = point.lit;
  if ((glm::dot(point.face, lit.to_eye) > 0) != front) return glm::vec4(0);
  if (glm::dot(lit.normal, lit.to_eye) < 0) lit.normal = -lit.normal;
  lit.open = 0.9F;
  lit.gloss = 0.6F;
  lit.sun_share = sun_share(scenery, point.world, lit.normal);
  const ColliderSnapshot& solid = scenery.set.solids[object.index];
  const float askew = 1 - std::clamp(glm::dot(lit.normal, lit.to_eye), 0.0F, 1.0F);
  float alpha = solid.opacity + (1 - solid.opacity) * 0.35F * askew * askew * askew;
  if (solid.kind == ColliderSnapshot::Kind::box) {
    const auto local = [&](const glm::vec2& p) { return point_of_solid(scenery, object, item, p).local; };
    const glm::vec3 width =
        glm::abs(local(at + glm::vec2(1, 0)) - point.local) + glm::abs(local(at + glm::vec2(0, 1)) - point.local);
    const glm::vec3 edge = (1.0F - glm::abs(point.local)) / glm::max(width, 1e-9F);
    const float low = std::min({edge.x, edge.y, edge.z}), high = std::max({edge.x, edge.y, edge.z});
    alpha =
        glm::mix(alpha, std::max(alpha, 0.7F), std::clamp(1.6F - (edge.x + edge.y + edge.z - low - high), 0.0F, 1.0F));
  }
  return {shoulder(lit_with(lit, scenery.sun, scenery.set.light)), alpha};
}

void Scenery::set_planes(const Camera& camera) {
  const int which = ground_of(snapshot);
  for (std::size_t i = 0; i < snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& collider = snapshot.colliders[i];
    const bool is_ground = static_cast<int>(i) == which;
    PlaneDrawing look;
    if (collider.kind != ColliderSnapshot::Kind::plane || !is_shown(collider, view)) continue;
    if (!make_plane_drawing(snapshot.colliders, i, is_ground, camera.near_eye(), camera.target_distance(), set.box,
                            look))
      continue;
    if (!is_ground) {
      see_through.push_back(look);
      continue;
    }
    const glm::vec3 n = glm::cross(look.u, look.v);
    has_ground = true;
    ground = look;
    ground_q = projector.plane_q(n, glm::dot(n, look.foot));
  }
}

/// CPU version of shaders/plane.frag.
glm::vec4 plane_color(const Scenery& scenery, const PlaneDrawing& plane, const glm::vec2& at) {
  const glm::vec3 eye = scenery.projector.eye;
  const auto point_at = [&](const glm::vec2& p) {
    const glm::vec3 ray = scenery.projector.ray(p.x, p.y);
    return eye + meet(plane, eye, ray) * ray;
  };
  const auto on_plane = [&](const glm::vec3& p) {
    return glm::vec2(glm::dot(p - plane.foot, plane.u), glm::dot(p - plane.foot, plane.v));
  };
  const glm::vec3 world = point_at(at);
  const glm::vec2 here = on_plane(world);
  if (is_cut_away(plane, here)) return glm::vec4(0);
  if (plane.is_pane) {
    const glm::vec2 by_x = on_plane(point_at(at + glm::vec2(1, 0))) - here,
                    by_y = on_plane(point_at(at + glm::vec2(0, 1))) - here;
    return pane_color(scenery.set.light, plane, here, std::max({glm::length(by_x), glm::length(by_y), 1e-9F}));
  }
  const LightEnvironment& light = scenery.set.light;
  const float reach = glm::length(here - plane.middle) / plane.fade_radius,
              far = plane.is_ground ? haze(reach) : smooth_step(0.25F, 1, reach);
  const glm::vec2 by_x = on_plane(point_at(at + glm::vec2(1, 0))) - here,
                  by_y = on_plane(point_at(at + glm::vec2(0, 1))) - here;
  const glm::vec2 per_pixel = glm::abs(by_x) + glm::abs(by_y);
  const FloorMaterial floor = plane.is_ground ? light.floor : FloorMaterial::plain;
  const bool is_sweep = floor == FloorMaterial::sweep;
  glm::vec3 base = plane.albedo;
  float line = 0;
  if (floor != FloorMaterial::plain && !is_sweep)
    base *= floor_pattern(floor, {world.x, world.z}, std::max(per_pixel.x, per_pixel.y), plane.tile_m);
  else if (scenery.view.ground_grid && far < 1) {
    const glm::vec2 grid = here * plane.grid.z + glm::vec2(plane.grid),
                    width = glm::max(per_pixel * plane.grid.z, glm::vec2(1e-9F));
    line = (1 - far) *
           std::max(lines(grid, width, 1.0F) * 0.17F * plane.grid.w, lines(grid * 0.1F, width * 0.1F, 1.3F) * 0.30F);
  }
  const glm::vec2 dark = plane.is_ground && scenery.contact_box.z > 0 ? contact(scenery, world) : glm::vec2(0);
  const float open = 1 - dark.x,
              sun = (far < 0.99F ? scenery.sun_map.visible(world, glm::vec3(0), shadow_turn(scenery.projector, world))
                                 : 1) *
                    (1 - dark.y) * (plane.is_ground ? scenery.caustics.light_at(world) : 1);
  const glm::vec3 there = light.floor_light(sun, open);
  const bool is_plain = plane.is_ground && scenery.plain.w > 0.5F;
  if (is_sweep && !is_plain)
    return {shoulder(light.background(sky_place(world - eye))) * there / light.floor_light(1, 1) * (1 - 0.6F * line),
            1};
  const glm::vec3 c = base * (1 - line) * there;
  if (is_plain) {
    const auto display = [](const glm::vec3& linear) { return srgb_of(shoulder(linear)); };
    const glm::vec3 lit = display(plane.albedo * light.floor_light(1, 1)), shown = display(c);
    const float share = (shown.r + shown.g + shown.b) / std::max(lit.r + lit.g + lit.b, 1e-6F);
    const float shade = glm::mix(glm::mix(1.0F, std::min(share, 1.0F), 0.75F), 1.0F, far);
    return {light_of(shade * glm::vec3(scenery.plain)), 1};
  }
  if (plane.is_ground) return {shoulder(glm::mix(c, light.horizon, far)), 1};
  return {shoulder(c), 0.85F * plane.opacity * (1 - far)};
}

glm::vec3 surface_color(const Scenery& scenery, std::uint32_t id, const glm::vec2& at) {
  if (id == nothing_there && scenery.plain.w > 0.5F) return light_of(glm::vec3(scenery.plain));
  if (id == nothing_there) return shoulder(scenery.set.light.background(sky_place(scenery.projector.ray(at.x, at.y))));
  if (id == ground_there) return glm::vec3(plane_color(scenery, scenery.ground, at));
  const Facet& facet = scenery.facets.at(id);
  const SurfaceObject& object = scenery.facets.objects[facet.object];
  switch (object.kind) {
    case SurfaceObject::Kind::skin: return skin_color(scenery, object, facet.item, at);
    case SurfaceObject::Kind::solid: return solid_color(scenery, object, facet.item, at);
    case SurfaceObject::Kind::members: return member_color(scenery, facet.item, at);
    case SurfaceObject::Kind::arrow: break;
  }
  return scenery.facets.arrow_colors[facet.item];
}

namespace {

/// Table of the displayed colours of the background for t from -1 to 1. The error of linear interpolation is below a
/// hundredth of an sRGB byte.
struct SkyTable {
  static constexpr std::size_t half = 512;
  std::array<glm::vec3, 2 * half + 2> color;
  explicit SkyTable(const LightEnvironment& light) {
    for (std::size_t i = 0; i < color.size(); ++i)
      color[i] = shoulder(light.background(std::min(static_cast<float>(i) / half - 1, 1.0F)));
  }
  [[nodiscard]] glm::vec3 at(float t) const {
    const float place = (t + 1) * half;
    const auto i = static_cast<std::size_t>(place);
    return color[i] + (place - static_cast<float>(i)) * (color[i + 1] - color[i]);
  }
};

}  // namespace

bool shade_sky(const Scenery& scenery, Tile& tile) {
  const SkyTable table(scenery.set.light);
  const glm::vec3& plane = scenery.ground_q;
  for (const int x : {tile.x0, tile.x0 + tile.width})
    for (const int y : {tile.y0, tile.y0 + tile.height})
      if (scenery.has_ground && plane.x + plane.y * static_cast<float>(x) + plane.z * static_cast<float>(y) > 0)
        return false;
  const Projector& p = scenery.projector;
  const bool is_plain = scenery.plain.w > 0.5F;
  const glm::vec3 plain = light_of(glm::vec3(scenery.plain));
  tile.edges.clear();
  tile.edge_row.fill(0);
  tile.q.fill(0);
  tile.front.fill(0);
  for (int y = 0; y < tile.height; ++y) {
    const float across_y = (p.middle_y - (static_cast<float>(tile.y0 + y) + 0.5F)) / p.focal_px,
                rise = p.forward.y + across_y * p.up.y;
    for (int x = 0; x < tile.width; ++x) {
      const float across_x = (static_cast<float>(tile.x0 + x) + 0.5F - p.middle_x) / p.focal_px;
      const float height = (rise + across_x * p.right.y) / std::sqrt(1 + across_x * across_x + across_y * across_y);
      const glm::vec3 color =
          is_plain ? plain : table.at(std::clamp(std::copysign(std::sqrt(std::abs(height)), height), -1.0F, 1.0F));
      const std::size_t to = Tile::cell(x, y);
      tile.red[to] = color.r;
      tile.green[to] = color.g;
      tile.blue[to] = color.b;
    }
  }
  return true;
}

void begin_tile(const Scenery& scenery, Tile& tile) {
  tile.edges.clear();
  tile.edge_row.fill(0);
  const glm::vec3& plane = scenery.ground_q;
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x)
      for (int s = 0; s < samples; ++s) {
        const glm::vec2 at = glm::vec2(static_cast<float>(tile.x0 + x), static_cast<float>(tile.y0 + y)) +
                             sample_at[static_cast<std::size_t>(s)];
        const float q = scenery.has_ground ? plane.x + plane.y * at.x + plane.z * at.y : 0;
        const std::size_t to = Tile::sample(x, y, s);
        tile.sample_q[to] = std::max(q, 0.0F);
        tile.sample_id[to] = q > 0 ? ground_there : nothing_there;
      }
}

namespace {

/// Colours of all samples of a pixel. Each surface is shaded once, at the mean position of the samples that show it.
std::array<glm::vec3, samples> sample_colors(const Scenery& scenery, const Tile& tile, int x, int y) {
  const std::uint32_t* ids = &tile.sample_id[Tile::sample(x, y, 0)];
  const glm::vec2 corner(static_cast<float>(tile.x0 + x), static_cast<float>(tile.y0 + y));
  std::array<glm::vec3, samples> colors{};
  if (ids[0] == ids[1] && ids[0] == ids[2] && ids[0] == ids[3]) {
    colors.fill(surface_color(scenery, ids[0], corner + 0.5F));
    return colors;
  }
  unsigned done = 0;
  for (unsigned s = 0; s < samples; ++s) {
    if ((done >> s & 1U) != 0) continue;
    glm::vec2 sum(0);
    unsigned same = 0;
    for (unsigned k = s; k < samples; ++k)
      if (ids[k] == ids[s]) {
        same |= 1U << k;
        sum += sample_at[k];
      }
    const glm::vec3 color = surface_color(scenery, ids[s], corner + sum / static_cast<float>(__builtin_popcount(same)));
    for (unsigned k = s; k < samples; ++k)
      if ((same >> k & 1U) != 0) colors[k] = color;
    done |= same;
  }
  return colors;
}

}  // namespace

void shade_tile(const Scenery& scenery, bool edges, Tile& tile) {
  for (int y = 0; y < tile.height; ++y)
    for (int x = 0; x < tile.width; ++x) {
      const auto colors = sample_colors(scenery, tile, x, y);
      const float* q = &tile.sample_q[Tile::sample(x, y, 0)];
      const float nearest = std::max(std::max(q[0], q[1]), std::max(q[2], q[3])),
                  farthest = std::min(std::min(q[0], q[1]), std::min(q[2], q[3]));
      const std::size_t to = Tile::cell(x, y);
      const glm::vec3 mean = 0.25F * (colors[0] + colors[1] + colors[2] + colors[3]);
      tile.red[to] = mean.r;
      tile.green[to] = mean.g;
      tile.blue[to] = mean.b;
      tile.q[to] = tile.front[to] = nearest;
      if (!edges || nearest - farthest <= jump * nearest) continue;
      tile.q[to] = beyond_all;
      tile.edge_row[static_cast<std::size_t>(y)] |= 1U << static_cast<unsigned>(x);
      tile.edges.push_back({colors, {q[0], q[1], q[2], q[3]}, x, y});
    }
}

void resolve_edges(Tile& tile) {
  for (const EdgePixel& edge : tile.edges) {
    const glm::vec3 mean = 0.25F * (edge.color[0] + edge.color[1] + edge.color[2] + edge.color[3]);
    const std::size_t to = Tile::cell(edge.x, edge.y);
    tile.red[to] = mean.r;
    tile.green[to] = mean.g;
    tile.blue[to] = mean.b;
  }
}

}  // namespace vw::soft
