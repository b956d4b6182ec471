in vec3 world;
in vec3 world_normal;
in vec3 albedo;
out vec4 color;
void main() {
  vec3 n = normalize(world_normal);
  color = vec4(display(lit(albedo, n, world, 0.82 + 0.18 * n.y, 0.35)), 1.0);
}
