// A surface that was drawn with fewer pixels, over the picture: its colours between pixels, its depth that of the nearest one around.
layout(binding = 2) uniform sampler2D maps;    // depth, 0 where there is nothing
layout(binding = 3) uniform sampler2D shaded;  // premultiplied, ready for the display
in vec2 uv;
out vec4 color;
void main() {
  color = texture(shaded, uv);
  if (color.a <= 0.0) discard;
  vec4 depths = textureGather(maps, uv, 0);
  depths = mix(vec4(1e9), depths, greaterThan(depths, vec4(0.0)));
  gl_FragDepth = held_for(min(min(depths.x, depths.y), min(depths.z, depths.w)));
}
