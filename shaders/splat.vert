// Blended particles. Flat discs and puffs of smoke are parallel to the picture. Each ball is drawn on a quad
// perpendicular to the line of sight (see sphere.vert).
// color: the highest byte is the fraction of sunlight; kind: bit mask, 1 selected, 2 puff
struct Splat { vec4 place; uint color; float opacity; uint kind; uint id; };
layout(std430, binding = 0) readonly buffer Splats { Splat splats[]; };
layout(location = 0) uniform int discs;
layout(location = 1) uniform int simple;
// Unit normal and level of the ground, near which puffs fade out. A level far below the scene disables fading.
layout(location = 2) uniform vec4 ground;
out vec2 across;  // position relative to the centre, in pixels (discs and puffs) or in radii (balls)
flat out vec3 center;
flat out float radius;  // radius of a ball [m]
flat out float rim;  // radius [px]
flat out vec4 tint;  // linear RGB; w: opacity
flat out vec3 axis_right;
flat out vec3 axis_up;
flat out vec3 axis_back;
flat out float visible;
flat out float marked;
flat out int puff;
flat out vec2 slope;  // change of a puff's lighting towards the right and upper edges
// Visible fraction of a puff near the ground: value in the centre, and changes towards the right and upper edges.
flat out vec3 fade;
void main() {
  Splat s = splats[gl_VertexID >> 2];
  int c = gl_VertexID & 3;
  vec2 corner = vec2((c & 1) == 0 ? -1.0 : 1.0, c < 2 ? -1.0 : 1.0);
  tint = vec4(unpack_color(s.color), s.opacity);
  marked = float(s.kind & 1u);
  puff = int(s.kind >> 1);
  center = s.place.xyz;
  vec3 back = frame.eye.xyz - center;
  float d = max(length(back), 1e-6);
  float share = float(s.color >> 24) / 255.0;
  visible = simple != 0 ? share : sun_visible(center + (puff != 0 ? 0.0 : s.place.w * 1.05) * frame.sun.xyz, vec3(0.0)) * (puff != 0 ? share : 1.0);
  vec3 at;
  slope = vec2(0.0);
  fade = vec3(0.0);
  if (discs != 0 || puff != 0) {
    axis_back = cross(frame.right.xyz, frame.up.xyz);
    float pixel = frame.eye.w * dot(back, axis_back);
    rim = s.place.w / max(pixel, 1e-20);
    // A very small splat may contain no pixel centre. Such a splat is enlarged and made more transparent, so that its
    // total light is unchanged.
    float least = puff != 0 ? 1.5 : 0.75;
    if (rim < least) {
      tint.w *= rim * rim / (least * least);
      rim = least;
    }
    across = corner * (rim + 1.0);
    axis_right = frame.right.xyz;
    axis_up = frame.up.xyz;
    at = center + pixel * (across.x * axis_right + across.y * axis_up);
    radius = s.place.w;
    if (puff != 0) {  // see render/scene/puffs.h
      tint.rgb = shoulder(tint.rgb * (sun_light * (0.42 * visible) + mix(bounce_light, sky_light, 0.62) * 0.7));
      slope = 0.3 * visible * vec2(dot(frame.sun.xyz, axis_right), dot(frame.sun.xyz, axis_up));
      fade = vec3(dot(ground.xyz, center) - ground.w, radius * dot(ground.xyz, axis_right), radius * dot(ground.xyz, axis_up)) / (0.7 * radius);
    }
  } else {
    radius = max(min(s.place.w, d * 0.95), 0.6 * frame.eye.w * d);
    rim = radius / (frame.eye.w * d);
    axis_back = back / d;
    axis_right = normalize(cross(frame.up.xyz, axis_back));
    axis_up = cross(axis_back, axis_right);
    float wide = radius * d * inversesqrt(max(d * d - radius * radius, 1e-12));
    across = corner * (1.0 + 1.0 / rim);
    at = center + wide * (across.x * axis_right + across.y * axis_up);
  }
  gl_Position = frame.clip_from_world * vec4(at, 1.0);
}
