// Voxel skin for a shadow map or another depth map. `light_clip`: from the world to the clip space of the map.
struct Corner { vec4 place; vec4 normal; };
layout(std430, binding = 0) readonly buffer Corners { Corner corners[]; };
layout(std430, binding = 1) readonly buffer Quads { ivec4 quads[]; };
layout(location = 0) uniform mat4 light_clip;
out float gl_ClipDistance[6];
void main() {
  vec3 world = corners[quads[gl_VertexID >> 2][gl_VertexID & 3]].place.xyz;
  CLIP(world);
  gl_Position = light_clip * vec4(world, 1.0);
}
