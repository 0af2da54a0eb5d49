import Foundation
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

/// Boards from outside descriptions: each that is not refused runs.
@Suite struct StrangeBoardTests {
    /// Numbers at and beyond every edge.
    private static let edges: [Int64] = [
        .min, -2_147_483_649, -32_769, -129, -1, 0, 1, 2, 7, 8, 63, 64, 65, 127, 128, 255, 256, 1000, 1024, 32_768,
        65_535,
        65_536, 999_999, 1_000_000, 60_000_000, 2_147_483_647, 4_294_967_295, 4_294_967_296, .max,
    ]

    /// The board as JSON with some of its numbers replaced.
    private static func mutated(_ stream: inout RandomStream) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let board = BoardProfile.all[Int.random(in: 0..<BoardProfile.all.count, using: &stream)]
        let json = String(decoding: try encoder.encode(board), as: UTF8.self)
        let changed = json.replacing(/([:\[,])-?[0-9]+(?=[,}\]])/) { match in
            guard Int.random(in: 0..<12, using: &stream) == 0 else { return String(match.output.0) }
            return "\(match.output.1)\(edges[Int.random(in: 0..<edges.count, using: &stream)])"
        }
        return Data(changed.utf8)
    }

    @Test func `a board that is not refused boots, talks to an app and lets time pass`() throws {
        var stream = Seed(13).stream("boards")
        var counts = (refused: 0, ran: 0)
        for number in 0..<400 {
            let data = try Self.mutated(&stream)
            guard let board = try? JSONDecoder().decode(BoardProfile.self, from: data), (try? board.check()) != nil
            else {
                counts.refused += 1
                continue
            }
            counts.ran += 1
            var radio = HeldRadio(.init(board: board, link: AppLink.allCases[number % AppLink.allCases.count]))
            radio.connect()
            for frame in [[0x16, 3], [0x01, 0, 0, 0, 0, 0, 0, 0, 0x61], [0x05], [0x07, 1], [0x04]] as [[UInt8]] {
                radio.receive([0x3C, UInt8(frame.count), 0] + frame)
                radio.run(for: .milliseconds(200), until: .never)
            }
            #expect(radio.now.microseconds == 1_000_000)
        }
        #expect(counts.refused > 50 && counts.ran > 50, "\(counts)")
    }
}
