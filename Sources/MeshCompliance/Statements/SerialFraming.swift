import MeshCompanion
import MeshSimulator
import MeshTime

extension Section {
    static let serialFraming = Section(
        letter: "A", title: "Serial framing",
        statements: [
            Statement(1, "A command in < framing is answered in > framing", on: .serial) { radio in
                try radio.sendRaw("3C 01 00 05")
                try radio.expectRaw("3E 05 00 09 time4", count: 8)
                try radio.expectSilence()
            },
            Statement(2, "Noise between frames is skipped byte by byte", on: .serial) { radio in
                try radio.sendRaw("00 FF 41 0D 0A 3C 01 00 05")
                try radio.expect("09 time4")
                try radio.expectSilence()
            },
            Statement(3, "A frame of length zero is ignored", on: .serial) { radio in
                try radio.sendRaw("3C 00 00 3C 01 00 05")
                try radio.expect("09 time4")
                try radio.expectSilence()
            },
            Statement(4, "A frame above 176 bytes is consumed whole and executed cut", on: .serial) { radio in
                let rest = radio.switches.frameLimit - 1
                try radio.sendRaw("3C C8 00 05 41×199")
                try radio.expect("09 time4")
                try radio.expectSilence()
                // What is cut off is not looked at, even where it looks like a frame.
                try radio.sendRaw("3C C8 00 05 \(bytes(0x41, rest)) 3C 01 00 3B \(bytes(0x41, 195 - rest))")
                try radio.expect("09 time4")
                try radio.expectSilence()
                try radio.ask("21", "13 00 00200000")
                try radio.sendRaw("3C C8 00 22 61×199")
                try radio.expect("00")
                let signature = try radio.ask("23", "14 sig64")["sig"]
                try radio.requireSignature(signature, of: bytes(0x61, rest))
            },
            Statement(5, "A frame in pieces is put together, however long they take", on: .serial) { radio in
                try radio.sendRaw("3C 01")
                try radio.expectSilence(for: .seconds(2))
                try radio.sendRaw("00")
                try radio.expectSilence()
                try radio.sendRaw("05")
                try radio.expect("09 time4")
            },
            Statement(6, "The radio's own marker is noise when the app sends it", on: .serial) { radio in
                try radio.sendRaw("3E 01 00 05")
                try radio.expectSilence()
                try radio.ask("05", "09 time4")
            },
            Statement(7, "3C within a header is data", on: .serial) { radio in
                try radio.sendRaw("3C 3C 01 00 41×315")
                try radio.expect("01 01")
                try radio.expectSilence()
                try radio.sendRaw("3C 3C 01 05 41×315")
                try radio.expect("09 time4")
                try radio.expectSilence()
                try radio.ask("05", "09 time4")
            },
            Statement(8, "Two frames back to back are executed in order", on: .serial) { radio in
                try radio.sendRaw("3C 01 00 05 3C 01 00 3B")
                try radio.expect("09 time4")
                try radio.expect("19 mask1 hops1")
                try radio.expectSilence()
            },
            Statement(9, "Every frame of the radio has its own header with its exact length", on: .serial) { radio in
                let name = try radio.selfInfo()["name"]
                let length = UInt16(58 + name.count)
                try radio.send("01 00×7")
                try radio.expectRaw("3E \(length) 05 ?57 \(name)", count: 3 + Int(length))
                try radio.sendRaw("3C 01 00 05 3C 01 00 3B")
                try radio.expectRaw("3E 05 00 09 time4 3E 03 00 19 mask1 hops1", count: 14)
            },
        ])
}
