import MeshTime

extension BluetoothHost {
    /// The state of one connection.
    struct LinkState: Sendable {
        let link: Link
        /// The controller's number of it, which is given out again.
        let handle: UInt16
        let isCentral: Bool
        let peer: BluetoothAddress
        var parameters: ConnectionParameters
        var server: ATT.Server
        var client: ATT.Client
        var security: SecurityManager
        var assembler = L2CAP.Assembler()
        /// The last identifier of an own request on the signalling channel.
        var signal: UInt8 = 0
        /// A procedure that was refused for its security, to be begun again.
        var held: Refused?
        /// The link ends when what waits is sent, at the latest then.
        var ending: (reason: UInt8, until: Instant)?
        /// The time by which the controller must have ended it, once it was asked to.
        var endsBy: Instant?
        /// The program was refused for a full queue, and wants to know of room.
        var wantsRoom = false

        struct Refused: Sendable {
            var procedure: ATT.Client.Procedure
            var opcode: ATT.Opcode
            var handle: UInt16
            var error: ATT.ErrorCode
        }

        var protection: ATT.Protection {
            ATT.Protection(security.level, reachable: security.bond?.level ?? .none)
        }

        /// The earliest moment that something waits for.
        var deadline: Instant? {
            if let endsBy { return endsBy }
            return [client.deadline, server.indicated?.until, security.deadline, ending?.until].compactMap { $0 }.min()
        }
    }
}
