// Sphere impostors of the simple quality tiers. Lighting is prepared once per sphere, in the axes of the quad.
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };  // w: radius, negative if hidden
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };
layout(location = 0) uniform int selected;
out vec2 across;
flat out vec3 sun;  // direction to the sun in the axes of the quad
flat out vec3 shiny;  // half-way vector between the directions to sun and eye
flat out vec3 sky_up;  // world's vertical in the axes of the quad
flat out vec3 by_sun;
flat out vec3 by_sky;
void main() {
  int i = gl_VertexID >> 2, c = gl_VertexID & 3;
  vec4 s = places[i];
  vec3 back = frame.eye.xyz - s.xyz;
  float d = max(length(back), 1e-6);
  float r = max(min(s.w, d * 0.95), 0.6 * frame.eye.w * d);
  back /= d;
  vec3 right = normalize(cross(frame.up.xyz, back)), up = cross(back, right);
  float wide = r * d * inversesqrt(max(d * d - r * r, 1e-12));
  across = vec2((c & 1) == 0 ? -1.0 : 1.0, c < 2 ? -1.0 : 1.0);
  mat3 to_quad = transpose(mat3(right, up, back));
  sun = to_quad * frame.sun.xyz;
  shiny = normalize(sun + vec3(0.0, 0.0, 1.0));
  sky_up = vec3(right.y, up.y, back.y);
  uint bits = colors[i];  // highest byte: fraction of sunlight
  vec3 albedo = unpack_color(bits);
  if (selected == i) albedo = mix(albedo, frame.mark.rgb * 1.6, 0.7);
  by_sun = albedo * sun_light * (0.49 * float(bits >> 24) / 255.0);
  by_sky = albedo * 0.62;
  gl_Position = s.w < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : frame.clip_from_world * vec4(s.xyz + wide * (across.x * right + across.y * up), 1.0);
}
