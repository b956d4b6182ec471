// A surface that was drawn with fewer pixels, over the picture: between the pixels that are on the same surface, with a soft rim.
layout(binding = 2) uniform sampler2D maps;  // depth, 0 where there is nothing
layout(binding = 3) uniform sampler2D shaded;
layout(location = 0) uniform float apart;  // depths that differ by more are of two surfaces [m]
in vec2 uv;
out vec4 color;
void main() {
  vec4 depths = textureGather(maps, uv, 0);  // from the upper left against the clock
  vec2 place = uv * vec2(textureSize(maps, 0)) - 0.5, part = place - floor(place);
  vec4 w = vec4((1.0 - part.x) * part.y, part.x * part.y, part.x * (1.0 - part.y), (1.0 - part.x) * (1.0 - part.y));
  vec4 covers = textureGather(shaded, uv, 3);
  w = mix(vec4(0.0), w, greaterThan(covers, vec4(0.0)));
  float cover = dot(w, covers);
  if (cover <= 0.0) discard;
  // The surface of the nearest of the four pixels; across its rim the other one goes on by itself.
  float most = max(max(w.x, w.y), max(w.z, w.w));
  float here = w.x == most ? depths.x : w.y == most ? depths.y : w.z == most ? depths.z : depths.w;
  w = mix(vec4(0.0), w, lessThan(abs(depths - here), vec4(apart)));
  w /= dot(w, vec4(1.0));
  color = vec4(dot(w, textureGather(shaded, uv, 0)), dot(w, textureGather(shaded, uv, 1)), dot(w, textureGather(shaded, uv, 2)), cover);
  gl_FragDepth = held_for(dot(w, depths));
}
