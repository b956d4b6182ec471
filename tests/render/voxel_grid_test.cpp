// Pictures of the cells in the voxel editor: colours, directions of faces, depth of lines, translucent faces.
#include "render/voxel_grid/voxel_grid_picture.h"

#include "stage_set.h"

namespace vw {
namespace {

class VoxelGridPictureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = OffscreenContext::create(GlChecks::debug);
    if (!made) GTEST_SKIP() << made.error().message();
    context = std::move(*made);
    auto picture_made = VoxelGridPicture::create();
    ASSERT_TRUE(picture_made) << picture_made.error().message();
    picture = std::move(*picture_made);
    glCreateTextures(GL_TEXTURE_2D, 1, &color);
    glTextureStorage2D(color, 1, GL_RGBA8, side, side);
    glCreateRenderbuffers(1, &depth);
    glNamedRenderbufferStorage(depth, GL_DEPTH_COMPONENT24, side, side);
    glCreateFramebuffers(1, &target);
    glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, color, 0);
    glNamedFramebufferRenderbuffer(target, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  }
  void TearDown() override {
    if (!context) return;
    picture.reset();
    glDeleteFramebuffers(1, &target);
    glDeleteTextures(1, &color);
    glDeleteRenderbuffers(1, &depth);
  }
  /// Returns the colour of the middle of the picture. The camera looks at the middle of cell (0, 0, 0) and stands at
  /// the offset `eye` from there.
  glm::ivec3 middle_from(const glm::vec3& eye) {
    Camera camera;
    camera.target = {0.53F, 0.54F, 0.55F};  // not exactly the middle, where the two triangles of a face meet
    camera.eye = camera.target + eye;
    picture->draw(camera, side, side, target);
    std::array<unsigned char, 4> pixel{};
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glReadPixels(side / 2, side / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    return {pixel[0], pixel[1], pixel[2]};
  }
  static std::vector<GridFace> cube(std::uint32_t rgba, bool is_marked = false) {
    std::vector<GridFace> faces;
    for (std::uint8_t face = 0; face < 6; ++face) faces.push_back({0, 0, 0, face, is_marked, rgba});
    return faces;
  }

  static constexpr int side = 64;
  std::unique_ptr<OffscreenContext> context;
  std::unique_ptr<VoxelGridPicture> picture;
  unsigned color = 0, depth = 0, target = 0;
};

TEST_F(VoxelGridPictureTest, EveryFaceOfACellIsSeenFromOutside) {
  picture->set_faces(cube(packed_rgba({1, 0, 0})));
  for (int axis = 0; axis < 3; ++axis)
    for (const float from : {-4.0F, 4.0F}) {
      glm::vec3 eye{0.01F, 0.02F, 0.03F};
      eye[axis] = from;
      const glm::ivec3 seen = middle_from(eye);
      EXPECT_GT(seen.r, 120) << "axis " << axis << " from " << from;
      EXPECT_LT(seen.g, 20);
    }
}

TEST_F(VoxelGridPictureTest, AFaceIsNotSeenFromBehind) {
  const std::vector<GridFace> one{{.face = 5, .rgba = packed_rgba({1, 0, 0})}};  // the upper face along z
  picture->set_faces(one);
  EXPECT_GT(middle_from({0, 0, 4}).r, 120);
  EXPECT_LT(middle_from({0, 0, -4}).r, 60);
}

TEST_F(VoxelGridPictureTest, CoordinatesMayBeNegative) {
  std::vector<GridFace> faces = cube(packed_rgba({0, 1, 0}));
  for (GridFace& face : faces) face.z = -3;
  picture->set_faces(faces);
  EXPECT_GT(middle_from({0.01F, 0.02F, 4}).g, 120);
}

TEST_F(VoxelGridPictureTest, MarkedFacesHaveTheColourOfTheSelection) {
  picture->set_faces(cube(packed_rgba({0, 0, 1}), true));
  const glm::ivec3 seen = middle_from({0, 0, 4});
  EXPECT_GT(seen.r, 100);
  EXPECT_GT(seen.g, 70);
}

TEST_F(VoxelGridPictureTest, TranslucentFacesTintWhatIsBehindThem) {
  picture->set_faces(cube(packed_rgba({1, 0, 0})));
  std::vector<GridFace> ghost{{.z = 1, .face = 5, .rgba = packed_rgba({0, 0, 1}, 0.5F)}};
  const int before = middle_from({0, 0, 4}).b;
  picture->set_translucent_faces(ghost);
  const glm::ivec3 seen = middle_from({0, 0, 4});
  EXPECT_GT(seen.b, before + 60);
  EXPECT_GT(seen.r, 60);
}

TEST_F(VoxelGridPictureTest, FacesHideTheLinesBehindThem) {
  const GridLine line{{-3, 0.54F, -1}, {3, 0.54F, -1}, packed_rgba({0, 1, 0})};
  picture->set_lines(std::vector<GridLine>{line});
  const int visible = middle_from({0, 0, 4}).g;
  picture->set_faces(cube(packed_rgba({1, 0, 0})));
  EXPECT_LT(middle_from({0, 0, 4}).g, 60);
  EXPECT_GE(visible, 30);
}

}  // namespace
}  // namespace vw
