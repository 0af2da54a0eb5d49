import MeshTime
import Testing

@testable import MeshBluetoothHost

/// Fragments within the buffers of a controller.
@Suite struct DataQueueTests {
    @Test func `a packet passes whole in fragments of every size`() throws {
        let payload = (0..<517).map { UInt8(truncatingIfNeeded: $0) }
        let packet = L2CAP.packet(payload, on: L2CAP.Channel.attributes)
        for size in 27...251 {
            var queue = HCI.DataQueue(size: size, capacity: 2, limit: 3)
            queue.open(0x40)
            try queue.append(packet, on: 0x40)
            var assembler = L2CAP.Assembler()
            var whole: [UInt8] = []
            var count = 0
            while let fragment = queue.next() {
                count += 1
                let read = HCI.DataHeader(fragment.span)
                let header = try #require(read)
                let content = fragment.span.extracting(droppingFirst: HCI.DataHeader.size)
                #expect(content.count == Int(header.length) && content.count <= size)
                #expect(header.boundary == (count == 1 ? .first : .continuation))
                let step =
                    count == 1
                    ? assembler.begin(content, wireLength: content.count)
                    : assembler.append(content, wireLength: content.count)
                if case .whole(excess: 0) = step { assembler.withPayload { whole = $0.array } }
                let isTrue = queue.completed(0x40, 1)
                #expect(isTrue)
            }
            #expect(whole == payload)
            #expect(count == (packet.count + size - 1) / size)
            #expect(queue.isIdle(0x40))
        }
    }

    @Test func `no more fragments are sent than the controller holds`() throws {
        var queue = HCI.DataQueue(size: 27, capacity: 3, limit: 8)
        queue.open(1)
        try queue.append([UInt8](repeating: 7, count: 27 * 5), on: 1)

        var sent = 0
        while queue.next() != nil { sent += 1 }
        #expect(sent == 3 && queue.credits == 0)
        _ = queue.completed(1, 2)
        while queue.next() != nil { sent += 1 }
        #expect(sent == 5 && queue.waiting(1) == 0)
        #expect(!queue.isIdle(1))
        _ = queue.completed(1, 3)
        #expect(queue.isIdle(1) && queue.credits == 3)
    }

    @Test func `connections take turns`() throws {
        var queue = HCI.DataQueue(size: 30, capacity: 6, limit: 8)
        for handle in [1, 2] as [UInt16] {
            queue.open(handle)
            try queue.append([UInt8](repeating: 7, count: 90), on: handle)
        }

        var turns: [UInt16] = []
        while let fragment = queue.next() { turns.append(HCI.DataHeader(fragment.span)?.handle ?? 0) }

        #expect(turns == [1, 2, 1, 2, 1, 2])
    }

    @Test func `what a connection held is free when it ends`() throws {
        var queue = HCI.DataQueue(size: 30, capacity: 2, limit: 8)
        for handle in [1, 2] as [UInt16] {
            queue.open(handle)
            try queue.append([UInt8](repeating: 7, count: 30), on: handle)
        }
        while queue.next() != nil {}
        #expect(queue.credits == 0)

        queue.close(1)

        #expect(queue.credits == 1)
        // Told late, of a connection that has ended.
        let isTrue = queue.completed(1, 1)
        #expect(isTrue && queue.credits == 1)
    }

    @Test func `a full queue says so, and a controller that returns too much is found out`() throws {
        var queue = HCI.DataQueue(size: 30, capacity: 1, limit: 2)
        queue.open(1)
        try queue.append([1], on: 1)
        try queue.append([2], on: 1)

        #expect(throws: HCI.DataQueue.Overflow(limit: 2)) { try queue.append([3], on: 1) }
        _ = queue.next()
        try queue.append([3], on: 1)
        let isTrue = queue.completed(1, 5)
        #expect(!isTrue && queue.credits == 1)
    }
}
