// Faces of cells in the voxel editor. The number of a face is 2 * axis, plus 1 for the upper face of that axis.
// x: x and y of the cell; y: z of the cell and face; z: colour; w: mark
layout(std430, binding = 0) readonly buffer Faces { uvec4 faces[]; };
layout(location = 0) uniform mat4 clip_from_lattice;
layout(location = 1) uniform float opacity;  // 1 draws opaque faces; 0 uses the opacity of the colour
out vec2 across;
flat out vec4 in_color;
// Corners of the unit square. For an upper face, their order is counter-clockwise seen from outside.
const vec2 corners[4] = vec2[4](vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0));
const float shades[6] = float[6](0.74, 0.80, 0.52, 1.0, 0.66, 0.90);
void main() {
  uvec4 packed_face = faces[gl_VertexID >> 2];
  int face = int(packed_face.y >> 16u) & 0xffff;
  ivec3 cell = ivec3(bitfieldExtract(int(packed_face.x), 0, 16), bitfieldExtract(int(packed_face.x), 16, 16),
                     bitfieldExtract(int(packed_face.y), 0, 16));
  int axis = face >> 1;
  bool upper = (face & 1) == 1;
  vec2 corner = corners[gl_VertexID & 3];
  across = corner;
  if (!upper) corner = corner.yx;
  vec3 place = vec3(cell);
  place[axis] += upper ? 1.0 : 0.0;
  place[(axis + 1) % 3] += corner.x;
  place[(axis + 2) % 3] += corner.y;
  vec4 color = unpackUnorm4x8(packed_face.z);
  vec3 shaded = color.rgb * shades[face];
  if (packed_face.w != 0u) shaded = mix(shaded, vec3(1.0, 0.72, 0.25), 0.55);
  in_color = vec4(shaded, max(opacity, color.a));
  gl_Position = clip_from_lattice * vec4(place, 1.0);
}
