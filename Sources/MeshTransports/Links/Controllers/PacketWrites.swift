import NIOCore

/// Writes one packet at a time, for descriptors that treat each call's bytes as one packet.
///
/// A channel over a descriptor joins waiting packets into one call (`writev`). So nothing waits there: the next packet
/// follows when the last one is out.
final class PacketWrites: ChannelOutboundHandler, ChannelInboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = OutboundIn
    typealias InboundIn = ByteBuffer

    private struct Packet {
        let bytes: OutboundOut
        let promise: EventLoopPromise<Void>?
    }

    private var waiting = MarkedCircularBuffer<Packet>(initialCapacity: 4)
    private var isBusy = false
    private var isAdvancing = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append(Packet(bytes: unwrapOutboundIn(data), promise: promise))
    }

    func flush(context: ChannelHandlerContext) {
        waiting.mark()
        advance(context)
    }

    private func advance(_ context: ChannelHandlerContext) {
        // Packets that are out at once come back here before the call that wrote them has returned.
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while !isBusy, waiting.hasMark {
            let packet = waiting.removeFirst()
            let promise = packet.promise ?? context.eventLoop.makePromise()
            isBusy = true
            promise.futureResult.assumeIsolated().whenComplete { _ in
                self.isBusy = false
                self.advance(context)
            }
            context.writeAndFlush(wrapOutboundOut(packet.bytes), promise: promise)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        while let packet = waiting.popFirst() { packet.promise?.fail(ChannelError.ioOnClosedChannel) }
        context.fireChannelInactive()
    }
}
