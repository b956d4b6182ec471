// Line with soft edges and a dark rim that separates overlapping lines. The output is premultiplied linear light for an
// sRGB target.
in float across;
in float half_px;
in vec4 tint;
out vec4 color;
void main() {
  float d = abs(across), cover = clamp(half_px + 0.5 - d, 0.0, 1.0), core = clamp(half_px - 0.9 + 0.5 - d, 0.0, 1.0);
  float a = tint.a * cover * mix(0.55, 1.0, core);
  if (a <= 0.0) discard;
  color = vec4(a * tint.rgb * mix(0.25, 1.0, core), a);
}
