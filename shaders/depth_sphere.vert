// Sphere in the shadow map, drawn as a disc through the centre perpendicular to the light.
layout(std430, binding = 0) readonly buffer Places { vec4 places[]; };
layout(location = 0) uniform mat4 light_clip;
out vec2 across;
void main() {
  int i = gl_VertexID >> 2, c = gl_VertexID & 3;
  vec3 side = normalize(cross(vec3(0.0, 0.0, 1.0), frame.sun.xyz)), other = cross(frame.sun.xyz, side);
  across = vec2((c & 1) == 0 ? -1.0 : 1.0, c < 2 ? -1.0 : 1.0);
  gl_Position = light_clip * vec4(places[i].xyz + max(places[i].w, 0.0) * (across.x * side + across.y * other), 1.0);
}
