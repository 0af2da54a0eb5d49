import MeshWire

/// One of each verb, for the tests of the walkers.
struct SampleFrame: FieldGroup {
    var number: UInt16 = 0
    var level: Int8 = 0
    var key: FixedBytes<4> = FixedBytes()
    var name: FixedBytes<8> = FixedBytes()
    var count: UInt8 = 0
    var path: [UInt8] = []
    var steps: [SampleStep] = []
    var kind: UInt8 = 0
    var detail: UInt8 = 0
    var extra: UInt32?
    var pair: SampleStep?
    var last: SampleName?

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u16("number", &number, unit: .hertz, in: 10...1000)
        w.i8("level", &level, unit: .quarterDecibels)
        w.fixed("key", &key)
        w.text("name", &name)
        w.u8("count", &count, in: 0...4)
        w.bytes("path", &path, count: Int(count))
        w.list("steps", &steps, size: 2, count: Int(count))
        w.choice("kind", &kind, known: 0...1)
        if kind == 1 { w.u8("detail", &detail) }
        w.tail("extra", &extra, unit: .hex, since: 3)
        w.tail("pair", &pair, size: 2, since: 4)
        w.tail("last", &last, since: 5)
    }
}

struct SampleStep: FieldGroup {
    var left: UInt8 = 0
    var right: UInt8 = 0

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("left", &left)
        w.u8("right", &right)
    }
}

struct SampleName: ExpressibleByRawValue, Equatable, CustomStringConvertible {
    var rawValue: UInt8
    init(rawValue: UInt8) { self.rawValue = rawValue }
    var description: String { rawValue == 1 ? "one" : "other" }
}

/// Text to the end of the frame.
struct SampleText: FieldGroup {
    var code: UInt8 = 0
    var text: ByteText = ByteText()
    init() {}

    init(_ text: ByteText) { self.text = text }

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u8("code", &code)
        w.rest("text", &text, atMost: 5)
    }
}

/// Pairs to the end of the frame.
struct SampleList: FieldGroup {
    var steps: [SampleStep] = []

    mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.list("steps", &steps, size: 2)
    }
}
