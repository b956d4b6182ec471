// Version of fluid_depth.frag and fluid_thickness.frag for points. The pass has its own depth buffer. The buffer stores
// depths as fractions of the largest depth, because fractions are cheap to compute.
#ifdef THICKNESS
flat in float most;
out float thickness;
#else
flat in vec4 tint;
flat in vec3 ball;
layout(location = 0) out vec2 map;  // depth along the view direction [m], amount of foam
layout(location = 1) out vec4 color;
#endif
void main() {
  vec2 across = 2.0 * gl_PointCoord - 1.0;
  float rise = 1.0 - dot(across, across);
  if (rise < 0.0) discard;
#ifdef THICKNESS
  thickness = most * sqrt(rise);
#else
  float depth = ball.x - ball.y * sqrt(rise);
  map = vec2(depth, tint.w);
  color = tint;
  gl_FragDepth = depth * ball.z;
#endif
}
