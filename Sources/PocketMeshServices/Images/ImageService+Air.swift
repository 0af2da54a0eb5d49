import FoundationEssentials
import MeshCore
import MeshPacket
import MeshRadio
import MeshWire

/// A chunk or a report whose first relay has not been heard yet.
struct ChunkOnAir: Sendable {
    let payload: [UInt8]
    let path: [UInt8]

    /// Returns whether a packet is this one, passed on by the first repeater.
    func isRelayed(as packet: PacketView) -> Bool {
        packet.type == .rawCustom && packet.isDirect && packet.payloadCount == payload.count
            && packet.path.elementsEqual(path.dropFirst()) && packet.payload == payload
    }
}

// The distance of chunks on the air.
extension ImageService {
    /// Waits until the relays of the packet before are over; a radio puts packets to neighbours in a line by itself.
    func waitForAir(_ plan: ImagePlan) async throws {
        if plan.hops > 0 { try await waitForRelays() }
    }

    /// Waits until the relays of the last packet are over, and sends it again when the first was not heard.
    func waitForRelays() async throws {
        while true {
            switch air.next(at: elapsed()) {
            case .free: return
            // Not less: a clock may know no shorter time, and the moment would never come.
            case .wait(let span): try await rest(max(span, .milliseconds(1)))
            case .again:
                air.repeated(at: elapsed())
                guard let chunk = onAir else { continue }
                // One for which the radio has no room goes with the chunks that lack.
                try? await session.sendRawData(path: chunk.path, payload: chunk.payload)
            }
            try Task.checkCancellation()
        }
    }

    /// Lets time pass; ends early when a relay is heard or the caller is cancelled.
    private func rest(_ span: Duration) async throws {
        restNumber += 1
        let number = restNumber
        let task = Task(name: "wait for relays of a chunk") { [clock = dependencies.clock] in
            (try? await clock.sleep(for: span)) != nil
        }
        rests.append((number, task))
        let isOver = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        // One that was woken is no longer there. A clock that has stopped ends the wait.
        let isWoken = !rests.contains { $0.number == number }
        rests.removeAll { $0.number == number }
        guard isOver || isWoken else { throw CancellationError() }
        try Task.checkCancellation()
    }

    /// Handles a packet that the radio heard.
    func heard(_ event: MeshEvent) {
        guard case .rxLogData(let heard) = event, onAir?.isRelayed(as: heard.packet) == true else { return }
        onAir = nil
        air.relayed(at: elapsed())
        let woken = rests
        rests = []
        for rest in woken { rest.task.cancel() }
    }

    /// Notes that a chunk has gone to the radio.
    func noteSent(_ chunk: ImageChunk, along path: [UInt8], of id: UUID, _ plan: ImagePlan, isAgain: Bool = false) {
        occupyAir(plan, with: ChunkOnAir(payload: chunk.written(), path: path))
        deliveries[id]?.sent(isAgain: isAgain)
    }

    /// Notes that a packet has gone to the radio.
    func occupyAir(_ plan: ImagePlan, with chunk: ChunkOnAir) {
        onAir = chunk
        air.sent(plan.pace, distance: plan.distance, isHeard: listener != nil, at: elapsed())
    }
}

extension EventFilter {
    /// Raw data that the radio heard, for whomever it was.
    static let heardRawData = EventFilter { event in
        guard case .rxLogData(let heard) = event else { return false }
        return heard.packet.type == .rawCustom
    }
}
