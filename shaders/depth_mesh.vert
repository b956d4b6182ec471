// Mesh for a shadow map or another depth map. `light_clip`: from the world to the clip space of the map.
layout(location = 0) uniform mat4 light_clip;
layout(location = 4) uniform mat4 world_from_mesh;
layout(location = 0) in vec3 position;
out float gl_ClipDistance[6];
void main() {
  vec4 world = world_from_mesh * vec4(position, 1.0);
  CLIP(world.xyz);
  gl_Position = light_clip * world;
}
