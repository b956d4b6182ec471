# Finds the Debian packages through find_package or pkg-config. The repository contains no third-party sources.
# docs/dependencies.md gives the reason for each package.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_path(SPECTRA_INCLUDE Spectra/SymEigsShiftSolver.h REQUIRED)  # header-only library that uses Eigen
find_package(TBB REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
find_package(assimp REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
find_package(glm REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS EGL OpenGL)
if(VOXWAKE_WINDOW)
  find_package(glfw3 3.3 REQUIRED)
  pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)
endif()
if(VOXWAKE_VIDEO)
  pkg_check_modules(FFMPEG IMPORTED_TARGET libavcodec libavformat libavutil libswscale)
endif()
if(VOXWAKE_TESTS)
  find_package(GTest REQUIRED)
  pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)  # reference values for tests; the program does not use MPFR
endif()
if(VOXWAKE_BENCH)
  find_package(benchmark REQUIRED)
endif()

# Library `glad`: the loader of the OpenGL 4.5 core functions, which the program glad generates at build time.
find_program(GLAD_PROGRAM glad REQUIRED)
set(glad_dir ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMAND ${GLAD_PROGRAM} --api gl:core=4.5 --extensions "" --reproducible --out-path ${glad_dir} --quiet c
  COMMENT "Generating the OpenGL 4.5 core loader" VERBATIM)
enable_language(C)
add_library(glad STATIC ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h)
target_include_directories(glad SYSTEM PUBLIC ${glad_dir}/include)
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
