"""The pictures are well formed and have a description and light and dark colours. Those of the READMEs are up to date."""
import re
import unittest
import xml.etree.ElementTree as ElementTree

from ladder.pictures import gallery
from ladder.pictures.phases import Player
from ladder.pictures.run import Choice, NothingToDraw, Run
from ladder.lessons.arrays import DYNAMIC, evaluate, knobs, shared_shapes
from explained import LESSONS
from ladder.lessons import every, find
from ladder.lib.lessons import find_lesson
from programs import check_entry, trace, traced

NAMESPACE = "{http://www.w3.org/2000/svg}"
MISSING = {("00", "stores"), ("00", "reads"), ("00", "timeline")}  # 00 has no shared memory
ENGINE = ("boxes", "operands", "phases")  # only lessons 11 and 12 have these


def picture(lesson: str, kind: str, choice: Choice = Choice()) -> str:
    return gallery.draw(trace(lesson), kind, choice, find(lesson).text, "test <&>")[0]


class PictureTest(unittest.TestCase):
    def check_svg(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        for name in ("title", "desc"):
            self.assertGreater(len(root.findtext(NAMESPACE + name)), 20)
        style = root.findtext(NAMESPACE + "style")
        light, dark = style.split("@media (prefers-color-scheme:dark)")
        colours = set(re.findall(r"--\w+(?=:)", light))
        self.assertEqual(colours, set(re.findall(r"--\w+(?=:)", dark)))
        self.assertEqual(set(re.findall(r"var\((--\w+)\)", style)), colours)
        sizes = [int(size) for size in re.findall(r"(\d+)px system-ui|font-size:(\d+)px", style)
                 for size in size if size]
        self.assertGreaterEqual(min(sizes), 12)
        used = {name for element in root.iter() for name in element.get("class", "").split()}
        for name in used:
            self.assertIn("." + name + "{", style)
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        for name in re.findall(r"url\(#(\w+)\)", text):
            self.assertIn(name, ids)
        width, height = (float(part) for part in root.get("viewBox").split()[2:])
        for element in root.iter(NAMESPACE + "text"):
            self.assertTrue(0 <= float(element.get("x")) <= width, element.text)
            self.assertTrue(0 < float(element.get("y")) < height, element.text)
        self.assertLess(len(text.encode()), 60000)

    def test_every_kind_of_every_lesson(self) -> None:
        for lesson in LESSONS:
            for kind in gallery.KINDS:
                with self.subTest(lesson + " " + kind):
                    if (lesson[:2], kind) in MISSING or kind in ENGINE:
                        self.assertRaises(NothingToDraw, picture, lesson, kind)
                        continue
                    self.check_svg(picture(lesson, kind))
                    self.assertEqual(picture(lesson, kind), picture(lesson, kind))

    def test_boxes_operands_and_phases(self) -> None:
        for lesson in ("11_wgmma", "12_persistent"):
            for kind in ENGINE:
                with self.subTest(lesson + " " + kind):
                    self.check_svg(picture(lesson, kind))
        seen = gallery.alternative(picture("11_wgmma", "boxes", Choice(None, ("B",))))
        self.assertIn("A box of 64 rows of 128 bytes of B, swizzled by 128 bytes: unit 0 of the first 8 rows is in 8 of "
                      "the 8 16-byte places", seen)
        self.assertIn("B: 16 rows of K, 32 units of 8 columns; leading 8192, stride 1024 bytes, swizzle 128",
                      gallery.alternative(picture("11_wgmma", "operands")))
        self.assertIn("8 warps multiply them. 4 stages. While a tile is multiplied, up to 3 later ones are full",
                      gallery.alternative(picture("11_wgmma", "phases")))
        self.assertRaises(NothingToDraw, gallery.draw, trace("11_wgmma", warp=8), "operands", Choice(),
                          find("11_wgmma").text, "")

    def test_a_box_is_drawn_as_swizzled(self) -> None:
        """Each unit of a box occurs once, in its swizzled place."""
        text = picture("11_wgmma", "boxes")
        units = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="m">(\d)\.(\d)<', text)
        self.assertEqual(len(units), 2 * 8 * 8)
        columns = {}
        for x, _, row, unit in units[64:]:
            columns.setdefault(x, []).append(int(unit) ^ int(row) % 8)
        self.assertEqual(sorted(places[0] for places in columns.values()), list(range(8)))
        self.assertTrue(all(len(set(places)) == 1 and len(places) == 8 for places in columns.values()))

    def test_descriptions_have_the_counts(self) -> None:
        seen = gallery.alternative(picture("00_naive", "requests"))
        self.assertIn("The 32 lanes of warp 0 read 4 bytes of A each: 32 rows and 1 column, "
                      "in 32 sectors of 32 bytes.", seen)
        self.assertIn("B each: 1 row and 1 column, in 1 sector", seen)
        seen = gallery.alternative(picture("02_coalesced", "requests"))
        self.assertIn("of A each: 1 row and 32 columns, in 4 sectors", seen)
        self.assertIn("32 words in 1 bank, 32 wavefronts",
                      gallery.alternative(picture("01_shared_tile", "stores")))
        buffers = gallery.alternative(picture("06_smem_transpose", "timeline"))
        self.assertIn("No tile is stored while another is multiplied", buffers)
        self.assertIn("2 later tiles are being copied",
                      gallery.alternative(picture("07_double_buffer", "timeline")))

    def test_multiplications_of_a_timeline_have_equal_widths(self) -> None:
        for lesson in LESSONS[1:]:
            widths = [float(width) for width in
                      re.findall(r'class="p2" d="M[\d.]+ [\d.]+h([\d.]+)', picture(lesson, "timeline"))]
            self.assertEqual(len(widths), 6, lesson)
            self.assertLess(max(widths) - min(widths), 0.2, lesson)

    def test_the_first_matrix_of_a_fragment(self) -> None:
        drawn = re.findall(r">lane (\d+), w(\d+)<", picture("08_tensor_core_wmma", "reads", Choice(None, ("As",))))
        self.assertEqual(sorted(drawn), [(str(lane), "1") for lane in range(8)])

    def test_a_line_or_an_array(self) -> None:
        run = trace("02_coalesced")
        first = next(request for request in run.requests() if request.space == "shared")
        text = picture("02_coalesced", "stores", Choice(first.line))
        self.assertIn("written at line %d" % first.line, text)
        self.assertNotIn("Bs", picture("02_coalesced", "reads", Choice(None, ("As",))).split("<style>")[0])
        with self.assertRaises(NothingToDraw) as raised:
            picture("02_coalesced", "requests", Choice(1))
        named = [int(word) for word in re.findall(r"\d+", str(raised.exception).split("; ")[1])]
        self.assertTrue(named and set(named) <= set(run.lines()))

    def test_readmes(self) -> None:
        """The pictures in docs/pictures are up to date."""
        for entry in gallery.ENTRIES:
            if not entry.change:
                with self.subTest(entry.lesson + " " + entry.name):
                    check_entry(self, entry)
                    self.check_svg(gallery.path_of(entry, find_lesson(entry.lesson)).read_text("utf-8"))
        wanted = {gallery.path_of(entry, find_lesson(entry.lesson)) for entry in gallery.ENTRIES}
        self.assertEqual(set(gallery.FOLDER.glob("*/*")), wanted)

    def test_readmes_show_all_pictures(self) -> None:
        shown = {(facts.number, name) for facts in every()
                 for name in re.findall(r"<!-- generated:picture (\S+) -->",
                                        facts.source.with_name("README.md").read_text(encoding="utf-8"))}
        self.assertEqual(shown, {(entry.lesson, entry.name) for entry in gallery.ENTRIES})


class PhasesTest(unittest.TestCase):
    def test_slices_leave_while_the_next_tile_is_multiplied(self) -> None:
        """One warp, two tiles of C with one tile along K each, two slices each. One slice may be in flight."""
        steps = []
        for tile in (0, 1):
            full = {"barrier": ["s", 8 * tile], "phase": 0, "line": 1}
            steps += [{"kind": "arrive", "warp": 4, "bytes": 1000, **full},
                      {"kind": "ask", "warp": 4, "at": ["s", 2000 * tile], "bytes": 1000, "width": 1000, "swizzle": 0,
                       **full},
                      {"kind": "land", "at": ["s", 2000 * tile], "bytes": 1000, **full},
                      {"kind": "wait", "warp": 0, **full},
                      {"kind": "product", "warp": 0, "line": 2, "a": ["s", 2000 * tile], "b": ["s", 2000 * tile]},
                      {"kind": "products", "warp": 0, "line": 3, "left": 0, "done": tile + 1}]
            for n in (0, 1):
                steps += [{"kind": "stored", "warp": 0, "line": 4, "at": ["s", 9000]}] if tile or n else []
                steps += [{"kind": "store", "warp": 0, "line": 4, "at": ["s", 9000], "bytes": 500}]
        run = Run("99_x", "k", (1, 1, 1), 0, 160, (1, 1), {}, {}, [], [], steps=steps)
        first, second, third, _ = Player(run).story.leaves
        product, other = (fill.multiplied[0] for fill in Player(run).story.fills)
        self.assertAlmostEqual(first.begin, product[1])
        self.assertAlmostEqual(second.begin, first.end)  # the slice is filled again after it has left
        self.assertAlmostEqual(second.end, second.begin + 0.4)
        self.assertLess(other[0], second.end)  # it leaves while the next tile is multiplied
        self.assertAlmostEqual(third.begin, other[1])
        svg, sentence = gallery.draw(run, "phases", Choice(), "", "")
        self.assertIn("TMA stores C in slices", sentence)
        self.assertIn("C of warps 0–0", svg)

    def test_a_tensor_core_multiplies_one_tile_at_a_time(self) -> None:
        """Warps 0, 4 and 1 multiply. Warps 0 and 4 have the same tensor core."""
        steps = []
        for tile, warp in enumerate((0, 4, 1)):
            full = {"barrier": ["s", 8 * tile], "phase": 0, "line": 1}
            steps += [{"kind": "arrive", "warp": 8, "bytes": 10000, **full},
                      {"kind": "ask", "warp": 8, "at": ["s", 2000 * tile], "bytes": 1000, "width": 1000, "swizzle": 0,
                       **full},
                      {"kind": "land", "at": ["s", 2000 * tile], "bytes": 1000, **full},
                      {"kind": "wait", "warp": warp, **full},
                      {"kind": "product", "warp": warp, "line": 2, "b": ["s", 2000 * tile]}]
        run = Run("99_x", "k", (1, 1, 1), 0, 288, (1, 1), {}, {}, [], [], steps=steps)
        story = Player(run).story
        first, second, third = (next(iter(fill.multiplied.values())) for fill in story.fills)
        self.assertEqual(second[0], first[1])
        self.assertLess(third[0], second[1])
        self.assertEqual(story.waits[4], [(0.0, second[0])])


class SourceTest(unittest.TestCase):
    SOURCE = """
constexpr int BM = 8, BK = BM / 2;
constexpr int PAD = 1;
struct alignas(32) Tiles {
  Input As[BM][BK + PAD], Bs[BK][BM];
};
template <int WIDE, typename T>
__global__ void kernel() {
  alignas(16) __shared__ Input Cs[2][WIDE][BK + PAD], Es[BM];  // __shared__ Input Ds[3];
  __shared__ Tiles one[1];
  __shared__ Acc Fs[BM];
  extern __shared__ Tiles tiles[];
}
"""

    def test_knobs(self) -> None:
        self.assertEqual(knobs(self.SOURCE, "kernel<16, float>"), {"WIDE": 16, "BM": 8, "BK": 4, "PAD": 1})
        self.assertIsNone(evaluate("sizeof(Tiles)", {}))
        self.assertIsNone(evaluate("1 / 0", {}))
        self.assertEqual(evaluate("(BM + 1) / 2 * 3", {"BM": 8}), 12)

    def test_shapes(self) -> None:
        shapes = shared_shapes(self.SOURCE, "kernel<16, float>", {"A": 2, "C": 4})
        self.assertEqual(set(shapes), {"Cs", "Es", "Fs", "one", DYNAMIC})
        self.assertEqual((shapes["Es"].name(6), shapes["Fs"].name(8)), ("Es[3]", "Fs[2]"))
        self.assertEqual(shapes["Cs"].name(2 * (16 * 5 + 5 + 3)), "Cs[1][1][3]")
        self.assertEqual(shapes["Cs"].array(2 * 16 * 5), "Cs[1]")
        self.assertTrue(shapes["Cs"].is_pad(8) and not shapes["Cs"].is_pad(6))
        self.assertEqual(shapes[DYNAMIC].period, 160)
        self.assertEqual(shapes[DYNAMIC].name(160 + 80 + 2 * 9), "tiles[1].Bs[1][1]")
        self.assertEqual(shapes[DYNAMIC].array(160 + 80), "tiles[1].Bs")

    def test_every_access_to_shared_memory_has_a_name(self) -> None:
        for lesson in map(find_lesson, ("11", "12", "13", "14", "15", "16")):
            data = traced(lesson, (64, 128, 512))
            shapes = shared_shapes(find(lesson).text, data["kernel"],
                                   {name: matrix["element"] for name, matrix in data["matrices"].items()})
            for _, site, number, *at in data["events"]:
                shape = shapes.get(data["sites"][site].get("array"))
                if shape:
                    self.assertTrue(shape.array(at[0] if at else number), f"{lesson}: {data['sites'][site]} {at}")

    def test_a_structure_in_memory_of_another_type(self) -> None:
        source = """
constexpr int ATOM = 64;
using Slice = Acc[4][BN];
using Piece = __nv_bfloat16;
template <int BM, int BN>
struct alignas(1024) Shared {
  static constexpr int ATOMS = ceil_div(BN, ATOM);
  static constexpr int STAGES =
      200 * 1024 / ((BM + ATOMS * ATOM) * 64 * int(sizeof(Input)));
  Input As[STAGES][BM][ATOM];
  Piece Bs[ATOMS];
  Slice slices[2];
  __mbarrier_t full[STAGES];
};
template <int BM, int BN>
__global__ void kernel() {
  alignas(1024) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM, BN>*>(memory);
}
"""
        shape = shared_shapes(source, "kernel<64, 160>", {"A": 2, "C": 4})[DYNAMIC]
        tiles = 6 * 64 * 128
        self.assertEqual(shape.name(tiles - 2), "As[5][63][63]")
        self.assertEqual(shape.array(2 * 64 * 128), "As[2]")
        self.assertEqual(shape.name(tiles + 4), "Bs[2]")
        self.assertEqual(shape.name(tiles + 6 + 4 * (4 * 160 + 161)), "slices[1][1][1]")
        self.assertEqual(shape.name(tiles + 6 + 8 * 4 * 160 + 40), "full[5]")
        self.assertEqual(shape.name(tiles + 6 + 8 * 4 * 160 + 48), "")

    def test_change(self) -> None:
        source, words = gallery.changed_source(self.SOURCE, "PAD=0")
        self.assertIn("constexpr int PAD = 0;", source)
        self.assertEqual(words, "PAD = 0")
        for change in ("PAD", "PAD=x", "NONE=1", "PAD=1;2", ""):
            self.assertEqual(gallery.changed_source(self.SOURCE, change), ("", ""))
