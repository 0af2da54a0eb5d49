import MeshFiles
import NIOCore

/// The control connection of a rig, with requests and replies as lines.
///
/// There is one client at a time. A second one waits a moment for the first to go, and is then refused.
final class RigControl: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Bytes of a line: a description of a whole board fits many times.
    static let lineLimit = 64 * 1024

    /// Requests that may wait for the one before.
    static let requestLimit = 1000
    /// The time that a client waits for the one before it: long enough to notice the end of a connection.
    static let seatGrace = TimeAmount.seconds(1)

    /// The client that has the bench, and those that wait for it.
    final class Seat {
        fileprivate var holder: RigControl?
        fileprivate var line: [RigControl] = []
    }

    private let bench: RigBench
    private let seat: Seat
    private var line: [UInt8] = []
    private var waiting: [[UInt8]] = []
    private var isBusy = false
    private var context: ChannelHandlerContext?

    init(bench: RigBench, seat: Seat) {
        self.bench = bench
        self.seat = seat
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard context.channel.isActive else { return }
        begin(context)
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard seat.holder !== self, !seat.line.contains(where: { $0 === self }) else { return }
        guard seat.holder != nil else { return sitDown() }
        seat.line.append(self)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.seatGrace) { [weak self] () -> Void in
            self?.giveUp()
        }
    }

    private func sitDown() {
        seat.holder = self
        bench.tell("a client took it")
        answerNext()
    }

    /// Refuses a client that waited in vain.
    private func giveUp() {
        guard let place = seat.line.firstIndex(where: { $0 === self }) else { return }
        seat.line.remove(at: place)
        send(.refused(reason: "somebody else has the rig"))
        context?.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        seat.line.removeAll { $0 === self }
        guard seat.holder === self else { return }
        seat.holder = nil
        bench.abandon()
        bench.tell("the client let it go")
        if !seat.line.isEmpty { seat.line.removeFirst().sitDown() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    // MARK: Lines

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            if byte == UInt8(ascii: "\n") {
                waiting.append(line)
                line = []
            } else {
                line.append(byte)
            }
        }
        guard line.count <= Self.lineLimit, waiting.count <= Self.requestLimit else {
            send(.refused(reason: "a line is longer than \(Self.lineLimit) bytes, or too many wait"))
            context.close(promise: nil)
            return
        }
        answerNext()
    }

    /// Answers one request after the other, however fast they come.
    private func answerNext() {
        guard seat.holder === self, !isBusy, !waiting.isEmpty else { return }
        let line = waiting.removeFirst()
        guard let request = try? RigRequest(json: line) else {
            send(.refused(reason: "this is no request: \(String(decoding: line.prefix(200), as: UTF8.self))"))
            answerNext()
            return
        }
        isBusy = true
        bench.perform(request) { [weak self] reply in
            guard let self else { return }
            isBusy = false
            send(reply)
            answerNext()
        }
    }

    private func send(_ reply: RigReply) {
        guard let context, let text = try? reply.jsonText(inOneLine: true) else { return }
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(string: text + "\n")), promise: nil)
    }
}
