// A transparent plane, almost clear, with lines along its edges. Plane and lines fade out with the distance from the
// scene.
layout(location = 4) uniform vec3 albedo;
layout(location = 6) uniform vec4 fade;  // xy: centre (u, v); z: radius [m]
layout(location = 7) uniform float opacity;
layout(location = 18) uniform int cuts;
layout(location = 19) uniform vec3 cut[6];  // distance to each edge [m], linear in (u, v): dot(cut, (u, v, 1))
in vec3 world;
in vec2 on_plane;
out vec4 color;
void main() {
  float there = 1.0 - smoothstep(0.25, 1.0, length(on_plane - fade.xy) / fade.z), line = 0.0;
  float pixel = max(max(length(dFdx(on_plane)), length(dFdy(on_plane))), 1e-9);
  for (int k = 0; k < cuts; ++k) line = max(line, 1.8 - dot(cut[k], vec3(on_plane, 1.0)) / pixel);
  line = clamp(line, 0.0, 1.0);
  // The last term is light reflected from the sky.
  vec3 c = display(albedo * (sun_light * 0.36 + sky_light * 0.62) + 0.7 * background(0.45));
  color = vec4(mix(c, vec3(0.93, 0.96, 1.0), 0.6 * line), there * mix(0.85 * opacity, 0.45, line));
}
