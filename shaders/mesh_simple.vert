// Mesh of a collider or a rigid body on the simple quality tiers, with per-vertex lighting.
layout(location = 0) uniform mat4 world_from_mesh;
layout(location = 4) uniform mat3 normal_from_mesh;
layout(location = 5) uniform vec3 albedo;
layout(location = 6) uniform int two_sided;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
out vec3 tint;
out float gl_ClipDistance[6];
void main() {
  vec4 p = world_from_mesh * vec4(position, 1.0);
  vec3 n = normalize(normal_from_mesh * normal);
  if (two_sided != 0 && dot(n, frame.eye.xyz - p.xyz) < 0.0) n = -n;
  tint = display(lit_with(albedo, n, p.xyz, 0.82 + 0.18 * n.y, 0.35, 1.0));
  CLIP(p.xyz);
  gl_Position = frame.clip_from_world * p;
}
