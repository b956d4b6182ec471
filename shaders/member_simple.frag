// Interpolated vertex colour with the animal's eye drawn on it.
in vec3 tint;
in vec3 from_eye;
out vec4 color;
void main() {
  float away = length(from_eye.xy);
  color = vec4(away >= 1.6 * from_eye.z ? tint : away < from_eye.z ? vec3(0.08) : mix(tint, vec3(0.85), 0.6), 1.0);
}
