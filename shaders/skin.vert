// Faces of the deformed skin. Each quad has four vertices of its own, fetched by gl_VertexID, because adjacent faces
// differ in normal, colour and face coordinates.
// place.w: fraction of the ambient light that reaches the vertex, 1 at a convex vertex and less at a concave vertex
struct Corner { vec4 place; vec4 normal; };
layout(std430, binding = 0) readonly buffer Corners { Corner corners[]; };
layout(std430, binding = 1) readonly buffer Quads { ivec4 quads[]; };
layout(std430, binding = 2) readonly buffer Owners { int owner[]; };
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };
layout(location = 0) uniform int selected;
out vec3 world;
out vec3 smooth_normal;
out vec2 across;
out float open;
flat out vec3 face_normal;
flat out vec3 albedo;
flat out float marked;
out float gl_ClipDistance[6];
void main() {
  int q = gl_VertexID >> 2, c = gl_VertexID & 3;
  ivec4 v = quads[q];
  Corner here = corners[v[c]];
  world = here.place.xyz;
  open = here.place.w;
  smooth_normal = here.normal.xyz;
  vec3 a = corners[v.x].place.xyz, b = corners[v.y].place.xyz, d = corners[v.z].place.xyz, e = corners[v.w].place.xyz;
  vec3 n = cross(d - a, e - b);
  face_normal = n / max(length(n), 1e-20);
  across = vec2(c == 1 || c == 2 ? 1.0 : 0.0, c >= 2 ? 1.0 : 0.0);
  albedo = unpack_color(colors[owner[q]]);
  marked = selected == owner[q] ? 1.0 : 0.0;
  CLIP(world);
  gl_Position = frame.clip_from_world * vec4(world, 1.0);
}
