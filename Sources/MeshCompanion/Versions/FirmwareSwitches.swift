/// The differences between versions of the firmware: one row of the table in `FirmwareVersion+Table`.
///
/// Cores, the dispatch of commands, storage and consoles read it; nothing else distinguishes versions. Its first
/// values are those of 1.17.1. Commands are not in it: the table of codes has the first release of each command.
/// Source: FirmwareVersions, section 1.1.
package struct FirmwareSwitches: Hashable, Sendable {
    package init() {}

    // MARK: The link to the app

    /// `FIRMWARE_VER_CODE`, the protocol level.
    package var level = CompanionLimits.firmwareVersionCode
    /// `MAX_FRAME_SIZE` in bytes, code byte included.
    package var frameLimit = CompanionLimits.frame
    /// The longest payload of SEND_CHANNEL_DATA that is not refused as an illegal argument, in bytes.
    package var channelDataOfCommand = CompanionLimits.channelDataOfCommand
    /// The longest datagram that is delivered to the app, in bytes; `nil` where none is (FWV-018, FWV-040).
    package var channelDataDelivered: Int? = 167
    /// SET_FLOOD_SCOPE_KEY knows the sub-type 1, which sends without a scope (FWV-017).
    package var hasUnscopedFloods = true
    /// Texts and adverts use the default scope (FWV-042).
    package var hasDefaultScope = true
    /// SEND_ANON_REQ to a key that is no contact, and where it is kept meanwhile (FWV-019, FWV-063, FWV-082).
    package var transientContacts = TransientContacts.hidden
    /// The lowest frequency that SET_RADIO_PARAMS and the command lines accept, in kHz (FWV-016, FWV-043).
    package var lowestFrequency: UInt32 = 150_000
    /// The lowest stored frequency that survives a start, in kHz (FWV-016).
    package var lowestFrequencyAtBoot: UInt32 = 150_000
    /// The one repeat frequency that has changed, in kHz (FWV-016).
    package var middleRepeatFrequency: UInt32 = 869_495
    /// DEVICE_INFO gives the byte for repeating as it was sent (FWV-081).
    package var keepsRepeatByte = false
    /// SEND_RAW_DATA has an encoded length of its path (FWV-110).
    package var hasEncodedRawPath = false
    /// SEND_RAW_PACKET keeps the buffer of a packet that it refuses, until the radio restarts (FWV-062).
    package var losesRefusedPackets = false
    /// A channel slot without a name takes no part in reception (FWV-111).
    package var skipsUnnamedChannels = false
    /// RESPONSE without a pending request is delivered to the app (FWV-132).
    package var reportsUnmatchedResponses = false
    /// Texts of type 3, and contacts whose flag lets them command the radio (FWV-125 to FWV-131).
    package var hasRemoteCommands = false
    /// A companion's retransmit factors and the like are settings, which its command line changes (FWV-123, FWV-134).
    package var hasCompanionTuning = false
    /// A disabled interface is silent on USB and Wi-Fi, too; otherwise only Bluetooth heeds it (FWV-084).
    package var disablesStreams = true
    /// A build may have several interfaces at once (FWV-203).
    package var hasSeveralInterfaces = false
    /// The processor's temperature is in a companion's telemetry (FWV-086).
    package var reportsTemperature = true
    /// A low battery does not switch a companion off while there is an external supply (FWV-065).
    package var heedsExternalSupply = true

    // MARK: On the air

    /// Bytes of the acknowledgement of a plain text (FWV-067).
    package var ackLength = 6
    /// A relay sends direct acknowledgements on as they came; otherwise cut to 4 bytes (FWV-067).
    package var relaysWholeAcks = true
    /// Packets that are remembered as seen (FWV-068).
    package var seenPackets = 160
    /// Acknowledgements that are remembered apart by their first 4 bytes; 0 where they are among the packets (FWV-068).
    package var seenAcks = 0
    /// Symbols of a preamble at spreading factors up to 8; above there are always 16 (FWV-069).
    package var shortPreamble: UInt16 = 32
    /// A flooded text of type 1 is answered by a path without extra (FWV-130).
    package var returnsPathOfCommands = true
    /// Names are cut between characters, not between bytes (FWV-090).
    package var cutsNamesBetweenCharacters = true
    /// The interrupt flags that the drivers have the chip raise while it receives (FWV-089).
    ///
    /// Their check for a reception sees no other flags.
    package var receptionFlags = ReceptionFlags.preambleAndHeader
    /// Sending a packet enters it among the seen ones even if it was there (FWV-088).
    package var marksSentAgain = true

    // MARK: Infrastructure nodes

    /// The rule by which a server chooses the scope of an answer by flood (FWV-020, FWV-046, FWV-100).
    package var replyScope = ReplyScope.policy
    /// Servers have a default region, and send their adverts in it (FWV-020, FWV-047).
    package var hasDefaultRegion = true
    /// A repeater limits the hops of floods without a scope and of adverts (FWV-072).
    package var hasHopLimits = true
    /// Hours between flooded adverts of a new repeater or room (FWV-072).
    package var floodAdvertHours: UInt8 = 47
    /// A repeater answers a direct login along the stored path (FWV-101).
    package var answersLoginDirect = true
    /// Adverts without hops are neighbours whatever the length of their hashes (FWV-071).
    package var countsHopsOfNeighbours = true
    /// Clients that a server remembers (FWV-112).
    package var serverClients = 20
    /// The loop detection of a new repeater: true for `minimal`, false for `off` (FWV-113).
    package var detectsLoops = false
    /// The format in which settings are stored.
    package var settingsFile = SettingsFile.text
    /// The command lines answer as since 1.16: factors have upper limits, `powersaving` reports its time (FWV-073).
    package var namesFactorRanges = true
    /// The command `region` is on room servers and sensors too, and `region put` allows floods (FWV-048).
    package var hasCommonRegions = true
    /// Answers are cut to their buffer where they repeat an unknown setting; otherwise they run over its end (FWV-074).
    package var boundsEchoes = true
    /// Refusals of settings that a board lacks are `Error: unsupported`; otherwise each has words of its own (FWV-092).
    package var hasShortRefusals = true
    /// `get pwrmgt.bootreason` works without power management (FWV-092).
    package var hasResetReasons = true
    /// The builds with the setting `radio.rxgain` (FWV-034, FWV-073, FWV-092).
    package var receiveGain = ReceiveGainBuilds.all
    /// `poweroff` switches every board off; otherwise only those whose own code does (FWV-034).
    package var powersOffAllBoards = true
    /// The version and date that sensors give, where they are not those of the other roles (FWV-004).
    package var sensorBuild: BuildName?

    /// Symbols of a preamble.
    package func preambleSymbols(_ spreadingFactor: UInt8) -> UInt16 { spreadingFactor <= 8 ? shortPreamble : 16 }

    /// Flags that a check for a reception goes by, on chips that report by interrupt flags (all but the SX127x).
    package enum ReceptionFlags: Hashable, Sendable {
        /// The header alone: the channel seems free during preamble, sync word and header of every frame.
        case headerAlone
        /// The preamble too, until a deadline. Drivers with deadlines remember the state of the last check.
        case preambleAndHeader
    }

    /// The place of nodes that are asked without being contacts.
    package enum TransientContacts: Hashable, Sendable {
        /// They are not asked: ERR 2.
        case refused
        /// They stand in the table of contacts, are counted, not listed and not stored (1.16).
        case inTable
        /// They have 8 slots of their own, which no listing shows (since 1.17).
        case hidden
    }

    /// The builds that have the setting `radio.rxgain`.
    ///
    /// Where some lack it, a sensor accepts it and only repeaters come with the gain switched on.
    package enum ReceiveGainBuilds: Hashable, Sendable {
        /// Those with an SX1262 or SX1268 (1.14, 1.15).
        case sx126x
        /// And those with an LR1110 (1.16).
        case sx126xAndLR1110
        /// All of them; the radio decides what is accepted (since 1.17).
        case all
    }

    /// The name of a build.
    package struct BuildName: Hashable, Sendable {
        /// As in `v1.17.1`.
        package let version: String
        /// As in `14 Aug 2026`.
        package let date: String

        package init(version: String, date: String) {
            (self.version, self.date) = (version, date)
        }
    }

    /// The files of settings.
    package enum SettingsFile: Hashable, Sendable {
        /// Binary files of these sizes in bytes: `/new_prefs` of companions, `/com_prefs` of servers (FWV-150,
        /// FWV-155).
        case binary(companion: Int, server: Int)
        /// `/prefs.json`, whose fractions have 4 digits (FWV-151, FWV-152).
        case text
    }

    /// The scope of a server's answer by flood.
    package enum ReplyScope: Hashable, Sendable {
        /// None (1.14).
        case none
        /// The region of the request if it is known; for direct requests that of the last flood (1.15, 1.16).
        case lastFlood
        /// As the request where that is known, else the default (since 1.17.1).
        case policy
    }
}
