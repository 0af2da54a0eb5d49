import MeshBluetoothHost
import MeshTransports
import MeshWire
import NIOCore

/// The way to a controller of the radio's own: over TCP, or an adapter of this machine.
final class ControllerBearer: RadioBearer {
    typealias Host = BluetoothHost

    /// Bytes of one read.
    private static let readSize = 4096
    /// Bytes that wait for a controller that does not read, from which on the channel counts as not writable. It bounds
    /// nothing.
    private static let pendingLimit = 64 * 1024

    static var confirmsAdvertising: Bool { false }

    private let address: LinkAddress
    private let eventLoop: any EventLoop
    private let report: (Event) -> Void
    private var reader = HCI.PacketReader(limit: 4096)
    private var source: ByteSource?

    init(_ address: LinkAddress, eventLoop: any EventLoop, report: @escaping (Event) -> Void) {
        self.address = address
        self.eventLoop = eventLoop
        self.report = report
    }

    func begin() -> EventLoopFuture<Void> {
        let this = NIOLoopBound(self, eventLoop: eventLoop)
        let flow = LinkFlow(readSize: Self.readSize, pendingLimit: Self.pendingLimit)
        return LinkDialer.channel(to: address, flow: flow, on: eventLoop) { channel in
            let source = ByteSource { this.value.happened($1, at: $0) }
            try channel.pipeline.syncOperations.addHandler(source)
        }.map { _ in }
    }

    func perform(_ packet: [UInt8], name: [UInt8]) {
        source?.channel?.writeAndFlush(ByteBuffer(bytes: packet), promise: nil)
    }

    func stop() -> EventLoopFuture<Void> {
        let channel = source?.channel
        source = nil
        return channel?.close().recover { _ in } ?? eventLoop.makeSucceededVoidFuture()
    }

    private func happened(_ event: ByteSource.Event, at source: ByteSource) {
        switch event {
        case .active:
            self.source = source
            report(.ready)
        case .received: receive(source.take(.max))
        case .inputEnded, .closed: report(.happened([.closed]))
        }
    }

    private func receive(_ bytes: [UInt8]) {
        reader.append(bytes.span)
        var inputs: [BluetoothHost.Input] = []
        do throws(FrameError) {
            while let packet = try reader.next() { inputs.append(.received(packet)) }
            report(.happened(inputs))
        } catch {
            report(.happened(inputs))
            report(.ended("\(BluetoothHost.Failure.malformed(error))"))
        }
    }
}
