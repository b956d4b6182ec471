layout(location = 0) uniform mat4 light_clip;
layout(location = 4) uniform mat4 world_from_mesh;
layout(location = 0) in vec3 position;
void main() {
  vec4 world = world_from_mesh * vec4(position, 1.0);
  gl_ClipDistance[0] = uncut(world.xyz);
  gl_Position = light_clip * world;
}
