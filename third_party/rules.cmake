# What every target of ours shares: warnings as errors, strict floating point (the same bits on every build), sanitizers.
add_library(voxwake_options INTERFACE)
target_compile_options(voxwake_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
if(VOXWAKE_WERROR)
  target_compile_options(voxwake_options INTERFACE -Werror)
endif()
# gcc 12 at -O3: false positives inside the headers of Eigen and the standard library (GCC bug 105329 and kin).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(voxwake_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()
if(VOXWAKE_SANITIZE)
  # -g1: reports need lines and names of functions; variables and types would cost a third of the build.
  target_compile_options(voxwake_options INTERFACE -fsanitize=${VOXWAKE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  target_link_options(voxwake_options INTERFACE -fsanitize=${VOXWAKE_SANITIZE})
  # Vector kernels for two instruction sets instead of four: the one that every x86-64 processor has, and AVX2. Under a sanitizer a kernel takes
  # the compiler one to four minutes for each.
  if(VOXWAKE_SANITIZE MATCHES "address|thread" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_definitions(voxwake_options INTERFACE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")
  endif()
endif()
if(VOXWAKE_FUZZ)
  # Parsers are what is fuzzed: -O1, the build's own instruction set alone, and no sanitizers in the vector kernels (voxwake_library() below) keep the
  # compiler's time and memory within bounds. Highway inlines all of a kernel: under sanitizers each takes minutes.
  target_compile_options(voxwake_options INTERFACE -fsanitize=fuzzer-no-link -O1)
  target_compile_definitions(voxwake_options INTERFACE HWY_COMPILE_ONLY_STATIC)
endif()
target_include_directories(voxwake_options INTERFACE ${CMAKE_SOURCE_DIR})
# Tests wait for what they test, not for themselves, and half of the sources are theirs.
add_library(voxwake_test_options INTERFACE)
target_compile_options(voxwake_test_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)

# gcc's own garbage collector takes an eighth of the time of a source and frees little: a source needs at most 1.3 GB without it, 1.1 GB with it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT VOXWAKE_SANITIZE)
  target_compile_options(voxwake_options INTERFACE "SHELL:--param ggc-min-heapsize=1000000")
endif()

# Headers that nearly every source reads, compiled once for the libraries and once for the tests. A source includes what it needs all the same:
# under clang-tidy and with VOXWAKE_PCH off it stands alone.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND VOXWAKE_PCH)
  target_compile_options(voxwake_options INTERFACE -fpch-preprocess)  # ccache needs it
endif()
# voxwake_headers(name HEADERS <header>... DEPS targets...)
function(voxwake_headers name)
  if(NOT VOXWAKE_PCH)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "HEADERS;DEPS" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE voxwake_options Eigen3::Eigen tl::expected fmt::fmt Threads::Threads ${ARG_DEPS})
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <memory> <optional> <span> <string> <string_view> <utility> <variant> <vector>
    <Eigen/Core> <Eigen/Geometry> <fmt/format.h> <tl/expected.hpp> ${ARG_HEADERS})
endfunction()
voxwake_headers(voxwake_headers)
if(VOXWAKE_TESTS)
  voxwake_headers(voxwake_test_headers HEADERS <gmock/gmock.h> <gtest/gtest.h> DEPS voxwake_test_options GTest::gtest_main GTest::gmock)
endif()
# voxwake_precompiled(target name): the target reads the headers of that name precompiled.
function(voxwake_precompiled target name)
  if(VOXWAKE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# voxwake_library(name [FOLDERS folder...] [TREES folder...] [DEPS targets...]): a static library of all sources directly in the folders and, of the trees, also in the folders below them.
function(voxwake_library name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;TREES;DEPS" ${ARGN})
  set(sources)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h)
    list(APPEND sources ${found})
  endforeach()
  foreach(tree ${ARG_TREES})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${tree}/*.cpp ${tree}/*.h)
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources MATCHES "\\.cpp")  # headers only, so far
    file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")
    list(APPEND sources ${CMAKE_BINARY_DIR}/empty.cpp)
  endif()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC voxwake_options ${ARG_DEPS})
  voxwake_precompiled(${name} voxwake_headers)
  if(VOXWAKE_FUZZ)
    foreach(source ${sources})
      file(STRINGS ${source} dispatch REGEX "hwy/foreach_target.h")
      if(dispatch)
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
  endif()
endfunction()

# voxwake_test(name FILES... DEPS...): tests/<name>/*.cpp, and files of other folders of tests/, as one GoogleTest program; names ending in a label run under that ctest label.
function(voxwake_test name)
  cmake_parse_arguments(ARG "" "" "FILES;DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${name}/*.cpp ${CMAKE_SOURCE_DIR}/tests/${name}/*.h)
  list(APPEND sources ${ARG_FILES})
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources} ${CMAKE_SOURCE_DIR}/tests/support/own_home.cpp)
  target_link_libraries(test_${name} PRIVATE voxwake_options voxwake_test_options ${ARG_DEPS} GTest::gtest_main GTest::gmock)
  if(ARG_DEPS)  # or its flags are others than the headers were compiled with
    voxwake_precompiled(test_${name} voxwake_test_headers)
  endif()
  target_compile_definitions(test_${name} PRIVATE VOXWAKE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" VOXWAKE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  include(GoogleTest)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()
