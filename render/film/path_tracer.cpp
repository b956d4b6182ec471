#include "render/film/path_tracer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/film/film_reflection.h"
#include "render/vectors/vectors.h"

namespace vw::film {
namespace {

constexpr float path_pi = 3.14159265F;
constexpr float far_away = std::numeric_limits<float>::infinity();

float luminance(const glm::vec3& c) { return glm::dot(c, glm::vec3(0.2126F, 0.7152F, 0.0722F)); }
float largest(const glm::vec3& c) { return std::max({c.r, c.g, c.b}); }

/// Factor by which the lines of the grid darken the albedo at a point of the ground. `far`: weight of the horizon's
/// colour in the colour of the ground. The lines fade out as this weight approaches 1.
float grid_factor(const PlaneDrawing& plane, const glm::vec2& here, float far) {
  const glm::vec2 at = here * plane.grid.z + glm::vec2(plane.grid);
  const auto on_line = [](const glm::vec2& p, float half) {
    const glm::vec2 off = glm::abs(glm::fract(p - 0.5F) - 0.5F);
    return std::min(off.x, off.y) < half ? 1.0F : 0.0F;
  };
  const float line = std::max(on_line(at, 0.010F) * 0.17F * plane.grid.w, on_line(0.1F * at, 0.0015F) * 0.30F);
  return 1 - (1 - far) * line;
}

/// The balance heuristic of multiple importance sampling.
float balance(float own, float other) { return own / (own + other); }

}  // namespace

void MediumStack::leave(std::uint32_t part) {
  for (std::size_t i = count_; i-- > 0;)
    if (parts_[i] == part) {
      parts_[i] = parts_[--count_];
      return;
    }
}

std::uint32_t MediumStack::current(const std::vector<FilmPart>& parts) const {
  std::uint32_t best = none;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint32_t part = parts_[i];
    if (best == none) {
      best = part;
      continue;
    }
    const int mine = parts[part].material.medium.priority, other = parts[best].material.medium.priority;
    if (mine > other || (mine == other && part < best)) best = part;
  }
  return best;
}

/// Point at which a ray hits a part or a plane.
struct PathTracer::Point {
  std::uint32_t part = MediumStack::none, item = 0;
  std::size_t plane = 0;  ///< index of the plane if `part` is none
  float distance = 0;
  glm::vec3 position{0};
  glm::vec3 outward{0, 1, 0};  ///< geometric unit normal
  glm::vec3 normal{0, 1, 0};   ///< shading normal on the same side
  glm::vec3 color{0};
  float opacity = 1;
  float far = 0;  ///< weight of the horizon's colour in the colour of the ground
  const FilmMaterial* material = nullptr;
};

/// State of a path.
struct PathTracer::Path {
  glm::vec3 origin{0}, direction{0};
  MediumStack media;
  glm::vec3 sum{0}, weight{1};
  /// Product of the factors 1 / ratio^2 that refractions have contributed to `weight`. Russian roulette ignores these
  /// factors.
  float squeeze = 1;
  int bounces = 0, crossings = 0;
  /// Probability density with which the last scattering chose the direction [1/sr]. Negative before the first
  /// scattering.
  float density = -1;
  glm::vec3 scattered_at{0};
  bool is_bent = false;  ///< whether a dielectric has changed the direction since the last scattering
  float clamp = 0;

  void add(const glm::vec3& radiance) {
    const glm::vec3 c = weight * radiance;
    const float l = luminance(c);
    if (!std::isfinite(l)) return;
    sum += (bounces > 1 || crossings > 1) && l > clamp ? c * (clamp / l) : c;
  }
  void go_on(const Point& point, const glm::vec3& side) { origin = off_surface(point.position, side); }
};

PathTracer::PathTracer(const FilmScene& scene, const FilmRays& rays, const PathLimits& limits)
    : scene_(scene), rays_(rays), limits_(limits) {
  collect_emitters();
  camera_media_ = media_at(scene.camera.eye + scene.camera.start * scene.camera.forward);
}

Ray PathTracer::camera_ray(const glm::vec2& at, const glm::vec2& lens) const {
  const FilmCamera& camera = scene_.camera;
  const glm::vec3 along = camera.forward + at.x * camera.right + at.y * camera.up;
  if (!(camera.aperture_m > 0)) {
    const glm::vec3 direction = glm::normalize(along);
    return {camera.eye + camera.start * direction, direction};
  }
  const float r = camera.aperture_m * std::sqrt(lens.x), phi = 2 * path_pi * lens.y;
  const glm::vec3 from =
      camera.eye + r * (std::cos(phi) * glm::normalize(camera.right) + std::sin(phi) * glm::normalize(camera.up));
  return {from, glm::normalize(camera.eye + camera.focus_m * along - from)};
}

void PathTracer::collect_emitters() {
  double total = 0;
  std::vector<double> power;
  for (std::size_t p = 0; p < scene_.parts.size(); ++p) {
    const FilmPart& part = scene_.parts[p];
    first_emitter_.push_back(emitters_.size());
    if (!(part.material.glow > 0) || part.shape == FilmShape::quads) continue;
    for (std::size_t i = 0; i < part.size(); ++i) {
      double strength = 0;
      if (part.shape == FilmShape::spheres) {
        const float opacity = part.opacity.empty() ? 1 : part.opacity[i];
        strength = static_cast<double>(part.sphere[i].w * part.sphere[i].w * path_pi * opacity *
                                       luminance(part.color[part.color.size() == 1 ? 0 : i]));
      } else {
        const auto& t = part.triangle[i];
        const glm::vec3 area =
            glm::cross(part.position[t[1]] - part.position[t[0]], part.position[t[2]] - part.position[t[0]]);
        strength =
            static_cast<double>(0.5F * glm::length(area) * luminance(part.color[part.color.size() == 1 ? 0 : t[0]]));
      }
      power.push_back(strength * static_cast<double>(part.material.glow));
      total += power.back();
      emitters_.push_back({static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(i), 0, 0});
    }
  }
  if (!(total > 0)) {
    emitters_.clear();
    std::fill(first_emitter_.begin(), first_emitter_.end(), 0);
    return;
  }
  double sum = 0;
  for (std::size_t i = 0; i < emitters_.size(); ++i) {
    sum += power[i];
    emitters_[i].share = static_cast<float>(power[i] / total);
    emitters_[i].sum = static_cast<float>(sum / total);
  }
}

PathTracer::LightSample PathTracer::sample_emitter(const glm::vec3& from, const glm::vec2& choice,
                                                   const glm::vec2& at) const {
  const auto found = std::upper_bound(emitters_.begin(), emitters_.end(), choice.x,
                                      [](float value, const Emitter& emitter) { return value < emitter.sum; });
  const Emitter& emitter = found == emitters_.end() ? emitters_.back() : *found;
  const FilmPart& part = scene_.parts[emitter.part];
  LightSample light;
  light.part = emitter.part;
  light.item = emitter.item;
  if (part.shape == FilmShape::spheres) {
    const glm::vec4& ball = part.sphere[emitter.item];
    const glm::vec3 way = glm::vec3(ball) - from;
    const float sine2 = ball.w * ball.w / std::max(glm::dot(way, way), 1e-30F);
    if (!(sine2 < 1)) return light;
    const float cap = sine2 / (1 + std::sqrt(1 - sine2));
    light.direction = LocalFrame(glm::normalize(way)).to_world(cone_direction(at, cap));
    light.density = emitter.share / (2 * path_pi * cap);
    const float opacity = part.opacity.empty() ? 1 : part.opacity[emitter.item];
    light.radiance = part.material.glow * opacity * part.color[part.color.size() == 1 ? 0 : emitter.item];
    return light;
  }
  const auto& t = part.triangle[emitter.item];
  const glm::vec3 &a = part.position[t[0]], &b = part.position[t[1]], &c = part.position[t[2]];
  const float root = std::sqrt(at.x), v = at.y * root;
  const glm::vec3 place = (1 - root) * a + (root - v) * b + v * c, area = glm::cross(b - a, c - a), way = place - from;
  const float distance2 = glm::dot(way, way), facing = 0.5F * std::abs(glm::dot(area, way)) / std::sqrt(distance2);
  if (!(facing > 0)) return light;
  light.direction = way / std::sqrt(distance2);
  light.density = emitter.share * distance2 / facing;
  light.radiance = part.material.glow * part.color[part.color.size() == 1 ? 0 : t[0]];
  return light;
}

/// Probability density with which sample_emitter() would have chosen the direction from `from` to the point [1/sr].
float PathTracer::emitter_density(const Point& point, const glm::vec3& from, const glm::vec3& direction) const {
  const std::size_t index = first_emitter_[point.part] + point.item;
  if (index >= emitters_.size() || emitters_[index].part != point.part) return 0;
  const FilmPart& part = scene_.parts[point.part];
  const float share = emitters_[index].share;
  if (part.shape == FilmShape::spheres) {
    const glm::vec4& ball = part.sphere[point.item];
    const glm::vec3 way = glm::vec3(ball) - from;
    const float sine2 = ball.w * ball.w / std::max(glm::dot(way, way), 1e-30F);
    return sine2 < 1 ? share * (1 + std::sqrt(1 - sine2)) / (2 * path_pi * sine2) : 0;
  }
  const auto& t = part.triangle[point.item];
  const glm::vec3 area =
                      glm::cross(part.position[t[1]] - part.position[t[0]], part.position[t[2]] - part.position[t[0]]),
                  way = point.position - from;
  const float facing = 0.5F * std::abs(glm::dot(area, direction));
  return facing > 0 ? share * glm::dot(way, way) / facing : 0;
}

/// Fills `point` with the surface of a part at a hit.
void PathTracer::describe(const FilmHit& hit, const glm::vec3& origin, const glm::vec3& direction, Point& point) const {
  const FilmPart& part = scene_.parts[hit.part];
  point.part = hit.part;
  point.item = hit.item;
  point.distance = hit.distance;
  point.material = &part.material;
  point.opacity = 1;
  point.far = 0;
  const auto color_at = [&](std::size_t i) { return part.color[part.color.size() == 1 ? 0 : i]; };
  if (part.shape == FilmShape::spheres) {
    const glm::vec4& ball = part.sphere[hit.item];
    point.outward = point.normal = unit_or(origin + hit.distance * direction - glm::vec3(ball), -direction);
    point.position = glm::vec3(ball) + ball.w * point.outward;
    point.color = color_at(hit.item);
    if (!part.opacity.empty()) point.opacity = part.opacity[hit.item];
    return;
  }
  const float u = hit.u, v = hit.v;
  if (part.shape == FilmShape::triangles) {
    const auto& t = part.triangle[hit.item];
    const auto mixed = [&](const std::vector<glm::vec3>& rows) {
      return (1 - u - v) * rows[t[0]] + u * rows[t[1]] + v * rows[t[2]];
    };
    const glm::vec3& a = part.position[t[0]];
    point.outward = unit_or(glm::cross(part.position[t[1]] - a, part.position[t[2]] - a), -direction);
    point.position = mixed(part.position);
    point.normal = part.normal.empty() ? point.outward : unit_or(mixed(part.normal), point.outward);
    point.color = part.color.size() == 1 ? part.color[0] : mixed(part.color);
    if (!part.from_eye.empty()) point.color = with_eye(point.color, mixed(part.from_eye));
    return;
  }
  // A quad consists of the triangles 0 1 3 and 2 3 1.
  const auto& q = part.quad[hit.item];
  const auto at = [&](std::size_t c) -> const glm::vec3& { return part.position[q[c]]; };
  const bool first = u + v <= 1;
  point.position = first ? at(0) + u * (at(1) - at(0)) + v * (at(3) - at(0))
                         : at(2) + (1 - u) * (at(3) - at(2)) + (1 - v) * (at(1) - at(2));
  point.outward =
      unit_or(first ? glm::cross(at(1) - at(0), at(3) - at(0)) : glm::cross(at(3) - at(2), at(1) - at(2)), -direction);
  const auto bilinear = [&](const glm::vec3& p0, const glm::vec3& p1, const glm::vec3& p2, const glm::vec3& p3) {
    return glm::mix(glm::mix(p0, p1, u), glm::mix(p3, p2, u), v);
  };
  const glm::vec3* n = part.normal.data() + 4 * static_cast<std::size_t>(hit.item);
  point.normal = unit_or(bilinear(n[0], n[1], n[2], n[3]), point.outward);
  const std::array<float, 4> from_edge{v, 1 - u, 1 - v, u};
  if (!part.beyond.empty()) {
    // Shades sharp edges as if they were rounded, as the other renderers do (shaders/skin.frag).
    constexpr float round_edge = 1.0F / 9;  // width of rounded edges, as a fraction of the edge of a voxel
    glm::vec3 sum = point.normal;
    for (std::size_t k = 0; k < 4; ++k) {
      const float bevel = std::max(1 - from_edge[k] / round_edge, 0.0F);
      sum += bevel * bevel * part.beyond[4 * static_cast<std::size_t>(hit.item) + k];
    }
    point.normal = unit_or(sum, point.normal);
  }
  const float rim = std::min(std::min(from_edge[0], from_edge[1]), std::min(from_edge[2], from_edge[3]));
  point.color = color_at(hit.item);
  if (part.material.has_voxel_edges && rim < 0.03F) point.color *= 0.25F;
}

/// Fills `point`, whose position and distance are set, with the surface of a plane.
void PathTracer::describe_plane(std::size_t plane, Point& point) const {
  static const FilmMaterial matte{.coated = false};
  const FilmPlane& from = scene_.planes[plane];
  const PlaneDrawing& drawing = from.drawing;
  const glm::vec2 here(glm::dot(point.position - drawing.foot, drawing.u),
                       glm::dot(point.position - drawing.foot, drawing.v));
  point.part = MediumStack::none;
  point.plane = plane;
  point.material = &matte;
  point.outward = point.normal = from.normal;
  const float far = smooth_step(0.25F, 1, glm::length(here - drawing.middle) / drawing.fade_radius);
  point.far = drawing.is_ground ? far : 0;
  point.opacity = drawing.is_ground ? 1 : 0.85F * drawing.opacity * (1 - far);
  point.color = drawing.albedo * (from.has_grid ? grid_factor(drawing, here, far) : 1);
  if (from.floor == FloorMaterial::plain || from.floor == FloorMaterial::sweep) return;
  const float pixel_m = scene_.camera.pixel * (scene_.camera.start + point.distance);
  point.color *= floor_pattern(from.floor, {point.position.x, point.position.z}, pixel_m, drawing.tile_m);
}

/// Finds the nearest visible point of the scene on a ray. Points of parts that a cut plane hides are skipped.
bool PathTracer::find(const glm::vec3& origin, const glm::vec3& direction, Point& point) const {
  float nearest = far_away;
  std::size_t plane = 0;
  for (std::size_t k = 0; k < scene_.planes.size(); ++k) {
    const FilmPlane& p = scene_.planes[k];
    const float slope = glm::dot(p.normal, direction), height = p.level - glm::dot(p.normal, origin),
                t = height / slope;
    if (!(t > 0) || !(t < nearest) || (p.drawing.is_ground && slope >= 0)) continue;
    // A ray that starts on the plane must not hit the plane again.
    if (std::abs(height) < 1e-5F * (1 + std::abs(p.level))) continue;
    const glm::vec3 at = origin + t * direction - p.drawing.foot;
    const glm::vec3 here(glm::dot(at, p.drawing.u), glm::dot(at, p.drawing.v), 1);
    bool is_inside = true;
    for (std::size_t c = 0; c < p.drawing.cuts; ++c) is_inside &= glm::dot(p.drawing.cut[c], here) > 0;
    if (!is_inside) continue;
    nearest = t;
    plane = k;
  }
  FilmHit hit;
  // If the face of a part lies on the ground, the ground is drawn. Otherwise rounding errors would decide between the
  // two.
  const float to = nearest < far_away && scene_.planes[plane].drawing.is_ground ? nearest * (1 - 2e-5F) : nearest;
  float from = 0;
  constexpr int most_skips = 256;
  for (int skips = 0; skips < most_skips && rays_.nearest(origin, direction, from, to, hit); ++skips) {
    describe(hit, origin, direction, point);
    if (!scene_.cut.is_open() || scene_.parts[hit.part].is_uncut || !scene_.cut.hides(point.position, 1e-5F))
      return true;
    from = hit.distance * (1 + 1e-5F) + 1e-7F;
  }
  if (nearest == far_away) return false;
  point.distance = nearest;
  point.position = origin + nearest * direction;
  describe_plane(plane, point);
  return true;
}

/// Returns the media that contain a place. A ray from the place leaves such a medium once more than it enters the
/// medium.
MediumStack PathTracer::media_at(const glm::vec3& place) const {
  std::vector<int> balance_of(scene_.parts.size(), 0);
  const glm::vec3 direction = glm::normalize(glm::vec3(0.1234F, 0.9F, 0.2345F));
  FilmHit hit;
  float from = 0;
  constexpr int most_hits = 10'000;
  for (int i = 0; i < most_hits && rays_.nearest(place, direction, from, far_away, hit); ++i) {
    Point point;
    describe(hit, place, direction, point);
    if (point.material->surface == FilmSurface::dielectric)
      balance_of[hit.part] += glm::dot(point.outward, direction) > 0 ? 1 : -1;
    from = hit.distance * (1 + 1e-5F) + 1e-7F;
  }
  MediumStack media;
  for (std::size_t p = 0; p < balance_of.size(); ++p)
    if (balance_of[p] > 0) media.enter(static_cast<std::uint32_t>(p));
  return media;
}

glm::vec3 PathTracer::absorbed(const MediumStack& media, float distance) const {
  const std::uint32_t medium = media.current(scene_.parts);
  if (medium == MediumStack::none) return glm::vec3(1);
  return glm::exp(-distance * scene_.parts[medium].material.medium.absorption_pm);
}

/// Returns the fraction of light that arrives along a straight ray. Dielectrics reflect and absorb light, but do not
/// bend the ray. The ray ends at the element `item` of the part `part`. If `part` is none, the ray has no end.
glm::vec3 PathTracer::transmittance(glm::vec3 origin, const glm::vec3& direction, MediumStack media, std::uint32_t part,
                                    std::uint32_t item) const {
  glm::vec3 share(1);
  Point point;
  constexpr int most_points = 256;
  for (int i = 0; i < most_points; ++i) {
    if (!find(origin, direction, point)) return part == MediumStack::none ? share : glm::vec3(0);
    share *= absorbed(media, point.distance);
    if (point.part == part && point.item == item && part != MediumStack::none) return share;
    const float slope = glm::dot(point.outward, direction);
    if (point.material->surface == FilmSurface::dielectric) {
      const std::uint32_t before = media.current(scene_.parts);
      if (slope < 0)
        media.enter(point.part);
      else
        media.leave(point.part);
      const float n1 = ior(before), n2 = ior(media.current(scene_.parts));
      // Because the ray is straight, its direction is taken as the direction in the optically thinner medium. Total
      // reflection is then impossible.
      if (n1 != n2) share *= 1 - fresnel(std::abs(glm::dot(point.normal, direction)), std::max(n1 / n2, n2 / n1));
    } else if (point.material->surface == FilmSurface::puff) {
      const float core = slope * slope;
      if (slope < 0) share *= std::exp(-point.opacity * core * core);
    } else {
      if (point.opacity >= 1) return glm::vec3(0);
      share *= 1 - point.opacity;
    }
    if (!(largest(share) > 1e-4F)) return glm::vec3(0);
    origin = off_surface(point.position, slope < 0 ? -point.outward : point.outward);
  }
  return glm::vec3(0);
}

/// Adds the light that the point receives from the sun and from one glowing object and scatters along the path.
/// `value`: BRDF or phase function times the cosine. `density`: density with which scattering chooses a direction
/// [1/sr].
template <class Value, class Density>
void PathTracer::add_lights(Path& path, const Point& point, FilmSampler& sampler, const Value& value,
                            const Density& density) const {
  const auto start = [&](const glm::vec3& direction) {
    return off_surface(point.position, glm::dot(point.outward, direction) < 0 ? -point.outward : point.outward);
  };
  if (scene_.sky.has_sun()) {
    const glm::vec3 direction =
        LocalFrame(scene_.sky.sun_direction).to_world(cone_direction(sampler.next(), scene_.sky.sun_cap()));
    const glm::vec3 scattered = value(direction);
    if (largest(scattered) > 0) {
      const glm::vec3 open = transmittance(start(direction), direction, path.media, MediumStack::none, 0);
      // The ray to the sun is not refracted. The map of caustics contains the factor by which the waves of a fluid
      // focus the light.
      path.add(scattered * open * scene_.sky.sun_irradiance * scene_.caustics.light_at(point.position) *
               balance(1 / scene_.sky.sun_solid_angle(), density(direction)));
    }
  }
  if (emitters_.empty()) return;
  const glm::vec2 choice = sampler.next();
  const LightSample light = sample_emitter(point.position, choice, sampler.next());
  if (!(light.density > 0)) return;
  const glm::vec3 scattered = value(light.direction);
  if (!(largest(scattered) > 0)) return;
  const glm::vec3 open = transmittance(start(light.direction), light.direction, path.media, light.part, light.item);
  path.add(scattered * open * light.radiance / light.density * balance(light.density, density(light.direction)));
}

/// Adds the light of the sky and, if the path points to the sun, the light of the sun. Before the first scattering, the
/// sun has its full weight. After a scattering, the sun is weighted against add_lights() by the balance heuristic. If a
/// dielectric has bent the path since, the sun is left out, because add_lights() has counted its light along a straight
/// ray.
void PathTracer::escape(Path& path, PathFeatures& features) const {
  const FilmSky& sky = scene_.sky;
  glm::vec3 radiance = sky.radiance(path.direction);
  if (path.bounces == 0) features.albedo = glm::min(radiance, 1.0F);
  path.add(radiance);
  if (!sky.is_in_sun(path.direction)) return;
  if (path.density < 0)
    path.add(sky.sun_radiance());
  else if (!path.is_bent)
    path.add(sky.sun_radiance() * balance(path.density, 1 / sky.sun_solid_angle()));
}

/// Reflects or refracts the path at a dielectric.
void PathTracer::cross(Path& path, const Point& point, FilmSampler& sampler) const {
  const bool enters = glm::dot(point.outward, path.direction) < 0;
  const glm::vec3 front = enters ? point.outward : -point.outward;
  MediumStack after = path.media;
  if (enters)
    after.enter(point.part);
  else
    after.leave(point.part);
  const float n1 = ior(path.media.current(scene_.parts)), n2 = ior(after.current(scene_.parts)), ratio = n2 / n1;
  if (n1 == n2) {
    path.media = after;
    return path.go_on(point, -front);
  }
  glm::vec3 normal = enters ? point.normal : -point.normal;
  if (!(glm::dot(normal, path.direction) < 0)) normal = front;
  const float cosine = std::min(-glm::dot(normal, path.direction), 1.0F), reflected = fresnel(cosine, ratio);
  ++path.crossings;
  path.is_bent = true;
  if (sampler.next().x < reflected) {
    path.direction += 2 * cosine * normal;
    const float below = glm::dot(path.direction, front);
    if (below < 0) path.direction -= 2 * below * front;
    path.direction = glm::normalize(path.direction);
    return path.go_on(point, front);
  }
  const float behind = std::sqrt(std::max(1 - (1 - cosine * cosine) / (ratio * ratio), 0.0F));
  path.direction = glm::normalize(path.direction / ratio + (cosine / ratio - behind) * normal);
  if (glm::dot(path.direction, front) > 0) path.direction -= 1.001F * glm::dot(path.direction, front) * front;
  path.weight /= ratio * ratio;  // radiance is proportional to the square of the index of refraction
  path.squeeze /= ratio * ratio;
  path.media = after;
  path.go_on(point, -front);
}

/// Scatters the path at a coated surface. Returns false if the path ends.
bool PathTracer::scatter_on_surface(Path& path, Point& point, FilmSampler& sampler) const {
  const glm::vec3 back = -path.direction;
  if (glm::dot(point.outward, back) < 0) point.outward = -point.outward, point.normal = -point.normal;
  if (!(glm::dot(point.normal, back) > 1e-3F)) point.normal = point.outward;
  const LocalFrame frame(point.normal);
  const CoatedSurface surface(point.color, point.material->roughness, point.material->coated);
  const glm::vec3 out = frame.to_local(back);
  const auto value = [&](const glm::vec3& direction) {
    return glm::dot(direction, point.outward) > 0 ? surface.value(out, frame.to_local(direction)) : glm::vec3(0);
  };
  const auto density = [&](const glm::vec3& direction) { return surface.density(out, frame.to_local(direction)); };
  ++path.bounces;
  add_lights(path, point, sampler, value, density);
  const glm::vec2 lobe = sampler.next();
  const glm::vec3 direction = frame.to_world(surface.sample(out, lobe, sampler.next())), scattered = value(direction);
  path.density = density(direction);
  if (!(largest(scattered) > 0) || !(path.density > 0)) return false;
  path.weight *= scattered / path.density;
  path.direction = glm::normalize(direction);
  path.go_on(point, point.outward);
  return true;
}

/// Scatters the path in the middle of its chord through a puff. All directions are equally probable.
bool PathTracer::scatter_in_puff(Path& path, Point& point, FilmSampler& sampler) const {
  constexpr float phase = 1 / (4 * path_pi);
  point.position += path.direction * std::abs(glm::dot(point.outward, path.direction)) *
                    scene_.parts[point.part].sphere[point.item].w;
  ++path.bounces;
  const auto value = [&](const glm::vec3&) { return point.color * phase; };
  const auto density = [&](const glm::vec3&) { return phase; };
  add_lights(path, point, sampler, value, density);
  path.direction = cone_direction(sampler.next(), 2);
  path.density = phase;
  path.weight *= point.color;
  path.origin = point.position;
  return true;
}

glm::vec3 PathTracer::radiance(const Ray& ray, FilmSampler& sampler, PathFeatures& features) const {
  constexpr int most_events = 1024;
  Path path;
  path.origin = ray.origin;
  path.direction = ray.direction;
  path.media = camera_media_;
  path.clamp = limits_.indirect_clamp;
  Point point;
  bool is_first = true;
  for (int event = 0; event < most_events; ++event) {
    if (!find(path.origin, path.direction, point)) {
      escape(path, features);
      break;
    }
    path.weight *= absorbed(path.media, point.distance);
    const float slope = glm::dot(point.outward, path.direction);
    const FilmSurface kind = point.material->surface;
    float opacity = point.opacity;
    if (kind == FilmSurface::puff) opacity = slope < 0 ? 1 - std::exp(-opacity * slope * slope * slope * slope) : 0;
    if (kind != FilmSurface::dielectric && opacity < 1 && !(sampler.next().x < opacity)) {
      path.go_on(point, slope < 0 ? -point.outward : point.outward);
      continue;
    }
    if (is_first) {
      features.normal = kind == FilmSurface::puff ? -path.direction : slope < 0 ? point.normal : -point.normal;
      features.distance = point.distance;
    }
    is_first = false;
    if (kind == FilmSurface::dielectric) {
      if (path.crossings >= limits_.crossings) break;
      cross(path, point, sampler);
    } else {
      if (path.bounces == 0) features.albedo = glm::mix(point.color, scene_.sky.horizon, point.far);
      if (point.far > 0) {
        path.add(point.far * scene_.sky.horizon);
        path.weight *= 1 - point.far;
      }
      if (point.material->glow > 0) {
        const bool sampled = path.density >= 0 && !emitters_.empty() && point.part != MediumStack::none &&
                             first_emitter_[point.part] + point.item < emitters_.size() &&
                             emitters_[first_emitter_[point.part] + point.item].part == point.part;
        const float share = !sampled ? 1
                            : path.is_bent
                                ? 0
                                : balance(path.density, emitter_density(point, path.scattered_at, path.direction));
        path.add(share * point.material->glow * point.color);
      }
      if (path.bounces >= limits_.bounces || !(largest(path.weight) > 0)) break;
      path.is_bent = false;
      const bool goes_on =
          kind == FilmSurface::puff ? scatter_in_puff(path, point, sampler) : scatter_on_surface(path, point, sampler);
      if (!goes_on) break;
      path.scattered_at = point.position;
    }
    // Russian roulette ends paths that contribute little.
    if (path.bounces + path.crossings < 4) continue;
    const float survival = std::min(largest(path.weight) / path.squeeze, 0.95F);
    if (!(sampler.next().x < survival)) break;
    path.weight /= survival;
  }
  return path.sum;
}

}  // namespace vw::film
