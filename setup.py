"""Builds the Cython kernels; all else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("KOPSIM_DEBUG") == "1"

directives = {
    "language_level": "3",
    "binding": True,
    "cdivision": not DEBUG,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "overflowcheck": False,
}
if sys.platform == "win32":
    flags = ["/O2"]
else:
    flags = [
        "-O3",
        "-Wextra",
        "-Wtype-limits",
        "-fno-tree-vectorize",
        "-Wno-unused-parameter",
        "-Wno-missing-field-initializers",
    ]

kernels = sorted(Path("ext/kopsim").glob("*.pyx"))
extensions = [
    Extension(f"kopsim.{kernel.stem}", [kernel.as_posix()], include_dirs=["ext/include"], extra_compile_args=flags)
    for kernel in kernels
]

data = ["kopsim.data", *(f"kopsim.data.{folder.name}" for folder in Path("data").iterdir() if folder.is_dir())]

setup(
    # Kernels and data stand beside src in the checkout and inside the package when installed.
    package_dir={"": "src", "kopsim.data": "data"},
    packages=["kopsim", "kopsim.rules", "kopsim.throwdowns", "kopsim.faces", "kopsim.faces.site", *data],
    package_data={
        "": ["py.typed", "*.pyi", "*.md", "*.toml", "*.odds", "*.play-out", "*.bounds", "*.kontra"],
        "kopsim.faces.site": ["assets/*"],
    },
    ext_modules=cythonize(
        extensions,
        include_path=["ext"],
        # Directives do not trigger a rebuild, so each set has a folder of its own.
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        compiler_directives=directives,
        force=bool(os.environ.get("KOPSIM_FORCE")),
    ),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    zip_safe=False,
)
