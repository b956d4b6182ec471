// Length of the path of the view ray through a ball, scaled as explained in fluid_ball.vert.
in vec2 across;
flat in float most;
flat in float mirrored;
out vec2 thickness;  // r: without mirror images; g: with mirror images
void main() {
  float r2 = dot(across, across);
  if (r2 > 1.0) discard;
  thickness = most * sqrt(1.0 - r2) * vec2(1.0 - mirrored, 1.0);
}
