import MeshBoards
import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshWire

extension Section {
    static let identity = Section(
        letter: "M", title: "Identity, signing, reset",
        statements: [
            Statement(195, "The private key is exported expanded; some builds refuse", needs: .freshRadio) { radio in
                let me = try radio.me()
                try radio.requireKeys("17")
                let key = try radio.ask("17", "0E key64")["key"]
                let identity = LocalIdentity(privateKey: ExpandedPrivateKey(key))
                try radio.require("public key of it", identity.publicKey.array, is: me)
                guard radio.target.abilities.contains(.builds) else { return }
                try radio.useBoard {
                    $0.allowsPrivateKeyExport = false
                    $0.allowsPrivateKeyImport = false
                }
                try radio.ask("17", "0F")
                try radio.ask("18 \(key)", "0F")
            },
            Statement(196, "An imported key is the node's at once and stays", needs: .identity) { radio in
                try radio.ask("18 \(Peer.bob.identity.privateKey)", "00")
                try radio.require("key", try radio.selfInfo()["key"], is: Peer.bob.key)
                guard radio.target.abilities.contains(.power) else { return }
                try radio.powerCycle()
                try radio.require("key", try radio.selfInfo()["key"], is: Peer.bob.key)
            },
            Statement(197, "Unusable keys are ILLEGAL_ARG, a failing storage FILE_IO_ERROR") { radio in
                let me = try radio.me()
                try radio.requireKeys("18 00×64")
                try radio.ask("18 00×64", "01 06")
                var unclamped = Peer.bob.identity.privateKey.array
                unclamped[0] |= 7
                try radio.ask("18 \(unclamped)", "01 06")
                for first in [0x00, 0xFF] as [UInt8] {
                    try radio.ask("18 \(reservedKey(first))", "01 06")
                }
                try radio.ask("18 00×63", "01 01")
                if radio.target.abilities.contains(.storage) {
                    try radio.failStorage(writing: true)
                    try radio.ask("18 \(Peer.bob.identity.privateKey)", "01 05")
                    try radio.failStorage()
                }
                try radio.require("key", try radio.selfInfo()["key"], is: me)
            },
            Statement(198, "Importing a key loads the contacts anew", needs: [.identity, .time]) { radio in
                try radio.add(.bob)
                try radio.wait(.seconds(6))
                try radio.add(.carol)
                try radio.ask("18 \(Peer.rep.identity.privateKey)", "00")
                try radio.ask("1E \(Peer.carol.key)", "01 02")
                _ = try radio.contact(Peer.bob.key)
                try radio.require("contacts", try radio.contacts().count, is: 1)
            },
            Statement(199, "A signing session signs what it was given, in order") { radio in
                try radio.ask("21", "13 00 00200000")
                try radio.ask("22 'abc'", "00")
                try radio.ask("22 'def'", "00")
                let signature = try radio.ask("23", "14 sig64")["sig"]
                try radio.requireSignature(signature, of: [UInt8]("abcdef".utf8))
                try radio.ask("23", "01 04")
            },
            Statement(200, "Signing needs SIGN_START, and data") { radio in
                try radio.ask("22 01", "01 04")
                try radio.ask("23", "01 04")
                try radio.ask("22", "01 01")
            },
            Statement(201, "A session holds 8192 bytes; more is TABLE_FULL for that chunk only") { radio in
                try radio.ask("21", "13 00 00200000")
                let chunk = radio.switches.frameLimit - 1
                for _ in 0..<(8192 / chunk) { try radio.ask("22 \(bytes(0x61, chunk))", "00") }
                try radio.ask("22 \(bytes(0x61, 8192 % chunk + 1))", "01 03")
                try radio.ask("22 \(bytes(0x61, 8192 % chunk))", "00")
                try radio.ask("22 61", "01 03")
                let signature = try radio.ask("23", "14 sig64")["sig"]
                try radio.requireSignature(signature, of: bytes(0x61, 8192))
            },
            Statement(202, "SIGN_START discards what was collected; nothing can be signed too") { radio in
                try radio.ask("21", "13 00 00200000")
                try radio.ask("22 'abc'", "00")
                try radio.ask("21", "13 00 00200000")
                let signature = try radio.ask("23", "14 sig64")["sig"]
                try radio.requireSignature(signature, of: [])
            },
            Statement(203, "A signing session survives a reconnect and APP_START", needs: .link) { radio in
                try radio.ask("21", "13 00 00200000")
                try radio.ask("22 'abc'", "00")
                try radio.reconnect()
                _ = try radio.selfInfo()
                let signature = try radio.ask("23", "14 sig64")["sig"]
                try radio.requireSignature(signature, of: [UInt8]("abc".utf8))
            },
            Statement(204, "REBOOT needs its text, and is not answered", needs: .restart) { radio in
                try radio.ask("13 'rebooT'", "01 01")
                try radio.send("13 'reboot'")
                try radio.comeBack()
                try radio.ask("05", "09 time4")
            },
            Statement(205, "FACTORY_RESET needs its text, is not answered, and erases", needs: [.identity, .power]) {
                radio in
                try radio.ask("33 'resex'", "01 01")
                try radio.ask("08 'Kept'", "00")
                try radio.ask("20 01 'Kept' 00×28 11×16", "00")
                try radio.factoryReset()
                let info = try radio.selfInfo()
                try radio.require(info["name"] != [UInt8]("Kept".utf8), "the default name", got: "the old name")
                try radio.ask("1F 01", "12 01 00 ?31 00×16")
            },
            Statement(206, "A radio that cannot be erased falls silent", needs: [.storage, .identity]) { radio in
                try radio.ask("05", "09 time4")
                try radio.failStorage(formatting: true)
                if !radio.switches.disablesStreams, radio.target.interface != .bluetooth {
                    try radio.ask("33 'reset'", "01 05")
                    try radio.ask("05", "09 time4")
                    return
                }
                try radio.send("33 'reset'")
                try radio.expectSilence(for: .seconds(5))
                try radio.send("05")
                try radio.expectSilence(for: .seconds(5))
            },
        ])

    /// A sound key whose public half begins with a byte that the mesh reserves.
    private static func reservedKey(_ first: UInt8) -> ExpandedPrivateKey {
        for number in 0..<100_000 {
            let peer = Peer(number: number)
            if peer.hash == first { return peer.identity.privateKey }
        }
        return ExpandedPrivateKey()
    }
}
