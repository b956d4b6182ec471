// Blends the half-resolution surface over the picture. Colours are interpolated. The depth is the smallest depth of the
// four surrounding texels.
layout(binding = 2) uniform sampler2D maps;  // r: depth, 0 if empty
layout(binding = 3) uniform sampler2D shaded;  // premultiplied and encoded as sRGB
in vec2 uv;
out vec4 color;
void main() {
  color = texture(shaded, uv);
  if (color.a <= 0.0) discard;
  vec4 depths = textureGather(maps, uv, 0);
  depths = mix(vec4(1e9), depths, greaterThan(depths, vec4(0.0)));
  gl_FragDepth = held_for(min(min(depths.x, depths.y), min(depths.z, depths.w)));
}
