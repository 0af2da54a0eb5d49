import MeshBluetoothHost
import MeshCompanion
import MeshWire
import Testing

@testable import BluetoothCapture

/// From attribute packets to frames. Source: CaptureFormats, "Nordic UART handles".
@Suite struct FrameFinderTests {
    static let appStart: [UInt8] = [1, 3, 32, 32, 32, 32, 32, 32, 97, 98, 99]

    static func selfInfo() -> [UInt8] {
        var info = Resp.SelfInfo().encoded()
        info += [UInt8](repeating: 0x41, count: max(0, 58 - info.count))
        info.replaceSubrange(48..<52, with: [0x0D, 0x43, 0x0D, 0x00])
        info[56] = 10
        info[57] = 5
        return info
    }

    @Test(arguments: [0 as UInt8, 1])
    func `discovered handles carry frames, whichever side logs`(role: UInt8) {
        var script = HostScript()
        script.connect(role: role)
        if role == 0 {
            script.discover()
            script.command(Self.appStart)
            script.answer([9, 1, 2, 3, 4])
        } else {
            script = script.mirrored {
                $0.discover()
                $0.command(Self.appStart)
                $0.answer([9, 1, 2, 3, 4])
            }
        }

        #expect(script.sink.lines == ["> 0103202020202020616263", "< 0901020304"])
        #expect(script.sink.handles == [NordicHandles(rx: 9, tx: 11, source: .discovered)])
    }

    @Test func `values of other handles are no frames`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.command([5], to: 20)
        script.answer([9, 1, 2, 3, 4], from: 21)
        script.receive(ATT.Notification(handle: 9, value: [5]))

        #expect(script.sink.lines == [])
        #expect(script.sink.values == 3)
    }

    @Test func `the handle of one side's server is not that of the other's`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.receive(ATT.WriteCommand(handle: 9, value: [5]))

        #expect(script.sink.lines == [])
    }

    @Test func `handles are remembered for a bonded peer`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.disconnect()
        script.connect()
        script.command([5])

        #expect(script.sink.lines == ["> 05"])
        #expect(script.sink.handles.map(\.source) == [.discovered, .remembered])
    }

    @Test func `another peer has handles of its own`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.disconnect()
        script.connect(peer: [9, 9, 9, 9, 9, 0xC9])
        script.command([5])
        script.reader.finish()

        #expect(script.sink.lines == [])
    }

    @Test func `an address that changes is not remembered, but the only radio is recognised`() {
        var script = HostScript()
        script.connect(peer: [1, 2, 3, 4, 5, 0x46])
        script.discover()
        script.disconnect()
        script.connect(peer: [6, 6, 6, 6, 6, 0x46])
        script.command([5])
        script.answer([9, 1, 2, 3, 4])
        script.command([5])
        script.answer([9, 1, 2, 3, 5])

        #expect(script.sink.lines == ["> 05", "< 0901020304", "> 05", "< 0901020305"])
        #expect(script.sink.handles.map(\.source) == [.discovered, .inferred])
    }

    @Test func `an introduction and its answer are enough in the middle of a connection`() {
        var script = HostScript()
        script.send(ATT.WriteRequest(handle: 12, value: [1, 0]))
        script.receive(ATT.WriteResponse())
        script.command(Self.appStart)
        script.answer(Self.selfInfo())
        script.command([5])

        #expect(script.sink.handles == [NordicHandles(rx: 9, tx: 11, source: .inferred)])
        #expect(script.sink.lines.count == 3)
    }

    @Test func `three commands with their answers are enough`() {
        var script = HostScript()
        for time in 0..<3 as Range<UInt8> {
            script.command([5])
            script.answer([9, time, 2, 3, 4])
        }

        #expect(script.sink.lines.count == 6)
        #expect(script.sink.handles.map(\.source) == [.inferred])
    }

    @Test func `yes and no alone prove nothing`() {
        var script = HostScript()
        for _ in 0..<20 {
            script.command([7])
            script.answer([0])
        }
        script.reader.finish()

        #expect(script.sink.lines == [])
        #expect(script.sink.values == 40)
    }

    @Test func `handles far from each other are no pair`() {
        var script = HostScript()
        script.command(Self.appStart, to: 9)
        script.answer(Self.selfInfo(), from: 30)
        script.reader.finish()

        #expect(script.sink.lines == [])
    }

    @Test func `handles with many values that are no frames are not believed`() {
        var script = HostScript()
        for _ in 0..<10 { script.answer([0x77, 0x66]) }
        script.command(Self.appStart)
        script.answer(Self.selfInfo())
        script.reader.finish()

        #expect(script.sink.lines == [])
    }

    @Test func `a later discovery holds for what came before`() {
        var script = HostScript()
        script.command([5])
        script.answer([9, 1, 2, 3, 4])
        script.discover()

        #expect(script.sink.lines == ["> 05", "< 0901020304"])
        #expect(script.sink.handles == [NordicHandles(rx: 9, tx: 11, source: .discovered)])
    }

    @Test func `the side that sends notifications is the radio`() {
        let script = HostScript().mirrored {
            $0.command(Self.appStart)
            $0.answer(Self.selfInfo())
        }

        #expect(script.sink.frames.map(\.direction) == [.toRadio, .toApp])
    }

    @Test func `what waits for its handles is bounded`() {
        var script = HostScript()
        let value = [UInt8](repeating: 0x77, count: 200)
        for _ in 0..<5000 { script.answer(value) }

        #expect(script.sink.values > 4000)
    }

    // MARK: Frames that do not fit

    static let contact = [3] + [UInt8](repeating: 0x30, count: 147)

    @Test func `a frame in several notifications is joined`() {
        var script = HostScript()
        script.connect()
        script.discover()
        for start in stride(from: 0, to: 148, by: 20) {
            script.answer(Array(Self.contact[start..<min(148, start + 20)]))
        }
        script.answer([0])

        #expect(script.sink.frames.map(\.bytes) == [Self.contact, [0]])
        #expect(script.sink.frames.map(\.isJoined) == [true, false])
    }

    @Test func `a text in several notifications is joined as far as it goes`() {
        let text: [UInt8] = [16] + [UInt8](repeating: 0x41, count: 44)
        var script = HostScript()
        script.connect()
        script.discover()
        for start in [0, 20, 40] { script.answer(Array(text[start..<min(45, start + 20)])) }

        #expect(script.sink.frames.map(\.bytes) == [text])
    }

    @Test func `a cut frame is reported as cut, and the next one as itself`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.answer(Array(Self.contact.prefix(20)))
        script.answer([9, 1, 2, 3, 4])
        script.answer([0])
        script.reader.finish()

        #expect(script.sink.lines == ["< 0901020304", "< 00"])
        #expect(
            script.sink.events.contains(.truncated(.toApp, part: Array(Self.contact.prefix(20)), length: 148)))
    }

    @Test func `two frames of exactly the longest kind are two frames`() {
        let frame: [UInt8] = [16] + [UInt8](repeating: 0x41, count: 19)
        var script = HostScript()
        script.connect()
        script.discover()
        script.answer(frame)
        script.answer(frame)
        script.reader.finish()

        #expect(script.sink.frames.map(\.bytes) == [frame, frame])
    }

    @Test func `empty values are no frames, and long ones are told of`() {
        var script = HostScript()
        script.connect()
        script.agree(mtu: 517)
        script.discover()
        script.command([])
        script.command([UInt8](repeating: 1, count: 177))

        #expect(script.sink.lines == [])
        #expect(script.sink.events.contains(.oversize(.toRadio, length: 177)))
        #expect(script.sink.values == 1)
    }

    // MARK: Writes

    @Test func `a refused write is no frame, and its repetition is`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.send(ATT.WriteRequest(handle: 9, value: [5]))
        script.receive(ATT.ErrorResponse(request: .writeRequest, handle: 9, error: .insufficientAuthentication))
        script.send(ATT.WriteRequest(handle: 9, value: [5]))
        script.receive(ATT.WriteResponse())

        #expect(script.sink.lines == ["> 05"])
        #expect(script.sink.events.contains(.rejected(frame: [5], error: 5)))
    }

    @Test func `an answer that overtakes the response to its write stays behind it`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.send(ATT.WriteRequest(handle: 9, value: [5]))
        script.answer([9, 1, 2, 3, 4])
        #expect(script.sink.lines == [])
        script.receive(ATT.WriteResponse())

        #expect(script.sink.lines == ["> 05", "< 0901020304"])
    }

    @Test func `requests of both sides do not disturb each other`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.send(ATT.WriteRequest(handle: 9, value: [5]))
        script.receive(ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: [0, 0x2A]))
        script.send(ATT.ErrorResponse(request: .readByTypeRequest, handle: 1, error: .attributeNotFound))
        script.receive(ATT.WriteResponse())

        #expect(script.sink.lines == ["> 05"])
    }

    @Test func `a long write is one frame at its end`() {
        let frame = [UInt8]((0..<40).map { $0 == 0 ? 25 : UInt8($0) })
        var script = HostScript()
        script.connect()
        script.discover()
        for start in stride(from: 0, to: 40, by: 18) {
            let part = Array(frame[start..<min(40, start + 18)])
            script.send(ATT.PrepareWriteRequest(handle: 9, offset: UInt16(start), part: part))
            script.receive(ATT.PrepareWriteResponse(handle: 9, offset: UInt16(start), part: part))
        }
        script.send(ATT.ExecuteWriteRequest(flag: 1))
        #expect(script.sink.lines == [])
        script.receive(ATT.ExecuteWriteResponse())

        #expect(script.sink.frames.map(\.bytes) == [frame])
        #expect(script.sink.lost == [])
    }

    @Test func `a long write that is given up leaves nothing`() {
        var script = HostScript()
        script.connect()
        script.discover()
        script.send(ATT.PrepareWriteRequest(handle: 9, offset: 0, part: [5]))
        script.receive(ATT.PrepareWriteResponse(handle: 9, offset: 0, part: [5]))
        script.send(ATT.ExecuteWriteRequest(flag: 0))
        script.receive(ATT.ExecuteWriteResponse())
        script.disconnect()

        #expect(script.sink.lines == [])
    }

    @Test func `a value that the capture cut is no short frame`() {
        var script = HostScript()
        script.connect()
        script.agree(mtu: 517)
        script.discover()
        // 20 of 100 bytes: "filtered" logs.
        script.data(
            .received, flags: 0x2000, [103, 0, 4, 0, 0x1B, 11, 0, 16] + [UInt8](repeating: 65, count: 12), length: 107)

        #expect(script.sink.lines == [])
        #expect(
            script.sink.events.contains(
                .truncated(.toApp, part: [16] + [UInt8](repeating: 65, count: 12), length: 100)))
    }
}

extension HostScript {
    /// The same as the peripheral's host logs it: what one sends the other receives.
    func mirrored(_ body: (inout Mirror) -> Void) -> HostScript {
        var mirror = Mirror(script: self)
        body(&mirror)
        return mirror.script
    }

    struct Mirror {
        var script: HostScript

        mutating func discover() {
            for (handle, uuid) in [(9 as UInt16, BluetoothUUID.nordicRX), (11, .nordicTX)] {
                script.receive(ATT.ReadByTypeRequest(first: 1, last: 0xFFFF, type: [0x03, 0x28]))
                script.send(
                    ATT.ReadByTypeResponse(
                        itemLength: 21, items: [UInt8(handle - 1), 0, 0x10, UInt8(handle), 0] + uuid.bytes))
            }
        }

        mutating func command(_ frame: [UInt8]) {
            script.receive(ATT.WriteCommand(handle: 9, value: frame))
        }

        mutating func answer(_ frame: [UInt8]) {
            script.send(ATT.Notification(handle: 11, value: frame))
        }
    }
}
