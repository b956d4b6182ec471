# What is installed beside the programs and libraries, and the Debian packages that tools/package.sh makes with CPack:
# voxwake (component program), libvoxwake-dev (dev) and python3-voxwake (python). docs/packages.md describes them.
set(packaging ${CMAKE_SOURCE_DIR}/packaging)
install(DIRECTORY assets/ DESTINATION share/voxwake/assets COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/voxwake COMPONENT license)  # the Debian packages have the file copyright instead
install(FILES ${packaging}/voxwake.desktop DESTINATION share/applications COMPONENT program)
install(FILES ${packaging}/voxwake.xml DESTINATION share/mime/packages COMPONENT program)
install(FILES ${packaging}/icons/voxwake.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
foreach(size 16 32 48 64 128 256)
  install(FILES ${packaging}/icons/voxwake-${size}.png DESTINATION share/icons/hicolor/${size}x${size}/apps RENAME voxwake.png COMPONENT program)
endforeach()

# Licence, changes and, as Debian requires, the changelog of the package, for each of the three packages.
set(VOXWAKE_PACKAGE_RELEASE 1)
string(REPLACE - ~ VOXWAKE_DEBIAN_VERSION ${VOXWAKE_VERSION})
set(CPACK_PACKAGE_VERSION ${VOXWAKE_DEBIAN_VERSION})
set(voxwake_component_program voxwake)
set(voxwake_component_dev libvoxwake-dev)
set(voxwake_component_python python3-voxwake)
function(voxwake_compressed source target)  # compressed without name and time, so that equal sources give equal bytes
  execute_process(COMMAND gzip -9nc ${source} OUTPUT_FILE ${target} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(docs ${CMAKE_BINARY_DIR}/packaging)
file(MAKE_DIRECTORY ${docs})
configure_file(${packaging}/changelog.Debian.in ${docs}/changelog.Debian @ONLY)
voxwake_compressed(${docs}/changelog.Debian ${docs}/changelog.Debian.gz)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/CHANGELOG.md)
voxwake_compressed(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${docs}/changelog.gz)
foreach(component program dev python)
  set(folder share/doc/${voxwake_component_${component}})
  install(FILES ${packaging}/copyright ${docs}/changelog.gz ${docs}/changelog.Debian.gz DESTINATION ${folder} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${packaging}/lintian/${voxwake_component_${component}} DESTINATION share/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_PACKAGE_NAME voxwake)
set(CPACK_PACKAGE_VENDOR "The Voxwake founders")
set(CPACK_PACKAGE_CONTACT "The Voxwake founders <noreply@voxwake.invalid>")
# First line of the description of every package; the rest follows below.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of soft bodies, water, rigid bodies, wind and flocks")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${VOXWAKE_PACKAGE_RELEASE})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
if(VOXWAKE_PYTHON)
  set(CPACK_COMPONENTS_ALL python)
else()
  set(CPACK_COMPONENTS_ALL program dev)
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME voxwake)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libegl1, libgl1, libgl1-mesa-dri, fonts-roboto-unhinted")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libvoxwake-dev, python3-voxwake")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Voxwake simulates soft voxel bodies, water, rigid bodies, particles, flocks
and turbulent wind that act on each other in one world. The user touches,
tunes and records the world while it runs, and every run repeats bit for bit.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libvoxwake-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libassimp-dev, libeigen3-dev, libexpected-dev, libfmt-dev, libhwy-dev, libmuparser-dev, libpng-dev, libpugixml-dev, libtbb-dev, libxxhash-dev, libzstd-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "voxwake")
set(CPACK_DEBIAN_DEV_DESCRIPTION "This package contains the static library and the headers for C++
programs, which find them by find_package(voxwake). The packaged scenes are in
the package voxwake.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-voxwake)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
if(VOXWAKE_PYTHON)
  math(EXPR voxwake_next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${voxwake_next_python}), python3-numpy")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "libegl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${packaging}/python/postinst;${packaging}/python/prerm")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "This package contains the Python module, which runs worlds, reads their state
as NumPy arrays, builds scenes and draws pictures.")
include(CPack)
