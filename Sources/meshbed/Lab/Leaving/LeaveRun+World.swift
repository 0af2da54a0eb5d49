import MeshCompliance
import MeshCrypto
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

// The world of a run, and what happens in it at the place.
extension LeaveRun {
    /// The node behind the first contact: the only one that acknowledges.
    static let friend = Peer("Friend", seed: 0x21)
    /// The node that advertises itself for the first time.
    private static let newcomer = Peer("Newcomer", seed: 0x22)

    /// The radio before it is switched on: a board with room for one contact more, unless one is to be replaced.
    func description(for pair: LeavePair?) -> WorldDescription {
        var load = load
        load.firstKey = Self.friend.identity.publicKey
        var world = load.world(seed: seed)
        var board = BoardProfile.heltecV3
        board.firmware = firmware
        board.maxContacts = load.contacts + (pair?.occasion == .removal ? 0 : 1)
        board.maxChannels = load.channels
        board.offlineQueueSize = max(board.offlineQueueSize, load.messages + 1)
        world.nodes[0].board = board
        world.nodes[0].role = .companion(.wifi)
        return world
    }

    /// Has something happen to the radio; returns the messages that it has forgotten by that.
    func happen(
        _ occasion: LeaveOccasion, in world: inout World, to node: NodeID, acknowledging expected: UInt32?
    ) -> Int {
        switch occasion {
        case .message: hear(text, in: &world, node)
        case .advert, .removal: hear(Self.newcomer.advert(SyncLoad.firstTimestamp + 1_000_000), in: &world, node)
        case .acknowledgement:
            hear(AirPacket(.ack, .flood, payload: (expected ?? 0).wireBytes), in: &world, node)
        case .reboot:
            let queued = world.companion(node)?.offlineQueue.count ?? 0
            world.restart(node)
            return queued
        }
        return 0
    }

    /// A text on the public channel, with the number behind those of the queue.
    private var text: AirPacket {
        let timestamp = SyncLoad.firstTimestamp + 1_000_000
        return Channel.everyone.seal(
            .groupText, timestamp.wireBytes + [0] + [UInt8]("Friend: \(load.messages): just now".utf8))
    }

    private func hear(_ packet: AirPacket, in world: inout World, _ node: NodeID) {
        world.inject(.heard(RadioFrame(packet.bytes), .good), into: node)
    }
}
