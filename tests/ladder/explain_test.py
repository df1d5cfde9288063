"""The output of ./ladder explain: the kernel with its columns, the diagnosis, the comparison of two lessons, the next step,
and the source of the widths of fused loads."""
import re
import unittest

from explained import BUILT, LESSONS, counted, line_of
from ladder.explaining.text import Explained, as_json, text
from ladder.explaining.widths import widths
from ladder.lessons import find


def explained(lesson: str, *arguments: object) -> Explained:
    return Explained(lesson, counted(lesson, *arguments))


def rendered(lesson: str, *arguments: object) -> str:
    return text(explained(lesson, *(arguments or (64, 64, 64))), None, [])


class TextTest(unittest.TestCase):
    def finding(self, output: str, line: str) -> None:
        """Checks that a line of the diagnosis begins with `line`, even if it is wrapped."""
        self.assertIn("  " + line, re.sub(r"\n {6}", " ", output))

    def test_the_whole_kernel(self) -> None:
        """The kernel's source is shown in full."""
        for lesson in LESSONS:
            code, output = find(lesson).text.split("\n"), rendered(lesson)
            first = max(at for at, line in enumerate(code) if "__global__ void" in line)
            last = next(at for at in range(first, len(code)) if code[at].startswith("}"))
            for at in range(first, last + 1):
                self.assertIn("\n%4d  %s" % (at + 1, code[at]), output)
            self.assertIsNone(re.search(r"(?m)^ *\d+  .*\.\.\.$", output), lesson)
            for column in ("requests", "sectors", "wavefronts", "share"):
                self.assertEqual(len(re.findall(r"(?m)^%s  *[a-z0-9']" % re.escape(column), output)), 1, column)
            self.assertRegex(output, r"\nNext  ")

    def test_functions_that_access_no_memory_are_left_out(self) -> None:
        output = rendered("07_double_buffer")
        self.assertIn("void load_transposed(", output)
        self.assertNotIn("void outer_product(", output)
        self.assertIn("}\n      ...\n", output)

    def test_columns(self) -> None:
        """Lines with figures have at most 100 columns; code may be longer. Without a terminal there is no colour."""
        for lesson in BUILT:
            output = rendered(lesson, 97, 131, 65)
            self.assertIn("\nDiagnosis\n", output)
            wide = [line for line in output.split("\n") if len(line) > 100 and not re.match(r" *\d+  ", line)]
            self.assertEqual(wide, [], lesson)
            self.assertNotIn("\033", output)

    def test_diagnosis(self) -> None:
        output, line = rendered("00_naive"), line_of("00_naive", "p.A[")
        self.finding(output, f"- A read at line {line}: 32 lanes, 32 sectors: uncoalesced (4 sectors would do)")
        self.finding(output, f"+ B read at line {line}: 32 lanes, 1 sector: broadcast")
        self.assertIn("Not modelled: cache hits, latency, occupancy", output)
        self.assertRegex(output, r"(?m)^ +16384 +16\.5 +99%$")
        output, line = rendered("01_shared_tile"), line_of("01_shared_tile", "shared[r][c] =")
        self.finding(output, f"- As store at line {line}: 32-way bank conflict (32 wavefronts per request, 1 without")
        self.finding(output, f"- A read at line {line}: 32 lanes, 32 sectors: uncoalesced")
        self.finding(rendered("02_coalesced"), "+ Shared memory: no bank conflicts")

    def test_copies(self) -> None:
        """In lesson 07 four rows of A lie in the same banks. In lesson 08 tile rows begin 16 bytes after a sector's start."""
        output = rendered("07_double_buffer", 256, 256, 96)
        line = line_of("07_double_buffer", "__pipeline_memcpy_async(&shared[c][r0 + i]")
        self.finding(output, f"- As filled by cp.async at line {line}: 4 wavefronts per request, 1 if lanes")
        line = line_of("07_double_buffer", "__pipeline_memcpy_async(&shared[r][c]")
        self.finding(output, f"+ B copied by cp.async at line {line} (16 bytes a lane): 32 lanes, 16 sectors")
        output = rendered("08_tensor_core_wmma", 256, 256, 96)
        line = line_of("08_tensor_core_wmma", "__pipeline_memcpy_async")
        self.finding(output, f"- A copied by cp.async at line {line} (16 bytes a lane): 32 lanes, 24 sectors: source and")
        self.assertIn(f"filled by cp.async at line {line} (16 bytes a lane): 9.3 wavefronts", output)

    def test_boxes_and_phases(self) -> None:
        """Boxes copied by TMA and the warps that wait for them. Rows of 264 halves begin inside sectors."""
        init = line_of("11_wgmma", "__mbarrier_init(&shared.full")
        box_A, box_B = (line_of("11_wgmma", f"cp_async_bulk_tensor_load(maps.{name}") for name in "AB")
        output = rendered("11_wgmma", 256, 256, 256)
        self.finding(output, f"+ A copied by TMA at line {box_A}: 8 boxes, 512 sectors each: whole sectors\n")
        self.assertIn(f"\nline {init}", output)
        full, empty = (line_of("11_wgmma", f"mbarrier_wait_parity(shared.{name}") for name in ("full", "empty"))
        self.assertRegex(output, rf"\nline {init} +8 +8 +1 +49152   at line {full}, by warps 0 to 7\n"
                               rf"line {init + 1} +8 +6 +8 +0   at line {empty}, by warp 8\n")
        self.finding(rendered("11_wgmma", 64, 264, 64),
                     f"- B copied by TMA at line {box_B}: 8 boxes, 152 sectors each: rows begin inside sectors")
        self.assertNotIn("mbarriers", rendered("02_coalesced"))

    def test_several_kernels(self) -> None:
        output = rendered("13_split_barrier", 64, 128, 8192)
        self.assertIn("\n  add_parts<float4>(): ", output)
        line = line_of("13_split_barrier", "c = sum;")
        self.finding(output, f"+ C written at line {line} (16 bytes a lane): ")
        self.finding(output, "+ global memory written at line ")

    def test_beside_another(self) -> None:
        """For a line that both lessons have, the other's figures follow in the row below."""
        other = Explained("other", counted("01_shared_tile", 64, 64, 64))
        own = explained("02_coalesced", 64, 64, 64)
        output = text(own, other, [])
        self.assertIn("02_coalesced               other       ratio", output)
        self.assertRegex(output, r"(?m)^  sectors per request +4\.00 +32\.00 +0\.125x$")
        self.assertIn("\nDiagnosis of other\n", output)
        self.assertRegex(output, r"(?m)^ +other, line \d+ +\d+ +[0-9.]+ ")
        for first, second, change in (("01_shared_tile", "00_naive", "new"), ("00_naive", "01_shared_tile", "gone")):
            self.assertRegex(text(explained(first, 64, 64, 64), explained(second, 64, 64, 64), []),
                             rf"(?m)^shared store: requests +\d+ +\d+ +{change}$")
        self.assertEqual(as_json(own, other)["against"]["global_load_sectors_per_request"], 32)
        self.assertEqual(as_json(own, None)["diagnosis"][-1], "Shared memory: no bank conflicts")

    def test_terms_of_the_totals_have_legends(self) -> None:
        legends = ("\nas nvcc fuses them  ", "\nfor the distinct words  ")
        for lesson, fuse, there in (("00_naive", "", (False, False)), ("06_smem_transpose", "", (False, True)),
                                    ("02_coalesced", "As=16,Bs=4", (True, True))):
            output = rendered(lesson, 64, 64, 64, *(["--fuse", fuse] if fuse else []))
            self.assertEqual(tuple(legend in output for legend in legends), there, lesson)

    def test_next(self) -> None:
        """The hint names a line that the next lesson changes: the line is gone there, or its figures differ."""
        for lesson, following in zip(LESSONS, LESSONS[1:]):
            output = re.sub(r"\n {6}", " ", rendered(lesson, 256, 256, 256))
            found = re.search(r"\nNext  (\S+) changes line (\d+): .*\. (\./ladder explain \S+ --against \S+) shows", output)
            self.assertTrue(found, output[-400:])
            self.assertEqual((found[1], found[3]),
                             (following, f"./ladder explain {following[:2]} --against {lesson[:2]}"))
            own, = (line for line in explained(lesson, 256, 256, 256).lines if line.number == int(found[2]))
            self.assertNotIn(own[1:], [line[1:] for line in explained(following, 256, 256, 256).lines], lesson)
        output = re.sub(r"\n {6}", " ", rendered(LESSONS[-1]))
        self.assertRegex(output, r"\nNext  line \d+ wastes the most \w+; exercises: 08_tensor_core_wmma/README.md\n")
        self.assertRegex(rendered("13_split_barrier"), r"\nNext  line \d+ (costs|wastes) the most( \w+)?\n")

    def test_wavefronts(self) -> None:
        """Wavefronts of 02 and 05 counted by hand, as on their pages. None with tensor cores, and no ceiling for doubles."""
        output = rendered("02_coalesced", 256, 256, 256)
        for name, requests, wavefronts in (("cache lines of global loads", 32768, 32768), ("shared stores", 32768, 32768),
                                       ("  of As", 131072, 262144), ("  of Bs", 524288, 524288)):
            each = "%.4g" % (requests / 524288), "%.4g" % (wavefronts / 524288)
            self.assertRegex(output, r"(?m)^%s +%d +%d +%s +%s$" % (name, requests, wavefronts, *map(re.escape, each)))
        self.assertRegex(output, r"(?m)^all wavefronts +851968 +1\.625$")
        self.assertIn("\nthe ceiling: 0.25 / 1.625 = 15.4 % of the peak\n", output)
        own = explained("05_outer_product", 256, 256, 256)
        self.assertEqual((own.wavefronts.total, round(own.wavefronts.ceiling)), (126976, 103))
        self.assertEqual(as_json(own, None)["wavefronts"]["all"], 126976)
        self.assertEqual(sum(part.requests for part in own.wavefronts.parts if part.name == "  of A"), 1024)
        self.assertNotIn("\nWavefronts", rendered("08_tensor_core_wmma"))
        doubles = counted("02_coalesced", 64, 64, 64)
        doubles = {**doubles, "totals": {**doubles["totals"], "fma64": doubles["totals"]["fma"]}}
        output = text(Explained("mine", doubles), None, [])
        self.assertIn("\nWavefronts ", output)
        self.assertNotIn("the ceiling:", output)

    def test_leading_dimensions(self) -> None:
        """A row stride that float4 does not fit disables the 16-byte accesses."""
        output = text(explained("04_float4", 64, 64, 64, "--lda", 65), None, ["lda = 65"])
        self.assertIn("M N K = 64 64 64, lda = 65:", output)
        self.assertNotIn("16 bytes a lane", output)
        self.assertIn("16 bytes a lane", rendered("04_float4", 64, 64, 64, "--lda", 68, "--ldc", 68))

    def test_the_source_of_widths(self) -> None:
        """Comments do not matter. An edited source gets its lesson's widths, with a note."""
        source = find("02_coalesced").text
        self.assertEqual(widths(source), (["--fuse", "As=16,Bs=4"], ""))
        self.assertEqual(widths("// Mine.\n" + source, "03_thread_tile"), (["--fuse", "As=16,Bs=4"], ""))
        edited = source.replace("BM = 32", "BM = 16")
        self.assertEqual(widths(edited), ([], ""))
        fuse, note = widths(edited, "02_coalesced")
        self.assertEqual(fuse, ["--fuse", "As=16,Bs=4"])
        self.assertIn("widths for the unedited 02_coalesced", note)
        self.assertIn("\n\n" + note + "\n\n", text(explained("02_coalesced", 64, 64, 64)._replace(note=note), None, []))
        for lesson in LESSONS:
            self.assertEqual(widths(find(lesson).text, lesson)[1], "", "run common/measure/counters/fusion.py")
