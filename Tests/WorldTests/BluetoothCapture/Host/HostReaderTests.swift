import MeshBluetoothHost
import MeshCapture
import MeshWire
import Testing

@testable import BluetoothCapture

/// Fragments, handles and adapters. Source: CaptureFormats, "Linux monitor", "HCI", "ACL and L2CAP" and "Byte
/// examples".
@Suite struct HostReaderTests {
    /// A connection whose handles are known.
    static func ready(fragment: Int = 251) -> HostScript {
        var script = HostScript()
        script.fragment = fragment
        script.connect()
        script.agree(mtu: 517)
        script.discover()
        return script
    }

    @Test func `the example of an ACL packet is the introduction of an app`() throws {
        var script = HostScript()
        script.handle = 0x0040
        script.connect()
        script.discover()
        let example = "40001200" + "0e000400" + "520900" + "0103202020202020616263"

        script.packet(.data, .sent, try #require([UInt8](hex: example)))

        #expect(script.sink.lines == ["> 0103202020202020616263"])
    }

    @Test(arguments: [1, 2, 3, 5, 27, 251])
    func `fragments of any size are put together`(size: Int) {
        var script = Self.ready(fragment: size)
        let frame = [UInt8](repeating: 0x42, count: 150)
        script.command(frame)
        script.answer(frame)

        #expect(script.sink.frames.map(\.bytes) == [frame, frame])
        #expect(script.sink.lost == [])
    }

    @Test func `the fragments of both directions do not mix`() {
        var script = Self.ready()
        script.data(.sent, flags: 0, [4, 0, 4, 0, 0x52])
        script.data(.received, flags: 0x2000, [4, 0, 4, 0, 0x1B])
        script.data(.sent, flags: 0x1000, [9, 0, 5])
        script.data(.received, flags: 0x1000, [11, 0, 0])

        #expect(script.sink.lines == ["> 05", "< 00"])
    }

    @Test func `what lacks its end is lost, and the next packet is not`() {
        var script = Self.ready()
        script.data(.sent, flags: 0, [4, 0, 4, 0, 0x52])
        script.command([5])
        script.data(.sent, flags: 0x1000, [9, 0, 7])
        script.command([5])

        #expect(script.sink.lines == ["> 05", "> 05"])
        #expect(script.sink.lost == ["a packet whose end is missing", "a fragment without a beginning"])
    }

    @Test func `continuations without a beginning are counted`() {
        var script = Self.ready()
        for _ in 0..<3 { script.data(.sent, flags: 0x1000, [1, 2]) }
        script.command([5])

        #expect(script.sink.lines == ["> 05"])
        #expect(script.sink.lost == ["3 fragments without a beginning"])
    }

    @Test(arguments: [false, true])
    func `what lacks its end when all ends is lost too`(isClosed: Bool) {
        var script = Self.ready()
        script.data(.sent, flags: 0x1000, [1, 2])
        script.data(.received, flags: 0x2000, [4, 0, 4, 0, 0x1B])
        script.data(.sent, flags: 0x1000, [1, 2])
        if isClosed { script.disconnect() } else { script.reader.finish() }

        #expect(
            script.sink.lost.sorted() == [
                "a fragment without a beginning", "a fragment without a beginning", "a packet whose end is missing",
            ])
    }

    @Test func `of a packet that is too long the first part counts`() {
        var script = Self.ready()
        script.data(.sent, flags: 0, [4, 0, 4, 0, 0x52, 9, 0, 5, 7, 7])

        #expect(script.sink.lines == ["> 05"])
        #expect(script.sink.lost == ["2 bytes behind the end of a packet"])
    }

    @Test func `a handle that is given out again starts anew`() {
        var script = Self.ready()
        script.data(.sent, flags: 0, [4, 0, 4, 0, 0x52])
        script.connect()
        script.data(.sent, flags: 0x1000, [9, 0, 5])

        #expect(script.sink.lines == [])
        #expect(script.sink.events.contains(.closed(reason: nil)))
    }

    @Test func `other channels are not the attribute protocol's`() {
        var script = Self.ready()
        script.l2cap(.sent, channel: 6, [0x52, 9, 0, 5], isSent: true)
        script.l2cap(.sent, channel: 0x40, [UInt8](repeating: 9, count: 400), isSent: true)

        #expect(script.sink.lines == [])
        #expect(script.reader.counts.otherChannels == 2)
    }

    @Test func `without a direction the boundary flag tells`() {
        var script = Self.ready()
        script.fragment = 3
        script.l2cap(nil, ATT.WriteCommand(handle: 9, value: [5]).encoded(), isSent: true)
        script.l2cap(nil, ATT.Notification(handle: 11, value: [0]).encoded(), isSent: false)

        #expect(script.sink.lines == ["> 05", "< 00"])
    }

    @Test func `adapters are kept apart`() {
        var script = Self.ready()
        script.adapter = 1
        script.connect(role: 1, peer: [9, 9, 9, 9, 9, 0xC9])
        script.l2cap(.received, ATT.WriteCommand(handle: 9, value: [5]).encoded(), isSent: false)
        script.adapter = 0
        script.command([5])
        script.reader.finish()

        #expect(script.sink.frames.map(\.connection) == [0])
        #expect(script.sink.values == 1)
    }

    @Test(arguments: [false, true])
    func `both forms of a new connection are understood`(isEnhanced: Bool) {
        var script = HostScript()
        var complete = HCI.ConnectionComplete()
        complete.handle = 0x0041
        complete.role = 1
        complete.peer = FixedBytes([1, 2, 3, 4, 5, 6])
        complete.peerType = 3
        if isEnhanced { complete.privateAddresses = HCI.PrivateAddresses() }
        var bytes = HCI.Event.connected(complete).encoded
        script.packet(.event, .received, bytes)
        if isEnhanced {
            bytes[2] = HCI.LowEnergyCode.enhancedConnectionCompleteV2
            bytes += [0xFF, 0xFF, 0xFF]
            bytes[1] += 3
            script.packet(.event, .received, bytes)
        }

        let opened = script.sink.events.compactMap { if case .opened(let opened) = $0 { opened } else { nil } }
        #expect(opened.count == (isEnhanced ? 2 : 1))
        for one in opened {
            #expect(one.peer == BluetoothAddress(number: 0x0605_0403_0201, isRandom: true))
            #expect(one.isLoggedByCentral == false)
            #expect(!one.isInTheMiddle)
        }
    }

    @Test func `encryption and the end of a connection are told`() {
        var script = Self.ready()
        var change = HCI.EncryptionChange()
        change.handle = 0x40
        change.enabled = 1
        script.event(.encryption(change))
        script.disconnect(reason: 0x08)

        #expect(script.sink.events.contains(.encrypted(isReadable: true)))
        #expect(script.sink.events.last == .closed(reason: 0x08))
    }

    @Test func `classic links are left alone`() {
        var script = HostScript()
        var complete = HCI.ClassicConnectionComplete()
        complete.handle = 0x40
        script.event(.connectedClassic(complete))
        script.command([5])

        #expect(script.sink.events == [])
        #expect(script.reader.counts.classic == 1)
    }

    @Test func `a packet without its header is named by offset`() {
        var script = HostScript()
        script.packet(.data, .sent, [0x40])
        script.packet(.event, .received, [0x3E, 19, 1, 0])
        script.packet(.command, .sent, [0x03])

        #expect(script.sink.problems.map(\.offset) == [100, 200, 300])
        #expect(script.sink.problems.allSatisfy { !$0.reason.isEmpty })
    }

    @Test func `more connections than a controller has do not pile up`() {
        var script = HostScript()
        for handle in 0..<500 as Range<UInt16> {
            script.handle = handle
            script.connect()
        }

        #expect(script.sink.events.count { $0 == .closed(reason: nil) } == 500 - 64)
    }
}
