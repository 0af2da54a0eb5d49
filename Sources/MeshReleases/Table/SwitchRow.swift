import MeshCompanion

/// A switch of the table of versions in words, with its value.
struct SwitchRow: Sendable {
    let name: String
    let value: @Sendable (FirmwareSwitches) -> String

    private init(_ name: String, _ value: @escaping @Sendable (FirmwareSwitches) -> String) {
        (self.name, self.value) = (name, value)
    }

    /// All switches, in the order of the table; a test counts them.
    static let all: [SwitchRow] = app + air + servers

    private static let app: [SwitchRow] = [
        SwitchRow("protocol level") { "\($0.level)" },
        SwitchRow("bytes of a frame to or from the app, at most") { "\($0.frameLimit)" },
        SwitchRow("bytes that SEND_CHANNEL_DATA takes") { "\($0.channelDataOfCommand)" },
        SwitchRow("bytes of a datagram that the app gets") { $0.channelDataDelivered.map { "\($0)" } ?? "none" },
        SwitchRow("floods without scope by command") { yes($0.hasUnscopedFloods) },
        SwitchRow("default scope of companions") { yes($0.hasDefaultScope) },
        SwitchRow("place of nodes that are asked without being contacts") { words($0.transientContacts) },
        SwitchRow("lowest frequency, in kHz") { "\($0.lowestFrequency)" },
        SwitchRow("lowest stored frequency that survives a start, in kHz") { "\($0.lowestFrequencyAtBoot)" },
        SwitchRow("middle repeat frequency, in kHz") { "\($0.middleRepeatFrequency)" },
        SwitchRow("repeat byte given as it was sent") { yes($0.keepsRepeatByte) },
        SwitchRow("encoded path length of raw data") { yes($0.hasEncodedRawPath) },
        SwitchRow("buffers of refused raw packets are lost") { yes($0.losesRefusedPackets) },
        SwitchRow("channels without a name do not receive") { yes($0.skipsUnnamedChannels) },
        SwitchRow("unexpected responses reach the app") { yes($0.reportsUnmatchedResponses) },
        SwitchRow("remote commands") { yes($0.hasRemoteCommands) },
        SwitchRow("tuning of companions by command line") { yes($0.hasCompanionTuning) },
        SwitchRow("a disabled interface is silent on USB and Wi-Fi") { yes($0.disablesStreams) },
        SwitchRow("several interfaces at once") { yes($0.hasSeveralInterfaces) },
        SwitchRow("temperature of the processor in telemetry") { yes($0.reportsTemperature) },
        SwitchRow("an external supply keeps a companion with a low battery on") { yes($0.heedsExternalSupply) },
    ]

    private static let air: [SwitchRow] = [
        SwitchRow("bytes of an acknowledgement") { "\($0.ackLength)" },
        SwitchRow("acknowledgements are relayed whole") { yes($0.relaysWholeAcks) },
        SwitchRow("packets remembered as seen") { "\($0.seenPackets)" },
        SwitchRow("acknowledgements remembered apart") { "\($0.seenAcks)" },
        SwitchRow("symbols of a preamble up to SF 8") { "\($0.shortPreamble)" },
        SwitchRow("flooded command texts return a path") { yes($0.returnsPathOfCommands) },
        SwitchRow("names are cut between characters") { yes($0.cutsNamesBetweenCharacters) },
        SwitchRow("interrupt flags while receiving") { words($0.receptionFlags) },
        SwitchRow("a packet sent again counts as seen again") { yes($0.marksSentAgain) },
    ]

    private static let servers: [SwitchRow] = [
        SwitchRow("scope of a server's answers by flood") { words($0.replyScope) },
        SwitchRow("default region of servers") { yes($0.hasDefaultRegion) },
        SwitchRow("hop limits for un-scoped floods and adverts") { yes($0.hasHopLimits) },
        SwitchRow("hours between flooded adverts of a new node") { "\($0.floodAdvertHours)" },
        SwitchRow("direct logins are answered directly") { yes($0.answersLoginDirect) },
        SwitchRow("neighbours with long hashes count") { yes($0.countsHopsOfNeighbours) },
        SwitchRow("clients that a server remembers") { "\($0.serverClients)" },
        SwitchRow("loop detection of a new repeater") { yes($0.detectsLoops) },
        SwitchRow("file of settings") { words($0.settingsFile) },
        SwitchRow("upper limits of factors") { yes($0.namesFactorRanges) },
        SwitchRow("regions on rooms and sensors") { yes($0.hasCommonRegions) },
        SwitchRow("echoes of unknown settings are cut") { yes($0.boundsEchoes) },
        SwitchRow("short refusals of settings") { yes($0.hasShortRefusals) },
        SwitchRow("reset reason without power management") { yes($0.hasResetReasons) },
        SwitchRow("builds with radio.rxgain") { words($0.receiveGain) },
        SwitchRow("poweroff switches all boards off") { yes($0.powersOffAllBoards) },
        SwitchRow("version that sensors say") { $0.sensorBuild?.version ?? "as the others" },
    ]

    private static func yes(_ value: Bool) -> String { value ? "yes" : "no" }

    private static func words(_ value: FirmwareSwitches.TransientContacts) -> String {
        switch value {
        case .refused: "none"
        case .inTable: "in the table of contacts"
        case .hidden: "slots of their own"
        }
    }

    private static func words(_ value: FirmwareSwitches.ReceptionFlags) -> String {
        switch value {
        case .headerAlone: "header alone"
        case .preambleAndHeader: "preamble and header"
        }
    }

    private static func words(_ value: FirmwareSwitches.ReplyScope) -> String {
        switch value {
        case .none: "none"
        case .lastFlood: "that of the last flood"
        case .policy: "that of the request, or the default"
        }
    }

    private static func words(_ value: FirmwareSwitches.SettingsFile) -> String {
        switch value {
        case .binary(let companion, let server): "binary, \(companion) and \(server) bytes"
        case .text: "JSON"
        }
    }

    private static func words(_ value: FirmwareSwitches.ReceiveGainBuilds) -> String {
        switch value {
        case .sx126x: "SX126x"
        case .sx126xAndLR1110: "SX126x, LR1110"
        case .all: "all"
        }
    }
}
