in vec4 far_point;
out vec4 color;
void main() {
  float height = normalize(far_point.xyz / far_point.w - frame.eye.xyz).y;
  float t = sqrt(clamp(abs(height), 0.0, 1.0));
  vec3 c = mix(horizon_color, height > 0.0 ? zenith_color : horizon_color * vec3(0.62, 0.60, 0.58), t);
  color = vec4(display(c), 1.0);
}
