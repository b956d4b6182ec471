// Lighting by the sun (with shadow), by the sky and by light reflected from the ground.
layout(binding = 0) uniform sampler2DArrayShadow shadow_maps;
layout(binding = 7) uniform sampler2DArray shadow_depths;  // the shadow maps without comparison

const vec2 disc[6] = vec2[6](vec2(-0.326, -0.406), vec2(-0.696, 0.457), vec2(0.962, -0.195), vec2(0.519, 0.767),
                             vec2(0.507, 0.064), vec2(-0.322, -0.933));

// Shadow whose penumbra widens with the distance between the object and the surface (R. Fernando, "Percentage-closer
// soft shadows", 2005). `p`: place in the surroundings, which are 2 R wide and 5.5 R deep. The half width of the
// penumbra is therefore 2.75 times the difference in depth times the softness. Lengths are fractions of 2 R in every
// map. A tap at the distance r is compared with a depth that is nearer by 0.44 r. A surface whose normal forms an angle
// of 50 degrees with the light has this depth there, so such a surface does not shade itself. The same algorithm is in
// render/software/sun_map.cpp.
float soft_visible(vec3 p, int level, int taps) {
  const float turn = 2.39996323;  // golden angle
#ifdef FRAGMENT
  float angle = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
#else
  float angle = 0.0;
#endif
  vec3 to = frame.shadow_level[level].xyz;
  vec2 at = p.xy * to.x + to.yz;
  float texel = frame.sun.w / to.x, layer = float(level);
  float widest = 0.02 * frame.shadow.y;  // largest radius of the filter
  float wide = 2.75 * frame.key_color.w, search = min(widest, 0.3 * wide * frame.shadow.y), sum = 0.0, blockers = 0.0;
  // An object counts only within the radius of the penumbra that follows from its distance. The radii of the lookups
  // are evenly spaced, so lookups are denser in the middle, and objects close to the surface are found as reliably as
  // distant ones. With 16 instead of 12 lookups, LLVM 15 emits an invalid instruction for pictures on llvmpipe.
  for (int i = 0; i < 12; ++i) {
    float r = search * (float(i) + 0.5) / 12.0, a = angle + turn * float(i);
    float depth = texture(shadow_depths, vec3(at + to.x * r * vec2(cos(a), sin(a)), layer)).r;
    float is_before = step(depth, p.z - 0.44 * r) * step(r, wide * (p.z - depth) + 2.0 * texel);
    sum += is_before * depth;
    blockers += is_before;
  }
  // The lookups above can miss objects of a few texels and the edges of shadows. Six lookups next to the point find
  // them.
  for (int i = 0; i < 6; ++i) {
    vec2 by = 2.0 * frame.sun.w * disc[i];
    float depth = texture(shadow_depths, vec3(at + by, layer)).r, is_before = step(depth, p.z - 0.44 * length(by) / to.x);
    sum += is_before * depth;
    blockers += is_before;
  }
  if (blockers < 0.5) return 1.0;
  float radius = clamp(wide * (p.z - sum / blockers), 1.3 * texel, max(widest, 1.3 * texel));
  sum = 0.0;
  for (int i = 0; i < taps; ++i) {
    float r = radius * sqrt((float(i) + 0.5) / float(taps)), a = angle + turn * float(i);
    sum += texture(shadow_maps, vec4(at + to.x * r * vec2(cos(a), sin(a)), layer, p.z - 0.44 * max(r - texel, 0.0)));
  }
  return sum / float(taps);
}

// Lookup in one of the maps. `p`: place in the surroundings.
float level_visible(vec3 p, int level) {
  vec3 to = frame.shadow_level[level].xyz;
  vec2 at = p.xy * to.x + to.yz;
  if (any(lessThan(vec3(at, p.z), vec3(0.0))) || any(greaterThan(vec3(at, p.z), vec3(1.0)))) return 1.0;
  int taps = int(frame.up.w);
  if (taps <= 1) return texture(shadow_maps, vec4(at, float(level), p.z));
  if (taps > 6) return soft_visible(p, level, taps);
  float width = frame.sun.w * 2.6, sum = 0.0;
  for (int i = 0; i < taps; ++i) sum += texture(shadow_maps, vec4(at + disc[i] * width, float(level), p.z));
  return sum / float(taps);
}

// Fraction of sunlight at a point. `along`: displacement of the lookup from the point, for a map that covers the
// surroundings. In finer maps, the displacement is smaller in proportion to the texels. At the border of a map, the
// next larger map replaces it gradually.
float sun_visible(vec3 world, vec3 along) {
  if (frame.right.w < 0.5) return 1.0;
  vec3 p = (frame.light_from_world * vec4(world, 1.0)).xyz, aside = mat3(frame.light_from_world) * along;
  int count = int(frame.shadow.x);
  float sum = 0.0, left = 1.0;
  for (int k = 0; k < count && left > 0.0; ++k) {
    vec3 to = frame.shadow_level[k].xyz;
    vec2 from_middle = abs(p.xy * to.x + to.yz - 0.5);
    float share = k + 1 < count ? left * (1.0 - smoothstep(0.40, 0.46, max(from_middle.x, from_middle.y))) : left;
    if (share <= 0.0) continue;
    sum += share * level_visible(p + aside / to.x, k);
    left -= share;
  }
  return sum;
}

layout(binding = 11) uniform sampler2D caustic_map;  // r: factor of the sunlight / 2.5; g: height of the fluid

// Factor by which the waves of a fluid focus the sunlight at a point below the fluid (Caustics::light_at()).
float water_light(vec3 world) {
  if (frame.water.w <= 0.0) return 1.0;
  float below = world.y - frame.water.z;
  vec2 at = (world.xz - frame.caustic_box.xy) * frame.caustic_box.zw;
  float level = frame.water.w * texture(caustic_map, at).g;
  if (level <= 0.0) return 1.0;
  float share = clamp((level - below) / level, 0.0, 1.0);
  return 1.0 + share * (2.5 * texture(caustic_map, at + below * frame.water.xy * frame.caustic_box.zw).r - 1.0);
}

// Fraction of the sunlight that passes through a fluid between a point above its surface and the sun
// (Caustics::shade_at()).
float fluid_shade(vec3 world) {
  if (frame.water.w <= 0.0) return 1.0;
  float below = world.y - frame.water.z, rise = frame.water.w - below, dark = 0.0;
  vec2 at = (world.xz - frame.caustic_box.xy) * frame.caustic_box.zw;
  if (rise <= 0.0 || frame.water.w * texture(caustic_map, at).g > below) return 1.0;
  vec2 way = frame.sun.xz / frame.sun.y * rise * frame.caustic_box.zw;
  for (int k = 1; k <= 12; ++k) {
    float part = float(k) / 12.0, level = frame.water.w * texture(caustic_map, at + part * way).g;
    dark = max(dark, clamp((level - below - part * rise) / (0.1 * frame.water.w), 0.0, 1.0));
  }
  return 1.0 - 0.45 * dark;
}

// Sunlight on a surface. Where the surface turns away from the light, its own shadow would begin with a jagged line.
// The lookup there is far enough from the surface that only the shadows of other objects count.
float sun_on_surface(vec3 world, vec3 normal) {
  float visible = sun_visible(world, normal * frame.mark.w), n_l = dot(normal, frame.sun.xyz);
  if (visible < 1.0 && n_l > -0.22 && n_l < 0.15)
    visible = mix(sun_visible(world, normal * (10.0 * frame.mark.w)), visible, smoothstep(0.0, 0.15, n_l));
  return visible * water_light(world) * fluid_shade(world);
}

vec3 lit_with(vec3 albedo, vec3 normal, vec3 world, float open, float gloss, float visible) {
  vec3 to_eye = normalize(frame.eye.xyz - world);
  float n_l = dot(normal, frame.sun.xyz);
  // Wrapped diffuse lighting, which imitates soft materials.
  float diffuse = clamp((n_l + 0.22) / 1.22, 0.0, 1.0);
  float sun = diffuse * visible;
  vec3 ambient = mix(bounce_light, sky_light, 0.5 + 0.5 * normal.y) * open;
  float facing = clamp(dot(normal, to_eye), 0.0, 1.0);
  float rim = 1.0 - facing;
  rim *= rim * rim;
  vec3 c = albedo * (sun_light * sun * (0.6 + 0.4 * open) * 0.52 + ambient * 0.62);
  float half_way = clamp(dot(normal, normalize(frame.sun.xyz + to_eye)), 0.0, 1.0);
  float shine = half_way * half_way;
  shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  c += gloss * (shine * sun * 0.19 * sun_light + rim * open * sky_light * 0.22);
  return c;
}

vec3 lit(vec3 albedo, vec3 normal, vec3 world, float open, float gloss) {
  return lit_with(albedo, normal, world, open, gloss, sun_on_surface(world, normal));
}
