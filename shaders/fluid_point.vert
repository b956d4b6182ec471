// Fluid particles as points, for software rasterisers. A point needs one vertex and one square. A quad needs four
// vertices and two triangles. The perspective elongation away from the centre of the picture is ignored. The error is
// visible only for large balls.
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };  // w: particle spacing
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };  // highest byte: amount of foam
layout(location = 0) uniform vec2 scale;  // x: size of a unit length at a depth of 1 m [px]; y: 1 / largest depth
#ifdef THICKNESS
layout(binding = 5) uniform sampler2D scene_depth;
flat out float most;  // length of the path through the centre of the ball [m], scaled as in fluid_ball.vert
#else
flat out vec4 tint;  // sRGB; w: amount of foam
// x: depth of the centre plus the distance by which the ball protrudes from the surface [m]; y: radius [m]; z: 1 /
// largest depth
flat out vec3 ball;
#endif
void main() {
  vec4 s = places[gl_VertexID];
  gl_Position = frame.clip_from_world * vec4(s.xyz, 1.0);
  float depth = max(dot(s.xyz - frame.eye.xyz, forward()), 1e-6), wanted = 0.75 * s.w;
  float r = max(min(wanted, 0.95 * depth), 0.6 * depth / scale.x);
  gl_PointSize = 2.0 * r * scale.x / depth;
#ifdef THICKNESS
  float behind = depth_along_view(textureLod(scene_depth, 0.5 + 0.5 * gl_Position.xy / gl_Position.w, 0.0).r) - depth;
  most = 2.0 * r * 0.5659 * clamp(0.5 + 0.5 * behind / r, 0.0, 1.0);
#else
  tint = unpackUnorm4x8(colors[gl_VertexID]);
  ball = vec3(depth + 0.25 * s.w * r / wanted, r, scale.y);
#endif
}
