// Shades a flock member, and draws the animal's eye, which is dark with a pale ring.
in vec3 world;
in vec3 world_normal;
in vec3 albedo;
in vec3 from_eye;
out vec4 color;
void main() {
  vec3 n = normalize(world_normal), c = albedo;
  float away = length(from_eye.xy);
  if (away < 1.6 * from_eye.z) c = away < from_eye.z ? vec3(0.012) : mix(albedo, vec3(0.85), 0.6);
  color = vec4(display(lit(c, n, world, 0.82 + 0.18 * n.y, 0.35)), 1.0);
}
