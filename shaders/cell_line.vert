// Lines in the voxel editor.
layout(std430, binding = 0) readonly buffer Ends { vec4 ends[]; };  // w: packed colour
layout(location = 0) uniform mat4 clip_from_lattice;
flat out vec4 in_color;
void main() {
  vec4 end = ends[gl_VertexID];
  in_color = unpackUnorm4x8(floatBitsToUint(end.w));
  gl_Position = clip_from_lattice * vec4(end.xyz, 1.0);
}
