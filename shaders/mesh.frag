// Shades a collider or a rigid body.
layout(location = 5) uniform vec3 albedo;
layout(location = 6) uniform int two_sided;
in vec3 world;
in vec3 world_normal;
out vec4 color;
void main() {
  vec3 n = normalize(world_normal);
  if (two_sided != 0 && !gl_FrontFacing) n = -n;
  color = vec4(display(lit(albedo, n, world, 0.82 + 0.18 * n.y, 0.35)), 1.0);
}
