// Mesh of a collider or a rigid body, with a world matrix.
layout(location = 0) uniform mat4 world_from_mesh;
layout(location = 4) uniform mat3 normal_from_mesh;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
out vec3 world;
out vec3 world_normal;
out vec3 local;
out float gl_ClipDistance[6];
void main() {
  vec4 p = world_from_mesh * vec4(position, 1.0);
  world = p.xyz;
  local = position;
  CLIP(world);
  world_normal = normal_from_mesh * normal;
  gl_Position = frame.clip_from_world * p;
}
