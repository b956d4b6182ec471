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
  target_compile_options(voxwake_options INTERFACE -fsanitize=${VOXWAKE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(voxwake_options INTERFACE -fsanitize=${VOXWAKE_SANITIZE})
endif()
target_include_directories(voxwake_options INTERFACE ${CMAKE_SOURCE_DIR})

# voxwake_library(name folder... [DEPS targets...]): a static library of all sources directly in the folders.
function(voxwake_library name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;DEPS" ${ARGN})
  set(sources)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h)
    list(APPEND sources ${found})
  endforeach()
  if(NOT sources MATCHES "\\.cpp")  # headers only, so far
    file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")
    list(APPEND sources ${CMAKE_BINARY_DIR}/empty.cpp)
  endif()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC voxwake_options ${ARG_DEPS})
endfunction()

# voxwake_test(name DEPS...): tests/<name>/*.cpp as one GoogleTest program; names ending in a label run under that ctest label.
function(voxwake_test name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${name}/*.cpp ${CMAKE_SOURCE_DIR}/tests/${name}/*.h)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE voxwake_options ${ARG_DEPS} GTest::gtest_main GTest::gmock)
  target_compile_definitions(test_${name} PRIVATE VOXWAKE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" VOXWAKE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  include(GoogleTest)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600)
endfunction()
