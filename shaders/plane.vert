// A plane through `origin` spanned by two axes, as a convex polygon. Plane coordinates are relative to `origin`, so
// that single precision suffices.
layout(location = 0) uniform vec3 origin;
layout(location = 1) uniform vec3 axis_u;
layout(location = 2) uniform vec3 axis_v;
layout(location = 8) uniform vec2 corners[10];
out vec3 world;
out vec2 on_plane;
void main() {
  on_plane = corners[gl_VertexID];
  world = origin + on_plane.x * axis_u + on_plane.y * axis_v;
  gl_Position = frame.clip_from_world * vec4(world, 1.0);
}
