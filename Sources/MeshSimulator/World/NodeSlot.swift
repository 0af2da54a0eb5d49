import MeshFirmware
import MeshRadio
import MeshTime

/// Which of the world's arrays holds the core: each role has its own, so that a pass needs no existential.
enum CorePlace: Sendable {
    case companion(Int)
    case repeater(Int)
    case guest(Int)
}

/// What the world keeps of a node beside its core.
struct NodeSlot: Sendable {
    let label: String
    let role: NodeRole
    let board: BoardProfile
    let quirks: QuirkSet
    var place: CorePlace
    /// Off while the board starts again.
    var isUp = true
    /// Restarts since the world began.
    var boots = 0
    /// The radio's parameters as last tuned, and how long frames last with them.
    var airtime: Airtime
    var parameters: LoRaParameters { airtime.parameters }
    /// The place of the node's transmission on the air.
    var transmission: Int?
    /// Frames on the air at this node.
    var receptions: [Reception] = []
    /// The wake that is in the queue, `.never` when none is; any other one of this node is stale.
    var pendingWake = Instant.never
    /// What arrived from the client while the board was starting.
    var waiting = WaitingInputs()
}

/// What the client sent to a board that is starting: kept as its socket buffer would, and no more.
struct WaitingInputs: Sendable {
    /// Bytes a small IP stack buffers for one socket.
    static let byteLimit = 5744
    static let inputLimit = 64

    private(set) var inputs: [NodeInput] = []
    private var byteCount = 0

    /// Bytes that still fit.
    var window: Int { inputs.count < Self.inputLimit ? Self.byteLimit - byteCount : 0 }

    /// Keeps the input, or drops it when the buffer is full.
    mutating func add(_ input: NodeInput) {
        switch input {
        case .appConnected, .appDisconnected:
            inputs = [input]
            byteCount = 0
        case .appBytes(let bytes):
            guard bytes.count <= window else { return }
            byteCount += bytes.count
            inputs.append(input)
        case .heard, .receiveError, .transmitDone, .woke: break
        }
    }

    mutating func take() -> [NodeInput] {
        defer { self = WaitingInputs() }
        return inputs
    }
}
