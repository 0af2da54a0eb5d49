import MeshCompanion

/// Finds the command that a push is the late answer to.
enum PushCause {
    /// Commands that are looked back at.
    private static let horizon = 256

    /// The number of the newest command that this push can be due to.
    static func find(_ push: [UInt8], in exchanges: ArraySlice<ReplayScript.Exchange>) -> Int? {
        guard let code = push.first.flatMap(PushCode.init(rawValue:)), isLate(code) else { return nil }
        let recent = exchanges.suffix(horizon)
        return recent.lastIndex { exchange in
            guard let first = exchange.command.first, let row = CommandCode(rawValue: first)?.row,
                row.later.contains(code)
            else { return false }
            return belongs(push, code, to: exchange)
        }
    }

    /// Returns whether such pushes follow from a command; all others come by themselves.
    private static func isLate(_ code: PushCode) -> Bool {
        switch code {
        case .sendConfirmed, .loginSuccess, .loginFail, .statusResponse, .telemetryResponse, .binaryResponse,
            .pathDiscoveryResponse, .traceData, .controlData:
            true
        default: false
        }
    }

    private static func belongs(
        _ push: [UInt8], _ code: PushCode, to exchange: ReplayScript.Exchange
    ) -> Bool {
        switch code {
        case .sendConfirmed: tag(of: exchange).elementsEqual(push.dropFirst().prefix(4))
        case .binaryResponse: tag(of: exchange).elementsEqual(push.dropFirst(2).prefix(4))
        case .traceData: exchange.command.dropFirst().prefix(4).elementsEqual(push.dropFirst(4).prefix(4))
        // The tag of a discovery stands behind two bytes of both payloads.
        case .controlData: exchange.command.dropFirst(3).prefix(4).elementsEqual(push.dropFirst(6).prefix(4))
        default: key(in: exchange.command).elementsEqual(push.dropFirst(2).prefix(6))
        }
    }

    /// The tag in the SENT that answered.
    private static func tag(of exchange: ReplayScript.Exchange) -> ArraySlice<UInt8> {
        guard let reply = exchange.replies.first?.bytes, reply.first == ResponseCode.sent.rawValue else { return [] }
        return reply.dropFirst(2).prefix(4)
    }

    private static func key(in command: [UInt8]) -> ArraySlice<UInt8> {
        FieldPlaces(of: command, .toRadio).bytes("public_key", in: command)?.prefix(6) ?? []
    }
}
