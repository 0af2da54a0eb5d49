package import MeshFirmware
package import MeshSimulator

/// A request to a rig: one JSON object in one line of UTF-8, answered by one line, one after the other.
///
/// ```
/// {"hello":{}}
/// {"prepare":{"link":"wifi"}}
/// {"linkUp":{}}
/// {"taken":{"bytes":4}}
/// {"run":{"microseconds":1000000,"until":"written"}}
/// ```
///
/// The order matters: the radio gets the requests in this order, at the moment at which its time is held.
package enum RigRequest: Hashable, Codable, Sendable {
    /// Asks for the rig's description, a `RigReply.welcome`. All others are answered by a `state`.
    case hello
    /// Puts a new radio at factory settings on the bench, with this interface; the rig's own board when `board` is
    /// absent. Connections to the radio before it are closed.
    case prepare(link: AppLink, board: BoardProfile? = nil)
    /// The client has opened the app's connection: a TCP connection beyond those before it, or the serial line.
    case linkUp
    /// The client has closed its TCP connection; a serial line is only not listened to any more.
    case linkDown
    /// The client has written so many bytes in all since the link came up: the radio gets what it has not got yet.
    case taken(bytes: Int)
    /// Lets so many microseconds pass, or fewer if `until` is the case before.
    case run(microseconds: Int64, until: HeldRadio.Stop)
    /// Acknowledges a restart.
    case noteRestart
    /// Switches the power off and on again, at once.
    case cyclePower
    /// Has the radio receive a frame: hex, with 1/100 dB and 1/100 dBm.
    case hear(frame: String, snr: Int16, rssi: Int16)
    /// Makes the air busy or free again for the radio.
    case hold(isBusy: Bool)
    /// Makes writing to storage, or formatting it, fail from now on, or succeed again.
    case storage(failsWriting: Bool, failsFormatting: Bool)
}

/// A reply of a rig.
package enum RigReply: Hashable, Codable, Sendable {
    /// The first reply: the description of the rig.
    case welcome(RigWelcome)
    /// The state of the rig.
    case state(RigState)
    /// The request was not carried out; for people.
    case refused(reason: String)
}

/// An object with one member, named after the answer, that holds what the answer does.
extension RigReply {
    private enum Key: String, CodingKey {
        case welcome, state, refused
    }

    private struct Refusal: Codable {
        let reason: String
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        switch members.allKeys.first {
        case .welcome: self = .welcome(try members.decode(RigWelcome.self, forKey: .welcome))
        case .state: self = .state(try members.decode(RigState.self, forKey: .state))
        case .refused: self = .refused(reason: try members.decode(Refusal.self, forKey: .refused).reason)
        case nil:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this is no answer of a rig"))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        switch self {
        case .welcome(let welcome): try members.encode(welcome, forKey: .welcome)
        case .state(let state): try members.encode(state, forKey: .state)
        case .refused(let reason): try members.encode(Refusal(reason: reason), forKey: .refused)
        }
    }
}

/// The description of a rig.
package struct RigWelcome: Hashable, Codable, Sendable {
    /// Grows when a client of the number before would go wrong.
    package static let protocolNumber = 1

    /// The version of the protocol that it speaks.
    package var number = Self.protocolNumber
    /// The board that is on the bench unless another is asked for.
    package var board: BoardProfile
    /// The app's interfaces; several builds share a socket, one at a time.
    package var endpoints: [RigEndpoint]

    package init(board: BoardProfile, endpoints: [RigEndpoint]) {
        self.board = board
        self.endpoints = endpoints
    }
}

/// An endpoint with the interfaces of a rig's radio that it serves.
package struct RigEndpoint: Hashable, Codable, Sendable {
    /// The interfaces that the radio can be prepared with to be reached here.
    package var links: [AppLink]
    /// `tcp://HOST:PORT` or `pty:PATH`.
    package var address: String

    package init(links: [AppLink], address: String) {
        self.links = links
        self.address = address
    }
}

/// The state of radio and link after a request.
package struct RigState: Hashable, Codable, Sendable {
    /// The radio's time, in microseconds since it was prepared.
    package var now: Int64 = 0
    /// Bytes that the radio has written to the app: since the TCP connection came up, or on the serial line since the
    /// radio was prepared. They are on the link; a client that has read so many has all there is.
    package var written = 0
    /// True when the radio assumes that its app is there; one that restarts or is reset closes its connection.
    package var isConnected = false
    /// True when the radio has restarted by itself since the app last wrote or acknowledged a restart.
    package var hasRestarted = false
    /// The frames that the radio has begun to send since the last state, in hex.
    package var sent: [String] = []

    package init() {}
}
