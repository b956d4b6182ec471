"""Builds the extension module by CMake (preset `python`) and adds the assets to the package."""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """Builds the module in build/python, and copies it and the assets to the package."""

    def build_extension(self, ext):
        # Without this setting, ccache does not store objects that use a precompiled header.
        environment = {"CCACHE_SLOPPINESS": "pch_defines,time_macros", **os.environ}
        # The build folder outlives a virtual environment, so it refers to the interpreter outside. That interpreter
        # finds NumPy through PYTHONPATH.
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        configure = ["cmake", "--preset", "python", f"-DPython_EXECUTABLE={os.path.realpath(sys.executable)}"]
        build = ["cmake", "--build", "build/python", "--target", "voxwake_python"]
        for command in (configure, build):
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        package = ROOT / "build/python/python/voxwake"
        shutil.copy2(package / target.name, target)
        if not self.inplace:
            for stub in package.glob("*.pyi"):
                shutil.copy2(stub, target.parent)
            shutil.copytree(ROOT / "assets", target.parent / "assets", dirs_exist_ok=True)


version = (ROOT / "packaging/version.txt").read_text().strip().replace("-", "")  # PEP 440 writes candidates as 1.0.0rc1
(ROOT / "build/python").mkdir(parents=True, exist_ok=True)
setup(
    version=version,
    ext_modules=[Extension("voxwake._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": "build/python"}, "build": {"build_base": "build/python/wheel"}},
)
