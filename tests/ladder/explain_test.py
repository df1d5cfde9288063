"""How ./ladder explain tells what the explain programs count: the kernel, the columns, the diagnosis, lines
beside lines, what next, and by whose widths the fused figures are."""
import re
import unittest

from explained import BUILT, LESSONS, counted, line_of
from ladder.explaining.text import Explained, as_json, text
from ladder.explaining.widths import widths
from ladder.lessons import find


def explained(lesson: str, *words: object) -> Explained:
    return Explained(lesson, counted(lesson, *words))


def rendered(lesson: str, *words: object) -> str:
    return text(explained(lesson, *(words or (64, 64, 64))), None, [])


class TextTest(unittest.TestCase):
    def finding(self, told: str, line: str) -> None:
        """A line of the diagnosis begins so; it may be wrapped."""
        self.assertIn("  " + line, re.sub(r"\n {6}", " ", told))

    def test_the_whole_kernel(self) -> None:
        """In the source's words, with nothing cut."""
        for lesson in LESSONS:
            code, told = find(lesson).text.split("\n"), rendered(lesson)
            first = max(at for at, line in enumerate(code) if "__global__ void" in line)
            last = next(at for at in range(first, len(code)) if code[at].startswith("}"))
            for at in range(first, last + 1):
                self.assertIn("\n%4d  %s" % (at + 1, code[at]), told)
            self.assertIsNone(re.search(r"(?m)^ *\d+  .*\.\.\.$", told), lesson)
            for column in ("requests", "sectors", "wavefronts", "share"):
                self.assertEqual(len(re.findall(r"(?m)^%s  *[a-z0-9']" % re.escape(column), told)), 1, column)
            self.assertRegex(told, r"\nNext  ")

    def test_functions_that_access_no_memory_are_left_out(self) -> None:
        told = rendered("07_double_buffer")
        self.assertIn("void load_transposed(", told)
        self.assertNotIn("void outer_product(", told)
        self.assertIn("}\n      ...\n", told)

    def test_columns(self) -> None:
        """Figures within 100 columns; code may be longer. No colour where there is no terminal."""
        for lesson in BUILT:
            told = rendered(lesson, 97, 131, 65)
            self.assertIn("\nDiagnosis\n", told)
            wide = [line for line in told.split("\n") if len(line) > 100 and not re.match(r" *\d+  ", line)]
            self.assertEqual(wide, [], lesson)
            self.assertNotIn("\033", told)

    def test_diagnosis(self) -> None:
        told, line = rendered("00_naive"), line_of("00_naive", "p.A[")
        self.finding(told, f"- A read at line {line}: 32 lanes, 32 sectors: uncoalesced (4 sectors would do)")
        self.finding(told, f"+ B read at line {line}: 32 lanes, 1 sector: broadcast")
        self.assertIn("Not modelled: cache hits, latency, occupancy", told)
        self.assertRegex(told, r"(?m)^ +16384 +16\.5 +99%$")
        told, line = rendered("01_shared_tile"), line_of("01_shared_tile", "shared[r][c] =")
        self.finding(told, f"- As store at line {line}: 32-way bank conflict (32 wavefronts per request, 1 without")
        self.finding(told, f"- A read at line {line}: 32 lanes, 32 sectors: uncoalesced")
        self.finding(rendered("02_coalesced"), "+ Shared memory: no bank conflicts")

    def test_copies(self) -> None:
        """Four rows of A in the same banks; rows of 08's tiles begin 16 bytes off a sector."""
        told = rendered("07_double_buffer", 256, 256, 96)
        line = line_of("07_double_buffer", "__pipeline_memcpy_async(&shared[c][r0 + i]")
        self.finding(told, f"- As filled by cp.async at line {line}: 4 wavefronts per request, 1 if lanes")
        line = line_of("07_double_buffer", "__pipeline_memcpy_async(&shared[r][c]")
        self.finding(told, f"+ B copied by cp.async at line {line} (16 bytes a lane): 32 lanes, 16 sectors")
        told = rendered("08_tensor_core_wmma", 256, 256, 96)
        line = line_of("08_tensor_core_wmma", "__pipeline_memcpy_async")
        self.finding(told, f"- A copied by cp.async at line {line} (16 bytes a lane): 32 lanes, 24 sectors: source and")
        self.assertIn(f"filled by cp.async at line {line} (16 bytes a lane): 9.3 wavefronts", told)

    def test_boxes_and_phases(self) -> None:
        """Boxes that TMA copies, and who waits for them; rows of 264 halves begin inside sectors."""
        box, init = line_of("11_wgmma", "cp.async.bulk.tensor.2d") - 1, line_of("11_wgmma", "__mbarrier_init(&full")
        wait = line_of("11_wgmma", "mbarrier.try_wait.parity.shared") - 2
        told = rendered("11_wgmma", 256, 256, 256)
        self.finding(told, f"+ A copied by TMA at line {box}: 8 boxes, 512 sectors each: whole sectors\n")
        self.assertIn(f"\nline {init}", told)
        self.assertRegex(told, rf"\nline {init} +8 +8 +1 +49152   at line {wait}, by warps 0 to 7\n"
                               rf"line {init + 1} +8 +6 +8 +0   at line {wait}, by warp 8\n")
        self.finding(rendered("11_wgmma", 64, 264, 64),
                     f"- B copied by TMA at line {box}: 8 boxes, 152 sectors each: rows begin inside sectors")
        self.assertNotIn("mbarriers", rendered("02_coalesced"))

    def test_several_kernels(self) -> None:
        told = rendered("13_split_barrier", 64, 128, 8192)
        self.assertIn("\n  add_parts<float4>(): ", told)
        line = line_of("13_split_barrier", "c = sum;")
        self.finding(told, f"+ C written at line {line} (16 bytes a lane): ")
        self.finding(told, "+ global memory written at line ")

    def test_beside_another(self) -> None:
        """One line of text in both has other figures, in the other's row below."""
        other = Explained("other", counted("01_shared_tile", 64, 64, 64))
        own = explained("02_coalesced", 64, 64, 64)
        told = text(own, other, [])
        self.assertIn("02_coalesced               other       ratio", told)
        self.assertRegex(told, r"(?m)^  sectors per request +4\.00 +32\.00 +0\.125x$")
        self.assertIn("\nDiagnosis of other\n", told)
        self.assertRegex(told, r"(?m)^ +other, line \d+ +\d+ +[0-9.]+ ")
        self.assertEqual(as_json(own, other)["against"]["global_load_sectors_per_request"], 32)
        self.assertEqual(as_json(own, None)["diagnosis"][-1], "Shared memory: no bank conflicts")

    def test_terms_of_the_totals_are_explained_where_they_stand(self) -> None:
        legends = ("\nfused as nvcc can  ", "\nfor the distinct words  ")
        for lesson, fuse, there in (("00_naive", "", (False, False)), ("06_smem_transpose", "", (False, True)),
                                    ("02_coalesced", "As=16,Bs=4", (True, True))):
            told = rendered(lesson, 64, 64, 64, *(["--fuse", fuse] if fuse else []))
            self.assertEqual(tuple(legend in told for legend in legends), there, lesson)

    def test_next(self) -> None:
        """A line that the next lesson changes: there it is gone, or its accesses have other figures."""
        for lesson, following in zip(LESSONS, LESSONS[1:]):
            told = re.sub(r"\n {6}", " ", rendered(lesson, 256, 256, 256))
            found = re.search(r"\nNext  (\S+) changes line (\d+): .*\. (\./ladder explain \S+ --against \S+) shows", told)
            self.assertTrue(found, told[-400:])
            self.assertEqual((found[1], found[3]),
                             (following, f"./ladder explain {following[:2]} --against {lesson[:2]}"))
            own, = (line for line in explained(lesson, 256, 256, 256).lines if line.number == int(found[2]))
            self.assertNotIn(own[1:], [line[1:] for line in explained(following, 256, 256, 256).lines], lesson)
        told = re.sub(r"\n {6}", " ", rendered(LESSONS[-1]))
        self.assertRegex(told, r"\nNext  line \d+ wastes the most \w+; exercises: 08_tensor_core_wmma/README.md\n")
        self.assertRegex(rendered("13_split_barrier"), r"\nNext  line \d+ (costs|wastes) the most( \w+)?\n")

    def test_passes(self) -> None:
        """By hand: of 02 and 05 as their pages say; none of tensor cores; no ceiling for doubles."""
        told = rendered("02_coalesced", 256, 256, 256)
        for name, requests, passes in (("cache lines of global loads", 32768, 32768), ("shared stores", 32768, 32768),
                                       ("  of As", 131072, 262144), ("  of Bs", 524288, 524288)):
            each = "%.4g" % (requests / 524288), "%.4g" % (passes / 524288)
            self.assertRegex(told, r"(?m)^%s +%d +%d +%s +%s$" % (name, requests, passes, *map(re.escape, each)))
        self.assertRegex(told, r"(?m)^all passes +851968 +1\.625$")
        self.assertIn("\nthe ceiling: 0.25 / 1.625 = 15.4 % of the peak\n", told)
        own = explained("05_outer_product", 256, 256, 256)
        self.assertEqual((own.passes.total, round(own.passes.ceiling)), (126976, 103))
        self.assertEqual(as_json(own, None)["passes"]["all"], 126976)
        self.assertEqual(sum(part.requests for part in own.passes.parts if part.name == "  of A"), 1024)
        self.assertNotIn("\nPasses", rendered("08_tensor_core_wmma"))
        doubles = counted("02_coalesced", 64, 64, 64)
        doubles = {**doubles, "totals": {**doubles["totals"], "fma64": doubles["totals"]["fma"]}}
        told = text(Explained("mine", doubles), None, [])
        self.assertIn("\nPasses ", told)
        self.assertNotIn("the ceiling:", told)

    def test_leading_dimensions(self) -> None:
        """A wider row of A moves the rows of a warp apart; float4 goes where it no longer fits."""
        told = text(explained("04_float4", 64, 64, 64, "--lda", 65), None, ["lda = 65"])
        self.assertIn("M N K = 64 64 64, lda = 65:", told)
        self.assertNotIn("16 bytes a lane", told)
        self.assertIn("16 bytes a lane", rendered("04_float4", 64, 64, 64, "--lda", 68, "--ldc", 68))

    def test_whose_widths(self) -> None:
        """Those of the same code, whatever its comments; an edited source has those of its lesson, told."""
        source = find("02_coalesced").text
        self.assertEqual(widths(source), (["--fuse", "As=16,Bs=4"], ""))
        self.assertEqual(widths("// Mine.\n" + source, "03_thread_tile"), (["--fuse", "As=16,Bs=4"], ""))
        edited = source.replace("BM = 32", "BM = 16")
        self.assertEqual(widths(edited), ([], ""))
        words, note = widths(edited, "02_coalesced")
        self.assertEqual(words, ["--fuse", "As=16,Bs=4"])
        self.assertIn("widths for the unedited 02_coalesced", note)
        self.assertIn("\n\n" + note + "\n\n", text(explained("02_coalesced", 64, 64, 64)._replace(note=note), None, []))
        for lesson in LESSONS:
            self.assertEqual(widths(find(lesson).text, lesson)[1], "", "run common/measure/counters/fusion.py")
