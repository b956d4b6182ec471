// Coverage and colour of a splat. The output is premultiplied linear light for an sRGB target.
layout(location = 0) uniform int discs;
in vec2 across;
flat in vec3 center;
flat in float radius;
flat in float rim;
flat in vec4 tint;
flat in vec3 axis_right;
flat in vec3 axis_up;
flat in vec3 axis_back;
flat in float visible;
flat in float marked;
flat in int puff;
flat in vec2 slope;
flat in vec3 fade;
out vec4 color;
void main() {
  float r = length(across);
  vec3 c;
  float cover;
  if (puff != 0) {
    vec2 on = across / rim;
    float there = max(1.0 - dot(on, on), 0.0);
    cover = there * there * clamp(fade.x + dot(fade.yz, on), 0.0, 1.0);
    c = mix(tint.rgb * max(1.0 + dot(slope, on), 0.0), frame.mark.rgb, marked * 0.6);
  } else if (discs != 0) {
    // The coverage falls from 1 to 0 over one pixel around the edge of the disc. For an edge at the radius R, the
    // integral of the coverage is pi (R^2 + 1/12). With R^2 = rim^2 - 1/12, the integral equals the area of the disc,
    // pi rim^2.
    cover = clamp(sqrt(rim * rim - 1.0 / 12.0) + 0.5 - r, 0.0, 1.0);
    c = mix(tint.rgb, frame.mark.rgb, marked * 0.6);
  } else {
    cover = clamp((1.0 - r) * rim + 0.5, 0.0, 1.0);
    vec2 on = r > 1.0 ? across / r : across;
    vec3 n = on.x * axis_right + on.y * axis_up + sqrt(max(1.0 - dot(on, on), 0.0)) * axis_back;
    float open = 0.72 + 0.28 * (0.5 + 0.5 * n.y);
    c = lit_with(tint.rgb, n, center + radius * n, open, 0.8, visible);
    c = mix(c, frame.mark.rgb * 1.6, marked * (r * r > 0.6 ? 1.0 : 0.3));
    // The target converts linear light to sRGB, so the colour is not encoded here.
    c = shoulder(c);
  }
  float a = cover * tint.w;
  if (a <= 0.0) discard;
  color = vec4(c * a, a);
}
