# Options of all targets: warnings as errors, strict floating point (equal bits in every build), and sanitizers.
add_library(voxwake_options INTERFACE)
target_compile_options(voxwake_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
if(VOXWAKE_WERROR)
  target_compile_options(voxwake_options INTERFACE -Werror)
endif()
# At -O3, gcc 12 gives false warnings inside the headers of Eigen and the standard library (GCC bug 105329 and related
# bugs).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(voxwake_options INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()
if(VOXWAKE_SANITIZE)
  # With -g1, reports name functions and lines. Debug information about variables and types would take a third of the
  # build time.
  target_compile_options(voxwake_options INTERFACE -fsanitize=${VOXWAKE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  target_link_options(voxwake_options INTERFACE -fsanitize=${VOXWAKE_SANITIZE})
  # Vector kernels are compiled for two instruction sets instead of four: the x86-64 baseline and AVX2. Under a
  # sanitizer, the compiler needs one to four minutes for each kernel and instruction set.
  if(VOXWAKE_SANITIZE MATCHES "address|thread" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_definitions(voxwake_options INTERFACE "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")
  endif()
endif()
if(VOXWAKE_FUZZ)
  # Only parsers are fuzzed. Three measures limit the time and memory of the compiler: -O1, vector kernels for a single
  # instruction set, and no sanitizers in the vector kernels (voxwake_library()). Highway inlines a whole kernel, so
  # under sanitizers a kernel takes minutes to compile.
  target_compile_options(voxwake_options INTERFACE -fsanitize=fuzzer-no-link -O1)
  target_compile_definitions(voxwake_options INTERFACE HWY_COMPILE_ONLY_STATIC)
endif()
# On aarch64, kernels are compiled only for NEON. SVE is disabled, because the width of SVE vectors is unknown at
# compile time and SVE vector types cannot be members of a structure. Highway's NEON target requires the option `crypto`
# for the whole source, but no kernel uses a crypto instruction. Without __ARM_FEATURE_FMA, Eigen does not fuse products
# and sums, as on x86-64.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|ARM64")
  target_compile_options(voxwake_options INTERFACE -march=armv8-a+crypto -U__ARM_FEATURE_FMA)
  target_compile_definitions(voxwake_options INTERFACE "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()
target_include_directories(voxwake_options INTERFACE ${CMAKE_SOURCE_DIR})
# The headers of Windows define macros such as `min`; these options leave out what Voxwake does not use. The C library
# opens files as bytes if binmode.o is linked. Stacks are as large as on Linux.
if(WIN32)
  target_compile_definitions(voxwake_options INTERFACE NOMINMAX WIN32_LEAN_AND_MEAN)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=binmode.o OUTPUT_VARIABLE voxwake_binmode
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  target_link_options(voxwake_options INTERFACE -Wl,--stack,8388608 ${voxwake_binmode})
endif()
# Half of the sources are tests. Tests spend their time in the tested libraries, so -O1 is enough for tests and saves
# build time.
add_library(voxwake_test_options INTERFACE)
target_compile_options(voxwake_test_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)
# The code of the window and of the command line spends its time in the other libraries, too. It is a third of the
# program, and takes three quarters of the compile time at -O1.
add_library(voxwake_interface_options INTERFACE)
target_compile_options(voxwake_interface_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)

# The garbage collector of gcc takes an eighth of the compile time and frees little memory. A source needs at most 1.3
# GB without the collector and 1.1 GB with it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT VOXWAKE_SANITIZE)
  target_compile_options(voxwake_options INTERFACE "SHELL:--param ggc-min-heapsize=1000000")
endif()

# Headers that nearly every source includes are precompiled, once for the libraries and once for the tests. Each source
# must still include all headers that it needs, because clang-tidy and builds without VOXWAKE_PCH do not use precompiled
# headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND VOXWAKE_PCH)
  target_compile_options(voxwake_options INTERFACE -fpch-preprocess)  # ccache requires this option
endif()
# voxwake_headers(name HEADERS <header>... DEPS targets...): precompiles the common headers and the given headers.
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
voxwake_headers(voxwake_interface_headers DEPS voxwake_interface_options)  # gcc takes the level from these headers
if(VOXWAKE_TESTS)
  # Most tests build worlds from scenes. Precompiling the headers of worlds and scenes as well saves a tenth of the
  # compile time of the tests.
  if(WIN32)
    set(voxwake_posix "${CMAKE_SOURCE_DIR}/tests/support/posix_windows.h")
  endif()
  voxwake_headers(voxwake_test_headers HEADERS ${voxwake_posix} <gmock/gmock.h> <gtest/gtest.h> "${CMAKE_SOURCE_DIR}/sim/world/session.h" "${CMAKE_SOURCE_DIR}/sim/scene/scene.h" DEPS voxwake_test_options GTest::gtest_main GTest::gmock)
endif()
# voxwake_precompiled(target name): makes the target use the precompiled headers `name`.
function(voxwake_precompiled target name)
  if(VOXWAKE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# voxwake_joined(target sources): compiles groups of VOXWAKE_JOIN sources of the target as one source each. This halves
# the time of a full build, because headers and templates are compiled once per group. Names in anonymous namespaces
# must therefore be unique within the target. Vector kernels and sources with their own compile options are compiled
# alone. Under AddressSanitizer a group has at most four sources, because the compiler needs more memory.
function(voxwake_joined target sources)
  if(NOT VOXWAKE_JOIN)
    return()
  endif()
  set(size ${VOXWAKE_JOIN})
  if(VOXWAKE_SANITIZE MATCHES "address" AND size GREATER 4)
    set(size 4)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  # gcc warns about a class with a member whose type is in an anonymous namespace, unless the class is defined in the
  # source file itself. In joined sources, the warning is a false alarm.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  foreach(source ${sources})
    file(STRINGS ${source} dispatch REGEX "hwy/foreach_target.h")
    if(dispatch OR source MATCHES "_windows\\.cpp$")  # the headers of Windows define macros
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# voxwake_system_sources(list): removes the sources of other operating systems from the list. Code that depends on the
# system has a source for POSIX systems, NAME_posix.cpp, and one for Windows, NAME_windows.cpp.
function(voxwake_system_sources list)
  set(other windows)
  if(WIN32)
    set(other posix)
  endif()
  list(FILTER ${list} EXCLUDE REGEX "_${other}\\.cpp$")
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# voxwake_library(name [INTERFACE] [FOLDERS folder...] [TREES folder...] [DEPS targets...]): adds a static library of all
# sources directly in the folders, and of all sources in the trees and the folders below them. With INTERFACE, it is
# compiled with voxwake_interface_options.
function(voxwake_library name)
  cmake_parse_arguments(ARG "INTERFACE" "" "FOLDERS;TREES;DEPS" ${ARGN})
  set(sources)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*.h)
    list(APPEND sources ${found})
  endforeach()
  foreach(tree ${ARG_TREES})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${tree}/*.cpp ${tree}/*.h)
    list(APPEND sources ${found})
  endforeach()
  voxwake_system_sources(sources)
  if(NOT sources MATCHES "\\.cpp")  # The folders contain only headers.
    file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")
    list(APPEND sources ${CMAKE_BINARY_DIR}/empty.cpp)
  endif()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:voxwake_options> ${ARG_DEPS})
  if(ARG_INTERFACE)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:voxwake_interface_options>)
    voxwake_precompiled(${name} voxwake_interface_headers)
  else()
    voxwake_precompiled(${name} voxwake_headers)
  endif()
  voxwake_joined(${name} "${sources}")
  if(VOXWAKE_FUZZ)
    foreach(source ${sources})
      file(STRINGS ${source} dispatch REGEX "hwy/foreach_target.h")
      if(dispatch)
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
  endif()
endfunction()

# voxwake_test(name [FOLDERS folder...] [FILES file...] [DEPS target...]): adds a GoogleTest program of tests/<name>/*.cpp,
# the given folders in tests/<name>, and the given files of other folders of tests/.
function(voxwake_test name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;FILES;DEPS" ${ARGN})
  set(patterns ${CMAKE_SOURCE_DIR}/tests/${name}/*.cpp ${CMAKE_SOURCE_DIR}/tests/${name}/*.h)
  foreach(folder ${ARG_FOLDERS})
    list(APPEND patterns ${CMAKE_SOURCE_DIR}/tests/${name}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/tests/${name}/${folder}/*.h)
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  list(APPEND sources ${ARG_FILES})
  if(WIN32)
    list(FILTER sources EXCLUDE REGEX "${voxwake_posix_tests}")
  endif()
  if(NOT sources)
    return()
  endif()
  set(support ${CMAKE_SOURCE_DIR}/tests/support/own_home.cpp)
  if(NOT WIN32)
    list(APPEND support ${CMAKE_SOURCE_DIR}/tests/support/crash_report_posix.cpp)
  endif()
  add_executable(test_${name} ${sources} ${support})
  target_link_libraries(test_${name} PRIVATE voxwake_options voxwake_test_options ${ARG_DEPS} GTest::gtest_main GTest::gmock)
  voxwake_joined(test_${name} "${sources}")
  if(ARG_DEPS)  # Without dependencies, the compiler flags would differ from the flags of the precompiled headers.
    voxwake_precompiled(test_${name} voxwake_test_headers)
  endif()
  target_compile_definitions(test_${name} PRIVATE VOXWAKE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" VOXWAKE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  include(GoogleTest)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()
