import MeshBoards
import MeshCompanion
import MeshWire

extension MatrixCheck {
    /// Every command with as many bytes as a frame has. A refusal for its content counts, too: the frame was read
    /// whole.
    static let longestCommands: [MatrixCheck] = settings + questions + contacts + sending + session

    private static let nobody = Peer(number: 176)
    /// The node that the radio is to ask. It remembers a node until the next boot, so this is not the unknown one.
    private static let asked = Peer(number: 177)

    private static let settings: [MatrixCheck] = [
        // A second may pass on the way, and no clock goes back.
        MatrixCheck(longest: .setDeviceTime) { ("\(try $0.now() + 2)", "00") },
        MatrixCheck(longest: .setAdvertName, filler: 0x41, "", "00"),
        MatrixCheck(longest: .setRadioParams) { radio in
            let info = try radio.selfInfo()
            return ("\(info["freq"]) \(info["bw"]) \(info["sf"]) \(info["cr"])", "00")
        },
        MatrixCheck(longest: .setRadioTxPower) { ("\(try $0.selfInfo()["power"])", "00") },
        MatrixCheck(longest: .setAdvertLatlon) { radio in
            let info = try radio.selfInfo()
            return ("\(info["lat"]) \(info["lon"])", "00")
        },
        MatrixCheck(longest: .setTuningParams) { ("\(try $0.ask("2B", "17 values8")["values"])", "00") },
        MatrixCheck(longest: .setDevicePin) { ("\(try $0.deviceInfo()["pin"])", "00") },
        MatrixCheck(longest: .setOtherParams) { radio in
            let info = try radio.selfInfo()
            return ("\(info["manual"]) \(info["telemetry"]) \(info["policy"]) \(info["acks"])", "00")
        },
        MatrixCheck(longest: .setAutoaddConfig) { ("\(try $0.ask("3B", "19 config2")["config"])", "00") },
        MatrixCheck(longest: .setPathHashMode) { ("00 \(try $0.deviceInfo()["mode"])", "00") },
        MatrixCheck(longest: .setFloodScopeKey, "00 00×16", "00"),
        MatrixCheck(longest: .setDefaultFloodScope, "'long' 00×27 55×16", "00"),
        MatrixCheck(longest: .setCustomVar, filler: 0x61, "'none:'", "01 06"),
    ]

    private static let questions: [MatrixCheck] = [
        MatrixCheck(longest: .getDeviceTime, "", "09 time4"),
        MatrixCheck(longest: .getBattAndStorage, "", "0C ?10"),
        MatrixCheck(longest: .deviceQuery, "03", "0D ?81"),
        MatrixCheck(longest: .exportPrivateKey, needs: .freshRadio, "", "0E key64"),
        MatrixCheck(longest: .getChannel, "00", "12 00 ?48"),
        MatrixCheck(longest: .getCustomVars, "", "15 …"),
        MatrixCheck(longest: .getAdvertPath, "00 \(nobody.key)", "01 02"),
        MatrixCheck(longest: .getTuningParams, "", "17 ?8"),
        MatrixCheck(longest: .getStats, "02", "18 02 ?28"),
        MatrixCheck(longest: .getAutoaddConfig, "", "19 ?2"),
        MatrixCheck(longest: .getAllowedRepeatFreq, "", "1A …"),
        MatrixCheck(longest: .getDefaultFloodScope, "", "1C …"),
    ]

    private static let contacts: [MatrixCheck] = [
        // Nothing is that new.
        MatrixCheck(longest: .getContacts, needs: .emptyContacts, "FFFFFFFF", "02 00000000").then("04 00000000"),
        MatrixCheck(longest: .addUpdateContact) { radio in
            let frame = try radio.contactFrame(.bob, lastmod: 1000).bytes()
            return ("\(frame.dropFirst())", "00")
        },
        MatrixCheck(longest: .resetPath, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .removeContact, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .shareContact, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .exportContact, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .importContact, "", "01 06"),
        MatrixCheck(longest: .getContactByKey, "\(nobody.key)", "01 02"),
    ]

    private static let sending: [MatrixCheck] = [
        MatrixCheck(longest: .sendTxtMsg) { radio in
            try radio.add(.bob)
            return ("00 00 \(radio.sentAt) \(Peer.bob.prefix) 'hey'", "06 01 ack4 timeout4")
        },
        MatrixCheck(longest: .sendSelfAdvert, "00", "00"),
        MatrixCheck(longest: .sendRawData, "00", "00"),
        MatrixCheck(longest: .sendLogin, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .sendStatusReq, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .sendTelemetryReq, "000000 \(nobody.key)", "01 02"),
        MatrixCheck(longest: .sendBinaryReq, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .sendPathDiscoveryReq, "00 \(nobody.key)", "01 02"),
        MatrixCheck(longest: .sendTracePath, "11223344 00000000 00", "01 06"),
        MatrixCheck(longest: .sendControlData, "80", "00"),
        MatrixCheck(longest: .sendAnonReq) { radio in
            ("\(asked.key)", radio.switches.transientContacts == .refused ? "01 02" : "01 03")
        },
        MatrixCheck(longest: .sendChannelData, "00 FF FFFF", "01 06"),
        MatrixCheck(longest: .sendRawPacket, "00 D1 00", "01 06"),
    ]

    private static let session: [MatrixCheck] = [
        MatrixCheck(longest: .appStart, filler: 0x41, "00×7", "05 …"),
        // Fetching takes a message off the radio, which belongs to its owner.
        MatrixCheck(longest: .syncNextMessage, needs: .freshRadio, "", "0A"),
        MatrixCheck(longest: .importPrivateKey) { radio in
            try radio.requireKeys("18 00×64")
            return ("00×64", "01 06")
        },
        MatrixCheck(longest: .hasConnection, "\(nobody.key)", "01 02"),
        MatrixCheck(longest: .logout, "\(nobody.key)", "00"),
        MatrixCheck(longest: .signStart, "", "13 00 00200000"),
        MatrixCheck(longest: .signFinish) { radio in
            try radio.ask("21", "13 00 00200000")
            return ("", "14 sig64")
        },
        // One letter away from what restarts or erases a radio.
        MatrixCheck(longest: .reboot, needs: .restart, "'rebooT'", "01 01"),
        MatrixCheck(longest: .factoryReset, needs: .identity, "'resex'", "01 01"),
    ]

    /// The same, with a further frame of the answer.
    private func then(_ reply: Pattern) -> MatrixCheck {
        let first = body
        return MatrixCheck(String(id.dropFirst("MATRIX-".count)), title, needs: needs) { radio in
            try first(radio)
            try radio.expect(reply)
        }
    }
}
