#include "render/film/film_scene.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "render/software/light.h"
#include "render/vectors/vectors.h"

namespace vw::film {
namespace {

constexpr float film_pi = 3.14159265F;
/// Roughness of the coat of voxel skins, of solids and members, and of particles.
constexpr float skin_roughness = 0.5F, solid_roughness = 0.4F, ball_roughness = 0.5F;
constexpr float glass_ior = 1.5F;
constexpr int glass_priority = 2;

bool glows(const ViewParams& view, const std::string& name) { return is_hidden(view.glow, name); }

FilmMaterial coated_material(const ViewParams& view, const std::string& name, float roughness) {
  FilmMaterial material{.roughness = roughness};
  if (glows(view, name)) material.glow = static_cast<float>(view.glow_strength);
  return material;
}

FilmPart skin_part(const Figure& figure, const ViewParams& view) {
  FilmPart part{.shape = FilmShape::quads, .material = coated_material(view, figure.name, skin_roughness)};
  part.material.has_voxel_edges = view.wireframe;
  const VoxelSkin& skin = *figure.skin;
  for (const SkinCorner& corner : figure.corners) part.position.emplace_back(corner.place);
  for (std::size_t q = 0; q < skin.quads.size(); ++q) {
    const VoxelSkin::Quad& quad = skin.quads[q];
    std::array<std::uint32_t, 4> corners{};
    bool good = true;
    for (std::size_t c = 0; c < 4; ++c) {
      corners[c] = static_cast<std::uint32_t>(quad.vertex[c]);
      good &= is_finite(part.position[corners[c]]);
    }
    if (!good) continue;
    part.quad.push_back(corners);
    for (const glm::vec4& normal : figure.faces[q].corner) part.normal.emplace_back(normal);
    for (const glm::vec4& normal : figure.faces[q].beyond) part.beyond.emplace_back(normal);
    part.color.push_back(linear_of(figure.colors[static_cast<std::size_t>(quad.voxel)]));
  }
  return part;
}

/// Optical thickness through the middle of a puff. render/scene/puffs.cpp multiplies the same value by a factor.
float puff_thickness(float opacity) { return -std::log(1 - std::min(opacity, 0.98F)); }

FilmPart ball_part(const Figure& figure, const ViewParams& view) {
  FilmPart part{.shape = FilmShape::spheres, .material = coated_material(view, figure.name, ball_roughness)};
  part.is_uncut = true;
  if (figure.soft) part.material.surface = FilmSurface::puff;
  for (std::size_t i = 0; i < figure.places.size(); ++i) {
    const float opacity = figure.opacity.empty() ? 1 : static_cast<float>(figure.opacity[i]) / 255;
    if (!(figure.places[i].w > 0) || !is_finite(figure.places[i]) || !(opacity > 0)) continue;
    part.sphere.push_back(figure.places[i]);
    // The colours of the other renderers include the absorption of light in smoke. Real smoke absorbs little of the
    // light that it scatters, so its colour is lightened here.
    const glm::vec3 color = linear_of(figure.colors[i]);
    part.color.push_back(figure.soft ? glm::mix(color, glm::vec3(1), 0.6F) : color);
    if (!figure.opacity.empty()) part.opacity.push_back(figure.soft ? puff_thickness(opacity) : opacity);
  }
  return part;
}

/// Medium of a glass solid. Light that crosses the solid along its smallest extent is multiplied by mix(white, colour,
/// opacity).
FilmMedium glass_medium(const ColliderSnapshot& solid) {
  float thickness = 2 * solid.half_extent.minCoeff();
  if (solid.kind == ColliderSnapshot::Kind::mesh && solid.mesh != nullptr) {
    Vec3f low = Vec3f::Constant(1e30F), high = Vec3f::Constant(-1e30F);
    for (const Vec3f& p : solid.mesh->position) low = low.cwiseMin(p), high = high.cwiseMax(p);
    thickness = (high - low).minCoeff();
  }
  const glm::vec3 through = glm::mix(glm::vec3(1), to_glm(solid.color), solid.opacity);
  return {glass_ior, -glm::log(glm::clamp(through, 1e-3F, 1.0F)) / std::max(thickness, 1e-6F), glass_priority};
}

/// Adds the surface of a solid to a part of triangles.
void add_solid(const ColliderSnapshot& solid, FilmPart& part) {
  const SurfaceMesh& mesh = *surface_of(solid);
  const glm::mat4 place = matrix_of(solid);
  const auto first = static_cast<std::uint32_t>(part.position.size());
  const glm::vec3 size = solid.kind == ColliderSnapshot::Kind::box ? to_glm(solid.half_extent) : glm::vec3(1);
  for (std::size_t i = 0; i < mesh.position.size(); ++i) {
    part.position.emplace_back(place * glm::vec4(to_glm(mesh.position[i]), 1));
    const glm::vec3 n = i < mesh.normal.size() ? to_glm(mesh.normal[i]) : glm::vec3(0);
    part.normal.push_back(
        unit_or(to_glm(solid.orientation * Vec3f(n.x / size.x, n.y / size.y, n.z / size.z)), glm::vec3(0)));
    part.color.push_back(to_glm(solid.color));
  }
  for (const auto& t : mesh.triangle) part.triangle.push_back({first + t[0], first + t[1], first + t[2]});
}

bool is_drawable(const ColliderSnapshot& solid) {
  return solid.position.allFinite() && solid.orientation.coeffs().allFinite() &&
         (solid.kind == ColliderSnapshot::Kind::sphere || surface_of(solid) != nullptr);
}

/// Adds colliders and rigid bodies. All opaque spheres share one part, and all other opaque solids share another one.
/// Glass and glowing solids have their own parts.
void add_solids(const FrameData& set, const ViewParams& view, std::vector<FilmPart>& parts) {
  FilmPart meshes{.material = {.roughness = solid_roughness}},
      balls{.shape = FilmShape::spheres, .material = {.roughness = solid_roughness}};
  for (const ColliderSnapshot& solid : set.solids) {
    if (!is_drawable(solid)) continue;
    const bool is_ball = solid.kind == ColliderSnapshot::Kind::sphere,
               is_clear = is_glass(solid) && !solid.two_sided,  // transparent iso-surfaces are drawn opaque
        alone = is_clear || glows(view, solid.name);
    FilmPart own{.shape = is_ball ? FilmShape::spheres : FilmShape::triangles,
                 .material = coated_material(view, solid.name, solid_roughness)};
    FilmPart& part = alone ? own : is_ball ? balls : meshes;
    if (is_ball) {
      part.sphere.emplace_back(to_glm(solid.position), solid.half_extent.x());
      part.color.push_back(to_glm(solid.color));
    } else {
      add_solid(solid, part);
    }
    if (!alone) continue;
    if (is_clear && own.material.glow == 0) {
      own.material.surface = FilmSurface::dielectric;
      own.material.medium = glass_medium(solid);
    }
    parts.push_back(std::move(own));
  }
  parts.push_back(std::move(meshes));
  parts.push_back(std::move(balls));
}

/// Adds the members of all flocks, with fine levels of detail.
void add_members(const FrameData& set, const ViewParams& view, const Camera& camera, int width, int height,
                 std::vector<FilmPart>& parts) {
  const float pixel = pixel_per_distance(camera, width, height);
  for (std::size_t f = 0; f < set.count; ++f) {
    if (set.figures[f].shape != FigureShape::members) continue;
    // MemberDrawList::for_sun() selects all members and chooses their detail by their size in a shadow map. With four
    // texels per pixel at the distance of the target, it chooses fine meshes.
    MemberDrawList order;
    const std::vector<Figure> one{set.figures[f]};
    order.for_sun(one, 1, 4 / std::max(pixel * glm::length(camera.target - camera.eye), 1e-12F));
    MemberSurface surface;
    order.expand(one, camera.eye, pixel, surface);
    FilmPart part{.material = coated_material(view, set.figures[f].name, solid_roughness)};
    part.is_uncut = true;
    part.position = std::move(surface.place);
    part.normal = std::move(surface.normal);
    part.color = std::move(surface.albedo);
    part.from_eye = std::move(surface.from_eye);
    part.triangle = std::move(surface.triangle);
    parts.push_back(std::move(part));
  }
}

void add_planes(const FrameData& set, const Snapshot& snapshot, const ViewParams& view, const Camera& camera,
                std::vector<FilmPlane>& planes) {
  const int ground = ground_of(snapshot);
  for (std::size_t i = 0; i < snapshot.colliders.size(); ++i) {
    const ColliderSnapshot& collider = snapshot.colliders[i];
    if (collider.kind != ColliderSnapshot::Kind::plane || !is_shown(collider, view)) continue;
    FilmPlane plane;
    const bool is_ground = static_cast<int>(i) == ground;
    if (!make_plane_drawing(snapshot.colliders, i, is_ground, camera.near_eye(), camera.target_distance(), set.box,
                            plane.drawing))
      continue;
    plane.normal = to_glm(collider.orientation * Vec3f::UnitY());
    plane.level = glm::dot(plane.normal, to_glm(collider.position));
    const FloorMaterial floor = set.light.floor;
    if (is_ground) plane.floor = floor;
    plane.has_grid = is_ground && view.ground_grid && (floor == FloorMaterial::plain || floor == FloorMaterial::sweep);
    planes.push_back(plane);
  }
}

FilmCamera film_camera(const Camera& camera, int width, int height) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height), half = camera.half_height(aspect);
  const glm::mat4 view = camera.view();
  FilmCamera out;
  out.eye = camera.eye;
  out.right = half * aspect * glm::vec3(view[0][0], view[1][0], view[2][0]);
  out.up = half * glm::vec3(view[0][1], view[1][1], view[2][1]);
  out.forward = -glm::vec3(view[0][2], view[1][2], view[2][2]);
  const Ray middle = camera.ray(0.5F * static_cast<float>(width), 0.5F * static_cast<float>(height), width, height);
  out.start = glm::length(middle.origin - camera.eye);
  out.focus_m = glm::length(camera.target - camera.eye);
  out.pixel = pixel_per_distance(camera, width, height);
  return out;
}

}  // namespace

FilmSky film_sky(const LightEnvironment& light, const glm::vec3& sun) {
  FilmSky sky;
  sky.horizon = light.horizon;
  sky.zenith = light.zenith;
  sky.nadir = light.nadir;
  sky.sun_direction = sun;
  sky.sun_radius_rad = std::atan(light.softness);
  // In the other renderers, a white surface that faces the sun reflects 0.52 times the colour of the sun. Here, the key
  // light is 1.7 times as strong, because the sky of the path tracer brightens shadows more than the sky light of the
  // other renderers.
  sky.sun_irradiance = film_pi * 0.52F * 1.7F * light.sun_light;
  return sky;
}

FilmScene build_film_scene(const FrameData& set, const Snapshot& snapshot, const ViewParams& view, const Camera& camera,
                           int width, int height) {
  FilmScene scene;
  scene.sky = film_sky(set.light, sun_direction());
  scene.camera = film_camera(camera, width, height);
  scene.cut = set.cut;
  for (std::size_t f = 0; f < set.count; ++f) {
    const Figure& figure = set.figures[f];
    if (figure.shape == FigureShape::skin) scene.parts.push_back(skin_part(figure, view));
    if (figure.shape == FigureShape::balls) scene.parts.push_back(ball_part(figure, view));
  }
  add_members(set, view, camera, width, height, scene.parts);
  add_solids(set, view, scene.parts);
  add_planes(set, snapshot, view, camera, scene.planes);
  const int ground = ground_of(snapshot);
  if (ground >= 0 && is_shown(snapshot.colliders[static_cast<std::size_t>(ground)], view) && !set.fluid.is_channel())
    scene.caustics.draw(set.fluid, snapshot.colliders[static_cast<std::size_t>(ground)].position.y(), sun_direction());
  std::erase_if(scene.parts, [](const FilmPart& part) { return part.size() == 0; });
  return scene;
}

}  // namespace vw::film
