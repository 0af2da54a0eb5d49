import BluetoothCapture
import MeshCapture
import MeshFiles
import MeshRadio
import MeshSimulator
import MeshTime
import MeshWorlds

/// A file of the packets that the nodes of a world send, which is written a piece at a time; the first failure is kept.
final class AirOutput {
    private let file: PieceOutput
    private var writer = LoRaTapWriter()
    private var pending: [UInt8] = []
    /// The settings of each node's radio.
    private var channels: [LoRaTapWriter.Channel] = []
    /// The reason why the file is not whole, in one line; `nil` while it is.
    var problem: String? { file.problem }

    /// Opens the file, over one that is there.
    init(_ path: String) throws(FileSystem.Failure) {
        file = try PieceOutput(path)
        writer.begin(into: &pending)
    }

    /// Reads the settings that the nodes of a world start with; no event of a run changes them.
    func begin(_ world: World) {
        channels = world.nodes.map {
            let radio = world.parameters(of: $0)
            return LoRaTapWriter.Channel(
                kilohertz: radio.frequencyKilohertz, bandwidthHertz: radio.bandwidthHertz,
                spreadingFactor: radio.spreadingFactor)
        }
    }

    /// Adds a transmission; other events are no packets.
    func add(_ time: Instant, _ node: NodeID, _ happening: MeshRun.Happening) {
        switch happening {
        case .event(.txBegin(_, let packet, _)), .event(.replayBegin(_, let packet, _)):
            let nanoseconds = SyntheticCapture.someTime + time.microseconds * 1000
            do throws(CaptureProblem) {
                try writer.write(packet, at: nanoseconds, on: channels[node.index], nil, into: &pending)
            } catch {
                file.fail(error.description)
            }
            if pending.count >= 1 << 20 { flush() }
        default: break
        }
    }

    /// Writes what is left, and closes the file.
    func end() {
        flush()
        file.end()
    }

    private func flush() {
        file.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
