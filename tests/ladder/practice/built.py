"""A sandbox whose stand-in for CMake copies link commands and simtcc from the build folder LADDER_CPU_BUILD, whose objects
are used in place."""
import os
import pathlib

from sandbox import Sandbox

BUILT = pathlib.Path(os.environ.get("LADDER_CPU_BUILD", "/nowhere"))

BUILDER = """\
echo "$*" >>"$CALLS"
case $1 in
  --version) echo "cmake version 3.25.1"; exit ;;
  --preset) mkdir -p build/cpu/bin; echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/cpu/CMakeCache.txt
    echo "LADDER_TESTS:BOOL=on" >>build/cpu/CMakeCache.txt; echo >build/cpu/build.ninja
    mkdir -p build/cpu/simt; cp -r "$BUILT/link" build/cpu; cp "$BUILT"/simt/*.rsp build/cpu/simt
    cp "$BUILT/bin/simtcc" build/cpu/bin ;;
esac
"""


class Built(Sandbox):
    patience = 500  # the whole suite may run twice

    def setUp(self) -> None:
        if not (BUILT / "bin").is_dir():
            self.skipTest("LADDER_CPU_BUILD names no build; ctest sets it")
        super().setUp()
        self.environment["BUILT"] = str(BUILT)
        self.stand_in("cmake", BUILDER)
