import MeshCompanion
import MeshPacket
import MeshWire
import Testing

@testable import MeshVectors

/// The shapes that the dissector's tables are printed from: the same fields as the walk's, whatever the bytes.
@Suite struct ShapeNodeTests {
    /// A field by its name and place.
    private struct Place: Hashable {
        let name: String
        let offset: Int
        let size: Int
    }

    /// Follows the shape of a walk through bytes, as the dissector does; ends at the first field that is cut.
    private struct Follower {
        let bytes: [UInt8]
        var offset: Int
        var places: [Place] = []
        private var tailsEnded = false
        private var skipped = 0
        private var isCut = false

        init(_ bytes: [UInt8], from offset: Int) {
            self.bytes = bytes
            self.offset = offset
        }

        mutating func follow(_ node: ShapeNode) {
            var next: ShapeNode? = node
            while let node = next, !isCut {
                var index = 0
                while index < node.steps.count, !isCut {
                    index += 1 + take(node.steps[index], behind: Array(node.steps[(index + 1)...]))
                }
                guard !isCut, !node.branches.isEmpty else { return }
                let value = bytes[offset - 1]
                next = node.branches.first { $0.values.contains { $0.contains(value) } }?.node
            }
        }

        /// Handles a step, and returns how many of those behind it belong to it.
        private mutating func take(_ step: FieldShaper.Step, behind: [FieldShaper.Step]) -> Int {
            switch step {
            case .tail(let size):
                if bytes.count - offset < size { tailsEnded = true }
                if tailsEnded { skipped += size }
                return 0
            case .list(let size, let count):
                var element: [FieldShaper.Step] = []
                for step in behind where element.reduce(0, { $0 + $1.size }) < size { element.append(step) }
                for _ in 0..<(count ?? (bytes.count - offset) / max(size, 1)) {
                    for step in element where !isCut { field(step) }
                }
                return element.count
            default:
                if skipped > 0 { skipped -= step.size } else { field(step) }
                return 0
            }
        }

        private mutating func field(_ step: FieldShaper.Step) {
            var size = step.size
            if case .rest = step { size = bytes.count - offset }
            guard offset + size <= bytes.count else {
                isCut = true
                return
            }
            places.append(Place(name: step.name, offset: offset, size: size))
            offset += size
        }
    }

    private static func places(_ fields: [PrintedField]) -> [Place] {
        fields.map { Place(name: $0.name, offset: $0.offset, size: $0.size) }
    }

    @Test func `the shape of every frame has the fields that its walk reads, cut or not`() {
        let cast = VectorCast()
        var shapes: [CommandCode: ShapeNode] = [:]
        let cases = [CaseList.commands(cast), .commandCuts(cast), .commandLengths(cast)].flatMap(\.cases)
        for item in cases {
            guard let code = item.bytes.first.flatMap(CommandCode.init) else { continue }
            let shape = shapes[code] ?? Self.shape(of: code.row.frame)
            shapes[code] = shape
            var follower = Follower(item.bytes, from: 1)

            follower.follow(shape)

            let read = FramePrinter.printed(item.bytes, direction: .toRadio).fields.dropFirst()
            #expect(follower.places == Self.places(Array(read)), "\(item.name): \(item.bytes.hex)")
        }
        #expect(cases.count > 250)
    }

    @Test func `the shape of the envelope has paths of every size`() {
        let envelope = PacketEnvelope.shape()
        for item in CaseList.paths(VectorCast()).cases {
            var follower = Follower(item.bytes, from: 0)

            follower.follow(envelope)

            let traced = item.bytes.withUnsafeBytes { PacketEnvelope.traced($0) }
            #expect(follower.places == Self.places(traced.fields), "\(item.name)")
        }
    }

    @Test func `the flags of an advert decide on its fields`() {
        let shape = AdvertData.shape()

        #expect(shape.branches.flatMap(\.values).reduce(0) { $0 + $1.count } == 256)
        for flags in UInt8.min...UInt8.max {
            let bytes = [flags] + [UInt8](repeating: 0x61, count: 20)
            var follower = Follower(bytes, from: 0)
            follower.follow(shape)
            #expect(follower.places == Self.places(bytes.withUnsafeBytes { AdvertData.traced($0) }.fields))
        }
    }

    @Test func `the dissector has a row for every code and payload type, and no name that Lua would misread`() {
        let script = DissectorScript.text

        for code in CommandCode.allCases { #expect(script.contains("{ \"\(code.wireName)\", ")) }
        for code in ResponseCode.allCases { #expect(script.contains("{ \"\(code.wireName)\", ")) }
        for code in PushCode.allCases { #expect(script.contains("{ \"\(code.wireName)\", ")) }
        for number in UInt8(0)...15 { #expect(script.contains("{ \"\(PayloadType(rawValue: number).name)\", ")) }
        #expect(!script.contains("@TABLES@"))
        let parts = script.split(separator: "\"", omittingEmptySubsequences: false)
        let names = parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }
        #expect(names.allSatisfy { !$0.element.contains("\n") })
    }

    private static func shape<F: CodedFrame>(of frame: F.Type) -> ShapeNode { F.shape(from: 1) }
}

extension FieldShaper.Step {
    fileprivate var name: String {
        switch self {
        case .number(let name, _, _, _), .bytes(let name, _, _), .rest(let name, _): name
        case .tail, .list: ""
        }
    }

    fileprivate var size: Int {
        switch self {
        case .number(_, let size, _, _), .bytes(_, let size, _): size
        case .rest, .tail, .list: 0
        }
    }
}
