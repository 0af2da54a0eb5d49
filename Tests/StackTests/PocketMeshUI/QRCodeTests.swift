import PocketMeshUI
import Testing

/// Codes against another implementation, and their bounds.
@Suite struct QRCodeTests {
    /// The modules of a code, row by row; `#` is dark.
    private func rows(_ code: QRCode) -> [String] {
        (0..<code.size).map { row in String((0..<code.size).map { code[$0, row] ? "#" : "." }) }
    }

    /// Source: package `qrcode` 8.2 of PyPI, bytes, level H, mask 0.
    @Test func `a short text has the modules of another implementation, at the highest level of its size`() throws {
        let code = try QRCode("hi")

        let expected = """
            #######.##.##.#######
            #.....#..#..#.#.....#
            #.###.#..###..#.###.#
            #.###.#.###...#.###.#
            #.###.#..#.##.#.###.#
            #.....#...###.#.....#
            #######.#.#.#.#######
            .........#...........
            ..#.###.#.#.##...#..#
            ##..##.#..#....#.####
            .####.#.##...#.#.####
            ##..#..#..#...####.#.
            .###..###..#..##..#..
            ........#..###....###
            #######...#..#..#..##
            #.....#.##.##.#...###
            #.###.#.#.##....#.#.#
            #.###.#..##..#.#.#.#.
            #.###.#.###....#.##.#
            #.....#..#.#######.#.
            #######..#.###.#.####
            """
        #expect(rows(code).joined(separator: "\n") == expected)
    }

    /// Source: package `qrcode` 8.2 of PyPI, bytes, level L, mask 2; each row as one number in hex.
    @Test func `the link of a contact has the modules of another implementation`() throws {
        let key = String(repeating: "ab", count: 32)

        let code = try QRCode("meshcore://contact/add?name=Zo%C3%AB%20%F0%9F%91%8B&public_key=\(key)&type=1")

        let expected = """
            1fc576f767f 10583593441 174c40f715d 1754e85c85d 174697a9f5d 105be09a841 1fd5555557f b42b0200 1f79ed0f9aa
            6a312b07d3 13edbd0bdac 1d242483628 3f58a5e806 ead9fa97f1 660b5cf544 9b964d6058 176de1da804 1b1a16b17d7
            c8e593580 149131f70cb bf8c85c806 179f57a17f3 12586c560b8 39c46b4658 7f7ec16825 19b656c17d3 124d6c0bcbc
            168f0792538 16c0e85e806 111fd7a17f3 12d4398b144 1580649645b 16e1a81adf4 1ad18531f 1fd0358275c 104970c531b
            1759ea5c9fe 1756d7a1d02 175564dabfb 105946f418a 1fddf91aad4
            """
        let numbers = rows(code).map { row in
            String(row.reduce(UInt64(0)) { $0 << 1 | ($1 == "#" ? 1 : 0) }, radix: 16)
        }
        #expect(numbers == expected.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    /// Source: ISO/IEC 18004:2015, table 7, bytes at level L: versions 1, 2, 5, 6 and 40.
    @Test(arguments: [
        (0, 21), (17, 21), (18, 25), (32, 25), (33, 29), (106, 37), (107, 41), (134, 41), (135, 45), (2953, 177),
    ])
    func `a code is as small as its text allows`(bytes: Int, size: Int) throws {
        #expect(try QRCode(String(repeating: "x", count: bytes)).size == size)
    }

    @Test(arguments: [(String(repeating: "x", count: 2954), 2954), (String(repeating: "👋", count: 739), 2956)])
    func `a text that fits into no code is refused with its length in bytes`(text: String, bytes: Int) {
        let error = #expect(throws: QRCode.TooLong.self) { try QRCode(text) }

        #expect(error?.description == "the text has \(bytes) bytes in UTF-8, and a QR code holds 2953 at most")
    }

    @Test func `a text goes on behind a NUL`() throws {
        #expect(try QRCode("a\u{0}b") != QRCode("a"))
        #expect(try QRCode(String(repeating: "\u{0}", count: 18)).size == 25)
    }

    @Test func `modules beyond the edges are light`() throws {
        let code = try QRCode("hi")

        #expect(code[0, 0] && code[20, 0] && code[0, 20])
        for (column, row) in [(-1, 0), (0, -1), (21, 0), (0, 21), (Int.min, Int.max)] { #expect(!code[column, row]) }
    }
}
