// Lighting by the sun (with shadow), by the sky and by light reflected from the ground.
layout(binding = 0) uniform sampler2DShadow shadow_map;

const vec2 disc[12] = vec2[12](vec2(-0.326, -0.406), vec2(-0.840, -0.074), vec2(-0.696, 0.457), vec2(-0.203, 0.621), vec2(0.962, -0.195),
                               vec2(0.473, -0.480), vec2(0.519, 0.767), vec2(0.185, -0.893), vec2(0.507, 0.064), vec2(0.896, 0.412),
                               vec2(-0.322, -0.933), vec2(-0.05, 0.05));

float sun_visible(vec3 world) {
  if (frame.right.w < 0.5) return 1.0;
  vec3 p = (frame.light_from_world * vec4(world, 1.0)).xyz;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  int taps = int(frame.up.w);
  if (taps <= 1) return texture(shadow_map, p);
  float width = frame.sun.w * (taps > 6 ? 4.0 : 2.6), sum = 0.0;
  for (int i = 0; i < taps; ++i) sum += texture(shadow_map, vec3(p.xy + disc[taps > 6 ? i : i * 2] * width, p.z));
  return sum / float(taps);
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
  c += gloss * (shine * sun * vec3(0.42) + rim * open * sky_light * 0.22);
  return c;
}

vec3 lit(vec3 albedo, vec3 normal, vec3 world, float open, float gloss) {
  return lit_with(albedo, normal, world, open, gloss, sun_visible(world + normal * frame.mark.w));
}
