import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

@testable import MeshEmulator

/// Frames between a radio and its client under faults, on a clock that the test sets.
@Suite struct FaultyLinkTests {
    private let inner = ShortClient()

    private func port(seed: UInt64 = 7) -> FaultyBench { FaultyBench(inner, seed: Seed(seed)) }

    private func faults(_ change: (inout LinkFaults) -> Void) -> LinkFaults {
        var faults = LinkFaults.none
        change(&faults)
        return faults
    }

    private func toApp(_ frame: [UInt8]) -> [UInt8] { StreamFraming.encode(toApp: frame) ?? [] }

    /// All that the radio gets now, its bytes together.
    private func heard(_ port: FaultyBench) -> (bytes: [UInt8], hasLost: Bool) {
        var bytes: [UInt8] = []
        while let input = port.nextInput(window: 3) {
            switch input {
            case .bytes(let piece): bytes += piece
            case .disconnected: return (bytes, true)
            default: break
            }
        }
        return (bytes, false)
    }

    @Test func `without faults everything passes as it came`() {
        let port = port()
        inner.inputs = [.bytes([1, 2, 3]), .bytes([4])]

        port.send(toApp([5, 6]))

        #expect(inner.sent == [toApp([5, 6])])
        #expect(heard(port).bytes == [1, 2, 3, 4])
        #expect(port.nextRelease == .never)
    }

    @Test func `the next frame is lost, and the one behind it passes`() {
        let port = port()
        port.set(faults { ($0.drop, $0.frames) = (10_000, 1) }, .toApp)

        port.send(toApp([1]))
        port.send(toApp([2]))

        #expect(inner.sent == [toApp([2])])
    }

    @Test func `a link remembers the faults that it was given, and which of them did nothing`() {
        let port = port()
        port.set(faults { ($0.drop, $0.frames) = (10_000, 1) }, .toApp)
        port.set(faults { ($0.duplicate, $0.garble) = (10_000, 0) }, .toRadio)
        port.set(.none, .toRadio)

        port.send(toApp([1]))

        #expect(port.demands.map(\.way) == [.toApp, .toRadio])
        let world = World(.solo, seed: Seed(7))
        let effects = port.demands.map { demand in (demand, demand.effects(in: world)) }
        #expect(
            effects.map { demand, all in all.filter(demand.isIdle).map { $0.words("alice") } } == [
                [], ["link-duplicate of alice, to the radio"],
            ])
        #expect(effects[0].1.map(\.count.frames) == [1])
    }

    @Test func `a frame of the client is found in pieces, and lost alone`() {
        let port = port()
        port.set(faults { ($0.drop, $0.frames) = (10_000, 1) }, .toRadio)
        let stream = StreamFraming.encode(toRadio: [22, 3]) + StreamFraming.encode(toRadio: [5])
        inner.inputs = stream.map { .bytes([$0]) }

        #expect(heard(port).bytes == StreamFraming.encode(toRadio: [5]))
    }

    @Test func `a frame that is changed keeps its length and its code`() {
        let port = port()
        port.set(faults { $0.garble = 10_000 }, .toApp)
        let frame: [UInt8] = [9, 1, 2, 3, 4]

        port.send(toApp(frame))

        #expect(inner.sent.count == 1)
        #expect(inner.sent[0].count == toApp(frame).count)
        #expect(inner.sent[0].prefix(4) == toApp(frame).prefix(4))
        #expect(inner.sent[0] != toApp(frame))
    }

    @Test func `a stall holds back what comes behind it, and no frame overtakes another`() {
        let port = port()
        port.set(faults { $0.stall = .init(after: 1, lasts: .seconds(3)) }, .toApp)

        for byte in 1...3 as ClosedRange<UInt8> { port.send(toApp([byte])) }
        #expect(inner.sent == [toApp([1])])
        #expect(port.nextRelease == .seconds(3))

        inner.now = .seconds(2)
        port.release()
        #expect(inner.sent.count == 1)
        inner.now = .seconds(3)
        port.release()

        #expect(inner.sent == [1, 2, 3].map { toApp([$0]) })
        #expect(port.nextRelease == .never)
    }

    @Test func `a frame that is cut in two comes in two writes, a millisecond apart`() {
        let port = port()
        port.set(faults { ($0.fragment, $0.frames) = (10_000, 1) }, .toApp)
        let whole = toApp([9, 1, 2, 3, 4])

        port.send(whole)
        let first = inner.sent
        inner.now = .milliseconds(1)
        port.release()

        #expect(first.count == 1)
        #expect(inner.sent.count == 2)
        #expect(inner.sent.flatMap(\.self) == whole)
    }

    @Test func `frames beyond what the queue holds are lost`() {
        let port = port()
        port.set(faults { $0.stall = .init(after: 0, lasts: .seconds(3)) }, .toApp)

        for _ in 0..<2000 { port.send(toApp([1])) }
        #expect(inner.sent.isEmpty)
        inner.now = .seconds(3)
        port.release()

        #expect(inner.sent.count == 1023)
    }

    @Test func `the link ends behind the frame that it was to end behind`() {
        let port = port()
        port.set(faults { $0.cutAfter = 2 }, .toRadio)
        inner.inputs = [5, 22, 7].map { .bytes(StreamFraming.encode(toRadio: [$0])) }

        let heard = heard(port)

        #expect(heard.bytes == StreamFraming.encode(toRadio: [5]) + StreamFraming.encode(toRadio: [22]))
        #expect(heard.hasLost)
        #expect(!inner.hasClient)
    }

    @Test func `clearing lets go of what is held, and forgetting does not`() {
        let port = port()
        port.set(faults { $0.stall = .init(after: 0, lasts: .seconds(3)) }, .toApp)

        port.send(toApp([1]))
        port.clear()
        #expect(inner.sent == [toApp([1])])

        port.set(faults { $0.stall = .init(after: 0, lasts: .seconds(3)) }, .toApp)
        port.send(toApp([2]))
        port.forget()
        inner.now = .seconds(3)
        port.release()
        #expect(inner.sent == [toApp([1])])
    }

    @Test func `a run that begins again has the same draws`() {
        let port = port()
        func run() -> [[UInt8]] {
            inner.sent = []
            port.set(faults { $0.drop = 5000 }, .toApp)
            for byte in 0..<64 as Range<UInt8> { port.send(toApp([byte])) }
            return inner.sent
        }

        let first = run()
        port.forget()

        #expect((1..<64).contains(first.count))
        #expect(run() == first)
    }

    @Test func `a push reaches the client beside the faults`() {
        let port = port()
        port.set(faults { $0.drop = 10_000 }, .toApp)

        port.push([0x83])

        #expect(inner.sent == [toApp([0x83])])
    }
}

/// The client of a faulty link, and the clock.
private final class ShortClient {
    var now = Instant.seconds(0)
    var sent: [[UInt8]] = []
    var inputs: [NodeInput.App] = []
    var hasClient = true
}

/// A faulty link with its client, as the driver has them.
private final class FaultyBench {
    private let client: ShortClient
    private var link: FaultyLink
    private var inbox = ClientInbox()

    init(_ client: ShortClient, seed: Seed) {
        self.client = client
        link = FaultyLink(seed: seed)
    }

    var nextRelease: Instant { link.nextRelease }
    var demands: [LinkFaultDemand] { link.demands }

    private func perform() {
        for output in link.takeOutputs() {
            switch output {
            case .write(let bytes): client.sent.append(bytes)
            case .hangUp, .refuse: client.hasClient = false
            }
        }
    }

    func set(_ faults: LinkFaults, _ way: FrameDirection) { link.set(faults, way) }

    func send(_ bytes: [UInt8]) {
        link.send(bytes, at: client.now)
        perform()
    }

    func push(_ frame: [UInt8]) {
        link.push(frame)
        perform()
    }

    func release() {
        link.release(at: client.now)
        perform()
    }

    func clear() {
        link.clear(at: client.now)
        perform()
    }

    func forget() { link.forget() }

    func nextInput(window: Int) -> NodeInput.App? {
        for input in client.inputs { inbox.add(input) }
        client.inputs = []
        defer { perform() }
        return link.nextInput(window: window, from: &inbox, at: client.now)
    }
}
