// Ambient occlusion: the fraction of cosine-weighted directions around the normal that nearby objects leave unoccluded
// (J. Jimenez et al., "Practical realtime strategies for accurate indirect occlusion", 2016). It is computed at half or
// full resolution. In each of three slices through the line of sight, the shader searches the depth buffer for the
// horizon on both sides, with more lookups at full resolution. The integral over the directions between the horizons is
// exact (equation 7).
layout(binding = 2) uniform sampler2D depths;  // depth buffer of the picture, without multisampling
layout(location = 0) uniform float reach;  // distance up to which objects occlude [m]
layout(location = 1) uniform int side;  // side of the square of pixels that gets one value [px]
in vec2 uv;
out vec2 free_and_depth;  // r: unoccluded fraction; g: depth along the view direction [m], 0 for the sky

// Position of the surface at a pixel, relative to the eye. `held` receives the value of the depth buffer.
vec3 point_at(ivec2 pixel, vec2 size, out float held) {
  held = texelFetch(depths, clamp(pixel, ivec2(0), ivec2(size) - 1), 0).r;
  return depth_along_view(held) * sight(2.0 * (vec2(pixel) + 0.5) / size - 1.0);
}

// Vector to the neighbour along `way`, on the side where this vector is shorter. At the edge of an object, this
// neighbour is on the same surface, so that the edge does not tilt the normal.
vec3 step_along(ivec2 pixel, ivec2 way, vec2 size, vec3 here) {
  float held;
  vec3 after = point_at(pixel + way, size, held) - here, before = here - point_at(pixel - way, size, held);
  return dot(after, after) < dot(before, before) ? after : before;
}

void main() {
  int slices = 3, steps = side > 1 ? 5 : 9;
  const float half_pi = 1.5707963;
  vec2 size = vec2(textureSize(depths, 0));
  ivec2 pixel = min(side * ivec2(gl_FragCoord.xy), ivec2(size) - 1);
  float held;
  vec3 here = point_at(pixel, size, held);
  free_and_depth = vec2(1.0, 0.0);
  if (held >= 1.0) return;
  float z = dot(here, forward()), radius = min(reach / (frame.eye.w * z), 96.0);
  free_and_depth.y = z;
  if (radius < 1.5) return;
  vec3 to_eye = -normalize(here);
  vec3 normal = cross(step_along(pixel, ivec2(1, 0), size, here), step_along(pixel, ivec2(0, 1), size, here));
  normal = dot(normal, to_eye) < 0.0 ? -normalize(normal) : normalize(normal);
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float start = fract(noise + 0.61803399 * gl_FragCoord.y), sum = 0.0;
  for (int s = 0; s < slices; ++s) {
    float angle = 2.0 * half_pi * (float(s) + noise) / float(slices);
    vec2 way = vec2(cos(angle), sin(angle));
    vec3 direction = way.x * frame.right.xyz + way.y * frame.up.xyz;
    vec3 axis = cross(direction, to_eye);
    float axis_length = length(axis);
    if (axis_length < 1e-4) continue;
    axis /= axis_length;
    vec3 tangent = cross(to_eye, axis), in_slice = normal - dot(normal, axis) * axis;
    float share = max(length(in_slice), 1e-5), cosine = clamp(dot(in_slice, to_eye) / share, -1.0, 1.0);
    float tilt = sign(dot(in_slice, tangent)) * acos(cosine);
    for (int side = 0; side < 2; ++side) {
      float sense = side == 0 ? 1.0 : -1.0, lowest = cos(clamp(tilt + sense * half_pi, -3.1415927, 3.1415927)), horizon = lowest;
      for (int k = 0; k < steps; ++k) {
        float part = (float(k) + 0.25 + 0.75 * start) / float(steps), far = max(radius * part * part, 1.5 * float(k + 1));
        ivec2 at = pixel + ivec2(round(sense * far * way));
        if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(size)))) break;
        vec3 along = point_at(at, size, held) - here;
        float away = max(length(along), 1e-9), weight = clamp(1.0 - away * away / (reach * reach), 0.0, 1.0);
        if (held < 1.0) horizon = max(horizon, mix(lowest, dot(along, to_eye) / away, weight));
      }
      float to_horizon = sense * acos(clamp(horizon, -1.0, 1.0));
      to_horizon = tilt + clamp(to_horizon - tilt, -half_pi, half_pi);
      sum += share * 0.25 * (cosine + 2.0 * to_horizon * sin(tilt) - cos(2.0 * to_horizon - tilt));
    }
  }
  free_and_depth.x = clamp(sum / float(slices), 0.0, 1.0);
}
