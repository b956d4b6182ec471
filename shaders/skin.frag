// Shades a face of a voxel skin. Normals and ambient light of the four corners are interpolated bilinearly, because
// interpolation in two triangles would show the diagonal of the face. Towards a sharp edge, the normal turns to the
// mean normal of the two faces at the edge, which makes the edge look rounded.
in vec3 world;
in vec2 across;
flat in vec4 open;
flat in vec3 at_corner[4];
flat in float sheet;
layout(location = 1) uniform float flat_share;
flat in vec3 beyond[4];
flat in vec3 albedo;
flat in float marked;
out vec4 color;
// Unit vector, or `other` if the vector is too short to have a direction. The normals at the corners of a face that is
// folded over may cancel each other.
vec3 unit_or(vec3 v, vec3 other) { return dot(v, v) > 1e-12 ? normalize(v) : other; }
void main() {
  vec2 at = clamp(across, 0.0, 1.0);
  vec3 n = unit_or(mix(mix(at_corner[0], at_corner[1], at.x), mix(at_corner[3], at_corner[2], at.x), at.y), at_corner[0]);
  float light = mix(mix(open.x, open.y, at.x), mix(open.w, open.z, at.x), at.y);
  vec4 from_edge = vec4(at.y, 1.0 - at.x, 1.0 - at.y, at.x);
  float pixel = max(fwidth(across.x), fwidth(across.y));
  vec4 bevel = clamp(1.0 - from_edge * 9.0, 0.0, 1.0);
  bevel *= bevel * clamp(1.5 - 2.0 * pixel, 0.0, 1.0);
  n = unit_or(n + bevel.x * beyond[0] + bevel.y * beyond[1] + bevel.z * beyond[2] + bevel.w * beyond[3], n);
  float rim = min(min(from_edge.x, from_edge.y), min(from_edge.z, from_edge.w));
  // Seam between voxels: a soft dark line. It fades out before its width falls below a pixel.
  float seam = (1.0 - smoothstep(0.0, max(0.045, 1.2 * pixel), rim)) * clamp(1.0 - pixel * 2.5, 0.0, 1.0);
  vec3 base = albedo * (1.0 - 0.16 * seam);
  float shade = light * (1.0 - 0.10 * seam);
  vec3 c = lit(base, n, world, shade, 0.45);
  float back = dot(n, -frame.sun.xyz);
  if (sheet > 0.0 && back > 0.0) {
    // A sheet, which is one voxel thick, transmits a part of the light that falls on its other side.
    float visible = sun_on_surface(world - 1.1 * sheet * n, -n);
    c += base * sun_light * (0.52 * 0.45 * (0.6 + 0.4 * shade) * back * visible);
  }
  if (frame.options.x > 0.5) c *= 1.0 - 0.75 * (1.0 - smoothstep(pixel * 0.6, pixel * 1.6, rim)) * clamp(1.2 - pixel * 2.0, 0.0, 1.0);
  c = mix(c, frame.mark.rgb * 1.6, marked * (0.25 + 0.75 * step(rim, max(0.07, 1.5 * pixel))));
  // The colours of a channel are partly independent of the light, so that dark colours can be read.
  color = vec4(encoded(mix(shoulder(c), base, flat_share)), 1.0);
}
