import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

/// One radio on held time, and what a bench does to it.
struct HeldRadioTests {
    /// A radio whose app is there.
    private func connected(_ build: HeldRadio.Build = .init()) -> HeldRadio {
        var radio = HeldRadio(build)
        radio.connect()
        return radio
    }

    /// The answer to one command, without its header.
    private func ask(_ radio: inout HeldRadio, _ command: [UInt8]) -> [UInt8]? {
        radio.receive([0x3C, UInt8(command.count), 0] + command)
        radio.run(for: .seconds(5), until: .written)
        return radio.takeWrite().map { [UInt8]($0.dropFirst(3)) }
    }

    private func clock(_ radio: inout HeldRadio) -> UInt32? {
        guard let answer = ask(&radio, [0x05]), answer.count == 5 else { return nil }
        return answer.dropFirst().reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test func `no time passes outside of a run, and a run ends at what was asked for`() {
        var radio = connected()
        let start = radio.now

        radio.receive([0x3C, 1, 0, 5])
        let held = radio.now
        radio.run(for: .seconds(5), until: .written)
        let answered = radio.now
        radio.run(for: .seconds(5), until: .written)
        let again = radio.now
        _ = radio.takeWrite()
        radio.run(for: .seconds(5), until: .written)

        #expect(held == start)
        #expect(answered < start + .seconds(1))
        #expect(again == answered)
        #expect(radio.now == answered + .seconds(5))
        #expect(radio.writes.isEmpty)
    }

    @Test func `it is on the air for as long as its firmware and its board make it`() throws {
        func advertMilliseconds(_ change: (inout BoardProfile) -> Void) throws -> Int64 {
            var board = BoardProfile.heltecV3
            change(&board)
            var radio = connected(HeldRadio.Build(board: board))
            radio.receive([0x3C, 1, 0, 7])
            radio.run(for: .seconds(5), until: .sent)
            let first = try #require(radio.airLog.last)
            radio.run(for: .seconds(5), until: .quiet)
            #expect(radio.now - first.begin == first.airtime)
            return first.airtime.milliseconds
        }

        // 16 symbols of 4.096 ms fewer up to 1.15.
        #expect(try advertMilliseconds { $0.firmware = .v1_17_1 } == 775)
        #expect(try advertMilliseconds { $0.firmware = .v1_16 } == 775)
        #expect(try advertMilliseconds { $0.firmware = .v1_15 } == 709)
        #expect(try advertMilliseconds { $0.firmware = .v1_14 } == 709)
        #expect(try advertMilliseconds { $0.preambleSymbols = 8 } == 676)
    }

    @Test func `its clock goes on with its time, over a restart, and is lost with the power`() throws {
        var radio = connected()
        let start = try #require(clock(&radio))

        radio.run(for: .seconds(100), until: .never)
        #expect(try 100...101 ~= #require(clock(&radio)) - start)

        radio.receive([0x3C, 7, 0, 0x13] + "reboot".utf8)
        radio.run(for: .seconds(10), until: .restarted)
        #expect(radio.hasRestarted && !radio.isConnected)
        radio.noteRestart()
        radio.connect()
        #expect(!radio.hasRestarted)
        #expect(try 100... ~= #require(clock(&radio)) - start)

        radio.cyclePower()
        #expect(!radio.isConnected && !radio.hasRestarted)
        radio.connect()
        #expect(try #require(clock(&radio)) <= start + 1)
    }

    @Test func `nobody hears an app that is not connected`() {
        var radio = HeldRadio()

        radio.receive([0x3C, 1, 0, 5])
        radio.run(for: .seconds(5), until: .written)

        #expect(radio.writes.isEmpty)
    }

    @Test func `what it sends is kept until it is taken, and waits while somebody else is on the air`() {
        var radio = connected()
        radio.isChannelBusy = true
        _ = ask(&radio, [0x07, 0x00])  // SEND_SELF_ADVERT, zero hop

        radio.run(for: .seconds(2), until: .sent)
        #expect(radio.takeTransmission() == nil)
        radio.isChannelBusy = false
        radio.run(for: .seconds(10), until: .sent)
        let frame = radio.takeTransmission()

        #expect(frame?.first.map { $0 >> 2 & 15 } == 4)
        #expect(radio.takeTransmission() == nil)
        let begun = radio.now
        radio.run(for: .seconds(60), until: .quiet)
        #expect(radio.now > begun + .milliseconds(100))
    }

    @Test func `the same build says the same, and another seed is another radio`() {
        var radios = [HeldRadio.Build(), .init(), .init(seed: Seed(2))].map { connected($0) }

        let answers = radios.indices.map { ask(&radios[$0], [0x01] + [UInt8](repeating: 0x20, count: 7)) }

        #expect(answers[0] == answers[1])
        #expect(answers[0] != answers[2])
    }
}
