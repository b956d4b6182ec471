// Sky as a sphere around the eye at the far plane. Its rings have equal steps of t from -1 (nadir) to 1 (zenith), with
// sin(elevation) = t |t|. The colour is almost linear in t between rings.
out vec3 tint;
void main() {
  const int segments = 24, rings = 12;  // number of rings from nadir to horizon, and from horizon to zenith
  const int corner_of[6] = int[6](0, 1, 2, 2, 1, 3);
  int cell = gl_VertexID / 6, corner = corner_of[gl_VertexID % 6];
  float t = float(cell / segments + (corner >> 1)) / float(rings) - 1.0;
  float angle = 6.2831853 * float(cell % segments + (corner & 1)) / float(segments);
  float height = t * abs(t), flat_part = sqrt(max(1.0 - height * height, 0.0));
  tint = frame.plain.w > 0.5 ? frame.plain.rgb : display(background(t));
  vec4 clip = frame.clip_from_world * vec4(flat_part * cos(angle), height, flat_part * sin(angle), 0.0);
  gl_Position = vec4(clip.xy, clip.w, clip.w);
}
