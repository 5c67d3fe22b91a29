"""The page's modules keep to their types: TypeScript's compiler reads their JSDoc and makes nothing of it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = Path(__file__).with_name("tsconfig.json")
OURS = Path(sys.prefix, "node", "node_modules", ".bin", "tsc")  # where `make system` puts it


def test_the_modules_keep_to_their_types() -> None:
    compiler = str(OURS) if OURS.exists() else shutil.which("tsc")
    if compiler is None or shutil.which("node") is None:
        pytest.skip("no TypeScript here: `make system` installs it with npm")
    found = subprocess.run([compiler, "-p", SETTINGS], capture_output=True, text=True, timeout=300)
    assert found.stdout == "" and found.returncode == 0
