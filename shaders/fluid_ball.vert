// Fluid particles as overlapping balls. Each ball is drawn on a quad perpendicular to the line of sight (see
// sphere.vert).
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };  // w: spacing, negative for mirror images
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };  // highest byte: amount of foam
#ifdef THICKNESS
layout(binding = 5) uniform sampler2D scene_depth;
flat out float most;  // length of the path through the centre of the ball [m], times the scale factor explained below
flat out float mirrored;  // 1 for the mirror image of a particle behind a wall
#endif
layout(location = 1) uniform float spacing;  // spacing of the particles [m]
out vec2 across;
flat out vec4 ball;  // w: radius
flat out vec4 tint;  // sRGB; w: amount of foam
flat out float sunk;  // distance by which the ball protrudes from the surface that it represents [m]
flat out float isolated;  // 1 for an isolated drop, 0 in the fluid
flat out vec3 axis_right;
flat out vec3 axis_up;
flat out vec3 axis_back;
void main() {
  int i = gl_VertexID >> 2, c = gl_VertexID & 3;
  vec4 s = places[i];
  vec3 back = frame.eye.xyz - s.xyz;
#ifdef THICKNESS
  mirrored = s.w < 0.0 ? 1.0 : 0.0;
  float share = 0.75;
#else
  // Larger balls close the gaps along bodies and at the rim of the fluid. They do not enlarge the outline, because the
  // outline is that of the blurred thickness.
  float share = 0.95;
#endif
  s.w = abs(s.w);
  float d = max(length(back), 1e-6), wanted = share * s.w;
  float r = max(min(wanted, d * 0.95), 0.6 * frame.eye.w * d);
  axis_back = back / d;
  axis_right = normalize(cross(frame.up.xyz, axis_back));
  axis_up = cross(axis_back, axis_right);
  float wide = r * d * inversesqrt(max(d * d - r * r, 1e-12));
  across = vec2((c & 1) == 0 ? -1.0 : 1.0, c < 2 ? -1.0 : 1.0);
  ball = vec4(s.xyz, r);
  tint = unpackUnorm4x8(colors[i]);
  isolated = clamp((1.0 - s.w / spacing) / 0.35, 0.0, 1.0);
  sunk = (share - 0.5) * s.w * r / wanted;
#ifdef THICKNESS
  // Only the part of the ball in front of solid objects counts. The depth of solid objects is looked up once per ball.
  // The scale factor is d^3 divided by the volume of a ball of radius 3/4 d, where d is the particle spacing. The ball
  // thus counts with the volume of its particle.
  vec4 middle = frame.clip_from_world * vec4(s.xyz, 1.0);
  float behind = depth_along_view(textureLod(scene_depth, 0.5 + 0.5 * middle.xy / middle.w, 0.0).r) - dot(-back, forward());
  most = 2.0 * r * 0.5659 * clamp(0.5 + 0.5 * behind / r, 0.0, 1.0);
#endif
  gl_Position = frame.clip_from_world * vec4(s.xyz + wide * (across.x * axis_right + across.y * axis_up), 1.0);
}
