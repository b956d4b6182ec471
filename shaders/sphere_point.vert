// Small balls of the simple quality tiers as points, for software rasterisers. A point needs one vertex and one square.
// A quad needs four vertices and two triangles. The perspective elongation away from the centre of the picture is
// ignored. The error is visible only for large balls.
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };  // w: radius, negative if hidden
layout(std430, binding = 3) readonly buffer Colors { uint colors[]; };
layout(location = 0) uniform int selected;
flat out vec3 sun;  // see sphere_simple.vert
flat out vec3 shiny;
flat out vec3 sky_up;
flat out vec3 by_sun;
flat out vec3 by_sky;
void main() {
  vec4 s = places[gl_VertexID];
  vec3 back = frame.eye.xyz - s.xyz;
  float d = max(length(back), 1e-6);
  float r = max(s.w, 0.6 * frame.eye.w * d);
  back /= d;
  vec3 right = normalize(cross(frame.up.xyz, back)), up = cross(back, right);
  sun = vec3(dot(right, frame.sun.xyz), dot(up, frame.sun.xyz), dot(back, frame.sun.xyz));
  shiny = normalize(sun + vec3(0.0, 0.0, 1.0));
  sky_up = vec3(right.y, up.y, back.y);
  uint bits = colors[gl_VertexID];  // highest byte: fraction of sunlight
  vec3 albedo = unpack_color(bits);
  if (selected == gl_VertexID) albedo = mix(albedo, frame.mark.rgb * 1.6, 0.7);
  by_sun = albedo * sun_light * (0.49 * float(bits >> 24) / 255.0);
  by_sky = albedo * 0.62;
  gl_PointSize = 2.0 * r / (frame.eye.w * dot(s.xyz - frame.eye.xyz, forward()));
  gl_Position = s.w < 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : frame.clip_from_world * vec4(s.xyz, 1.0);
}
