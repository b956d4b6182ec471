// Draws a picture into a rectangle.
layout(location = 0) uniform vec4 box;  // left, top, right, bottom in clip space
out vec2 uv;
void main() {
  uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(box.x, box.z, uv.x), mix(box.y, box.w, uv.y), 0.0, 1.0);
}
