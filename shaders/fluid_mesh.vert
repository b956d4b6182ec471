// Surface of a fluid as a mesh (FluidCloud::surface()).
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
out vec3 world;
out vec3 outward;
void main() {
  world = position;
  outward = normal;
  gl_Position = frame.clip_from_world * vec4(position, 1.0);
}
