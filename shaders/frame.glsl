// Text that precedes all shaders: the constants of the frame, the background, packed colours, projection and tone
// mapping. Lighting is computed in linear RGB. Packed colours are sRGB and are decoded first.
layout(std140, binding = 0) uniform FrameBlock {
  mat4 clip_from_world;
  mat4 world_from_clip;
  mat4 light_from_world;  // to positions in the surroundings, in [0, 1]^3 (shadow_maps.h)
  vec4 eye;  // xyz: position of the eye; w: width of a pixel at unit distance from the eye
  vec4 right;  // xyz: right vector; w: 1 if there are shadow maps
  vec4 up;  // xyz: up vector; w: number of taps of the shadow filter
  vec4 sun;  // xyz: unit vector towards the sun; w: size of a texel as a fraction of a shadow map
  vec4 contact_box;  // minimum x, minimum z, 1 / width and 1 / depth of the ground map; all 0 if there is no map
  // x: wireframe; y: grid; z: distance from eye to target (Camera::target_distance()); w: amplitude of the noise that
  // hides the steps of slow gradients, 0 if the background has no gradients
  vec4 options;
  vec4 mark;  // rgb: colour of the selection; w: offset from the surface for shadow lookups in the surroundings [m]
  vec4 cut[6];  // points with dot(xyz, p) + w < 0 for any of the planes are not drawn
  // xyz: ray through the centre of the picture, scaled to a depth of 1. w: 1 / depth for the depth buffer value 0.
  vec4 sight_middle;
  // xyz: difference between the rays through the right edge and the centre. w: decrease of 1 / depth from the depth
  // buffer value 0 to the value 1.
  vec4 sight_x;
  vec4 sight_y;  // difference between the rays through the upper edge and the centre
  // Values for the whole picture, of which a tile shows a part. xy: half the width and height at a depth of 1; z:
  // largest displacement by refraction at a depth of 1; w: 1 if the picture is not divided into tiles.
  vec4 picture;
  // Light and background (render/scene/light/environment.h), linear RGB.
  vec4 key_color;  // w: tangent of the angular radius of the key light
  vec4 sky_color;  // w: pattern of the floor (value of FloorMaterial)
  vec4 bounce_color;
  vec4 horizon;
  vec4 zenith;
  vec4 nadir;
  vec4 shadow_factor;
  vec4 caustic_box;  // minimum x, minimum z, 1 / width and 1 / depth of the map of caustics (render/scene/light/caustics.h)
  // xy: horizontal displacement (x, z) of light below a level surface for each metre of depth; z: height of the floor;
  // w: scale of the fluid's height in the map, 0 if there are no caustics
  vec4 water;
  vec4 plain;  // rgb: displayed colour of a background without sky and ground; w: 1 if there is such a background
  vec4 shadow_level[3];  // position in each shadow map: position in the surroundings times x, plus yz
  vec4 shadow;  // x: number of maps; y: ShadowMaps::search
} frame;

#define sun_light frame.key_color.rgb
#define sky_light frame.sky_color.rgb
#define bounce_light frame.bounce_color.rgb

// Colour of the background in a direction, given by the signed square root of the vertical component of its unit vector
// (LightEnvironment::background()).
vec3 background(float t) {
  float share = min(1.03 * abs(t) * t * t / (t * t + 0.03), 1.0);
  return mix(frame.horizon.rgb, t > 0.0 ? frame.zenith.rgb : frame.nadir.rgb, share);
}
vec3 background(vec3 along) {
  float height = along.y * inversesqrt(dot(along, along));
  return background(sign(height) * sqrt(abs(height)));
}

vec3 linear_of(vec3 srgb) { return srgb * (srgb * (srgb * 0.305306011 + 0.682171111) + 0.012522878); }

vec3 unpack_color(uint packed_color) { return linear_of(unpackUnorm4x8(packed_color).rgb); }

// Writes the signed distances to the cut planes. CLIP_NOTHING is for objects that are not clipped.
#define CLIP(p) for (int k = 0; k < 6; ++k) gl_ClipDistance[k] = dot(frame.cut[k].xyz, p) + frame.cut[k].w
#define CLIP_NOTHING for (int k = 0; k < 6; ++k) gl_ClipDistance[k] = 1.0

vec3 forward() { return cross(frame.up.xyz, frame.right.xyz); }
// Ray through the picture position `at` in [-1, 1]^2, scaled to a depth of 1.
vec3 sight(vec2 at) { return frame.sight_middle.xyz + at.x * frame.sight_x.xyz + at.y * frame.sight_y.xyz; }
// Conversion between depth buffer values and depths along the view direction [m].
float q_of(float held) { return frame.sight_middle.w - held * frame.sight_x.w; }  // 1 / depth
float depth_along_view(float held) { return 1.0 / q_of(held); }
float held_for(float depth) { return clamp((frame.sight_middle.w - 1.0 / depth) / frame.sight_x.w, 0.0, 1.0); }

// Tone curve (shoulder() in render/scene/light/environment.h).
vec3 shoulder(vec3 c) {
  c *= 0.72;
  return clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}

// Encodes a linear colour as sRGB.
vec3 encoded(vec3 c) {
  // Approximation by three square roots, because pow() is expensive in software rasterisers. The error is at most half
  // a step of an 8-bit channel.
  vec3 s1 = sqrt(c), s2 = sqrt(s1), s3 = sqrt(s2);
  return clamp(0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c, 0.0, 1.0);
}

#ifdef FRAGMENT
// Noise for encoded colours, whose width is about one step of an 8-bit channel, so that slow gradients show no bands.
float dither() {
  return frame.options.w * (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5);
}
#endif

// Applies the tone curve, then the sRGB encoding.
vec3 display(vec3 c) { return encoded(shoulder(c)); }

// Factor by which the ground map darkens the displayed colour of the ground. r: contact shadow; g: shadow from
// sunlight.
vec3 darkened(vec2 dark) { return (1.0 - dark.r * vec3(0.60, 0.58, 0.55)) * mix(vec3(1.0), frame.shadow_factor.rgb, dark.g); }

// Approximation of display() with one square root, accurate to 0.02, for the fragment shaders of simple quality tiers.
vec3 display_simple(vec3 c) {
  vec3 s = sqrt(shoulder(c));
  return s * (1.11 - 0.11 * s);
}
