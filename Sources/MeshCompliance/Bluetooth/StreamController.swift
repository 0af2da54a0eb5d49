import MeshBluetoothHost
import MeshBoards
import MeshTime
import MeshTransports
import MeshWire

/// A Bluetooth controller at the other end of a link, on the time of the world.
final class StreamController: ControllerLink {
    private let address: LinkAddress
    private let stream: StreamDescriptor
    private let start = ContinuousClock.now
    private var reader = HCI.PacketReader(limit: 4096)

    /// Connects to the controller.
    init(_ controller: BluetoothController, within span: TimeSpan) throws(TargetError) {
        address = .controller(controller)
        BluetoothHolds.waitUntilFree(controller)
        stream = try StreamDescriptor(address, within: span)
    }

    var now: Instant { .start + TimeSpan(ContinuousClock.now - start) }

    func send(_ packet: [UInt8]) throws(TargetError) {
        try stream.write(packet, within: .seconds(5))
    }

    func receive(until moment: Instant) throws(TargetError) -> [UInt8]? {
        while true {
            do throws(FrameError) {
                if let packet = try reader.next() { return packet }
            } catch {
                throw .linkLost("\(address) sends what is no packet of a Bluetooth controller (\(error))")
            }
            let left = moment - now
            guard left > .zero, let bytes = try stream.read(within: left) else { return nil }
            reader.append(bytes.span)
        }
    }
}
