// Text shared by all shaders: the constants of the frame, lighting and tone mapping. Lighting is computed in linear
// RGB. Packed colours are sRGB and are decoded first.
layout(std140, binding = 0) uniform FrameBlock {
  mat4 clip_from_world;
  mat4 world_from_clip;
  mat4 light_from_world;  // to coordinates in [0, 1]^3 of the shadow map
  vec4 eye;  // xyz: position of the eye; w: width of a pixel at unit distance from the eye
  vec4 right;  // xyz: right vector; w: 1 if there is a shadow map
  vec4 up;  // xyz: up vector; w: number of taps of the shadow filter
  vec4 sun;  // xyz: unit vector towards the sun; w: size of a shadow map texel in light space
  vec4 contact_box;  // minimum x, minimum z, 1 / width and 1 / depth of the ground map; all 0 if there is no map
  vec4 options;  // x: wireframe; y: grid; z: distance from eye to target (Camera::target_distance()); w: unused
  vec4 mark;  // rgb: colour of the selection; w: offset from the surface for shadow lookups [m]
  vec4 cut;  // points with dot(xyz, p) + w < 0 are not drawn
  // xyz: ray through the centre of the picture, scaled to a depth of 1. w: 1 / depth for the depth buffer value 0.
  vec4 sight_middle;
  // xyz: difference between the rays through the right edge and the centre. w: decrease of 1 / depth from the depth
  // buffer value 0 to the value 1.
  vec4 sight_x;
  vec4 sight_y;  // difference between the rays through the upper edge and the centre
  // xy: half the width and height at a depth of 1 of the whole picture, of which a tile shows a part; z: largest
  // displacement by refraction at a depth of 1; w: unused
  vec4 picture;
  vec4 plain;  // rgb: displayed colour of a background without sky and ground; w: 1 if there is such a background
} frame;

const vec3 sun_light = vec3(1.0, 0.955, 0.88) * 2.05;
const vec3 sky_light = vec3(0.60, 0.70, 0.86) * 0.92;
const vec3 bounce_light = vec3(0.46, 0.42, 0.38) * 0.62;
const vec3 horizon_color = vec3(0.72, 0.775, 0.83);
const vec3 zenith_color = vec3(0.105, 0.235, 0.47);

const vec3 nadir_color = horizon_color * vec3(0.62, 0.60, 0.58);

vec3 linear_of(vec3 srgb) { return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878); }

vec3 unpack_color(uint packed_color) { return linear_of(unpackUnorm4x8(packed_color).rgb); }

// Signed distance to the cut plane, used for gl_ClipDistance.
float uncut(vec3 p) { return dot(frame.cut.xyz, p) + frame.cut.w; }

vec3 forward() { return cross(frame.up.xyz, frame.right.xyz); }
// Ray through the picture position `at` in [-1, 1]^2, scaled to a depth of 1.
vec3 sight(vec2 at) { return frame.sight_middle.xyz + at.x * frame.sight_x.xyz + at.y * frame.sight_y.xyz; }
// Conversion between depth buffer values and depths along the view direction [m].
float depth_along_view(float held) { return 1.0 / (frame.sight_middle.w - held * frame.sight_x.w); }
float held_for(float depth) { return clamp((frame.sight_middle.w - 1.0 / depth) / frame.sight_x.w, 0.0, 1.0); }

// Tone curve with a soft shoulder. Mid tones are almost unchanged.
vec3 shoulder(vec3 c) { return clamp(c * (1.0 + c * 0.12) / (1.0 + 0.62 * c), 0.0, 1.0); }

// Tone curve followed by sRGB encoding.
vec3 display(vec3 c) {
  c = shoulder(c);
  // sRGB encoding by three square roots. The error is at most half a step of an 8-bit channel. pow() is expensive in
  // software rasterisers.
  vec3 s1 = sqrt(c), s2 = sqrt(s1), s3 = sqrt(s2);
  return clamp(0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c, 0.0, 1.0);
}

// Factor by which the ground map darkens the displayed colour of the ground. r: contact shadow; g: shadow from the sun.
vec3 darkened(vec2 dark) { return (1.0 - dark.r * vec3(0.60, 0.58, 0.55)) * (1.0 - dark.g * vec3(0.43, 0.38, 0.31)); }

// Approximation of display() with one square root, accurate to 0.025, for the fragment shaders of simple quality tiers.
vec3 display_simple(vec3 c) {
  vec3 s = sqrt(c);
  return s * (1.16344 - 0.32002 * s);
}
