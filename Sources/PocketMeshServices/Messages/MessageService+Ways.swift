import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

// What is kept of the ways of messages: the attempts of ours, and the packets of texts that the radio heard.
extension MessageService {
    /// Stores an attempt that the radio accepted. Only the page of the message needs it: an error ends nothing.
    func keepAttempt(_ number: Int, of id: UUID, isFlood: Bool, to contact: ContactDTO? = nil) async {
        var attempt = MessageAttemptDTO(
            messageID: id, number: number, sentAt: dependencies.now(), isFlood: isFlood)
        do {
            if !isFlood, let contact, let now = try await store.fetchContact(id: contact.id) {
                (attempt.pathLength, attempt.path) = (now.outPathLengthRaw, now.outPath)
            }
            try await store.saveMessageAttempt(attempt)
        } catch {
            dependencies.log.info("an attempt was not noted: \(error)")
        }
    }

    /// Handles a packet that the radio has heard; one that repeats a message of ours is counted for it.
    func heardPacket(_ event: MeshEvent) async {
        guard case .rxLogData(let heard) = event else { return }
        // Only texts of channels come back to those who sent them.
        let isOfChannel = heard.packet.type == .grpTxt
        await keep(heard, repeating: isOfChannel ? memory.echoes.message(heard: heard.packet, at: elapsed()) : nil)
    }

    /// Stores a packet with a text for this radio or of a channel. Direct texts between others are left out.
    ///
    /// `messageID` is the message of ours that it repeats, which is counted.
    private func keep(_ heard: ReceivedPacketLog, repeating messageID: UUID?) async {
        guard let deviceID, await concernsUs(heard.packet) else { return }
        do {
            try await store.saveHeardPacket(
                HeardPacketDTO(
                    deviceID: deviceID, heardAt: dependencies.now(), snr: heard.log.snr, rssi: heard.log.rssi,
                    packet: Data(heard.log.raw)), repeating: messageID)
        } catch {
            dependencies.log.info("a packet was not noted: \(error)")
        }
    }

    private func concernsUs(_ packet: PacketView) async -> Bool {
        guard packet.type == .txtMsg else { return true }
        guard let own = await session.currentSelfInfo?.publicKey.array.first else { return false }
        return packet.destinationHash == own
    }
}
