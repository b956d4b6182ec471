// Shades the sphere that a quad of sphere.vert shows.
in vec2 across;
in vec3 world;
flat in vec4 sphere;
flat in vec3 albedo;
flat in vec3 axis_right;
flat in vec3 axis_up;
flat in vec3 axis_back;
flat in float marked;
flat in float visible;
layout(location = 1) uniform float flat_share;
out vec4 color;
void main() {
  vec2 on = across;
  // Coverage is computed for each sample, so that outlines are antialiased.
  int samples = gl_NumSamples, covered = ~0;
  if (samples > 1) {
    covered = 0;
    for (int i = 0; i < samples; ++i) {
      vec2 a = interpolateAtSample(across, i);
      if (dot(a, a) <= 1.0) covered |= 1 << i;
    }
    if (covered == 0) discard;
    on /= max(1.0, length(on));
  }
  gl_SampleMask[0] = covered;  // without a value for one sample, the coverage would be undefined
  float r2 = dot(on, on);
  if (r2 > 1.0001) discard;
  vec3 n = on.x * axis_right + on.y * axis_up + sqrt(max(1.0 - r2, 0.0)) * axis_back;
  vec3 at = sphere.xyz + sphere.w * n;
#ifdef EXACT_DEPTH
  vec4 clip = frame.clip_from_world * vec4(at, 1.0);
  gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
#endif
  float open = 0.72 + 0.28 * (0.5 + 0.5 * n.y);
#ifdef EXACT_DEPTH
  vec3 c = lit(albedo, n, at, open, 0.8);
#else
  // A small ball is in the light or in the shadow as a whole, according to one shadow lookup.
  bool is_large = sphere.w > 10.0 * frame.eye.w * distance(frame.eye.xyz, sphere.xyz);
  vec3 c = lit_with(albedo, n, at, open, 0.8, is_large ? sun_on_surface(at, n) : visible);
#endif
  c = mix(c, frame.mark.rgb * 1.6, marked * (r2 > 0.6 ? 1.0 : 0.3));
  color = vec4(encoded(mix(shoulder(c), albedo, flat_share)), 1.0);
}
