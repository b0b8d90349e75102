"""The arrows between the packages: who may import whom."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "rules": set(),
    "calibration": {"rules"},
    "models": {"rules", "calibration"},
    "vision": {"rules", "calibration", "models"},
    "clock_bridge": {"rules"},
    "qiyan": {"rules", "calibration", "models", "vision", "clock_bridge"},
}
STANDARD_ONLY = "rules"


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_stands_left_of_it(package: str) -> None:
    ours = set(MAY_IMPORT)
    for path in (ROOT / package).rglob("*.py"):
        reached = (_imports(path) & ours) - {package}
        assert reached <= MAY_IMPORT[package], f"{path.relative_to(ROOT)} imports {reached - MAY_IMPORT[package]}"


def test_the_rules_need_nothing_but_the_standard_library() -> None:
    import sys

    for path in (ROOT / STANDARD_ONLY).rglob("*.py"):
        foreign = _imports(path) - set(sys.stdlib_module_names) - {STANDARD_ONLY}
        assert not foreign, f"{path.relative_to(ROOT)} imports {foreign}"
