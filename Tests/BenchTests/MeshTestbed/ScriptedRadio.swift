import MeshBoards
import MeshCompanion
import MeshSimulator
import MeshTime
import MeshTransports

@testable import MeshCompliance

/// A stand-in at a socket that answers each frame of the client with what a closure makes of it.
final class ScriptedRadio: ComplianceTarget {
    /// The address under which runs name it.
    static let address = LinkAddress.tcp(host: "127.0.0.1", port: 1)

    let title = "tcp://127.0.0.1:1"
    let abilities: Abilities = [.link, .secondClient]
    let interface = AppLink.wifi
    let patience = TimeSpan.seconds(5)
    let silence = TimeSpan.milliseconds(250)
    private let answer: ([UInt8]) -> [UInt8]
    private var waiting: [UInt8] = []
    /// Frames of the client, whatever became of them.
    private(set) var asked = 0

    /// - Parameter answer: the bytes that follow a frame, header and all.
    init(_ answer: @escaping ([UInt8]) -> [UInt8]) { self.answer = answer }

    /// A radio that answers every frame with a frame, or with nothing.
    static func framed(_ answer: @escaping ([UInt8]) -> [UInt8]?) -> ScriptedRadio {
        ScriptedRadio { answer($0).flatMap { StreamFraming.encode(toApp: $0) } ?? [] }
    }

    func prepare(_ setup: Setup) {}
    func close() {}
    func connect() { waiting = [] }
    func disconnect() { waiting = [] }
    func reconnectAfterRestart() { waiting = [] }
    func connectSecondClient() -> Bool { true }
    func wait(_ span: TimeSpan) {}

    func write(_ bytes: [UInt8]) {
        asked += 1
        waiting += answer([UInt8](bytes.dropFirst(StreamFraming.headerSize)))
    }

    func read(within span: TimeSpan) -> [UInt8]? {
        defer { waiting = [] }
        return waiting.isEmpty ? nil : waiting
    }
}
