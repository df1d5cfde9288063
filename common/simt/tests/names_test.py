"""Which functions of CUDA the headers of the backend declare: a test calls each, and none is refused as well."""
import pathlib
import re
import unittest
from typing import Dict

SIMT = pathlib.Path(__file__).resolve().parents[1]
DECLARED = re.compile(r"^(?!return|decltype|using|namespace|static_assert|typedef decltype)[A-Za-z_][\w:<>&*, ]*[ *&](\w+)\(", re.M)


def declared() -> Dict[str, str]:
    """Functions outside of namespaces, with their header."""
    names = {}
    for header in sorted((SIMT / "include").rglob("*.h")):
        text = header.read_text(encoding="utf-8")
        text = re.sub(r"^namespace [\w:]+ \{.*?^\}  // namespace", "", text, flags=re.S | re.M)
        text = re.sub(r"//.*", "", text).replace("\\\n", " ")
        for match in DECLARED.finditer(text):
            if "::" not in match[0] and "simt" not in match[0]:
                names.setdefault(match[1], header.name)
    return names


class Names(unittest.TestCase):
    def test_a_test_calls_each(self) -> None:
        sources = [path.read_text(encoding="utf-8") for pattern in ("*.cu", "*.cpp", "*.h")
                   for path in (SIMT / "tests").rglob(pattern)]
        called = set(re.findall(r"\w+", " ".join(sources)))
        untested = sorted(f"{header}: {name}" for name, header in declared().items() if name not in called)
        self.assertEqual(untested, [], "no test calls these")

    def test_none_is_refused(self) -> None:
        refused = set(re.findall(r'\{"(\w+)", "', (SIMT / "src" / "frontend" / "unsupported.h").read_text(encoding="utf-8")))
        self.assertGreater(len(refused), 10)
        self.assertEqual(sorted(refused & set(declared())), [], "declared, and in unsupported.h")


if __name__ == "__main__":
    unittest.main()
