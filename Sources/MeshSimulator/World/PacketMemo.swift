import MeshFirmware
import MeshPacket

/// The known facts on packets that have been on the air, which listeners then need not work out one by one.
///
/// A packet's hash and an advert's signature depend on type and payload only: relays change neither. An entry
/// counts only when type and payload are equal byte for byte. So nodes do the same with and without it.
struct PacketMemo: Sendable {
    private static let size = 256

    private var views: [PacketView] = []
    /// The flags of the views that are filled.
    private var isFilled = [Bool](repeating: false, count: size)
    /// The storage in which the packets that are asked for are put together, one after the other.
    private var latest: SharedPacket?
    private(set) var hashesComputed = 0
    private(set) var signaturesVerified = 0

    /// The packet in a frame with all that is known of it; `nil` for a frame that is none.
    mutating func packet(in frame: borrowing RadioFrame) -> SharedPacket? {
        guard var view = frame.withBytes({ PacketView(radio: $0) }) else { return nil }
        learn(&view)
        // Whoever still holds the last one keeps it.
        var shared = latest.take() ?? SharedPacket(view)
        shared.packet = view
        latest = shared
        return shared
    }

    private mutating func learn(_ view: inout PacketView) {
        if views.isEmpty { views = Array(repeating: view, count: Self.size) }
        let place = view.withPayload { Self.place(of: $0) }
        if isFilled[place], view.learn(from: views[place]) { return }
        view.learn()
        hashesComputed += 1
        if view.type == .advert { signaturesVerified += 1 }
        views[place] = view
        isFilled[place] = true
    }

    private static func place(of payload: UnsafeRawBufferPointer) -> Int {
        var mixed = UInt64(payload.count)
        for offset in stride(from: 0, through: payload.count - 8, by: 8) {
            mixed = (mixed ^ payload.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            mixed ^= mixed >> 32
        }
        for byte in payload.suffix(payload.count % 8) { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int((mixed ^ mixed >> 20) % UInt64(size))
    }
}
