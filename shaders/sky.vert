// One triangle over the whole picture, at the far plane.
out vec4 far_point;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  far_point = frame.world_from_clip * vec4(p, 1.0, 1.0);
  gl_Position = vec4(p, 1.0, 1.0);
}
