// The ground or another plane, with a matte surface and an antialiased grid. The spacing of the grid follows the zoom
// in powers of ten, and the finer lines fade out.
layout(location = 4) uniform vec3 albedo;
// xy: coordinates of the origin of plane.vert along u and v, in spacings, modulo 10 (coarse lines are 10 spacings
// apart); z: 1 / spacing [1/m]; w: weight of the fine lines
layout(location = 5) uniform vec4 grid;
// xy: centre (u, v); z: radius [m]; w: 1 if the plane fades into the horizon, 0 if it fades to transparency
layout(location = 6) uniform vec4 fade;
layout(location = 7) uniform float opacity;  // opacity of planes other than the ground
layout(location = 3) uniform float tile;  // size of a tile of the floor's pattern [m]
layout(binding = 1) uniform sampler2D contact_map;
in vec3 world;
in vec2 on_plane;
out vec4 color;

float lines(vec2 at, vec2 width, float px) {
  vec2 near = abs(fract(at - 0.5) - 0.5);
  vec2 cover = clamp(px * 0.5 + 0.5 - near / width, 0.0, 1.0) * clamp(0.35 / width, 0.0, 1.0);
  return max(cover.x, cover.y);
}

// Pattern of the floor, with the same functions as in render/scene/light/environment.cpp.
float random_at(ivec2 cell) {
  uint h = uint(cell.x) * 374761393u + uint(cell.y) * 668265263u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return float((h ^ (h >> 16)) & 0xFFFFu) / 65535.0;
}
float value_noise(vec2 p, float px) {
  float keep = 1.0 - smoothstep(0.4, 1.2, px);
  if (keep <= 0.0) return 0.0;
  vec2 base = floor(p), f = p - base, s = f * f * (3.0 - 2.0 * f);
  ivec2 cell = ivec2(base);
  float low = mix(random_at(cell), random_at(cell + ivec2(1, 0)), s.x);
  float high = mix(random_at(cell + ivec2(0, 1)), random_at(cell + ivec2(1, 1)), s.x);
  return keep * (mix(low, high, s.y) - 0.5);
}
float cloudy_noise(vec2 p, float px) {
  float sum = 0.0, size = 1.0;
  for (int octave = 0; octave < 4; ++octave) {
    sum += size * value_noise(p, px);
    p = vec2(1.6 * p.x + 1.2 * p.y, 1.6 * p.y - 1.2 * p.x) + 7.0;
    px *= 2.0;
    size *= 0.5;
  }
  return sum;
}
float joint(float at, float width, float px) {
  float from_joint = 0.5 - abs(fract(at) - 0.5), wide = max(width, px);
  return (1.0 - smoothstep(0.5 * wide, wide, from_joint)) * min(width / wide, 1.0);
}
float checker_side(float x, float px) { return clamp(4.0 * (abs(fract(0.5 * x) - 0.5) - 0.25) / max(px, 1e-4), -1.0, 1.0); }
vec3 wood_at(vec2 q, float px) {
  float row = floor(2.0 * q.y), along = 0.28 * q.x + 0.7 * random_at(ivec2(int(row), 17));
  float shade = random_at(ivec2(int(floor(along)), int(row))), keep = 1.0 - smoothstep(0.3, 1.0, 2.0 * px);
  float grain = cloudy_noise(vec2(2.2 * q.x + 9.0 * shade, 26.0 * q.y), 26.0 * px);
  float gap = max(joint(2.0 * q.y, 0.03, 2.0 * px), joint(along, 0.008, 0.28 * px));
  return mix(vec3(1.0, 0.70, 0.44), vec3(1.30, 1.0, 0.70), clamp(0.5 + keep * 0.7 * (shade - 0.5) + 0.5 * grain, 0.0, 1.0)) * (1.0 - 0.55 * gap);
}
vec3 floor_pattern(int kind, vec2 at, float pixel_m) {
  vec2 q = at / tile;
  float px = pixel_m / tile;
  if (kind == 2) return vec3(0.86 + 0.22 * checker_side(q.x, px) * checker_side(q.y, px) * (1.0 - smoothstep(0.3, 1.0, px)));
  if (kind == 3) return wood_at(q, px);
  if (kind == 4)
    return vec3(1.0, 0.985, 0.96) * ((1.0 + 0.16 * cloudy_noise(1.7 * q, 1.7 * px) + 0.10 * value_noise(31.0 * q, 31.0 * px)) *
                                     (1.0 - 0.35 * max(joint(0.25 * q.x, 0.006, 0.25 * px), joint(0.25 * q.y, 0.006, 0.25 * px))));
  if (kind == 5) return vec3(1.16, 1.0, 0.74) * (1.0 + 0.28 * cloudy_noise(3.1 * q, 3.1 * px) + 0.35 * value_noise(63.0 * q, 63.0 * px));
  if (kind == 6) return vec3(0.52, 0.86, 0.26) * (1.0 + 0.45 * cloudy_noise(2.3 * q, 2.3 * px) + 0.75 * value_noise(vec2(47.0, 39.0) * q, 43.0 * px));
  return vec3(1.0);
}

void main() {
  float reach = length(on_plane - fade.xy) / fade.z;
  bool is_ground = fade.w > 0.5;
  float far = is_ground ? 1.0 - exp(-3.0 * reach * reach) : smoothstep(0.25, 1.0, reach);
  int kind = is_ground ? int(frame.sky_color.w) : 0;
  vec3 base = albedo;
  vec2 per_pixel = fwidth(on_plane);
  if (kind >= 2) base *= floor_pattern(kind, world.xz, max(per_pixel.x, per_pixel.y));
  float line = 0.0;
  if (frame.options.y > 0.5 && kind < 2) {
    vec2 at = on_plane * grid.z + grid.xy, width = per_pixel * grid.z;
    line = max(lines(at, width, 1.0) * 0.17 * grid.w, lines(at * 0.1, width * 0.1, 1.3) * 0.30) * (1.0 - far);
  }
  float open = 1.0, sunny = 1.0;
  if (frame.contact_box.z > 0.0 && is_ground) {
    vec2 uv = (world.xz - frame.contact_box.xy) * frame.contact_box.zw;
    if (all(greaterThan(uv, vec2(0.0))) && all(lessThan(uv, vec2(1.0)))) {
      // r: contact shadow; g: shadow of fluids and smoke, which the shadow map does not contain
      vec2 dark = texture(contact_map, uv).rg;
      open = 1.0 - dark.r;
      sunny = (1.0 - dark.g) * water_light(world);
    }
  }
  vec3 unshaded = sun_light * 0.447 + sky_light * 0.62;
  vec3 light = sun_light * 0.447 * (far < 0.99 ? sun_visible(world, vec3(0.0)) : 1.0) * sunny * (0.45 + 0.55 * open) + sky_light * 0.62 * open;
  vec3 c = base * (1.0 - line) * light;
  if (is_ground && frame.plain.w > 0.5) {
    // The ground has the colour of the background. Only shadows and grid lines are visible, and they are fainter than
    // on a lit ground.
    float share = dot(display(c), vec3(1.0)) / max(dot(display(albedo * unshaded), vec3(1.0)), 1e-6);
    color = vec4(frame.plain.rgb * mix(mix(1.0, min(share, 1.0), 0.75), 1.0, far), 1.0);
    return;
  }
  if (kind == 1) {
    // A sweep shows the background, darkened by shadows.
    color = vec4(encoded(shoulder(background(world - frame.eye.xyz)) * light / unshaded * (1.0 - 0.6 * line)) + dither(), 1.0);
    return;
  }
  color = is_ground ? vec4(display(mix(c, frame.horizon.rgb, far)) + dither(), 1.0) : vec4(display(c), 0.85 * opacity * (1.0 - far));
}
