// Skin of the simple quality tiers. Lighting is computed per vertex with the normal of the face's corner.
struct Corner { vec4 place; vec4 normal; };  // normal.w: fraction of sunlight at the vertex
layout(std430, binding = 0) readonly buffer Corners { Corner corners[]; };
layout(std430, binding = 1) readonly buffer Quads { ivec4 quads[]; };
layout(std430, binding = 2) readonly buffer Owners { int owner[]; };
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };
struct Face { vec4 corner[4]; vec4 beyond[4]; };  // SkinFace in render/labels/figure.h
layout(std430, binding = 4) readonly buffer Faces { Face faces[]; };
layout(location = 0) uniform int selected;
out vec3 in_face;
out vec3 on_rim;
out vec2 across;
flat out vec2 seam;  // x: strength of the dark line between voxels; y: 1 / line width, in units of the face
out float gl_ClipDistance[6];
void main() {
  int q = gl_VertexID >> 2, c = gl_VertexID & 3;
  ivec4 v = quads[q];
  Corner here = corners[v[c]];
  vec3 world = here.place.xyz;
  vec3 diagonal = corners[v.z].place.xyz - corners[v.x].place.xyz;
  vec3 albedo = unpack_color(colors[owner[q]]);
  float open = here.place.w;
  vec3 face = lit_with(albedo, faces[q].corner[c].xyz, world, open, 0.45, here.normal.w);
  float mark = selected == owner[q] ? 1.0 : 0.0;
  in_face = display(mix(face, frame.mark.rgb * 1.6, 0.25 * mark));
  on_rim = mark > 0.0 ? frame.mark.rgb : in_face;
  across = vec2(c == 1 || c == 2 ? 1.0 : 0.0, c >= 2 ? 1.0 : 0.0);
  // Size of a pixel in units of the face, if the face is viewed at a right angle.
  float pixel = 1.42 * frame.eye.w * length(frame.eye.xyz - world) * inversesqrt(max(dot(diagonal, diagonal), 1e-20));
  float strength = frame.options.x > 0.5 ? 0.45 * clamp(1.2 - pixel * 2.0, 0.0, 1.0) : 0.11 * clamp(1.0 - pixel * 2.5, 0.0, 1.0);
  seam = vec2(strength, 1.0 / max(frame.options.x > 0.5 ? 0.02 : 0.045, 1.4 * pixel));
  CLIP(world);
  gl_Position = frame.clip_from_world * vec4(world, 1.0);
}
