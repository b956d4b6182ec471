// Shades a face of a voxel skin. The normal is the face normal in the middle and blends to the interpolated vertex
// normal near the rim, which looks like a bevel.
in vec3 world;
in vec3 smooth_normal;
in vec2 across;
in float open;
flat in vec3 face_normal;
flat in vec3 albedo;
flat in float marked;
out vec4 color;
void main() {
  vec2 from_rim = min(across, 1.0 - across);
  float rim = min(from_rim.x, from_rim.y);
  float pixel = max(fwidth(across.x), fwidth(across.y));
  float bevel = 1.0 - smoothstep(0.0, 0.30, rim);
  vec3 n = normalize(mix(face_normal, smooth_normal, 0.25 + 0.70 * bevel));
  // Seam between voxels: a soft dark line, which fades out before its width falls below a pixel.
  float seam = (1.0 - smoothstep(0.0, max(0.045, 1.2 * pixel), rim)) * clamp(1.0 - pixel * 2.5, 0.0, 1.0);
  vec3 base = albedo * (1.0 - 0.20 * seam);
  vec3 c = lit(base, n, world, open * (1.0 - 0.12 * seam), 0.55);
  if (frame.options.x > 0.5) c *= 1.0 - 0.75 * (1.0 - smoothstep(pixel * 0.6, pixel * 1.6, rim)) * clamp(1.2 - pixel * 2.0, 0.0, 1.0);
  c = mix(c, frame.mark.rgb * 1.6, marked * (0.25 + 0.75 * step(rim, max(0.07, 1.5 * pixel))));
  color = vec4(display(c), 1.0);
}
