// Length of the path of the view ray through a ball, scaled as explained in fluid_ball.vert.
in vec2 across;
flat in float most;
out float thickness;
void main() {
  float r2 = dot(across, across);
  if (r2 > 1.0) discard;
  thickness = most * sqrt(1.0 - r2);
}
