// Surface of a fluid over the scene: refracted background with absorption, reflected sky and sun, and foam.
layout(binding = 2) uniform sampler2D maps;  // r: depth, 0 if empty; g: amount of foam, plus 2 if the mesh is visible
layout(binding = 3) uniform sampler2D colors;  // sRGB; a: 1 for an isolated drop
// r: thickness [m], blurred if possible; g and b: occupancy and thickness with mirror images (fluid_blur.frag)
layout(binding = 4) uniform sampler2D thicknesses;
layout(binding = 5) uniform sampler2D scene_depth;
layout(binding = 6) uniform sampler2D scene_color;
#ifndef SIMPLE
// Further layers of the scene, which show the scene behind objects (draw_far_layers() in render/gl/passes.cpp). far:
// omits bodies, flocks and balls; base: also omits obstacles.
layout(binding = 8) uniform sampler2D far_depth;
layout(binding = 9) uniform sampler2D far_color;
layout(binding = 13) uniform sampler2D base_depth;
layout(binding = 14) uniform sampler2D base_color;
// Depth buffer value of the nearest back faces of bodies and obstacles; 1 if there are none.
layout(binding = 10) uniform sampler2D back_depth;
layout(location = 11) uniform int layers;  // bit 0: there is a far layer; bit 1: there is a base layer
layout(location = 12) uniform int rays;  // number of rays for each pixel: 1 or 4
layout(binding = 12) uniform sampler2D mesh_normals;  // normals of the mesh where it is visible; not of unit length
layout(location = 13) uniform int has_mesh;  // whether pixels in `maps` show a mesh
#endif
// x: clarity [m]; y: 1 if opaque (coloured by a channel); z: particle spacing [m]; w: offset for the shadow lookup [m]
layout(location = 0) uniform vec4 look;
layout(location = 1) uniform int walls;  // number of planes that bound the fluid (render/fluid/fluid_walls.h)
layout(location = 2) uniform vec4 wall[8];  // fluid lies where dot(xyz, p - eye) + w > 0
layout(location = 10) uniform vec4 within;  // w = 1: the eye is in a fluid of this colour (sRGB)
in vec2 uv;
out vec4 color;

#ifdef SIMPLE
// Writes the colour encoded and premultiplied, so that fluid_spread.frag can blend it over the picture with one lookup.
void write(vec3 c, float cover, float z) {
  vec3 s1 = sqrt(clamp(c, 0.0, 1.0)), s2 = sqrt(s1), s3 = sqrt(s2);
  color = vec4(clamp(0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c, 0.0, 1.0) * cover, cover);
}
float sun_on(vec3 world, vec3 along) { return 1.0; }
#else
void write(vec3 c, float cover, float z) {
  color = vec4(c, cover);
  gl_FragDepth = held_for(z);
}
float sun_on(vec3 world, vec3 along) { return sun_visible(world, along); }
#endif

// Entry of a pixel in `maps`. Pixels outside the picture are empty.
vec2 map_at(ivec2 pixel) {
  ivec2 inside = clamp(pixel, ivec2(0), textureSize(maps, 0) - 1);
  return inside == pixel ? texelFetch(maps, inside, 0).rg : vec2(0.0);
}

// Tangent of the surface for a step of one pixel. `way`: the step in the picture. `aside`: the step in the world at a
// depth of 1. If the slopes on both sides are similar, the central difference is taken, otherwise the smaller slope. A
// neighbour with a slope above 4 is assumed to show a different surface and is ignored.
vec3 along_surface(ivec2 pixel, ivec2 way, vec3 aside, vec3 ray, float z) {
  float limit = 4.0 * z * length(aside);
  float after = map_at(pixel + way).r - z, before = z - map_at(pixel - way).r;
  bool forth = abs(after) < limit, back = abs(before) < limit;
  if (forth && back && abs(after - before) > 0.5 * limit) {
    forth = abs(after) < abs(before);
    back = !forth;
  }
  float rise = (forth ? after : 0.0) + (back ? before : 0.0);
  return z * aside + (forth && back ? 0.5 * rise : rise) * ray;
}

const vec2 calm_pairs[9] = vec2[9](vec2(1.0, 0.0), vec2(0.5, 0.866), vec2(-0.5, 0.866), vec2(0.433, 0.25), vec2(0.0, 0.5),
                                   vec2(-0.433, 0.25), vec2(0.22, 0.0), vec2(0.11, 0.19), vec2(-0.11, 0.19));
#ifdef SIMPLE
const int calm_count = 6;
#else
const int calm_count = 9;
#endif

#ifndef SIMPLE
// Whether the pixel exists and shows the mesh at most 1.5 spacings behind walls. Mirror images continue the mesh for
// three spacings behind a wall, and the end of the images is rounded. `at`: entry of the pixel in `maps`.
bool is_meshed(ivec2 pixel, vec2 at) {
  ivec2 size = textureSize(maps, 0);
  if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, size)) || at.g < 2.0) return false;
  vec3 ray = sight(2.0 * (vec2(pixel) + 0.5) / vec2(size) - 1.0);
  for (int k = 0; k < walls; ++k)
    if (wall[k].w + at.r * dot(wall[k].xyz, ray) < -1.5 * look.z) return false;
  return true;
}
// Mean of the normals of the mesh at the pairs of pixels. Pairs that show other surfaces are left out, so that the mean
// does not lean towards the eye at an outline, and so are pairs whose mean differs from the normal at the pixel. All
// pairs count equally: near an outline, where the distant pairs leave the surface one after the other, the mean changes
// little with each. `reach`: radius of the average [px]; `limit`: difference of 1 / depth from a plane at which a pair
// has the weight 0.
vec3 calm_mesh_normal(ivec2 pixel, vec3 ray, vec3 rough, float reach, float limit) {
  vec3 sum = rough, to_eye = -normalize(ray);
  float here = 1.0 / texelFetch(maps, pixel, 0).r;
  for (int k = 0; k < calm_count; ++k) {
    ivec2 way = ivec2(round(reach * calm_pairs[k])), a = pixel + way, b = pixel - way;
    vec2 at_a = map_at(a), at_b = map_at(b);
    if (!is_meshed(a, at_a) || !is_meshed(b, at_b)) continue;
    float bulge = (1.0 / at_a.r + 1.0 / at_b.r - 2.0 * here) / limit, keep = max(1.0 - bulge * bulge, 0.0);
    vec3 both = normalize(texelFetch(mesh_normals, a, 0).xyz) + normalize(texelFetch(mesh_normals, b, 0).xyz);
    sum += keep * keep * smoothstep(0.6, 0.97, dot(rough, both) / max(length(both), 1e-6)) * both;
  }
  sum = normalize(sum);
  return normalize(sum + max(0.05 - dot(sum, to_eye), 0.0) * to_eye);
}
#endif

// Normal of the surface, averaged over `spacings` particle spacings. The average follows waves, but not the bumps of
// single particles, which would distort the refracted background and cause glitter. The method is explained at
// FluidSheet::calm_normal() in render/software/fluid_sheet.cpp. `per_pixel`: width and height of a pixel, in units of
// the picture.
vec3 calm_normal(ivec2 pixel, vec3 ray, float z, vec3 rough, vec2 per_pixel, float spacings) {
  vec2 px = 2.0 * per_pixel * vec2(length(frame.sight_x.xyz), length(frame.sight_y.xyz));  // at a depth of 1
  float here = 1.0 / z, facing = -dot(rough, normalize(ray)), most = 190.0;
#ifdef SIMPLE
  most *= 0.5;  // the pixels are twice as wide
#endif
  float reach = clamp(spacings * look.z / (z * px.y), 2.0, most), limit = look.z / max(facing, 0.25) * here * here;
  float little = 0.05 * reach * reach, xx = little, xy = 0.0, yy = little;
#ifndef SIMPLE
  if (has_mesh != 0 && texelFetch(maps, pixel, 0).g >= 2.0) return calm_mesh_normal(pixel, ray, rough, reach, limit);
#endif
  vec2 gradient = px * vec2(dot(rough, frame.right.xyz), dot(rough, frame.up.xyz)) / min(z * dot(rough, ray), -0.05 * z);
  vec2 right_side = little * gradient;
  for (int k = 0; k < calm_count; ++k) {
    ivec2 way = ivec2(round(reach * calm_pairs[k])), a = pixel + way, b = pixel - way;
    vec2 depths = vec2(map_at(a).r, map_at(b).r), q = 1.0 / max(depths, vec2(1e-9));
    float bulge = (q.x + q.y - 2.0 * here) / limit, keep = max(1.0 - bulge * bulge, 0.0);
    float weight = min(depths.x, depths.y) > 0.0 ? keep * keep : 0.0;
    vec2 f = vec2(way);
    xx += weight * f.x * f.x;
    xy += weight * f.x * f.y;
    yy += weight * f.y * f.y;
    right_side += 0.5 * (q.x - q.y) * weight * f;
  }
  gradient = vec2(yy * right_side.x - xy * right_side.y, xx * right_side.y - xy * right_side.x) / ((xx * yy - xy * xy) * px);
  vec2 place = vec2(dot(ray, frame.right.xyz), dot(ray, frame.up.xyz));
  vec3 n = gradient.x * frame.right.xyz + gradient.y * frame.up.xyz + (here - dot(gradient, place)) * forward();
  return -normalize(n);
}

// GLSL version of Refraction in render/fluid/refraction.h. Lengths in the picture are at a depth of 1.
struct Refraction { vec3 ray; vec2 place, bend; float surface, path, exit; };
float path_in_fluid(float thickness, vec3 ray) { return (1.2 * thickness + look.z) * inversesqrt(dot(ray, ray)); }
// Largest thickness within a particle spacing of a place. At the rim of the fluid, the thickness at the place itself is
// too small for the refracted ray, because it decreases over about a spacing and the ray soon leaves the rim.
float wide_thickness(vec2 at, float z) {
  float most = texture(thicknesses, at).r;
#ifndef SIMPLE
  vec2 by = min(0.5 * look.z / (z * vec2(length(frame.sight_x.xyz), length(frame.sight_y.xyz))), vec2(0.05));
  for (int k = 0; k < 8; ++k) {
    float a = 0.785398 * float(k);
    most = max(most, texture(thicknesses, at + by * vec2(cos(a), sin(a))).r);
  }
#endif
  return most;
}
Refraction refraction_at(vec3 ray, vec3 normal, float z, float there) {
  vec3 inside = refract(normalize(ray), normal, 1.0 / 1.333);
  vec3 along = inside / max(dot(inside, forward()), 0.2);
  float exit = 1e30;
#ifndef SIMPLE
  // A wall ends the path exactly, whereas the thickness has the noise of the particles.
  for (int k = 0; k < walls; ++k) {
    float rise = dot(wall[k].xyz, along);
    if (rise < 0.0) exit = min(exit, max(wall[k].w + z * dot(wall[k].xyz, ray), 0.0) / -rise);
  }
#endif
  inside = along - ray;
  return Refraction(ray, vec2(dot(ray, frame.right.xyz), dot(ray, frame.up.xyz)),
                    vec2(dot(inside, frame.right.xyz), dot(inside, frame.up.xyz)), z, min(path_in_fluid(there, ray), exit), exit);
}

// Displacement of the lookup for a point of the refracted ray, in texture coordinates.
vec2 shift_to(Refraction r, float depth) {
  vec2 by = r.bend * (clamp(depth - r.surface, 0.0, r.path) / depth);
  by *= min(frame.picture.z / max(length(by), 1e-20), 1.0);
  vec2 space = max(frame.picture.xy - sign(by) * r.place, vec2(0.0)) / max(abs(by), vec2(1e-20));
  float to_border = min(min(space.x, space.y), 100.0), squared = to_border * to_border;
  return by * to_border * inversesqrt(sqrt(1.0 + squared * squared)) * 0.5 / vec2(length(frame.sight_x.xyz), length(frame.sight_y.xyz));
}

// Whether a ray at `depth` is inside the object that is visible at a place, that is, in front of its back faces. If so,
// the ray has hit a side of the object that the picture does not show.
bool is_inside(vec2 at, float depth) {
#ifndef SIMPLE
  if (layers == 0) return false;
  float back = texture(back_depth, at).r;
  if (back >= 1.0 || depth >= depth_along_view(back)) return false;
  if ((layers & 1) == 0) return true;
  // If something hides an obstacle, a back face behind the obstacle's surface belongs to the obstacle.
  float seen = texture(scene_depth, at).r, rest = texture(far_depth, at).r;
  return back <= rest || seen >= rest;
#else
  return false;
#endif
}

// Depth buffer value of a layer. 0: the whole scene; 1: far layer; 2: base layer.
float held_at(vec2 at, int layer) {
#ifndef SIMPLE
  if (layer == 1) return texture(far_depth, at).r;
  if (layer == 2) return texture(base_depth, at).r;
#endif
  return texture(scene_depth, at).r;
}

// Smallest depth buffer value around a lookup. The colour is interpolated between four pixels. At the edge of an
// object, the colour of a pixel is the mean of its samples, but the depth buffer contains the depth of one sample only.
// The pixels around the four are therefore included.
float nearest_held(vec2 at, vec2 pixel, int layer) {
  vec4 a, b;
#ifndef SIMPLE
  if (layer == 1)
    a = textureGather(far_depth, at + pixel, 0), b = textureGather(far_depth, at - pixel, 0);
  else if (layer == 2)
    a = textureGather(base_depth, at + pixel, 0), b = textureGather(base_depth, at - pixel, 0);
  else
#endif
    a = textureGather(scene_depth, at + pixel, 0), b = textureGather(scene_depth, at - pixel, 0);
  vec4 c = min(a, b);
  return min(min(c.x, c.y), min(c.z, c.w));
}

// The functions find_end and seen_through correspond to find_end and seen_shift in render/fluid/refraction.h. find_end
// returns the displacement (xy), the depth (z), and whether an object hides the point that the ray hits (w). find_end
// also extends the path in the fluid.
vec2 from = vec2(0.0);  // place of the ray in the picture
#ifdef SIMPLE
const int most_lookups = 8;
// Accepted difference in depth between ray and object, below which the search ends.
float seen_tolerance(float below, float depth) { return 0.01 * below; }
#else
const int most_lookups = 10;
float seen_tolerance(float below, float depth) { return 0.002 * below + depth * frame.eye.w; }
#endif

vec4 find_end(inout Refraction r, float straight, vec2 pixel, int layer) {
  vec3 free = vec3(0.0, 0.0, r.surface);
  float ahead = 1.0 / r.surface - 1.0 / straight, depth = min(straight, r.surface + r.path), behind = 0.0, beyond = 0.0, least = 1.0;
  for (int k = 1; k < most_lookups; ++k) {
    vec2 shift = shift_to(r, depth), at = from + shift;
    float below = depth - r.surface, there = depth_along_view(held_at(at, layer));
    if (there >= r.surface && there - depth >= -seen_tolerance(below, depth)) {
      float nearest = depth_along_view(nearest_held(at, pixel, layer));
      if (there - nearest > 0.1 * below + 5.0 * depth * frame.eye.w) there = nearest;
    }
    float gap = there - depth;
#ifndef SIMPLE
    least = min(least, abs(gap) / (below + 100.0 * depth * frame.eye.w));
#endif
    if (there < r.surface || gap < -seen_tolerance(below, depth)) {
      behind = depth;
      beyond = 1.0 / depth - 1.0 / there;
    } else {
      free = vec3(shift, depth);
      if (gap <= seen_tolerance(below, depth)) return vec4(free, 0.0);
      ahead = 1.0 / depth - 1.0 / there;
      if (below > 0.999 * r.path) r.path = min(max(r.path, path_in_fluid(wide_thickness(at, depth), r.ray)), r.exit);
    }
    float part = k > 3 || there < r.surface ? 0.5 : ahead / (ahead - beyond);
    depth = behind > 0.0 ? 1.0 / mix(1.0 / free.z, 1.0 / behind, part) : there;
  }
  if (least < 0.01) return vec4(free, 0.0);  // the search has not converged on a curved surface
  if (behind > 0.0 && layer == 0) {
    vec2 shift = shift_to(r, behind);
    if (is_inside(from + shift, behind)) return vec4(shift, behind, 0.0);
  }
  if (behind > 0.0) free.xy *= max(1.0 - 1.5 / max(length(free.xy / pixel), 1e-20), 0.0);
  return vec4(free, behind > 0.0 ? 1.0 : 0.0);
}

// Colour of a layer.
vec3 color_at(vec2 at, int layer) {
#ifndef SIMPLE
  if (layer == 1) return texture(far_color, at).rgb;
  if (layer == 2) return texture(base_color, at).rgb;
#endif
  return texture(scene_color, at).rgb;
}

// Colour of an object of a layer that the ray hits before its end; w: 1 if there is one. Such objects are smaller than
// the displacement. `straight`: depth of the layer without displacement.
vec4 seen_between(Refraction r, vec4 end, float straight, vec2 pixel, int layer) {
  // The ray leaves the fluid at `edge` and then continues parallel to its first direction.
  float q_end = 1.0 / end.z, q_edge = max(1.0 / (r.surface + r.path), q_end), q_before = 1.0 / r.surface;
  vec2 edge = shift_to(r, 1.0 / q_edge);
#ifdef SIMPLE
  const int most_steps = 8;
  const float step_px = 4.0;
#else
  // If pixels have several rays, as in exported pictures, the steps are shorter, so that thin objects such as the fins
  // of fish are also found.
  int most_steps = rays > 1 ? 24 : 8;
  float step_px = rays > 1 ? 1.5 : 4.0;
#endif
  int in_fluid = clamp(int(length(edge / pixel) / step_px), 1, most_steps);
  int steps = in_fluid + min(int(length((end.xy - edge) / pixel) / step_px), most_steps / 2);
  float ahead = q_before - 1.0 / straight;
  for (int i = 1; i < steps; ++i) {
    float q = i <= in_fluid ? mix(1.0 / r.surface, q_edge, float(i) / float(in_fluid)) : mix(q_edge, q_end, float(i - in_fluid) / float(steps - in_fluid));
    vec2 at = shift_to(r, 1.0 / q);
    float there = 1.0 / depth_along_view(held_at(from + at, layer)), gap = q - there, most = q - q_before;
    if (gap < 0.0 && ahead > 0.0 && there <= 1.0 / r.surface && gap > 2.0 * most) {
      float low = q_before, high = q, miss = gap, rest_before = ahead;
      for (int k = 0; k < 5; ++k) {
        float middle = 0.5 * (low + high), rest = middle - 1.0 / depth_along_view(held_at(from + shift_to(r, 1.0 / middle), layer));
        if (rest > 0.0) {
          low = middle;
          rest_before = rest;
        } else {
          high = middle;
          miss = rest;
        }
      }
      vec2 hit = shift_to(r, 1.0 / high);
      bool is_hit = miss > 0.2 * most && rest_before < -0.2 * most;
      if (is_hit) return vec4(color_at(from + hit, layer), 1.0);
      // The outline itself is mixed with the background, so the lookup is two pixels further inside.
      if (is_inside(from + hit, 1.0 / high))
        return vec4(color_at(from + hit * (1.0 + 2.0 / max(length(hit / pixel), 2.0)), layer), 1.0);
    }
    if (gap < 0.0 && there <= 1.0 / r.surface && is_inside(from + at, 1.0 / q)) return vec4(color_at(from + at, layer), 1.0);
    q_before = q;
    ahead = gap;
  }
  return vec4(0.0);
}

// Colour of the object that the refracted ray hits. If another object hides the hit point, the colour is taken from the
// next layer in which no object hides it.
vec3 seen_through(Refraction r) {
  float straight = depth_along_view(texture(scene_depth, from).r);
  if (straight <= r.surface) return texture(scene_color, from).rgb;
  vec2 pixel = 1.0 / vec2(textureSize(scene_depth, 0));
  vec4 end = find_end(r, straight, pixel, 0);
  int layer = 0;
#ifndef SIMPLE
  for (int next = 1; next <= 2 && end.w > 0.5; ++next) {
    if ((layers & next) == 0) continue;
    float beyond = depth_along_view(held_at(from, next));
    if (beyond <= r.surface) continue;
    layer = next;
    end = find_end(r, beyond, pixel, next);
  }
#endif
  vec4 between = seen_between(r, end, straight, pixel, 0);
#ifndef SIMPLE
  // A body may hide an obstacle that the ray hits.
  if (between.w < 0.5 && layer == 2 && (layers & 1) != 0)
    between = seen_between(r, end, depth_along_view(held_at(from, 1)), pixel, 1);
#endif
  return between.w > 0.5 ? between.rgb : color_at(from + end.xy, layer);
}

#ifndef SIMPLE
// Reflection of the scene in the picture, found by marching along the reflected ray. The steps grow with the distance
// in the picture, in which 1 / depth of the ray is linear. The colour is premultiplied with its weight (w), which is 0
// where the ray leaves the picture or hits nothing. FluidSheet::mirrored_at() is the same without back faces.
vec4 mirrored_scene(vec3 world, vec3 along, float z) {
  // Rays that point down would mostly hit the fluid, which the picture of the scene does not contain.
  float weight = smoothstep(-0.04, 0.0, along.y);
  if (weight <= 0.0) return vec4(0.0);
  const float reach = 100.0;  // length of the ray in units of the depth of the surface
  float rise = dot(along, forward()), far = z * (rise < 0.0 ? min(reach, 0.9 / -rise) : reach);
  vec4 first = frame.clip_from_world * vec4(world, 1.0), last = frame.clip_from_world * vec4(world + far * along, 1.0);
  vec2 a = 0.5 + 0.5 * first.xy / first.w, way = 0.5 + 0.5 * last.xy / last.w - a, size = vec2(textureSize(scene_depth, 0));
  float start = dot(world - frame.eye.xyz, forward()), q_start = 1.0 / start, q_rise = 1.0 / (start + far * rise) - q_start;
  vec2 to_border = (step(vec2(0.0), way) - a) / (way + vec2(lessThan(abs(way), vec2(1e-9))) * 1e-9);
  float end = min(1.0, min(to_border.x, to_border.y)), pixel = 1.0 / max(length(way * size), 1e-6);
  float stride = (rays > 1 ? 1.5 : 3.0) * pixel, growth = rays > 1 ? 1.06 : 1.12, before = 0.0, s = stride;
  bool ahead = true;
  for (int i = 0; i < 64 && before < end; ++i) {
    s = min(s, end);
    float gap = q_start + s * q_rise - q_of(textureLod(scene_depth, a + s * way, 0.0).r);
    if (gap < 0.0) {
      // Bisection distinguishes a hit from a ray that passes behind the outline of an object.
      float low = before, high = s, miss = gap;
      for (int k = 0; k < 6 && ahead; ++k) {
        float middle = 0.5 * (low + high), rest = q_start + middle * q_rise - q_of(textureLod(scene_depth, a + middle * way, 0.0).r);
        if (rest > 0.0) {
          low = middle;
        } else {
          high = middle;
          miss = rest;
        }
      }
      float q = q_start + high * q_rise;
      bool is_hit = ahead && miss > -0.01 * q, enters = !is_hit && is_inside(a + high * way, 1.0 / q);
      if (is_hit || enters) {
        // The outline itself is mixed with the background, so the lookup is two pixels further inside.
        vec2 at = a + (enters ? high + 2.0 * pixel : high) * way, from_border = min(at, 1.0 - at);
        return vec4(textureLod(scene_color, at, 0.0).rgb, 1.0) * weight * smoothstep(0.0, 0.08, min(from_border.x, from_border.y));
      }
    }
    ahead = gap >= 0.0;
    before = s;
    stride *= growth;
    s += stride;
  }
  return vec4(0.0);
}
#endif

// Relative change of the depth of a plane with the normal `n`, for a change of the ray.
float slope_of(vec3 n, vec3 ray, vec3 by) { return -dot(n, by) / min(dot(n, ray), -1e-4); }

// Corrects a surface at depth z for walls. On the simple quality tiers, a surface close to a wall and parallel to it is
// flattened onto the wall. On the other tiers, which use mirror images, a surface in front of a wall is moved onto the
// wall; `by_x` and `by_y` are the changes of the ray over a pixel. Beyond the walls, there is no surface. OnWall is
// explained in render/fluid/fluid_walls.h.
struct OnWall { float depth, share, entry; vec3 normal; float beyond; };
OnWall on_wall(vec3 ray, float z, vec3 n, vec3 by_x, vec3 by_y) {
  OnWall o = OnWall(z, 0.0, 0.0, vec3(0.0), -1e30);
  float entry = 0.0, steep = 0.0;
  for (int k = 0; k < walls; ++k) {
    float height = wall[k].w, rise = dot(wall[k].xyz, ray);
    if (height >= 0.0) continue;  // the eye is on the fluid's side
    if (rise <= 0.0) {
      o.beyond = 1e30;
      return o;
    }
    if (-height <= entry * rise) continue;
    entry = -height / rise;
    steep = rise;
    o.normal = -wall[k].xyz;
  }
#ifdef SIMPLE
  float near = mix(0.2, 1.0, smoothstep(0.3, 0.8, dot(n, o.normal)));
  if (entry > 0.0) o.share = 1.0 - smoothstep(near, near + 0.3, (z - entry) * steep / look.z);
#else
  // Antialiases the border: the share falls from 1 to 0 over about a pixel.
  float slope = z * (abs(slope_of(n, ray, by_x) - slope_of(o.normal, ray, by_x)) +
                     abs(slope_of(n, ray, by_y) - slope_of(o.normal, ray, by_y)));
  if (entry > 0.0) o.share = clamp(0.5 - (z - entry) / clamp(slope, 1e-4 * z, 4.0 * look.z), 0.0, 1.0);
#endif
  o.depth = mix(z, entry, o.share);
  o.entry = entry;
  for (int k = 0; k < walls; ++k)
    if (wall[k].w >= 0.0) o.beyond = max(o.beyond, -(wall[k].w + o.depth * dot(wall[k].xyz, ray)));
  return o;
}

// Writes the picture for an eye inside the fluid: the scene attenuated by absorption, plus the scattered light.
void write_within() {
  float there = texture(thicknesses, uv).r;
  vec3 albedo = linear_of(within.rgb), left = pow(clamp(albedo, vec3(0.02), vec3(0.98)), vec3(there / look.x));
  vec3 scattered = albedo * (sun_light * 0.2 + mix(bounce_light, sky_light, 0.5 + 0.5 * normalize(sight(2.0 * uv - 1.0)).y) * 0.4);
  write(texture(scene_color, uv).rgb * left + shoulder(scattered) * (1.0 - left), 1.0, 1.0);
}

// Point of the surface. `calm` and `n`: normals averaged over five and two particle spacings.
struct Spot { vec3 ray; float z; vec3 calm, n, albedo; float thickness, foam; };  // foam: amount, 0 to 1

const vec2 ray_places[4] = vec2[4](vec2(-0.125, -0.375), vec2(0.375, -0.125), vec2(-0.375, 0.125), vec2(0.125, 0.375));

vec3 color_of(Spot s) {
  vec3 world = frame.eye.xyz + s.z * s.ray, n = s.n, to_eye = -normalize(s.ray);
  float visible = sun_on(world + frame.sun.xyz * look.w, n * frame.mark.w), open = 0.8 + 0.2 * n.y;
  if (look.y > 0.5) return shoulder(lit_with(s.albedo, n, world, open, 0.6, visible));
  // The thickness is increased slightly, so that the rims of the fluid are visible.
  float thick = s.thickness + 1.5 * look.z;
  vec3 mirror = normalize(mix(s.calm, n, 0.35));
  float askew = 1.0 - clamp(dot(mirror, to_eye), 0.1, 1.0), fresnel = 0.02 + 0.98 * askew * askew * askew * askew * askew;
  vec4 scene = vec4(0.0);
  from = uv;
#ifdef SIMPLE
  vec3 behind = seen_through(refraction_at(s.ray, s.calm, s.z, s.thickness));
#else
  vec3 behind = vec3(0.0);
  float wide = wide_thickness(uv, s.z);
  // One reflected ray suffices where little light is reflected.
  int reflected = frame.picture.w < 0.5 ? 0 : fresnel < 0.04 ? 1 : rays;
  for (int k = 0; k < rays; ++k) {
    // All rays of a pixel are assumed to hit the plane that is tangent to the surface at the middle of the pixel.
    from = uv + (rays > 1 ? ray_places[k] : vec2(0.0)) / vec2(textureSize(maps, 0));
    vec3 ray = sight(2.0 * from - 1.0);
    float z = rays > 1 ? s.z * clamp(dot(s.calm, s.ray) / min(dot(s.calm, ray), -1e-4), 0.9, 1.1) : s.z;
    behind += seen_through(refraction_at(ray, s.calm, z, wide));
    if (k < reflected)
      scene += mirrored_scene(frame.eye.xyz + z * ray + 0.25 * look.z * n, reflect(normalize(ray), mirror), z);
  }
  behind /= float(rays);
  scene /= float(max(reflected, 1));
#endif
  // Beer-Lambert law: if the thickness equals the clarity, the transmitted light has the colour of the fluid.
  vec3 left = pow(clamp(s.albedo, vec3(0.02), vec3(0.98)), vec3(thick / look.x));
  float diffuse = clamp((dot(n, frame.sun.xyz) + 0.4) / 1.4, 0.0, 1.0);
  vec3 scattered = s.albedo * (sun_light * (0.3 * diffuse * visible) + mix(bounce_light, sky_light, 0.5 + 0.5 * n.y) * 0.4);
  vec3 mirrored = reflect(-to_eye, mirror);
  float shine = clamp(dot(reflect(-to_eye, n), frame.sun.xyz), 0.0, 1.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;  // shine^64
  vec3 added = scattered * (1.0 - left) * (1.0 - fresnel) + fresnel * (1.0 - scene.w) * background(mirrored) + sun_light * (0.4 * shine * visible);
  vec3 c = behind * left * (1.0 - fresnel) + shoulder(added) + fresnel * scene.rgb;
#ifdef SIMPLE
  float foam = 0.8 * smoothstep(0.05, 0.8, s.foam);
#else
  float foam = 0.55 * smoothstep(0.05, 0.8, s.foam);  // the rest of the foam is drawn as puffs (FrameData::add_spray())
#endif
  if (foam <= 0.0) return c;
  // Foam scatters light in all directions, so its shading depends little on the surface normal.
  return mix(c, shoulder(lit_with(vec3(0.92), normalize(0.4 * n + 0.6 * to_eye), world, open, 0.1, visible)), foam);
}

#ifndef SIMPLE
// Colour of the fluid at a pixel. At the rim of the mesh, where no ball is drawn, the function returns the colour of a
// near pixel that shows a ball, at most 42 pixels away.
vec4 tint_near(ivec2 pixel) {
  for (int reach = 0; reach <= 42; reach += max(1, reach / 2))
    for (int k = 0; k < (reach > 0 ? 8 : 1); ++k) {
      vec2 way = vec2(cos(0.785398 * float(k)), sin(0.785398 * float(k)));
      ivec2 at = clamp(pixel + ivec2(round(float(reach) * way)), ivec2(0), textureSize(colors, 0) - 1);
      vec4 tint = texelFetch(colors, at, 0);
      if (tint.r + tint.g + tint.b > 0.0) return vec4(tint.rgb, reach > 0 ? 0.0 : tint.a);
    }
  return vec4(0.0);
}

// Weighted fraction of the 3 x 3 pixels around a pixel that show the mesh. It antialiases the outline of the mesh.
float outline(ivec2 pixel) {
  float sum = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += (map_at(pixel + ivec2(x, y)).g >= 2.0 ? 1.0 : 0.0) * float((2 - abs(x)) * (2 - abs(y)));
  return sum / 16.0;
}
#endif

void main() {
  if (within.w > 0.5) {
    write_within();
    return;
  }
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 map = texelFetch(maps, pixel, 0).rg;
  float z = map.x;
  if (z <= 0.0) discard;
  // The surface fades out where the thickness is less than one particle, so that the outlines of single balls are not
  // visible.
  vec3 thickness = texture(thicknesses, uv).rgb;
  vec4 ball = texelFetch(colors, pixel, 0);
  float there = thickness.x;
#ifdef SIMPLE
  float cover = smoothstep(0.1, 0.55, there / look.z);
#else
  // The blurred occupancy shows no bumps of single particles, but isolated drops would vanish in it.
  float cover = mix(smoothstep(0.42, 0.62, thickness.y), smoothstep(0.1, 0.55, thickness.z / look.z), ball.a);
  // If there is a mesh, its outline is the outline of the fluid.
  bool is_meshed = map.y >= 2.0;
  if (is_meshed) {
    map.y -= 2.0;
    cover = max(cover, outline(pixel));
    ball = tint_near(pixel);
  } else if (has_mesh != 0) {
    cover *= max(outline(pixel), ball.a);
  }
#endif
  if (cover <= 0.0) discard;
  vec2 step_of_picture = 2.0 / vec2(textureSize(maps, 0));
  vec3 ray = sight(2.0 * uv - 1.0);
  vec3 by_x = step_of_picture.x * frame.sight_x.xyz, by_y = step_of_picture.y * frame.sight_y.xyz;
  vec3 across = along_surface(pixel, ivec2(1, 0), by_x, ray, z), up = along_surface(pixel, ivec2(0, 1), by_y, ray, z);
  vec3 n = normalize(cross(across, up)), to_eye = -normalize(ray);
  if (dot(n, to_eye) < 0.0) n = -n;
#ifndef SIMPLE
  // Where the mesh is visible, its normal replaces the normal from the depths, which is inaccurate at the outline.
  if (is_meshed) {
    vec3 outward = normalize(texelFetch(mesh_normals, pixel, 0).xyz);
    n = normalize(outward + max(0.05 - dot(outward, to_eye), 0.0) * to_eye);
  }
#endif
  OnWall on = on_wall(ray, z, n, by_x, by_y);
  // Beyond walls, the surface fades out over a tenth of the particle spacing, but at least over 1.5 pixels.
  float rim = max(0.1 * look.z, 1.5 * on.depth * step_of_picture.x * length(frame.sight_x.xyz));
  cover = mix(cover, 1.0, on.share) * (1.0 - smoothstep(0.0, rim, on.beyond));
  if (cover <= 0.0) discard;
  Spot s = Spot(ray, on.depth, on.normal, on.normal, linear_of(ball.rgb), there, map.y);
#ifdef SIMPLE
  if (on.share < 1.0) s.calm = normalize(mix(calm_normal(pixel, ray, z, n, 0.5 * step_of_picture, 5.0), on.normal, on.share));
  s.n = s.calm;
  write(color_of(s), cover, on.depth);
#else
  // The border between the surface and a wall is antialiased by mixing the colours of both.
  s.foam *= 1.0 - ball.a;
  vec3 c = vec3(0.0);
  if (on.share > 0.0) {
    s.z = on.entry;
    c = on.share * color_of(s);
  }
  if (on.share < 1.0) {
    s.z = z;
    s.calm = calm_normal(pixel, ray, z, n, 0.5 * step_of_picture, 5.0);
    s.n = calm_normal(pixel, ray, z, n, 0.5 * step_of_picture, 2.0);
    c += (1.0 - on.share) * color_of(s);
  }
  write(c, cover, on.depth);
#endif
}
