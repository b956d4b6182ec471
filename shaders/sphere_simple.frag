// Shades a sphere of the simple quality tiers. The vertex shader has prepared the lighting.
#ifndef POINT
in vec2 across;
#endif
flat in vec3 sun;
flat in vec3 shiny;
flat in vec3 sky_up;
flat in vec3 by_sun;
flat in vec3 by_sky;
out vec4 color;
void main() {
#ifdef POINT
  vec2 across = vec2(2.0 * gl_PointCoord.x - 1.0, 1.0 - 2.0 * gl_PointCoord.y);
#endif
  float r2 = dot(across, across);
  if (r2 > 1.0) discard;
  vec3 n = vec3(across, sqrt(1.0 - r2));
  float diffuse = clamp((dot(n, sun) + 0.22) * 0.82, 0.0, 1.0), up = 0.5 + 0.5 * dot(n, sky_up);
  float shine = max(dot(n, shiny), 0.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  vec3 c = by_sun * diffuse + by_sky * mix(bounce_light * 0.72, sky_light, up) + 0.3 * shine * diffuse;
  color = vec4(display_simple(c), 1.0);
}
