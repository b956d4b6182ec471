// Writes the depth along the view direction at which the fluid begins, and the colour of the ball. The alpha of the
// colour is the isolation of the drop (see fluid_ball.vert).
in vec2 across;
flat in vec4 ball;
flat in vec4 tint;
flat in float sunk;
flat in float isolated;
flat in vec3 axis_right;
flat in vec3 axis_up;
flat in vec3 axis_back;
layout(location = 0) out vec2 map;  // depth along the view direction [m], amount of foam
layout(location = 1) out vec4 color;
void main() {
  float r2 = dot(across, across);
  if (r2 > 1.0) discard;
  vec3 from_eye = ball.xyz + ball.w * (across.x * axis_right + across.y * axis_up + sqrt(1.0 - r2) * axis_back) - frame.eye.xyz;
  float front = dot(from_eye, forward());
  float depth = front + sunk;
  map = vec2(depth, tint.w);
  color = vec4(tint.rgb, isolated);
  gl_FragDepth = held_for(depth);
}
