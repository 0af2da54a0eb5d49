import MeshCompanion

// Radios that do one thing as another version does: what a wrong row of the table of versions would be.
extension Mutant {
    static let versions: [Mutant] = [
        Mutant("old-level", of: .v1_18, [40], probes: [1], "A radio of 1.18 tells the protocol level 13.") {
            $0.level = 13
        },
        Mutant(
            "frames-too-long", of: .v1_15, [4, 183, 192], probes: [19, 20],
            "A radio of 1.15 takes 176 bytes in a frame."
        ) { $0.frameLimit = 176 },
        Mutant(
            "frames-too-short", of: .v1_16, [4, 145, 183, 192], probes: [19, 20],
            "A radio of 1.16 takes 172 bytes in a frame."
        ) { $0.frameLimit = 172 },
        Mutant(
            "acks-of-six-bytes", of: .v1_15, [151, 249], probes: [21], "A radio of 1.15 acknowledges with six bytes."
        ) { $0.ackLength = 6 },
        Mutant(
            "unscoped-too-early", of: .v1_15, [79], probes: [6], "A radio of 1.15 sends floods without a scope."
        ) { $0.hasUnscopedFloods = true },
        Mutant(
            "old-repeat-frequency", of: .v1_16, [60, 61, 62], probes: [11, 12], "A radio of 1.16 repeats at 869 MHz."
        ) { $0.middleRepeatFrequency = 869_000 },
        Mutant(
            "low-frequencies-too-early", of: .v1_14, [58], probes: [10], "A radio of 1.14 takes 150 MHz."
        ) { $0.lowestFrequency = 150_000 },
        Mutant(
            "transients-too-early", of: .v1_15, [], probes: [8, 9], "A radio of 1.15 asks nodes that are no contacts."
        ) { $0.transientContacts = .hidden },
        Mutant("old-preamble", of: .v1_16, [], probes: [24], "A radio of 1.16 has a preamble of 16 symbols.") {
            $0.shortPreamble = 16
        },
        Mutant(
            "repeat-byte-kept", of: .v1_17_1, [], probes: [13],
            "DEVICE_INFO gives the byte for repeating as it was sent."
        ) { $0.keepsRepeatByte = true },
        Mutant(
            "raw-path-literal", of: .v1_18, [], probes: [14, 15],
            "A radio of 1.18 takes the path of raw data literally."
        ) { $0.hasEncodedRawPath = false },
        Mutant(
            "remote-commands-refused", of: .v1_18, [], probes: [16], "A radio of 1.18 refuses texts of type 3."
        ) { $0.hasRemoteCommands = false },
        Mutant(
            "unmatched-response-dropped", of: .v1_18, [], probes: [23], "A radio of 1.18 drops an unexpected response."
        ) { $0.reportsUnmatchedResponses = false },
        Mutant(
            "command-returns-path", of: .v1_18, [], probes: [22], "A radio of 1.18 returns the path of a command."
        ) { $0.returnsPathOfCommands = true },
    ]
}
