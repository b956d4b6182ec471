// Face of a skin on the simple quality tiers: interpolated vertex colour with a border for selected voxels and a dark
// line between voxels.
in vec3 in_face;
in vec3 on_rim;
in vec2 across;
flat in vec2 seam;
out vec4 color;
void main() {
  vec2 from_rim = min(across, 1.0 - across);
  float rim = min(from_rim.x, from_rim.y);
  float bevel = clamp(1.0 - rim * 3.6, 0.0, 1.0), line = clamp(1.4 - rim * seam.y, 0.0, 1.0);
  color = vec4(mix(in_face, on_rim, bevel * bevel) * (1.0 - seam.x * line), 1.0);
}
