// Draws a strip of the given width between the points of each pair. If the points are equal, a round dot is drawn.
layout(std430, binding = 0) readonly buffer Points { vec4 points[]; };  // w: half width [px]
out vec2 across;
void main() {
  int q = gl_VertexID >> 2, c = gl_VertexID & 3;
  vec4 a = points[2 * q], b = points[2 * q + 1];
  vec4 p = (c & 1) == 0 ? a : b;
  vec3 to_eye = frame.eye.xyz - p.xyz;
  float half_width = p.w * frame.eye.w * length(to_eye);
  vec3 along = b.xyz - a.xyz;
  bool dot_mark = dot(along, along) < 1e-16;
  vec3 side = dot_mark ? frame.up.xyz : normalize(cross(along, to_eye));
  across = vec2(dot_mark ? ((c & 1) == 0 ? -1.0 : 1.0) : 0.0, c < 2 ? -1.0 : 1.0);
  vec3 at = p.xyz + side * across.y * half_width + (dot_mark ? frame.right.xyz * across.x * half_width : vec3(0.0));
  gl_Position = frame.clip_from_world * vec4(at, 1.0);
}
