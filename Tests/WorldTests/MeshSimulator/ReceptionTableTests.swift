import MeshFirmware
import Testing

@testable import MeshSimulator

@Suite struct `Receptions on the air` {
    private var table = ReceptionTable()

    /// Adds a reception of this frame at each listener; the place of the first one.
    private mutating func add(_ frame: Int32, at listeners: Range<Int32>) -> Int32 {
        var first: Int32 = -1
        var last: Int32 = -1
        for listener in listeners {
            let signal = Signal(snrHundredths: 0, rssiHundredths: 0)
            last = table.add(Reception(transmission: frame, listener: listener, signal: signal), after: last)
            if first < 0 { first = last }
        }
        return first
    }

    private func listeners(from first: Int32) -> [Int32] {
        var found: [Int32] = []
        var next = first
        while next >= 0 {
            found.append(table[next].listener)
            next = table[next].nextOfFrame
        }
        return found
    }

    @Test mutating func `receptions of a frame keep their order, however many they are`() {
        let many = add(1, at: 0..<21)
        let few = add(2, at: 30..<33)

        #expect(listeners(from: many) == Array(0..<21))
        #expect(listeners(from: few) == [30, 31, 32])
        #expect((0..<8).allSatisfy { table[many + $0].transmission == 1 })
    }

    @Test mutating func `places of a frame that has ended are used again, and no others`() {
        let kept = add(1, at: 0..<9)
        let ended = add(2, at: 10..<27)

        table.free(from: ended)
        let places = [add(3, at: 40..<48), add(4, at: 40..<48), add(5, at: 40..<48)]
        let next = add(6, at: 50..<51)

        #expect(Set(places) == [ended, ended + 8, ended + 16])
        #expect(listeners(from: kept) == Array(0..<9))
        #expect(next > ended + 16)
    }
}
