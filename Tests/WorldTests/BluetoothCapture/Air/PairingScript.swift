import MeshBluetoothHost
import MeshWire

/// The values that two honest devices compute while they pair in the old way; bytes as on the air, lowest first.
struct PairingScript {
    var pin: UInt32
    var request: [UInt8]
    var response: [UInt8]

    func confirm(_ random: [UInt8]) -> [UInt8] {
        SMP.confirm(
            key: SMP.temporaryKey(pin: pin), random: FixedBytes<16>(random.reversed()),
            request: FixedBytes<7>(request.reversed()), response: FixedBytes<7>(response.reversed()),
            initiator: BluetoothAddress(
                number: SniffedSession.central.address, isRandom: SniffedSession.central.isRandom),
            responder: BluetoothAddress(
                number: SniffedSession.peripheral.address, isRandom: SniffedSession.peripheral.isRandom)
        ).array.reversed()
    }

    func shortTermKey(central: [UInt8], peripheral: [UInt8], size: Int) -> FixedBytes<16> {
        var key = SMP.shortTermKey(
            key: SMP.temporaryKey(pin: pin), responder: FixedBytes<16>(peripheral.reversed()),
            initiator: FixedBytes<16>(central.reversed()))
        for index in 0..<16 - size { key[index] = 0 }
        return key
    }
}
