import MeshBoards
import MeshCompanion
import MeshWire

extension MatrixCheck {
    /// Commands whose length is not checked, without some of their fields: the rest is left from an earlier frame.
    ///
    /// All of them put their own bytes in the buffer first, so that what is executed is known. A radio that is not
    /// made for the check is spared them: another firmware may do anything with such a frame.
    static let cutCommands: [MatrixCheck] = [
        MatrixCheck("03-cut", "SEND_CHANNEL_TXT_MSG that ends before its text is answered", needs: .crash) { radio in
            try radio.ask("20 01 'Left' 00×28 11×16", "00")
            try radio.ask("03 00 01 \(radio.sentAt) 'left'", "00")
            // The firmware reckons with a negative length: whatever is left to say will do.
            try radio.ask("03 00 01", "…")
            try radio.ask("05", "09 time4")
        },
        MatrixCheck("09-shortest", "ADD_UPDATE_CONTACT of 36 bytes takes path and name from before", needs: .freshRadio)
        { radio in
            try radio.ask(radio.contactFrame(.bob, path: [0xAA], advert: 7, lastmod: 1000), "00")
            try radio.ask("09 \(Peer.carol.key) 01 00 01", "00")
            let carol = try radio.contact(Peer.carol.key)
            try radio.require("path", carol["path"].prefix(1) + [], is: [0xAA])
            try radio.require("name", carol["name"], is: [UInt8]("Bob".utf8).padded(to: 32))
        },
        MatrixCheck("0B-cut", "SET_RADIO_PARAMS without fields takes those from before", needs: .freshRadio) { radio in
            let info = try radio.selfInfo()
            let values = info["freq"] + info["bw"] + info["sf"] + info["cr"]
            try radio.ask("0B \(values)", "00")
            try radio.ask("0B", "00")
            let after = try radio.selfInfo()
            try radio.require(
                "parameters", after["freq"] + after["bw"] + after["sf"] + after["cr"], is: values)
        },
        MatrixCheck("0C-cut", "SET_RADIO_TX_POWER without power takes the byte from before", needs: .freshRadio) {
            radio in
            try radio.ask("08 05 41", "00")
            try radio.ask("0C", "00")
            try radio.require("power", try radio.selfInfo()["power"], is: [5])
        },
        MatrixCheck("0F-cut", "REMOVE_CONTACT without key removes the contact asked for before", needs: .freshRadio) {
            radio in
            try radio.add(.bob)
            _ = try radio.contact(Peer.bob.key)
            try radio.ask("0F", "00")
            try radio.ask("1E \(Peer.bob.key)", "01 02")
        },
        MatrixCheck("10-cut", "SHARE_CONTACT without key shares the contact asked for before", needs: .freshRadio) {
            radio in
            try radio.add(.bob)
            _ = try radio.contact(Peer.bob.key)
            try radio.ask("10", "01 03")
        },
        MatrixCheck("15-cut", "SET_TUNING_PARAMS without fields takes those from before", needs: .freshRadio) { radio in
            try radio.ask("15 \(UInt32(1500)) \(UInt32(2000))", "00")
            try radio.ask("15", "00")
            try radio.ask("2B", "17 \(UInt32(1500)) \(UInt32(2000))")
        },
        MatrixCheck("1E-cut", "GET_CONTACT_BY_KEY without key asks for the one before", needs: .freshRadio) { radio in
            try radio.add(.bob)
            let bob = try radio.contact(Peer.bob.key)
            try radio.ask("1E", "\(bob.frame)")
        },
        MatrixCheck("33-cut", "FACTORY_RESET without its text is refused on other bytes", needs: .freshRadio) { radio in
            try radio.ask("08 'resex'", "00")
            try radio.ask("33", "01 01")
        },
        MatrixCheck("3A-cut", "SET_AUTOADD_CONFIG without mask takes the byte from before", needs: .freshRadio) {
            radio in
            try radio.ask("3A 05 03", "00")
            try radio.ask("3A 00", "00")
            try radio.ask("08 06 41", "00")
            try radio.ask("3A", "00")
            try radio.ask("3B", "19 06 03")
        },
        MatrixCheck(
            "3E-shortest", "SEND_CHANNEL_DATA of four bytes takes its type from before", needs: .freshRadio,
            since: "1.15"
        ) { radio in
            try radio.ask("20 01 'Left' 00×28 11×16", "00")
            try radio.ask("3E 01 FF 3412 A1", "00")
            try radio.ask("3E 01 FF 34", "00")
        },
    ]
}
