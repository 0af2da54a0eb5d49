import MeshCompanion
import MeshPacket
import MeshWire
import Testing

@testable import MeshFirmware

/// The calls of a radio to its hooks, and its use of their results.
struct CompanionHooksTests {
    /// The same hour with an app, a neighbour and a restart, as the app and the air see it.
    private func story(_ hooks: CallHooks?) -> (output: [[[UInt8]]], calls: Set<CallHooks.Call>) {
        var bench = CompanionBench()
        let peer = Peer("bob", seed: 7)
        bench.withRadio { radio in if let hooks { radio.attach(hooks) } }
        bench.send(SetDeviceTime(epoch: CompanionBench.epoch))
        bench.connect()
        bench.add(peer)
        bench.sendText("hi", to: peer)
        bench.send(SendChannelTxtMsg(textType: .plain, channelIndex: 0, timestamp: 1, text: "all"))
        bench.hear(peer.text("yes", at: CompanionBench.epoch, to: bench.key))
        bench.send([0xFE])
        bench.wait(milliseconds: 5000)
        var output = [bench.takeFrames(), bench.takeTransmissions()]

        bench.reboot()
        bench.connect()
        bench.send(AppStart())
        bench.send(SendChannelTxtMsg(textType: .plain, channelIndex: 0, timestamp: 2, text: "back"))
        bench.wait(milliseconds: 5000)
        output += [bench.takeFrames(), bench.takeTransmissions()]
        let calls = bench.radio.hooks.first.flatMap { $0 as? CallHooks }?.calls
        return (output, calls ?? [])
    }

    @Test func `hooks that change nothing change nothing`() {
        let sound = story(nil)
        let hooked = story(CallHooks())

        #expect(sound.output == hooked.output)
        #expect(!sound.output.contains([]))
        #expect(sound.calls.isEmpty)
        #expect(hooked.calls == Set(CallHooks.Call.allCases))
    }

    @Test func `commands and packets that hooks drop do not reach the radio`() {
        var hooks = CallHooks()
        hooks.isDeaf = true
        let deaf = story(hooks)

        #expect(deaf.output == [[], [], [], []])
        #expect(deaf.calls.contains(.execute) && !deaf.calls.contains(.write))
    }

    @Test func `packets carry what hooks made of their plaintext`() {
        var hooks = CallHooks()
        hooks.isGarbling = true
        let garbled = story(hooks)
        let sound = story(nil)

        #expect(garbled.output[1].count == sound.output[1].count)
        #expect(garbled.output[1] != sound.output[1])
    }

    @Test func `a radio keeps its hooks over a restart, and boots them again`() {
        var bench = CompanionBench()
        bench.withRadio { $0.attach(CallHooks()) }
        for _ in 0..<3 { bench.reboot() }

        let boots = bench.radio.hooks.compactMap { ($0 as? CallHooks)?.boots }
        #expect(boots == [4])
    }
}

/// Hooks that do what a sound radio does, or drop every command, and remember what they were called for.
private struct CallHooks: CompanionHooks {
    enum Call: CaseIterable {
        case booted, pass, endPass, execute, write
    }

    var calls: Set<Call> = []
    var boots = 0
    /// True when commands and heard packets are dropped.
    var isDeaf = false
    /// True when the first byte of each plaintext is changed.
    var isGarbling = false

    private func note(_ call: Call, in radio: inout CompanionRadio) {
        guard var own = radio.hooks.first as? CallHooks else { return }
        own.calls.insert(call)
        if call == .booted { own.boots += 1 }
        radio.hooks = [own]
    }

    func prepare(_ board: inout BoardProfile, _ quirks: inout QuirkSet) {}

    func booted(_ radio: inout CompanionRadio) { note(.booted, in: &radio) }

    func pass(
        _ input: NodeInput, of radio: inout CompanionRadio, link: (inout CompanionRadio, NodeInput) -> Void,
        mesh: (inout CompanionRadio, NodeInput) -> Void
    ) {
        note(.pass, in: &radio)
        link(&radio, input)
        if !isDeaf { mesh(&radio, input) }
    }

    func endPass(of radio: inout CompanionRadio, _ effects: inout [NodeEffect], from first: Int) {
        note(.endPass, in: &radio)
    }

    func execute(
        _ frame: [UInt8], on radio: inout CompanionRadio, execute: (inout CompanionRadio, [UInt8]) -> Void
    ) {
        note(.execute, in: &radio)
        if !isDeaf { execute(&radio, frame) }
    }

    func write(_ frame: [UInt8], of radio: inout CompanionRadio) {
        note(.write, in: &radio)
        radio.interface.write(frame, into: &radio.core.effects)
    }

    func sealed(_ plaintext: [UInt8], as type: PayloadType, by radio: CompanionRadio) -> [UInt8] {
        var plaintext = plaintext
        if isGarbling, !plaintext.isEmpty { plaintext[0] ^= 0xFF }
        return plaintext
    }
}
