import MeshPacket
import MeshRadio

/// The fate of a packet that the node has looked at.
enum PacketAction {
    case release
    case retransmit(priority: UInt8, delayMillis: UInt32)
}

// One pass of the firmware's main loop: `Dispatcher::loop` and the loop-back of `BaseChatMesh::loop`.
extension MeshNode {
    /// The mesh part of a pass, between `beginPass` and the role's own loop.
    mutating func loopPass(_ input: NodeInput) {
        dispatch(input)
        processLoopback()
    }

    /// OverTheAir, "Main loop". During a transmission, received frames are lost and due packets wait (OTA-099).
    private mutating func dispatch(_ input: NodeInput) {
        let factor = airtimeFactor
        var isDone = false
        if case .transmitDone = input { isDone = true }
        guard finishTransmission(isDone: isDone, airtimeFactor: factor) else {
            switch input {
            case .heard, .heardPacket: core.trace(.rxDrop(.transmitting))
            default: break
            }
            return
        }
        // Asked for by itself, because a packet that is not there is as long as one that is.
        if core.inboundQueue.hasDue(at: core.millis), var packet = core.takeDueInbound() { process(&packet) }
        switch input {
        case .heard(let frame, let signal): receive(frame, signal)
        case .heardPacket(let shared, let signal): receive(shared.packet, signal)
        case .receiveError: core.statistics.receiveErrors &+= 1
        default: break
        }
        core.checkSend(airtimeFactor: factor)
        // Nothing was on its way before: the transmission that is, has begun now.
        if tapsPackets, let slot = core.inFlight?.slot { tapBegun(core.pool.packet(in: slot)) }
    }

    /// Ends a transmission in the core, and reports the sent packet to the role.
    private mutating func finishTransmission(isDone: Bool, airtimeFactor: Float) -> Bool {
        guard tapsPackets, let slot = core.inFlight?.slot else {
            return core.finishTransmission(isDone: isDone, airtimeFactor: airtimeFactor)
        }
        let packet = core.pool.packet(in: slot)
        guard core.finishTransmission(isDone: isDone, airtimeFactor: airtimeFactor) else { return false }
        tapSent(packet, isDone: isDone)
        return true
    }

    /// Handles an imported advert as if it were received, but sends nothing of it.
    private mutating func processLoopback() {
        guard !core.loopback.isEmpty else { return }
        var packet = core.loopback.removeLast()
        _ = onReceive(&packet)
        core.release()
    }

    private mutating func receive(_ frame: RadioFrame, _ signal: Signal) {
        guard let packet = frame.withBytes({ PacketView(radio: $0) }) else {
            // A malformed frame takes a packet from the pool for a moment, too.
            noteReception(frame, signal)
            return core.trace(.rxDrop(core.pool.freeCount > 0 ? .malformed : .poolEmpty))
        }
        receive(packet, signal)
    }

    private mutating func noteReception(_ frame: @autoclosure () -> RadioFrame, _ signal: Signal) {
        core.statistics.framesReceived &+= 1
        core.lastSignal = signal
        if logsReceptions { logReceived(frame(), signal) }
    }

    /// Direct packets are processed at once, floods after a delay that lets better copies pass (OTA-100).
    private mutating func receive(_ packet: PacketView, _ signal: Signal) {
        noteReception(RadioFrame(packet), signal)
        guard core.pool.take() else { return core.trace(.rxDrop(.poolEmpty)) }
        let airtime = core.estimatedAirtime(bytes: packet.count)
        core.statistics.receiveAirtime &+= airtime
        if tapsPackets { tapReceived(packet, signal) }
        if packet.isFlood, receiveDelayBase == 0, packet.isDroppedWhenSeen, core.isKnown(packet) {
            // The common case, and what the whole way would come to.
            core.statistics.receivedFlood &+= 1
            core.release()
            return core.trace(.rxDrop(.alreadySeen))
        }
        var packet = packet
        packet.snr = signal.snrQuarters
        guard packet.isFlood else {
            core.statistics.receivedDirect &+= 1
            return process(&packet)
        }
        core.statistics.receivedFlood &+= 1
        let delay = receiveDelay(signal, bytes: packet.count, airtime: airtime)
        if delay < PacketScore.shortestReceiveDelayMilliseconds { return process(&packet) }
        core.queueInbound(
            packet, delayMillis: UInt32(min(delay, PacketScore.longestReceiveDelayMilliseconds)))
    }

    private mutating func receiveDelay(_ signal: Signal, bytes: Int, airtime: UInt32) -> Int32 {
        let base = receiveDelayBase
        guard base > 0 else { return 0 }
        return PacketScore.receiveDelayMilliseconds(
            base: base, score: core.score(signal, bytes: bytes), airtimeMilliseconds: airtime)
    }

    /// Passes a packet through the node and queues or releases it.
    private mutating func process(_ packet: inout PacketView) {
        switch onReceive(&packet) {
        case .release: core.release()
        case .retransmit(let priority, let delay):
            core.trace(.forwarded(hops: UInt8(packet.hopCount), delayMilliseconds: delay))
            core.queue(packet, priority: priority, delayMillis: delay)
        }
    }
}

extension RoutingCore {
    /// Returns the quality of a reception, 0…1, by the spreading factor that the chip's driver calculates with.
    mutating func score(_ signal: Signal, bytes: Int) -> Float {
        PacketScore.score(
            snr: Float(signal.snrHundredths) / 100,
            spreadingFactor: board.chip.scoringSpreadingFactor(configured: parameters.spreadingFactor), length: bytes)
    }
}
