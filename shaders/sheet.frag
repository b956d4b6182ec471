// Maps the values of a slice plane to colours. The output is premultiplied linear light for an sRGB target.
layout(location = 0) uniform float opacity;
// r: g times the position on the colour map; g: 1 if the sample has a value, else 0
layout(binding = 2) uniform sampler2D values;
layout(binding = 3) uniform sampler2D map;  // linear colours in a single row
in vec2 at;
out vec4 color;
void main() {
  vec2 size = vec2(textureSize(values, 0)), v = texture(values, (clamp(at, 0.0, 1.0) * (size - 1.0) + 0.5) / size).rg;
  if (v.y <= 0.0) discard;
  float steps = float(textureSize(map, 0).x);
  float a = opacity * v.y;
  color = vec4(a * texture(map, vec2((clamp(v.x / v.y, 0.0, 1.0) * (steps - 1.0) + 0.5) / steps, 0.5)).rgb, a);
}
