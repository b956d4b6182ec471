// Faces of the deformed skin. Each face has four vertices of its own, fetched by gl_VertexID, because adjacent faces
// differ in normals, colour and face coordinates.
// place.w: fraction of the ambient light that reaches the vertex, 1 at a convex vertex and less at a concave vertex
struct Corner { vec4 place; vec4 normal; };
struct Face { vec4 corner[4]; vec4 beyond[4]; };  // SkinFace in render/labels/figure.h
layout(std430, binding = 0) readonly buffer Corners { Corner corners[]; };
layout(std430, binding = 1) readonly buffer Quads { ivec4 quads[]; };
layout(std430, binding = 2) readonly buffer Owners { int owner[]; };
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };
layout(std430, binding = 4) readonly buffer Faces { Face faces[]; };
layout(location = 0) uniform int selected;
out vec3 world;
out vec2 across;
flat out vec4 open;  // fraction of the ambient light at the four corners
flat out vec3 at_corner[4];
flat out float sheet;  // edge of the voxel if the body is one voxel thick there [m], otherwise 0
flat out vec3 beyond[4];
flat out vec3 albedo;
flat out float marked;
out float gl_ClipDistance[6];
void main() {
  int q = gl_VertexID >> 2, c = gl_VertexID & 3;
  ivec4 v = quads[q];
  world = corners[v[c]].place.xyz;
  open = vec4(corners[v.x].place.w, corners[v.y].place.w, corners[v.z].place.w, corners[v.w].place.w);
  for (int k = 0; k < 4; ++k) {
    at_corner[k] = faces[q].corner[k].xyz;
    beyond[k] = faces[q].beyond[k].xyz;
  }
  sheet = faces[q].corner[0].w;
  across = vec2(c == 1 || c == 2 ? 1.0 : 0.0, c >= 2 ? 1.0 : 0.0);
  albedo = unpack_color(colors[owner[q]]);
  marked = selected == owner[q] ? 1.0 : 0.0;
  CLIP(world);
  gl_Position = frame.clip_from_world * vec4(world, 1.0);
}
