import FoundationEssentials
import MeshBoards
import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports

/// The control connection to a rig: one line out, one line in.
final class RigConnection {
    /// The time that a rig may need; it waits for the app's connection itself, for less.
    static let patience = TimeSpan.seconds(20)
    /// The most bytes of one line; frames that the radio sent in the meantime make it long.
    private static let longestLine = 1 << 24

    private let stream: StreamDescriptor
    private var input = LineBuffer()
    let welcome: RigWelcome
    /// The addresses of the interfaces of its radio.
    let addresses: [LinkAddress]
    private(set) var state = RigState()

    init(_ address: LinkAddress) throws(TargetError) {
        guard case .tcp = address else { throw .rigLost("a rig is steered over TCP, not at \(address)") }
        do {
            stream = try StreamDescriptor(address, within: .seconds(5))
            let reply = try Self.exchange(.hello, over: stream, &input)
            if case .refused(let reason) = reply { throw TargetError.rigLost(reason) }
            guard case .welcome(let welcome) = reply else { throw TargetError.rigLost("it does not say who it is") }
            guard welcome.number == RigWelcome.protocolNumber else {
                throw TargetError.rigLost(
                    "it speaks number \(welcome.number) of the rig's protocol, and this \(RigWelcome.protocolNumber)")
            }
            do { try welcome.board.check() } catch { throw TargetError.rigLost("its \(error)") }
            self.welcome = welcome
            addresses = try welcome.addresses()
        } catch TargetError.unreachable(let why) {
            throw .rigLost("cannot reach it: \(why)")
        } catch let error as TargetError {
            throw error
        } catch {
            throw .rigLost("\(error)")
        }
    }

    func close() { stream.close() }

    /// Has something done; what the radio sent meanwhile is in the state.
    @discardableResult
    func ask(_ request: RigRequest) throws(TargetError) -> RigState {
        switch try Self.exchange(request, over: stream, &input) {
        case .state(let state):
            self.state = state
            return state
        case .refused(let reason): throw .linkLost(reason)
        case .welcome: throw .rigLost("it greets in the middle of a run")
        }
    }

    private static func exchange(_ request: RigRequest, over stream: StreamDescriptor, _ input: inout LineBuffer)
        throws(TargetError) -> RigReply
    {
        do {
            try stream.write([UInt8](try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")], within: patience)
            while true {
                if let line = input.next() { return try reply(in: line) }
                guard let bytes = try stream.read(within: patience) else {
                    throw TargetError.rigLost("no answer within \(patience.milliseconds / 1000) seconds")
                }
                input.append(bytes)
                guard input.count <= longestLine else {
                    throw TargetError.rigLost("a line of it is longer than \(longestLine) bytes")
                }
            }
        } catch TargetError.linkLost {
            throw .rigLost("it closed its control connection")
        } catch let error as TargetError {
            throw error
        } catch {
            throw .rigLost("\(error)")
        }
    }

    /// Parses a line of the rig.
    static func reply(in line: [UInt8]) throws(TargetError) -> RigReply {
        do {
            return try RigReply(json: line)
        } catch {
            throw .rigLost("an answer makes no sense: \(error)")
        }
    }
}

extension RigWelcome {
    /// Returns the addresses at which clients find the interfaces of the radio.
    ///
    /// - Throws: `rigLost` when an address cannot be parsed, as a foreign rig may write it.
    func addresses() throws(TargetError) -> [LinkAddress] {
        var addresses: [LinkAddress] = []
        for endpoint in endpoints {
            do {
                addresses.append(try LinkAddress(listener: endpoint.address).dialed)
            } catch {
                throw .rigLost("its \(error)")
            }
        }
        return addresses
    }
}
