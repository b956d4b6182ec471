// Spheres drawn as impostors. The impostor of a sphere is a quad perpendicular to the line of sight that covers the
// sphere.
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };  // w: radius, negative if hidden
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };
layout(location = 0) uniform int selected;
out vec2 across;
out vec3 world;
flat out vec4 sphere;
flat out vec3 albedo;
flat out vec3 axis_right;
flat out vec3 axis_up;
flat out vec3 axis_back;
flat out float marked;
flat out float visible;  // result of one shadow map lookup for the whole sphere, at its sunlit side
void main() {
  int i = gl_VertexID >> 2, c = gl_VertexID & 3;
  vec4 s = places[i];
  vec3 back = frame.eye.xyz - s.xyz;
  float d = max(length(back), 1e-6);
  float r = max(min(s.w, d * 0.95), 0.6 * frame.eye.w * d);
  axis_back = back / d;
  axis_right = normalize(cross(frame.up.xyz, axis_back));
  axis_up = cross(axis_back, axis_right);
  // At the distance d of the centre, the tangent cone of the sphere has the radius r d / sqrt(d^2 - r^2).
  float wide = r * d * inversesqrt(max(d * d - r * r, 1e-12));
  across = vec2((c & 1) == 0 ? -1.0 : 1.0, c < 2 ? -1.0 : 1.0);
  world = s.xyz + wide * (across.x * axis_right + across.y * axis_up);
  sphere = vec4(s.xyz, r);
  albedo = unpack_color(colors[i]);
  visible = sun_visible(s.xyz + r * 1.05 * frame.sun.xyz, vec3(0.0));
  marked = selected == i ? 1.0 : 0.0;
  gl_Position = s.w < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : frame.clip_from_world * vec4(world, 1.0);
}
