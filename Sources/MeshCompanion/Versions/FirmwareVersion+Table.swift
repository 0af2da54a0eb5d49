// Releases are named as people write them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The versions, oldest first. A new one is a row here, its commands in the table of codes, and what it does that none
// did before. Source: FirmwareVersions, section 1.1; 1.18 is read from source text and not verified.
extension FirmwareVersion {
    /// The versions that can be picked, oldest first.
    public static let all: [FirmwareVersion] = [v1_14, v1_15, v1_16, v1_17_1, v1_18]

    /// The first version with hashes of several bytes; protocol level 10.
    public static let v1_14: FirmwareVersion = {
        var switches = v1_15.switches
        switches.level = 10
        switches.channelDataDelivered = nil
        switches.hasDefaultScope = false
        switches.lowestFrequency = 300_000
        switches.lowestFrequencyAtBoot = 400_000
        switches.replyScope = .none
        switches.hasDefaultRegion = false
        switches.hasCommonRegions = false
        switches.sensorBuild = nil
        switches.settingsFile = .binary(companion: 93, server: 290)
        return FirmwareVersion(name: "1.14", release: "1.14.1", buildDate: "20 Mar 2026", switches: switches)
    }()

    /// Group datagrams and default scopes; protocol level 11.
    public static let v1_15: FirmwareVersion = {
        var switches = v1_16.switches
        switches.level = 11
        switches.losesRefusedPackets = false
        switches.frameLimit = 172
        switches.channelDataOfCommand = 163
        switches.channelDataDelivered = 163
        switches.hasUnscopedFloods = false
        switches.transientContacts = .refused
        switches.heedsExternalSupply = false
        switches.middleRepeatFrequency = 869_000
        switches.ackLength = 4
        switches.relaysWholeAcks = false
        switches.seenPackets = 128
        switches.seenAcks = 64
        switches.shortPreamble = 16
        switches.hasHopLimits = false
        switches.floodAdvertHours = 12
        switches.countsHopsOfNeighbours = false
        switches.namesFactorRanges = false
        switches.boundsEchoes = false
        switches.receiveGain = .sx126x
        // Nobody had changed what the sensor's source says.
        switches.sensorBuild = FirmwareSwitches.BuildName(version: "v1.14.1", date: "20 Mar 2026")
        switches.settingsFile = .binary(companion: 140, server: 291)
        return FirmwareVersion(name: "1.15", release: "1.15.0", buildDate: "19 Apr 2026", switches: switches)
    }()

    /// Raw packets, requests to unknown nodes, longer frames and preambles; protocol level 13.
    public static let v1_16: FirmwareVersion = {
        var switches = v1_17_1.switches
        switches.transientContacts = .inTable
        switches.keepsRepeatByte = true
        switches.losesRefusedPackets = true
        switches.disablesStreams = false
        switches.reportsTemperature = false
        switches.cutsNamesBetweenCharacters = false
        switches.receptionFlags = .headerAlone
        switches.marksSentAgain = false
        switches.replyScope = .lastFlood
        switches.answersLoginDirect = false
        switches.hasShortRefusals = false
        switches.hasResetReasons = false
        switches.receiveGain = .sx126xAndLR1110
        switches.powersOffAllBoards = false
        switches.settingsFile = .binary(companion: 140, server: 293)
        return FirmwareVersion(name: "1.16", release: "1.16.0", buildDate: "6 Jun 2026", switches: switches)
    }()

    /// Settings in JSON and hidden transient contacts; protocol level 13. The specifications describe this version.
    public static let v1_17_1 = FirmwareVersion(
        name: "1.17.1", release: "1.17.1", buildDate: "14 Aug 2026", switches: FirmwareSwitches())

    /// A command line for the app and remote commands; protocol level 14. Read from source text, not verified.
    public static let v1_18: FirmwareVersion = {
        var switches = v1_17_1.switches
        switches.level = 14
        switches.channelDataOfCommand = 165
        switches.hasEncodedRawPath = true
        switches.skipsUnnamedChannels = true
        switches.reportsUnmatchedResponses = true
        switches.hasRemoteCommands = true
        switches.hasCompanionTuning = true
        switches.hasSeveralInterfaces = true
        switches.returnsPathOfCommands = false
        switches.serverClients = 32
        switches.detectsLoops = true
        // The day is the last on which it can have been released; no text that was read has it (FWV-200).
        return FirmwareVersion(
            name: "1.18", release: "1.18.0", buildDate: "15 Oct 2026", switches: switches,
            openQuestions: questionsOf1_18)
    }()

    /// The open questions on 1.18: the emulated radio's behaviour where no text was certain (FirmwareVersions,
    /// section 6).
    private static let questionsOf1_18 = [
        "FWV-200: The date of the build is the last day on which 1.18.0 can have been released.",
        "FWV-201: SET_DEVICE_TIME refuses an earlier time; the quirk clock-only-forward switches that off.",
        "FWV-202: The clock starts in May 2024, as in older versions; a board has its own start value.",
        "FWV-203: A radio has one interface unless it is given more; then each frame goes to the apps at all of them.",
        "FWV-204: Logins are answered with the level bytes 2 and 1, as in older versions.",
        "FWV-205: The keys of new settings in the file are those of infrastructure nodes.",
        "FWV-206: Where no text gives a reply of the command line, it is that of infrastructure nodes.",
        "FWV-207: Infrastructure nodes have no new words; all of them take texts of type 3 as commands.",
        "FWV-208: Damaged frames and the files are treated as in 1.17.1.",
        "FWV-209: DEVICE_INFO has 82 bytes, and SELF_INFO has no new ones.",
        "FWV-210: Unnamed channels do not receive, and SEND_RAW_DATA takes an encoded path length.",
        "FWV-211: A channel text of fewer than 7 bytes does what it does in 1.17.1.",
    ]
}
