// The ground or another plane: matte, with an antialiased grid. The spacing of the grid follows the zoom in powers of
// ten, and the finer lines fade out.
layout(location = 4) uniform vec3 albedo;
// xy: coordinates of the origin of plane.vert along u and v, in spacings, modulo the 10 spacings between coarse lines;
// z: 1 / spacing [1/m]; w: weight of the fine lines
layout(location = 5) uniform vec4 grid;
// xy: centre (u, v); z: radius [m]; w: 1 if the plane fades into the horizon, 0 if it fades to transparency
layout(location = 6) uniform vec4 fade;
layout(location = 7) uniform float opacity;  // opacity of planes other than the ground
layout(binding = 1) uniform sampler2D contact_map;
in vec3 world;
in vec2 on_plane;
out vec4 color;

float lines(vec2 at, vec2 width, float px) {
  vec2 near = abs(fract(at - 0.5) - 0.5);
  vec2 cover = clamp(px * 0.5 + 0.5 - near / width, 0.0, 1.0) * clamp(0.35 / width, 0.0, 1.0);
  return max(cover.x, cover.y);
}

void main() {
  float reach = length(on_plane - fade.xy) / fade.z;
  float far = smoothstep(0.25, 1.0, reach);
  vec3 base = albedo;
  if (frame.options.y > 0.5) {
    vec2 at = on_plane * grid.z + grid.xy;
    vec2 width = fwidth(at);
    float line = max(lines(at, width, 1.0) * 0.17 * grid.w, lines(at * 0.1, width * 0.1, 1.3) * 0.30);
    base *= 1.0 - line * (1.0 - far);
  }
  float open = 1.0, sunny = 1.0;
  if (frame.contact_box.z > 0.0 && fade.w > 0.5) {
    vec2 uv = (world.xz - frame.contact_box.xy) * frame.contact_box.zw;
    if (all(greaterThan(uv, vec2(0.0))) && all(lessThan(uv, vec2(1.0)))) {
      // r: contact shadow; g: shadow of fluids and smoke, which the shadow map does not contain
      vec2 dark = texture(contact_map, uv).rg;
      open = 1.0 - dark.r;
      sunny = 1.0 - dark.g;
    }
  }
  vec3 c = base * (sun_light * 0.52 * 0.86 * sun_visible(world) * sunny * (0.45 + 0.55 * open) + sky_light * 0.62 * open);
  if (fade.w > 0.5 && frame.plain.w > 0.5) {
    // The ground has the colour of the background. It shows shadows and grid lines only, softer than on a lit ground.
    vec3 lit = display(albedo * (sun_light * 0.52 * 0.86 + sky_light * 0.62));
    float share = dot(display(c), vec3(1.0)) / max(dot(lit, vec3(1.0)), 1e-6);
    color = vec4(frame.plain.rgb * mix(mix(1.0, min(share, 1.0), 0.75), 1.0, far), 1.0);
    return;
  }
  color = fade.w > 0.5 ? vec4(display(mix(c, horizon_color, far)), 1.0) : vec4(display(c), 0.85 * opacity * (1.0 - far));
}
