import MeshPacket
import MeshTime
import MeshWire
import Testing

/// Draws changes and makes each twice: in place, and on plain arrays.
@Suite struct PacketViewModelTests {
    /// A packet as its parts, changed in the plainest way.
    private struct Model {
        var route = RouteType.flood
        var codes = TransportCodes.zero
        var length = PathLength.empty
        var path: [UInt8] = []
        var payload: [UInt8] = []

        var bytes: [UInt8] {
            var bytes = [PayloadType.txtMsg.rawValue << 2 | route.rawValue]
            if route.hasTransportCodes {
                for half in [codes.region, codes.reserved] { bytes += [UInt8(half & 0xFF), UInt8(half >> 8)] }
            }
            return bytes + [length.rawValue] + path + payload
        }

        mutating func append(_ hash: [UInt8]) -> Bool {
            guard path.count + hash.count <= 64 else { return false }
            path += hash
            let count = length.hopCount + 1
            length = PathLength(rawValue: length.rawValue & 0xC0 | UInt8(count))
            if count == 64 { path = [] }
            return true
        }
    }

    private func bytes(_ count: UInt32, _ random: inout RandomStream) -> [UInt8] {
        (0..<count).map { _ in random.nextByte() }
    }

    @Test(arguments: UInt64(0)..<40)
    func `any run of changes in place leaves the packet that plain arrays leave`(seed: UInt64) throws {
        var random = Seed(seed).stream("changes")
        var model = Model()
        var view = try PacketView(model.bytes)
        for step in 0..<400 {
            let key = FixedBytes<32>(bytes(32, &random))
            switch random.draw(0, 8) {
            case 0:
                model.route = RouteType(header: random.nextByte())
                let codes = TransportCodes(region: UInt16(random.nextByte()) << 4, reserved: 0x1234)
                view.setRoute(model.route, codes: codes)
                model.codes = codes
            case 1:
                let size = Int(random.draw(1, 4))
                model.length = PathLength(hashSize: size, hops: Int(random.draw(0, UInt32(64 / size))))
                model.path = bytes(UInt32(model.length.byteCount), &random)
                view.setPath(model.length, model.path)
            case 2:
                model.payload = bytes(random.draw(0, 185), &random)
                view.setPayload(model.payload)
            case 3:
                let removed = view.removeFirstHop()
                #expect(removed == !model.path.isEmpty)
                guard removed else { break }
                model.path.removeFirst(model.length.hashSize)
                model.length = PathLength(rawValue: model.length.rawValue - 1)
            case 4 where model.length.rawValue < 64:
                let appended = view.appendSNR(Int8(bitPattern: key[0]))
                let expected = model.append([key[0]])
                #expect(appended == expected)
            default:
                let appended = view.appendHop(key)
                let expected = model.append([UInt8](key.prefix(model.length.hashSize)))
                #expect(appended == expected)
            }
            let fresh = try PacketView(view.bytes)
            #expect(view.bytes == model.bytes, "step \(step)")
            #expect(view.payload == model.payload && view.path == model.path, "step \(step)")
            #expect(fresh.payloadOffset == view.payloadOffset, "step \(step)")
        }
    }
}
