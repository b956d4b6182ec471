// Face of a cell in the voxel editor, with dark lines between cells.
in vec2 across;
flat in vec4 in_color;
out vec4 color;
void main() {
  vec2 width = fwidth(across);
  vec2 from_rim = min(across, 1.0 - across);
  // The dark line between cells fades when cells become smaller than a few pixels.
  float line = clamp(1.3 - min(from_rim.x / max(width.x, 0.02), from_rim.y / max(width.y, 0.02)), 0.0, 1.0);
  float strength = 0.35 * clamp(1.0 - 4.0 * max(width.x, width.y), 0.0, 1.0);
  color = vec4(in_color.rgb * (1.0 - strength * line), in_color.a);
}
