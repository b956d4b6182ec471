// Surface of a fluid over the scene: refracted background with absorption, reflected sky and sun, and foam.
layout(binding = 2) uniform sampler2D maps;  // r: depth, 0 if empty; g: amount of foam
layout(binding = 3) uniform sampler2D colors;  // sRGB
layout(binding = 4) uniform sampler2D thicknesses;
layout(binding = 5) uniform sampler2D scene_depth;
layout(binding = 6) uniform sampler2D scene_color;
// x: clarity [m]; y: 1 if opaque (coloured by a channel); z: particle spacing [m]; w: offset for the shadow lookup [m]
layout(location = 0) uniform vec4 look;
layout(location = 1) uniform int walls;  // number of planes that bound the fluid (render/fluid/fluid_walls.h)
layout(location = 2) uniform vec4 wall[8];  // fluid lies where dot(xyz, p - eye) + w > 0
layout(location = 10) uniform vec4 within;  // w = 1: the eye is in a fluid of this colour (sRGB)
in vec2 uv;
out vec4 color;

#ifdef SIMPLE
// Writes the colour encoded and premultiplied, so that fluid_spread.frag can blend it over the picture with one lookup.
void write(vec3 c, float cover, float z) {
  vec3 s1 = sqrt(clamp(c, 0.0, 1.0)), s2 = sqrt(s1), s3 = sqrt(s2);
  color = vec4(clamp(0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * c, 0.0, 1.0) * cover, cover);
}
float sun_on(vec3 world) { return 1.0; }
#else
void write(vec3 c, float cover, float z) {
  color = vec4(c, cover);
  gl_FragDepth = held_for(z);
}
float sun_on(vec3 world) { return sun_visible(world); }
#endif

vec3 sky(vec3 along) {
  float t = sign(along.y) * sqrt(abs(along.y));
  return mix(horizon_color, t > 0.0 ? zenith_color : nadir_color, abs(t));
}

// Tangent of the surface for a step of one pixel. `way`: the step in the picture. `aside`: the step in the world at a
// depth of 1. If the slopes on both sides are similar, the central difference is taken, otherwise the smaller slope. A
// neighbour with a slope above 4 is assumed to show a different surface and is ignored.
vec3 along_surface(ivec2 pixel, ivec2 way, vec3 aside, vec3 ray, float z) {
  float limit = 4.0 * z * length(aside);
  float after = texelFetch(maps, pixel + way, 0).r - z, before = z - texelFetch(maps, pixel - way, 0).r;
  bool forth = abs(after) < limit, back = abs(before) < limit;
  if (forth && back && abs(after - before) > 0.5 * limit) {
    forth = abs(after) < abs(before);
    back = !forth;
  }
  float rise = (forth ? after : 0.0) + (back ? before : 0.0);
  return z * aside + (forth && back ? 0.5 * rise : rise) * ray;
}

// Corrects a surface at depth z for walls. A surface close to a wall and parallel to it is flattened onto the wall.
// Beyond the walls, there is no surface. OnWall is explained in render/fluid/fluid_walls.h.
struct OnWall { float depth, share; vec3 normal; float beyond; };
OnWall on_wall(vec3 ray, float z, vec3 n) {
  OnWall o = OnWall(z, 0.0, vec3(0.0), -1e30);
  float entry = 0.0, steep = 0.0;
  for (int k = 0; k < walls; ++k) {
    float height = wall[k].w, rise = dot(wall[k].xyz, ray);
    if (height >= 0.0) continue;  // the eye is on the fluid's side
    if (rise <= 0.0) {
      o.beyond = 1e30;
      return o;
    }
    if (-height <= entry * rise) continue;
    entry = -height / rise;
    steep = rise;
    o.normal = -wall[k].xyz;
  }
  float near = mix(0.2, 1.0, smoothstep(0.3, 0.8, dot(n, o.normal)));
  if (entry > 0.0) o.share = 1.0 - smoothstep(near, near + 0.3, (z - entry) * steep / look.z);
  o.depth = mix(z, entry, o.share);
  for (int k = 0; k < walls; ++k)
    if (wall[k].w >= 0.0) o.beyond = max(o.beyond, -(wall[k].w + o.depth * dot(wall[k].xyz, ray)));
  return o;
}

// Writes the picture for an eye inside the fluid: the scene attenuated by absorption, plus the scattered light.
void write_within() {
  float there = texture(thicknesses, uv).r;
  vec3 albedo = linear_of(within.rgb), left = pow(clamp(albedo, vec3(0.02), vec3(0.98)), vec3(there / look.x));
  vec3 scattered = albedo * (sun_light * 0.2 + mix(bounce_light, sky_light, 0.5 + 0.5 * normalize(sight(2.0 * uv - 1.0)).y) * 0.4);
  write(texture(scene_color, uv).rgb * left + shoulder(scattered) * (1.0 - left), 1.0, 1.0);
}

void main() {
  if (within.w > 0.5) {
    write_within();
    return;
  }
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 map = texelFetch(maps, pixel, 0).rg;
  float z = map.x;
  if (z <= 0.0) discard;
  // The surface fades out where the thickness is less than one particle, so that the outlines of single balls are not
  // visible.
  float there = texture(thicknesses, uv).r, cover = smoothstep(0.1, 0.55, there / look.z);
  if (cover <= 0.0) discard;
  vec2 step_of_picture = 2.0 / vec2(textureSize(maps, 0));
  vec3 ray = sight(2.0 * uv - 1.0);
  vec3 across = along_surface(pixel, ivec2(1, 0), step_of_picture.x * frame.sight_x.xyz, ray, z);
  vec3 up = along_surface(pixel, ivec2(0, 1), step_of_picture.y * frame.sight_y.xyz, ray, z);
  vec3 n = normalize(cross(across, up)), to_eye = -normalize(ray);
  if (dot(n, to_eye) < 0.0) n = -n;
  OnWall on = on_wall(ray, z, n);
  // Beyond walls, the surface fades out over a tenth of the particle spacing, but at least over 1.5 pixels.
  float rim = max(0.1 * look.z, 1.5 * on.depth * step_of_picture.x * length(frame.sight_x.xyz));
  cover = mix(cover, 1.0, on.share) * (1.0 - smoothstep(0.0, rim, on.beyond));
  if (cover <= 0.0) discard;
  n = normalize(mix(n, on.normal, on.share));
  z = on.depth;
  vec3 world = frame.eye.xyz + z * ray;
  float visible = sun_on(world + n * frame.mark.w + frame.sun.xyz * look.w);
  vec3 albedo = linear_of(texelFetch(colors, pixel, 0).rgb);
  float open = 0.8 + 0.2 * n.y;
  if (look.y > 0.5) {
    write(shoulder(lit_with(albedo, n, world, open, 0.6, visible)), cover, z);
    return;
  }
  // The thickness is increased slightly, so that the rims of the fluid are visible.
  float thick = there + 1.5 * look.z;
  // A ray that enters along the view direction is deflected by a quarter of the surface slope (small angles, refractive
  // index 4/3).
  vec2 bent = 0.25 * min(thick, look.x) * vec2(dot(n, frame.right.xyz), dot(n, frame.up.xyz)) / z;
  vec2 uv_per_slope = 0.5 / vec2(length(frame.sight_x.xyz), length(frame.sight_y.xyz));
  vec2 from = uv - clamp(bent * uv_per_slope, vec2(-0.08), vec2(0.08));
  from = clamp(from, vec2(0.001), vec2(0.999));
  if (depth_along_view(texture(scene_depth, from).r) < z) from = uv;
  vec3 behind = texture(scene_color, from).rgb;
  // Beer-Lambert law: if the thickness equals the clarity, the transmitted light has the colour of the fluid.
  vec3 left = pow(clamp(albedo, vec3(0.02), vec3(0.98)), vec3(thick / look.x));
  float facing = clamp(dot(n, to_eye), 0.2, 1.0), fresnel = 0.03 + 0.97 * pow(1.0 - facing, 4.0);
  float diffuse = clamp((dot(n, frame.sun.xyz) + 0.4) / 1.4, 0.0, 1.0);
  vec3 scattered = albedo * (sun_light * (0.3 * diffuse * visible) + mix(bounce_light, sky_light, 0.5 + 0.5 * n.y) * 0.4);
  vec3 mirrored = reflect(-to_eye, n);
  float shine = clamp(dot(mirrored, frame.sun.xyz), 0.0, 1.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;  // shine^64
  vec3 added = scattered * (1.0 - left) * (1.0 - fresnel) + fresnel * 0.85 * sky(mirrored) + sun_light * (0.5 * shine * visible);
  vec3 c = behind * left * (1.0 - fresnel) + shoulder(added);
  float foam = 0.8 * smoothstep(0.05, 0.8, map.y);
  if (foam > 0.0) {
    // Foam scatters light in all directions, so its shading depends little on the surface normal.
    vec3 white = shoulder(lit_with(vec3(0.92), normalize(0.4 * n + 0.6 * to_eye), world, open, 0.1, visible));
    c = mix(c, white, foam);
  }
  write(c, cover, z);
}
