import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Details of restarts, storage, sensors and links that are sharper than the statements of the suite.
@Suite struct BoardStatementTests {
    // MARK: Restarting

    @Test func `REBOOT wants its word, from this frame or from an earlier one`() {
        var bench = CompanionBench.knowing()
        #expect(bench.ask([0x13] + "rebooz".utf8) == Answer.unsupported)
        #expect(bench.rebootCount == 0)
        bench.send([0x08] + "reboot".utf8)
        bench.toApp = []

        bench.send([0x13])

        #expect(bench.takeFrames() == [] && bench.rebootCount == 1 && bench.isClosed)
        #expect(bench.radio.nextWake == .never)
    }

    @Test func `a factory reset is silent and makes another node`() throws {
        var bench = CompanionBench.knowing(.bob)
        bench.send(SetAdvertName(name: "old"))
        let before = bench.key
        #expect(bench.ask([0x33] + "rezet".utf8) == Answer.unsupported)

        #expect(bench.ask(FactoryReset()) == [])
        #expect(bench.isClosed && bench.rebootCount == 0)
        #expect(bench.ask(GetDeviceTime()) == [])
        bench.wait(milliseconds: 999)
        #expect(bench.rebootCount == 0)
        bench.wait(milliseconds: 1)
        #expect(bench.rebootCount == 1)
        bench.reboot()

        let info = try Resp.SelfInfo(decoding: bench.ask(AppStart())[0])
        #expect(info.publicKey != before)
        #expect(info.name.string == [UInt8](info.publicKey.prefix(4)).hex.uppercased())
        #expect(bench.listing() == [])
        let channels = (0..<40).map { bench.radio.channels[$0]?.name.text }
        #expect(channels[0] == "Public" && channels.dropFirst().allSatisfy { $0 == "" })
    }

    @Test func `a display shows another PIN at each boot, unless one is stored or built in`() throws {
        var board = BoardProfile.vectors
        #expect(CompanionBench(board: board).radio.activePIN == BoardProfile.commonPIN)
        board.hasDisplay = true
        var bench = CompanionBench(board: board)
        let first = bench.radio.activePIN
        #expect(CompanionBench(board: board).radio.activePIN == first)

        bench.reboot()

        let second = bench.radio.activePIN
        #expect(first != second)
        #expect([first, second].allSatisfy { 100_000...999_998 ~= $0 && $0 != BoardProfile.commonPIN })
        // An app is told the stored one, and there is none (CMP-049).
        #expect(try Resp.DeviceInfo(decoding: bench.ask(DeviceQuery())[0]).blePin == 0)
        bench.send(SetDevicePin(pin: 222_222))
        bench.reboot()
        #expect(bench.radio.activePIN == 222_222)
        board.blePin = 654_321
        #expect(CompanionBench(board: board).radio.activePIN == 654_321)
    }

    @Test func `settings survive, the session's scope does not`() {
        var bench = CompanionBench.knowing()
        bench.send(SetAdvertName(name: "Zo\u{EB} \"x\" \\ {a:b}\n"))
        bench.send(SetAdvertLatlon(latitude: 52_520_008, longitude: -13_404_954))
        bench.send(
            SetRadioParams(frequency: 869_495, bandwidth: 250_000, spreadingFactor: 11, codingRate: 6, clientRepeat: 1))
        bench.send(SetRadioTxPower(power: -9))
        bench.send(SetTuningParams(receiveDelay: 1234, airtimeFactor: 567))
        bench.send(SetOtherParams(manualAdd: 0xFF, telemetryModes: 0x2A, advertLocationPolicy: 3, multiAcks: 4))
        bench.send(SetPathHashMode(mode: 2))
        bench.send(SetDevicePin(pin: 123_456))
        bench.send(SetAutoaddConfig(config: 0xFF, maxHops: 255))
        bench.send(SetDefaultFloodScope(scope: FloodScope(name: FixedBytes(text: "test"), key: FixedBytes([1, 2, 3]))))
        bench.send(SetFloodScopeKey(key: FixedBytes([9])))
        func report() -> [[UInt8]] {
            [[1, 0, 0, 0, 0, 0, 0, 0], [22, 3], [0x2B], [0x3B], [0x40]].flatMap { bench.ask($0) }
        }
        let before = report()

        bench.reboot()

        #expect(report() == before)
        bench.send(SetDefaultFloodScope(scope: nil))
        bench.send(SendChannelTxtMsg(textType: .plain, channelIndex: 0, timestamp: 1, text: "x"))
        #expect(bench.airAfter().first?.route == .flood)
    }

    @Test func `a clock outlives a restart by software and not the loss of power`() {
        var soft = CompanionBench.knowing()
        soft.wait(milliseconds: 3000)
        var hard = soft

        soft.reboot(keepingRTC: true)
        hard.reboot(keepingRTC: false)

        #expect(soft.time == CompanionBench.epoch + 3)
        #expect(hard.time == BoardProfile.heltecV3.clockAtPowerOn)
    }

    @Test func `channels are stored at once, an erased Public included`() {
        var bench = CompanionBench.knowing()
        bench.send(SetChannel(channelIndex: 0, name: FixedBytes(), secret: FixedBytes()))
        bench.send(SetChannel(channelIndex: 1, name: FixedBytes(text: "x"), secret: FixedBytes([1])))
        bench.reboot()

        #expect(bench.radio.channels[0]?.isUnused == true)
        #expect(bench.radio.channels[1]?.name.text == "x")
        // Slots that were loaded have the hash of their key, unused ones that of 16 zero bytes.
        #expect(bench.radio.channels[5]?.hash == 0x37)
    }

    // MARK: Sensors

    @Test func `state and counters are told`() {
        var bench = CompanionBench.knowing(.bob)
        bench.sendText("x", to: .bob)
        bench.wait(milliseconds: 12_000)
        bench.hear([0x3E, 0, 1])
        bench.hear(Peer.eve.advert(1))
        bench.hear([0xFF])
        bench.pass(.receiveError)
        bench.status = RadioStatus(isReceiving: false, noiseFloor: -97)

        #expect(bench.ask([0x14]).first?.count == 11)
        #expect(bench.ask([0x38, 0]).first?.prefix(8) == [0x18, 0, 0x68, 0x10, 12, 0, 0, 0])
        #expect(bench.ask([0x38, 1]).first?.prefix(6) == [0x18, 1, 0x9F, 0xFF, 0xA6, 25])
        let packets: [UInt32] = [3, 1, 1, 0, 1, 1, 1]
        #expect(bench.ask([0x38, 2]) == [[0x18, 2] + packets.flatMap { Peer.bytes($0) }])
        #expect(bench.ask([0x38, 3]) == Answer.illegal)
    }

    @Test func `telemetry and variables follow the sensors`() {
        var board = BoardProfile.vectors
        board.hasGPS = true
        var bench = CompanionBench(board: board)
        bench.withRadio {
            $0.environment.processorTemperature = .constant(-5.2)
            $0.environment.thermometer = .exact
        }
        let head = [0x8B, 0] + bench.key.prefix(6) + [1, 0x74, 1, 0xA3, 1, 0x67, 0xFF, 0xCC]

        #expect(bench.ask([0x27, 0, 0, 0]) == [head])
        #expect(bench.ask([0x28]) == [[0x15] + "gps:0".utf8])
        #expect(bench.ask([0x29] + "gps:1".utf8) == Answer.ok)
        #expect(bench.ask([0x28]) == [[0x15] + "gps:1".utf8])
        #expect(bench.ask([0x29] + "gps_interval:30".utf8) == Answer.ok)
        #expect(bench.ask([0x28]) == [[0x15] + "gps:1".utf8])
        bench.withRadio { $0.gpsFix(latitude: 10_000_000, longitude: -20_000_000, altitudeMillimetres: 5000) }
        let place: [UInt8] = [1, 0x88, 0x01, 0x86, 0xA0, 0xFC, 0xF2, 0xC0, 0x00, 0x01, 0xF4]
        #expect(bench.ask([0x27, 0, 0, 0]) == [head + place])
        #expect(bench.ask([0x29] + "abc".utf8) == Answer.illegal)
        #expect(bench.ask([0x29] + "abc:1".utf8) == Answer.illegal)
        #expect(bench.ask([0x29, 0x61, 0x3A]) == Answer.unsupported)

        var without = CompanionBench()
        #expect(without.ask([0x28]) == [[0x15]])
        #expect(without.ask([0x29] + "gps:1".utf8) == Answer.illegal)
    }

    // MARK: Links

    @Test func `the newest client wins and gets what is left`() {
        var bench = CompanionBench(interface: .wifi(sendQueue: 4))
        bench.connect()
        bench.pass(.appBytes([0x3C, 1, 0, 0x3B]))
        #expect(bench.takeFrames() == [])
        bench.disconnect()
        bench.wait(milliseconds: 10)
        #expect(bench.takeFrames() == [])

        bench.connect()
        bench.pass(.appBytes([0x3C, 1, 0]))
        #expect(bench.replacedCount == 0)
        bench.connect()
        #expect(bench.replacedCount == 1)
        bench.pass(.appBytes([0x3C, 1, 0, 0x3B]))
        bench.wait(milliseconds: 10)

        let frame: [UInt8] = [0x3E, 3, 0, 0x19, 0, 0]
        #expect(bench.takeFrames() == [frame, frame])
    }

    @Test func `a TCP queue holds four frames and loses those that come before the next pass`() {
        var interface = WifiInterface(sendQueueSize: 4)
        _ = interface.clientArrived()
        for number in 1...6 { interface.write([UInt8(number)]) }

        var effects: [NodeEffect] = []
        for _ in 0..<10 { _ = interface.poll(into: &effects) }

        #expect(effects.count == 4)
    }

    @Test func `Ethernet hunts for the marker and cuts long frames, and queues as Wi-Fi does`() {
        var bench = CompanionBench(interface: .ethernet(sendQueue: 4))
        bench.connect()
        bench.pass(.appBytes([0x41, 0x42, 0x3C, 1, 0, 0x3B]))
        bench.wait(milliseconds: 10)
        bench.pass(.appBytes([0x3C, 200, 0, 0x3B] + [UInt8](repeating: 0x41, count: 199)))
        bench.wait(milliseconds: 10)
        bench.pass(.appBytes([0x3C, 1, 0, 0x3B]))
        bench.pass(.appBytes([0x3C, 1]))
        bench.connect()
        bench.pass(.appBytes([0x3C, 1, 0, 0x3B]))
        bench.wait(milliseconds: 10)

        let frame: [UInt8] = [0x3E, 3, 0, 0x19, 0, 0]
        #expect(bench.takeFrames() == [frame, frame, frame, frame])
        #expect(bench.replacedCount == 1)
    }

    @Test func `a listing waits while the link is busy, and loses nothing`() {
        var bench = CompanionBench(interface: .pacedFrames(sendQueue: 4))
        bench.connect()
        for seed in 1...9 {
            let peer = Peer("N", seed: UInt8(seed))
            bench.send(
                AddUpdateContact(
                    publicKey: peer.key, type: .chat, flags: 0, outPath: FixedBytes(), name: FixedBytes(),
                    lastAdvert: 0))
            bench.wait(milliseconds: 100)
        }
        bench.toApp = []

        bench.send(GetContacts())
        bench.wait(milliseconds: 59)
        #expect(bench.takeFrames().map { $0[0] } == [2])
        bench.wait(milliseconds: 601)

        #expect(bench.takeFrames().map { $0[0] } == [UInt8](repeating: 3, count: 9) + [4])
    }

    @Test func `a link with a pace keeps four frames, and they are sixty milliseconds apart`() {
        var interface = FrameInterface(pace: .init())
        var effects: [NodeEffect] = []
        for number in 1...6 { interface.write([UInt8(number)], into: &effects) }
        #expect(effects.isEmpty)

        var sent: [Int64] = []
        for millisecond in 0..<400 {
            let count = effects.count
            _ = interface.poll(at: .start + .milliseconds(Int64(millisecond)), into: &effects)
            if effects.count > count { sent.append(Int64(millisecond)) }
        }

        #expect(sent == [0, 60, 120, 180])
    }

    @Test func `an idle radio wants no pass`() {
        let all: [AppInterface] = [
            .frames, .pacedFrames(sendQueue: 4), .serial, .wifi(sendQueue: 4), .ethernet(sendQueue: 4), .none,
        ]
        for interface in all {
            let bench = CompanionBench(interface: interface)
            #expect(bench.radio.nextWake == .never)
        }
    }
}
