// Line or dot with a soft edge of about one pixel.
layout(location = 0) uniform vec4 tint;
in vec2 across;
out vec4 color;
void main() {
  float r = length(across);
  float soft = max(fwidth(r), 1e-4);
  color = vec4(tint.rgb, tint.a * clamp((1.0 - r) / soft + 0.5, 0.0, 1.0));
}
