import MeshCapture
import MeshCompanion
import MeshEmulator
import MeshTime
import MeshTransports
import MeshWire
import Testing

@testable import MeshScenarios

/// The radio of a recording behind the framing of a board.
@Suite struct ReplayedEndpointTests {
    static let tcp = LinkAddress.freePort
    private static let askTime = StreamFraming.encode(toRadio: [5])
    private static let time = "3e05000901020304"

    static func core(_ lines: String..., at endpoint: LinkAddress = tcp) throws -> ReplayedEndpoint {
        ReplayedEndpoint(RadioReplayer(try RecordedDay.made(of: lines)), at: endpoint)
    }

    /// The written bytes in hex, and the point at which the link is ended.
    private func said(_ actions: [EndpointAction]) -> [String] {
        actions.map { if case .write(let bytes) = $0 { bytes.hex } else { "hang up" } }
    }

    @Test func `a client that takes over begins with a frame, not in the middle of another's`() throws {
        var core = try Self.core("0 +", "1 > 05", "1 < 0901020304")
        _ = core.handle(.connected, at: .start)
        #expect(said(core.handle(.bytes([0x3C, 9, 0, 1, 2]), at: .start)) == [])

        _ = core.handle(.connected, at: .start)

        #expect(said(core.handle(.bytes(Self.askTime), at: .start)) == [Self.time])
    }

    @Test(arguments: [true, false])
    func `an answer that is late is not for the next client`(isTakenOver: Bool) throws {
        var core = try Self.core("0 +", "1 > 05", "3 < 0901020304")
        _ = core.handle(.connected, at: .start)
        #expect(said(core.handle(.bytes(Self.askTime), at: .start)) == [])
        #expect(core.nextWake == .seconds(2))

        if !isTakenOver { _ = core.handle(.disconnected, at: .seconds(1)) }
        #expect(core.hasBeenLeft == !isTakenOver)
        _ = core.handle(.connected, at: .seconds(1))

        #expect(said(core.handle(.woke, at: .seconds(3))) == [])
    }

    @Test func `an answer comes when its time has come`() throws {
        var core = try Self.core("0 +", "1 > 05", "3 < 0901020304")
        _ = core.handle(.connected, at: .start)
        _ = core.handle(.bytes(Self.askTime), at: .start)

        #expect(said(core.handle(.woke, at: .seconds(2))) == [Self.time])
    }

    @Test(arguments: [tcp, .pty(path: "/tmp/none.tty")])
    func `a restart hangs up, which on a socket is the end of the client`(endpoint: LinkAddress) throws {
        var core = try Self.core("0 +", "1 > 137265626f6f74", "2 -", at: endpoint)
        _ = core.handle(.connected, at: .start)
        let reboot = StreamFraming.encode(toRadio: [UInt8](hex: "137265626f6f74") ?? [])

        #expect(said(core.handle(.bytes(reboot), at: .start)) == ["hang up"])
        #expect(core.hasBeenLeft == (endpoint == Self.tcp))
    }

    @Test func `a terminal looks for the next frame behind noise, as a board's serial line does`() throws {
        var core = try Self.core("0 +", "1 > 05", "1 < 0901020304", at: .pty(path: "/tmp/none.tty"))
        _ = core.handle(.connected, at: .start)

        #expect(said(core.handle(.bytes([0x00, 0x41, 0x0D] + Self.askTime), at: .start)) == [Self.time])
    }

    @Test func `more bytes at once than a board's buffer holds are all taken`() throws {
        let count = 2 * WifiReceiver.socketBuffer / Self.askTime.count
        var core = try Self.core("0 +", "1 > 05", "1 < 0901020304")
        _ = core.handle(.connected, at: .start)
        let bytes = Array(repeatElement(Self.askTime, count: count).joined())

        let said = said(core.handle(.bytes(bytes), at: .start))

        #expect(said == Array(repeating: Self.time, count: count))
    }

    @Test func `a frame that cannot come holds no memory`() throws {
        var core = try Self.core("0 +", "1 > 05", "1 < 0901020304")
        _ = core.handle(.connected, at: .start)
        #expect(said(core.handle(.bytes([0x3C, 0xFF, 0xFF]), at: .start)) == [])

        for _ in 0..<64 { #expect(said(core.handle(.bytes(Array(repeating: 0, count: 4096)), at: .start)) == []) }

        #expect(core.unreadBytes <= 4096)
    }
}
