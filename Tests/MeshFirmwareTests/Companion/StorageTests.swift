import MeshCompanion
import MeshCrypto
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

@Suite struct CompanionStorageTests {
    private func used() -> Flash {
        var bench = CompanionBench.knowing(.bob, .eve)
        bench.send(SetAdvertName(name: "Zo\u{EB}"))
        bench.send(SetAdvertLatlon(latitude: -33_868_800, longitude: 151_209_300))
        bench.send(SetChannel(channelIndex: 1, name: FixedBytes(text: "x"), secret: FixedBytes([1])))
        bench.wait(milliseconds: 6000)
        return bench.radio.flash
    }

    @Test func `the files have the firmware's names and sizes`() {
        let flash = used()

        #expect(flash.files.map(\.path) == ["/_main.id", "/channels2", "/contacts3", "/prefs.json"])
        #expect(flash.files.map(\.bytes.count).prefix(3) == [96, 40 * 68, 2 * 152])
        #expect(throws: Never.self) { try CompanionStorage.validate(flash) }
    }

    @Test func `settings are text with keys that have no quotes`() {
        let text = String(decoding: used()["/prefs.json"] ?? [], as: UTF8.self)

        #expect(
            text == """
                {name:"Zo\u{EB}",lat:-33.868800,lon:151.209300,radio:{freq:869.6180,bw:62.5000,sf:8,cr:5,rxgain:1,\
                tx:22,af:1.0000,rxdelay:0,hash_mode:0,multi_ack:0},gps:{en:0,int:0,adv_loc:0},repeat:{disable:1},\
                comp:{auto_max:0,defs_nm:"",defs_key:"00000000000000000000000000000000",pin:0,buzz_q:0,vibe_q:0,\
                auto_add:0,man_add:0,tel_base:0,tel_loc:0,tel_env:0}}
                """)
    }

    @Test(arguments: [
        ("/prefs.json", "{name:\"x\",radio:{freq:869.6,sf}}", "radio.sf"),
        ("/prefs.json", "{radio:{freq:869.6,sf:abc}}", "radio.sf"), ("/prefs.json", "{lat:x1}", "lat"),
        ("/prefs.json", "{comp:{defs_key:\"12\"}}", "comp.defs_key"), ("/prefs.json", "{name:\"x", "name"),
        ("/prefs.json", "", ""), ("/prefs.json", "{}x", ""),
        ("/_main.id", "short", "public key"), ("/contacts3", "short", "record 0"), ("/channels2", "short", "record 0"),
    ])
    func `a damaged file is named with its field`(_ path: String, _ content: String, _ field: String) {
        var flash = used()
        _ = flash.write([UInt8](content.utf8), to: path)

        #expect { try CompanionStorage.validate(flash) } throws: { error in
            let error = error as? StorageError
            return error?.file == path && error?.field == field && error?.description.hasPrefix(path) == true
        }
    }

    @Test func `an identity whose halves do not belong together is refused`() {
        var flash = used()
        _ = flash.write(Peer.bob.key.array + Peer.eve.identity.privateKey.array, to: "/_main.id")

        #expect(throws: StorageError.self) { try CompanionStorage.validate(flash) }
    }

    @Test func `a radio boots from whatever its files hold`() {
        var stream = RandomStream(state: 7)
        for path in ["/prefs.json", "/_main.id", "/contacts3", "/channels2"] {
            for _ in 0..<50 {
                var flash = used()
                var bytes = flash[path] ?? []
                for _ in 0..<8 { bytes[Int(stream.draw(0, UInt32(bytes.count)))] = stream.nextByte() }
                _ = flash.write(Array(bytes.prefix(Int(stream.draw(0, UInt32(bytes.count))))), to: path)
                var bench = CompanionBench(flash: flash)
                #expect(bench.ask(AppStart()).first?.first == 5)
            }
        }
    }

    @Test func `settings read back as they were written, to the decimals that are kept`() {
        var preferences = CompanionPreferences(board: .heltecV3)
        preferences.name = "a\"b\\c\nd\re"
        preferences.latitude = 16.6535314
        preferences.longitude = -0.0000014
        preferences.txPower = -9
        preferences.receiveDelayBase = 2.04
        preferences.scopeName = FixedBytes(text: "scope")
        preferences.scopeKey = FixedBytes([1, 2, 3])
        preferences.blePin = 999_999

        var loaded = CompanionPreferences(board: .heltecV3)
        #expect(loaded.load(preferences.fileContent()) == nil)

        preferences.latitude = 16.653531
        preferences.longitude = -0.000001
        #expect(loaded == preferences)
    }

    @Test func `boards without a directory keep twenty adverts and delete none`() {
        var bench = CompanionBench.knowing(board: .rak4631)
        let others = (0..<21).map { Peer("N\($0)", seed: 0x40 + UInt8($0)) }
        for peer in others {
            bench.hear(peer.advert(1))
            bench.wait(milliseconds: 1000)
        }

        #expect(bench.ask(ExportContact(publicKey: others[0].key)) == Answer.notFound)
        #expect(bench.ask(ExportContact(publicKey: others[1].key)).first?[0] == 0x0B)
        bench.send(RemoveContact(publicKey: others[1].key))
        bench.add(others[1])
        #expect(bench.ask(ExportContact(publicKey: others[1].key)).first?[0] == 0x0B)
        #expect(bench.radio.flash["/adv_blobs"]?.count == 20 * 180)
    }

    @Test func `boards with a directory delete the advert with the contact`() {
        var bench = CompanionBench.knowing()
        bench.hear(Peer.bob.advert(1))
        let path = "/bl/" + Array(Peer.bob.key.prefix(8)).hex.uppercased()
        #expect(bench.radio.flash[path] != nil)

        bench.send(RemoveContact(publicKey: Peer.bob.key))

        #expect(bench.radio.flash[path] == nil)
    }
}

@Suite struct OfflineQueueTests {
    /// The behaviour of the firmware, with an array.
    private struct Model {
        let capacity: Int
        var frames: [[UInt8]] = []

        mutating func append(_ frame: [UInt8]) -> Bool {
            if frames.count >= capacity {
                guard let index = frames.firstIndex(where: { [8, 0x11, 0x1B].contains($0[0]) }) else { return false }
                frames.remove(at: index)
            }
            frames.append(frame)
            return true
        }
    }

    @Test(arguments: [1, 2, 5, 64, 200], [UInt64(1), 2, 3])
    func `the queue keeps what an array would keep`(_ capacity: Int, _ seed: UInt64) {
        var stream = RandomStream(state: seed)
        var queue = OfflineQueue(capacity: capacity)
        var model = Model(capacity: capacity)
        for number in 0..<4000 {
            if stream.draw(0, 100) < 45 {
                let expected = model.frames.isEmpty ? nil : model.frames.removeFirst()
                #expect(queue.popFirst() == expected)
            } else {
                let code: UInt8 = stream.draw(0, 3) == 0 ? 0x11 : 0x10
                let frame = [code] + Peer.bytes(UInt32(number))
                #expect(queue.append(frame) == model.append(frame))
            }
            #expect(queue.count == model.frames.count)
        }
    }

    @Test func `a million messages wait, and a full queue goes on taking channel messages`() {
        var queue = OfflineQueue(capacity: 1_000_000)
        for number in 0..<999_999 { queue.append([0x10] + Peer.bytes(UInt32(number))) }
        for number in 0..<200_000 { queue.append([0x11] + Peer.bytes(UInt32(number))) }

        #expect(queue.count == 1_000_000)
        #expect(queue.popFirst() == [0x10, 0, 0, 0, 0])
        for _ in 0..<999_998 { _ = queue.popFirst() }
        #expect(queue.popFirst() == [0x11] + Peer.bytes(199_999))
        #expect(queue.popFirst() == nil)
    }
}
