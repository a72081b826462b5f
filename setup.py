"""The one step of a build that pyproject.toml cannot say: the kits go into the package. All the rest is there."""

import importlib.util
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_PROJECT = Path(__file__).parent


class _BuildWithKits(build_py):
    """Copies sample_bots to arena/kits, without what the bots' own builds make. An editable install needs no copy."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        # By its path: the package itself needs what is not installed while it is built.
        spec = importlib.util.spec_from_file_location("kits", _PROJECT / "arena" / "check" / "kits.py")
        kits = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(kits)
        kits.copy_all(_PROJECT / "sample_bots", Path(self.build_lib) / "arena" / "kits")


setup(cmdclass={"build_py": _BuildWithKits})
