// Shared by all programs: the frame's constants, light and tone. Light is linear; colours() in vertex shaders come as sRGB and are decoded.
layout(std140, binding = 0) uniform FrameBlock {
  mat4 clip_from_world;
  mat4 world_from_clip;
  mat4 light_from_world;  // to [0, 1]^3 of the shadow map
  vec4 eye;               // w: size of a pixel per distance
  vec4 right;             // w: 1 when there is a shadow map
  vec4 up;                // w: taps of the shadow filter
  vec4 sun;               // towards the light; w: shadow texel in light space
  vec4 contact_box;       // min x, min z, 1 / width, 1 / depth of the contact map; all 0 without one
  vec4 options;           // x: wireframe, y: grid, z: distance from eye to target, w: depth written by impostors
  vec4 mark;              // selection highlight, rgb; w: how far off the surface the shadow map is asked [m]
  vec4 cut;               // what lies where dot(xyz, p) + w < 0 is not drawn
  vec4 sight_middle;      // through the picture's middle, one unit deep; w: 1 / depth along the view where the depth buffer holds 0 ...
  vec4 sight_x;           // change of the sight from the middle to the right rim; w: ... and how much less where it holds 1
  vec4 sight_y;           // to the upper rim
} frame;

const vec3 sun_light = vec3(1.0, 0.955, 0.88) * 2.05;
const vec3 sky_light = vec3(0.60, 0.70, 0.86) * 0.92;
const vec3 bounce_light = vec3(0.46, 0.42, 0.38) * 0.62;
const vec3 horizon_color = vec3(0.72, 0.775, 0.83);
const vec3 zenith_color = vec3(0.105, 0.235, 0.47);

const vec3 nadir_color = horizon_color * vec3(0.62, 0.60, 0.58);

vec3 linear_of(vec3 srgb) { return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878); }

vec3 unpack_color(uint packed_color) { return linear_of(unpackUnorm4x8(packed_color).rgb); }

// Of the cut that opens the picture, for gl_ClipDistance.
float uncut(vec3 p) { return dot(frame.cut.xyz, p) + frame.cut.w; }

vec3 forward() { return cross(frame.up.xyz, frame.right.xyz); }
// Through a place of the picture in [-1, 1]^2, one unit deep.
vec3 sight(vec2 at) { return frame.sight_middle.xyz + at.x * frame.sight_x.xyz + at.y * frame.sight_y.xyz; }
// Along the view [m], of what the depth buffer holds; and what it holds for a depth.
float depth_along_view(float held) { return 1.0 / (frame.sight_middle.w - held * frame.sight_x.w); }
float held_for(float depth) { return clamp((frame.sight_middle.w - 1.0 / depth) / frame.sight_x.w, 0.0, 1.0); }

// A soft shoulder that leaves mid tones alone.
vec3 shoulder(vec3 c) { return clamp(c * (1.0 + c * 0.12) / (1.0 + 0.62 * c), 0.0, 1.0); }

// The shoulder, then the sRGB curve.
vec3 display(vec3 c) {
  c = shoulder(c);
  // The sRGB curve by three square roots, within half a step of 255: software rasterisers pay dearly for pow().
  vec3 s1 = sqrt(c), s2 = sqrt(s1), s3 = sqrt(s2);
  return clamp(0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c, 0.0, 1.0);
}

// Of the ground's displayed colour, what the map of what stands on it leaves: r: crowded; g: in the sun's shadow.
vec3 darkened(vec2 dark) { return (1.0 - dark.r * vec3(0.60, 0.58, 0.55)) * (1.0 - dark.g * vec3(0.43, 0.38, 0.31)); }

// display() within 0.025 by one square root: for fragments of the simple tiers.
vec3 display_simple(vec3 c) {
  vec3 s = sqrt(c);
  return s * (1.16344 - 0.32002 * s);
}
