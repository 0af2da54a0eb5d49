import MeshFirmware
import MeshTime

/// A frame on the air.
struct Transmission: Sendable {
    var frame: UInt64
    var sender: Int32
    /// The first of its receptions; −1 for none.
    var firstReception: Int32
    let begin: Instant
    let end: Instant
    /// The time at which a listener's modem notices it.
    let detected: Instant
    /// The time from which a listener's modem must be free for it, and the air quiet.
    let critical: Instant
    /// The end of the time in which other frames do it no harm.
    ///
    /// It is the end of its preamble's dispensable part, or a symbol later where its coding rate repairs one.
    let harmedFrom: Instant
    /// The time from which frames that begin do it no harm either.
    let harmedUntil: Instant
    /// The time at which a listener's modem has its header.
    let headed: Instant
    let spreadingFactor: UInt8
    let bytes: RadioFrame
    /// Sent by a fault near `sender`, not by the node.
    var isReplay = false
    var isOnAir = true
}

/// A frame at one listener's antenna: in a list of its frame and in a list of its listener.
struct Reception: Sendable {
    /// The place of the frame on the air.
    let transmission: Int32
    /// The place of the listener; −1 when it is no longer concerned.
    var listener: Int32
    /// −1 for the last one.
    var nextOfFrame: Int32 = -1
    var nextAtListener: Int32 = -1
    let signal: Signal
    var loss: RxLoss?
    /// The listener's modem followed it to the end, and the checksum will be wrong.
    var endsWithBadChecksum = false
    /// The fault that changes bytes of it in a way that the checksum does not show; −1 for none.
    var mangler: Int16 = -1
    /// Its power, and that of the frames that disturb it at the moment, in mW; only kept where the air sums them.
    ///
    /// A power of 0 was not asked for yet: most frames meet no other.
    var power = 0.0
    var disturbance = 0.0

    /// The value of `mangler` for a frame that the listener's settings cannot receive: it only disturbs.
    static let foreign: Int16 = -2
    var isForeign: Bool { mangler == Self.foreign }
}

/// Elements of one type in numbered places that are reused: no allocation once it has grown.
struct Slab<Element: Sendable>: Sendable {
    private(set) var elements: [Element] = []
    private var vacant: [Int32] = []

    subscript(place: Int32) -> Element {
        @inline(__always) get { elements[Int(place)] }
        @inline(__always) _modify { yield &elements[Int(place)] }
    }

    var inUse: Int { elements.count - vacant.count }

    mutating func insert(_ element: Element) -> Int32 {
        if let place = vacant.popLast() {
            elements[Int(place)] = element
            return place
        }
        elements.append(element)
        return Int32(elements.count - 1)
    }

    /// The place may be used again; its content stays until then.
    mutating func free(_ place: Int32) { vacant.append(place) }
}

/// The receptions of all frames on the air.
///
/// Those of one frame are adjacent, eight at a time, in the order in which they were added: a walk through them
/// touches few cache lines.
struct ReceptionTable: Sendable {
    private static let groupSize: Int32 = 8

    private var receptions: [Reception] = []
    /// The frames that others were lost to, by place. Apart from the receptions: few have one, and all pass through
    /// caches.
    private var obstacles: [UInt64] = []
    /// The first places of groups that are free.
    private var vacant: [Int32] = []

    subscript(place: Int32) -> Reception {
        @inline(__always) get { receptions[Int(place)] }
        @inline(__always) _modify { yield &receptions[Int(place)] }
    }

    /// The frame that was in the way of the one at this place; `nil` where none was. It is meaningful for
    /// receptions whose loss is by a frame, and for no others.
    func obstacle(at place: Int32) -> UInt64? {
        obstacles[Int(place)] == Self.nothing ? nil : obstacles[Int(place)]
    }

    private static let nothing = UInt64.max

    /// A reception is lost, to a frame of this number if one is known.
    mutating func lose(_ place: Int32, _ reason: RxLoss, to frame: UInt64?) {
        receptions[Int(place)].loss = reason
        obstacles[Int(place)] = frame ?? Self.nothing
    }

    /// Adds a reception to those of its frame, of which `last` is the one before it, −1 for none.
    mutating func add(_ reception: Reception, after last: Int32) -> Int32 {
        var place = last + 1
        if place % Self.groupSize == 0 { place = vacant.popLast() ?? grow(reception) }
        receptions.withUnsafeMutableBufferPointer { receptions in
            receptions[Int(place)] = reception
            if last >= 0 { receptions[Int(last)].nextOfFrame = place }
        }
        return place
    }

    private mutating func grow(_ reception: Reception) -> Int32 {
        let place = Int32(receptions.count)
        for _ in 0..<Self.groupSize {
            receptions.append(reception)
            obstacles.append(Self.nothing)
        }
        return place
    }

    /// The places of a frame whose first reception is at `first` may be used again; their content stays until then.
    mutating func free(from first: Int32) {
        var next = first
        while next >= 0 {
            if next % Self.groupSize == 0 { vacant.append(next) }
            next = receptions[Int(next)].nextOfFrame
        }
    }
}
