import MeshCompanion

extension ServerPreferences {
    /// All settings and facts of repeaters, room servers and sensors: for `get` and `set`, the file, and the
    /// documentation.
    ///
    /// Source: InfrastructureNodes, "Files and preferences", "Settings by command" and "Roles"; firmware, `CommonCLI`
    /// and the constructors of the roles.
    public static let rows: [PreferenceRow] = identityRows + radioRows + bridgeRows + otherRows + rowsOutsideFile

    private static let identityRows: [PreferenceRow] = [
        PreferenceRow(
            "name", file: "name", in: .text(\.name, most: 31),
            .text(refused: #"[]\:,?*"#, refusal: "Error, bad chars"), then: .inNextAdvert),
        PreferenceRow(nil, file: "pass", in: .text(\.password, most: 15), .command("password <text>")),
        PreferenceRow(
            "guest.password", file: "guest", in: .text(\.guestPassword, most: 15), .text(),
            for: [.repeater, .roomServer]),
        PreferenceRow(
            "owner.info", file: "owner", in: .text(\.ownerInfo, most: 119), .lines, for: [.repeater], since: "1.12.0"),
        PreferenceRow(
            "advert.interval", file: "adv_int", in: .u8(\.advertInterval),
            .number(
                NumberRule(
                    reading: .digits, ranges: [.min...0, 60...240],
                    refusal: "Error: interval range is 60-240 minutes", divisor: 2)),
            unit: "min", then: .localAdverts),
        PreferenceRow(
            "flood.advert.interval", file: "f_adv_int", in: .u8(\.floodAdvertInterval),
            .number(
                NumberRule(
                    reading: .digits, ranges: [.min...0, 3...168], refusal: "Error: interval range is 3-168 hours")),
            unit: "h", then: .floodAdverts, since: "1.4.1"),
        PreferenceRow("lat", file: "lat", in: .double(\.latitude), .decimal(nil), unit: "°", then: .inNextAdvert),
        PreferenceRow("lon", file: "lon", in: .double(\.longitude), .decimal(nil), unit: "°", then: .inNextAdvert),
    ]

    private static let radioRows: [PreferenceRow] = [
        PreferenceRow(
            "freq", file: "radio.freq", in: .float(\.frequency), .decimal(nil), unit: "MHz",
            says: .text("OK - reboot to apply"), then: .atReboot, serialOnly: .set),
        PreferenceRow(
            nil, file: "radio.bw", in: .float(\.bandwidth), .command("set radio"), unit: "kHz", then: .atReboot),
        PreferenceRow(nil, file: "radio.sf", in: .u8(\.spreadingFactor), .command("set radio"), then: .atReboot),
        PreferenceRow(nil, file: "radio.cr", in: .u8(\.codingRate), .command("set radio"), then: .atReboot),
        PreferenceRow("cad", file: "radio.cad", in: .u8(\.cadEnabled), .onOff, since: "1.17.0"),
        PreferenceRow(
            "int.thresh", file: "radio.int_thr", in: .u8(\.interferenceThreshold), .number(NumberRule()), unit: "dB",
            since: "1.7.0"),
        PreferenceRow(
            "radio.rxgain", file: "radio.rxgain", in: .u8(\.boostedGain), .onOff, then: .boostedGain,
            for: [.repeater, .roomServer], since: "1.14.1", needs: .boostedGain),
        PreferenceRow(
            "radio.fem.rxgain", file: "radio.fem_rxgain", in: .u8(\.femReceiveGain), amplifierState,
            says: .value("OK - LoRa FEM RX gain "), then: .receiveAmplifier, since: "1.17.0",
            needs: .switchedReceiveAmplifier),
        PreferenceRow(
            "radio.fem.txgain", file: "radio.fem_txgain", in: .u8(\.femTransmitGain), amplifierState,
            says: .value("OK - LoRa FEM TX gain "), then: .transmitAmplifier, since: "1.17.1",
            needs: .switchedTransmitAmplifier),
        PreferenceRow("tx", file: "radio.tx", in: .i8(\.txPower), .number(NumberRule()), unit: "dBm", then: .txPower),
        PreferenceRow("af", file: "radio.af", in: .float(\.airtimeFactor), .decimal(nil)),
        PreferenceRow(
            "rxdelay", file: "radio.rxdelay", in: .float(\.receiveDelayBase),
            .decimal(0...20, refusal: "Error, must be 0-20")),
        PreferenceRow(
            "txdelay", file: "radio.f_txdelay", in: .float(\.floodDelayFactor),
            .decimal(0...2, refusal: "Error, must be 0-2")),
        PreferenceRow(
            "direct.txdelay", file: "radio.d_txdelay", in: .float(\.directDelayFactor),
            .decimal(0...2, refusal: "Error, must be 0-2")),
        PreferenceRow(
            "agc.reset.interval", file: "radio.agc_int", in: .u8(\.agcResetInterval), .number(NumberRule(divisor: 4)),
            unit: "s", says: .value("OK - interval rounded to "), since: "1.7.1"),
        PreferenceRow(
            "path.hash.mode", file: "radio.hash_mode", in: .u8(\.pathHashMode),
            .number(NumberRule(reading: .byte, ranges: [0...2], refusal: "Error, must be 0,1, or 2")),
            since: "1.14.0"),
        PreferenceRow(
            "multi.acks", file: "radio.multi_ack", in: .u8(\.extraAcks), .number(NumberRule()),
            for: [.repeater, .roomServer], since: "1.7.4"),
    ]

    private static let bridgeRows: [PreferenceRow] = [
        PreferenceRow(
            "bridge.enabled", file: "bridge.en", in: .u8(\.bridgeEnabled), .onOff, then: .bridgeState, for: [.repeater],
            since: "1.10.0", needs: .bridge),
        PreferenceRow(
            "bridge.delay", file: "bridge.delay", in: .u16(\.bridgeDelay),
            .number(
                NumberRule(
                    reading: .digits, ranges: [0...10_000], refusal: "Error: delay must be between 0-10000 ms")),
            unit: "ms", for: [.repeater], since: "1.10.0", needs: .bridge),
        PreferenceRow(
            "bridge.source", file: "bridge.src", in: .u8(\.bridgeSource), .flag("rx", one: "logRx", zero: "logTx"),
            for: [.repeater], since: "1.10.0", needs: .bridge),
        PreferenceRow(
            "bridge.baud", file: "bridge.baud", in: .u32(\.bridgeBaud),
            .number(
                NumberRule(ranges: [9600...115_200], refusal: "Error: baud rate must be between 9600-115200")),
            unit: "baud", then: .bridgeRestart, for: [.repeater], since: "1.10.0", needs: .serialBridge),
        PreferenceRow(
            "bridge.channel", file: "bridge.ch", in: .u8(\.bridgeChannel),
            .number(NumberRule(ranges: [1...14], refusal: "Error: channel must be between 1-14")),
            then: .bridgeRestart, for: [.repeater], since: "1.10.0", needs: .espNowBridge),
        PreferenceRow(
            "bridge.secret", file: "bridge.secret", in: .text(\.bridgeSecret, most: 15), .text(), then: .bridgeRestart,
            for: [.repeater], since: "1.10.0", needs: .espNowBridge),
    ]

    private static let otherRows: [PreferenceRow] = [
        PreferenceRow(
            nil, file: "gps.en", in: .u8(\.gpsEnabled), .command("gps on, gps off"), since: "1.10.0", needs: .gps),
        PreferenceRow(
            nil, file: "gps.int", in: .u32(\.gpsInterval), .command(""), unit: "s", since: "1.10.0", needs: .gps),
        PreferenceRow(
            nil, file: "gps.adv_loc", in: .u8(\.advertLocationPolicy), .command("gps advert none, share, prefs"),
            then: .inNextAdvert, since: "1.10.0", needs: .gps),
        PreferenceRow(
            "repeat", file: "repeat.disable", in: .u8(\.forwardingDisabled), .flag("off", one: "off", zero: "on"),
            says: .value("OK - repeat is now ", capitals: true)),
        PreferenceRow("flood.max", file: "repeat.f_max", in: .u8(\.floodMax), hopLimit, unit: "hops", since: "1.3.0"),
        PreferenceRow(
            "flood.max.unscoped", file: "repeat.f_max_uns", in: .u8(\.floodMaxUnscoped), hopLimit, unit: "hops",
            for: [.repeater, .roomServer], since: "1.16.0"),
        PreferenceRow(
            "flood.max.advert", file: "repeat.f_max_adv", in: .u8(\.floodMaxAdvert), hopLimit, unit: "hops",
            for: [.repeater, .roomServer], since: "1.16.0"),
        PreferenceRow(
            "loop.detect", file: "repeat.loop", in: .u8(\.loopDetect),
            .choice(
                ["off", "minimal", "moderate", "strict"],
                refusal: "Error, must be: off, minimal, moderate, or strict"),
            for: [.repeater], since: "1.14.0"),
        PreferenceRow(
            "allow.read.only", file: "room.rd_only", in: .u8(\.allowsReadOnly), .onOff, for: [.roomServer],
            since: "1.4.1"),
        PreferenceRow(
            "adc.multiplier", file: "power.adc_mult", in: .float(\.adcMultiplier), .special(.adcMultiplier),
            then: .adcMultiplier, since: "1.11.0", needs: .adcMultiplier),
        PreferenceRow(
            nil, file: "power.pwr_sav_en", in: .u8(\.powerSaving), .command("powersaving on, powersaving off"),
            for: [.repeater], since: "1.12.0"),
    ]

    private static let rowsOutsideFile: [PreferenceRow] = [
        PreferenceRow("dutycycle", .special(.dutyCycle), unit: "%", since: "1.15.0"),
        PreferenceRow(
            "radio", .special(.radio), unit: "MHz, kHz", says: .text("OK - reboot to apply"), then: .atReboot),
        PreferenceRow("prv.key", .special(.privateKey), then: .atReboot, since: "1.8.0", serialOnly: .get),
        PreferenceRow(
            "extra.sf", .special(.extraSpreadingFactors), says: .text("OK - extra SFs set"), for: [.repeater],
            since: "1.17.0", needs: .sideDetectors),
        PreferenceRow("public.key", .special(.publicKey), since: "1.4.2"),
        PreferenceRow("role", .special(.role), since: "1.4.2"),
        PreferenceRow("bridge.type", .special(.bridgeType), since: "1.10.0"),
        PreferenceRow("bootloader.ver", .special(.bootLoader), since: "1.14.0"),
        PreferenceRow("pwrmgt.support", .special(.powerSupport), since: "1.12.0"),
        PreferenceRow("pwrmgt.source", .special(.powerSource), since: "1.12.0"),
        PreferenceRow("pwrmgt.bootreason", .special(.bootReason), since: "1.12.0"),
        PreferenceRow("pwrmgt.bootmv", .special(.bootVoltage), unit: "mV", since: "1.12.0"),
    ]

    private static let hopLimit = PreferenceSyntax.number(
        NumberRule(reading: .byte, ranges: [0...64], refusal: "Error, max 64"))
    private static let amplifierState = PreferenceSyntax.choice(
        ["off", "on"], refusal: "Error: state must be on or off")
}
