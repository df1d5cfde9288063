"""The counts that the programs explain.LESSON print as JSON. tests/ladder/bad_calls.txt has their wrong calls."""
import os
import unittest
import unittest.mock

from explained import BUILT, LESSONS, counted
from ladder.lessons import find


class CountTest(unittest.TestCase):
    def test_02_by_hand(self) -> None:
        """256³: 64 blocks of 32 warps go through 8 tiles. Per tile a warp copies a row of A and a row of B, each 32 floats
        in 4 sectors. It multiplies 32 times per tile and reads As and Bs each time. The read of As is a broadcast, that of
        Bs a row of 32 banks; each takes one wavefront. Fused, one read of As serves four k."""
        warps, tiles = 64 * 32, 8
        counts = counted("02_coalesced", 256, 256, 256)
        for key, value in {
                "global_load_requests": warps * tiles * 2, "global_load_sectors": warps * tiles * 2 * 4,
                "global_store_requests": warps, "global_store_sectors": warps * 4,
                "shared_load_requests": warps * tiles * 32 * 2, "shared_load_wavefronts": warps * tiles * 32 * 2,
                "fused_load_requests": warps * tiles * (32 + 8), "shared_store_requests": warps * tiles * 2,
                "shared_store_wavefronts": warps * tiles * 2, "barriers_per_block": tiles * 2, "fma": 256**3,
                "bytes_moved": 32 * warps * 4 * (2 * tiles + 1)}.items():
            self.assertEqual(counts["totals"][key], value, key)
        self.assertEqual((counts["blocks"], counts["threads"], counts["shared_bytes"]), (64, 1024, 2 * 32 * 32 * 4))
        self.assertEqual(counts["source"], str(find("02_coalesced").source))

    def test_widths(self) -> None:
        """--fuse takes one width for all arrays, or one for each."""
        warps, tiles = 64 * 32, 8
        for fuse, reads in (("8", 32 + 16), ("4", 32 + 32), ("As=16,Bs=4", 32 + 8), ("As=8,Bs=4", 32 + 16)):
            counts = counted("02_coalesced", 256, 256, 256, "--fuse", fuse)
            self.assertEqual(counts["totals"]["fused_load_requests"], warps * tiles * reads, fuse)
        for lesson in LESSONS:
            own, none = (counted(lesson, 64, 64, 64, *words)["totals"]["fused_load_requests"]
                         for words in ((), ("--fuse", "4")))
            self.assertLessEqual(own, none, lesson)
        wide, narrow = (counted("05_outer_product", 64, 64, 64, *words)["totals"]["fused_load_requests"]
                        for words in ((), ("--fuse", "8")))
        self.assertEqual(2 * wide, narrow)

    def test_several_kernels(self) -> None:
        """A gemm() with two kernels has counts for each kernel and their sum."""
        self.assertIn("09_any_shape", BUILT)
        counts = counted("09_any_shape", 64, 128, 8192)
        stores = [each["totals"]["global_store_requests"] for each in counts["launches"]]
        self.assertEqual(len(stores), 2)
        self.assertTrue(all(stores))
        self.assertEqual(counts["totals"]["global_store_requests"], sum(stores))
        self.assertEqual(counts["kernel"], counts["launches"][counts["main"]]["kernel"])
        self.assertEqual({row["array"] for row in counts["arrays"]} & {"C", "global memory"}, {"C", "global memory"})

    def test_11_by_hand(self) -> None:
        """256³: two blocks of 128 x 256 go through 4 tiles of K = 64. Each tile has one box of A, 128 rows of 128 bytes, and
        four boxes of B with 64 such rows each. Two warpgroups multiply it in steps of K = 16."""
        self.assertIn("11_wgmma", BUILT)
        blocks, tiles, sectors = 2, 4, 128 // 32
        counts = counted("11_wgmma", 256, 256, 256)
        for key, value in {
                "bulk_load_requests": blocks * tiles * 5, "bulk_load_sectors": blocks * tiles * (128 + 256) * sectors,
                "bulk_filled": blocks * tiles * (128 + 256) * 128, "bulk_store_requests": 0,
                "wgmma": blocks * tiles * 2 * 4, "tensor_instructions": blocks * tiles * 2 * 4 * 4,
                "tensor_fma": 256**3, "global_store_sectors": 256 * 256 * 4 // 32,
                "bytes_moved": 256 * 256 * 4 + blocks * tiles * (128 + 256) * 128}.items():
            self.assertEqual(counts["totals"][key], value, key)
        self.assertEqual({row["array"]: row["bulk_load"]["requests"] for row in counts["arrays"] if "bulk_load" in row},
                         {"A": blocks * tiles, "B": blocks * tiles * 4})
        full, empty = counts["split_barriers"]
        consumers = list(range(8))
        self.assertEqual([full[key] for key in ("barriers", "phases", "arrivals", "bytes")],
                         [blocks * 4, blocks * tiles, blocks * tiles, blocks * tiles * (128 + 256) * 128])
        self.assertEqual([each["warps"] for each in full["waits"]], [consumers])
        self.assertEqual(sum(each["count"] for each in full["waits"]), blocks * tiles * 256)
        # Consumers do not release the last tile's stage.
        self.assertEqual([empty[key] for key in ("barriers", "phases", "arrivals", "bytes")],
                         [blocks * 4, blocks * (tiles - 1), blocks * (tiles - 1) * 8, 0])
        self.assertEqual([each["warps"] for each in empty["waits"]], [[8]])

    def test_12_by_hand(self) -> None:
        """A pair of blocks of 128 x 256 goes through 64 tiles of K. Each block loads its own A, and half of the
        rows of each of B's boxes for both blocks by multicast."""
        blocks, tiles = 2, 64
        with unittest.mock.patch.dict(os.environ, SIMT_MULTIPROCESSORS="2"):
            counts = counted("12_persistent", 256, 256, 4096, "--no-check")
        self.assertEqual((counts["kernel"], counts["blocks"]), ("gemm_kernel<128, 256, 2, 1>", blocks))
        loads = {row["array"]: (row["bulk_load"]["requests"], row["bulk_load"]["sectors"], row["bulk_filled"])
                 for row in counts["arrays"] if "bulk_load" in row}
        self.assertEqual(loads, {"A": (blocks * tiles, blocks * tiles * 128 * 4, blocks * tiles * 128 * 128),
                                 "B": (8 * tiles, tiles * 256 * 4, blocks * tiles * 256 * 128)})
        full, empty = counts["split_barriers"]
        self.assertEqual((full["phases"], full["bytes"]), (blocks * tiles, blocks * tiles * (128 + 256) * 128))
        self.assertEqual((empty["phases"], empty["arrivals"]), (blocks * tiles, blocks * tiles * 16))

    def test_lines_and_arrays_add_up(self) -> None:
        """The sums over lines and over arrays equal the launch's counts, at ragged sizes, too."""
        for lesson in BUILT:
            counts = counted(lesson, 97, 131, 65)
            for kind, figure in (("global_load", "sectors"), ("global_store", "bytes"), ("shared_load", "requests"),
                                 ("async_store", "wavefronts"), ("matrix_load", "wavefronts"), ("bulk_load", "sectors")):
                sums = [sum(row.get(kind, {}).get(figure, 0) for row in counts[rows]) for rows in ("lines", "arrays")]
                self.assertEqual(sums[0], sums[1], (lesson, kind))
                self.assertEqual(sums[0], counts["totals"].get(f"{kind}_{figure}", sums[0]), (lesson, kind))


class PadTest(unittest.TestCase):
    """CASE is LESSON/VARIANT/KIND/WAVEFRONTS, such as 06_smem_transpose/no_pad/shared_store/2. The lesson's accesses of that
    kind take that many wavefronts per request. Those of the variant without padding or swizzle take more."""

    @unittest.skipUnless("CASE" in os.environ, "CASE is set by ctest")
    def test_wavefronts(self) -> None:
        lesson, name, kind, each = os.environ["CASE"].split("/")
        own, other = (counted(program, 256, 256, 96)["totals"] for program in (lesson, f"{lesson}.{name}"))
        self.assertEqual(own[kind + "_wavefronts"], own[kind + "_requests"] * int(each))
        self.assertGreater(other[kind + "_wavefronts"], own[kind + "_wavefronts"])
