import MeshCompanion
import MeshFiles
import MeshWire

/// The state of a radio before a run that changes it, as it stands in a file until everything is put back.
///
/// A file that is there when its radio is met again is of a run that was cut off.
package struct LeftRadio: Sendable {
    /// The value of `format`.
    private static let format = "meshbed-board/1"
    /// The longest file, in bytes: a radio with thousands of contacts.
    private static let longest = 8 << 20

    /// The settings, channels and contacts before the run.
    package var record: RadioRecord
    /// Keys of nodes that the run has made known to the radio.
    package var met: [[UInt8]] = []
    /// Tells whether everything is put back that is different, and not only what the run is known to have changed.
    package var isWhole = false
    /// The radio's clock, and this machine's at that moment, in seconds since 1970.
    package var clock: (radio: UInt32, machine: Int64)?

    init(_ record: RadioRecord) {
        self.record = record
    }

    /// The public key before the run.
    package var key: [UInt8] { record.selfInfo?.publicKey.array ?? [] }

    // MARK: Bytes

    private struct Content: Encodable {
        let format = LeftRadio.format
        let frames: [String]
        let met: [String]
        let isWhole: Bool
        let listsContacts: Bool
        let radioClock: UInt32?
        let machineClock: Int64?
    }

    /// The content of its file: the frames in which the radio told its state, in hexadecimal.
    var bytes: [UInt8] {
        let content = Content(
            frames: record.frames.map(\.hex), met: met.map(\.hex), isWhole: isWhole,
            listsContacts: record.tellsContacts, radioClock: clock?.radio, machineClock: clock?.machine)
        return Array(((try? content.jsonText()) ?? "").utf8)
    }

    /// Reads the file at a path.
    init(path: String) throws {
        do {
            let file = try JSONFields(reading: try FileSystem.read(path, atMost: Self.longest))
            try self.init(file)
        } catch var problem as FileProblem {
            problem.file = path
            throw problem
        }
    }

    private init(_ file: JSONFields) throws(FileProblem) {
        guard try file.string("format") == Self.format else {
            throw file.problem("format", "must be \"\(Self.format)\"")
        }
        let frames = try Self.bytes("frames", file)
        do throws(FrameError) {
            record = try RadioRecord(frames: frames)
        } catch {
            throw file.problem("frames", "\(error)")
        }
        record.tellsContacts = try file.bool("listsContacts") ?? true
        met = try Self.bytes("met", file)
        isWhole = try file.bool("isWhole") ?? false
        if let radio = try file.integer("radioClock", in: 0...UInt32.max),
            let machine = try file.integer("machineClock", in: 0...Int64(UInt32.max))
        {
            clock = (radio, machine)
        }
    }

    private static func bytes(_ key: String, _ file: JSONFields) throws(FileProblem) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for value in try file.list(key) ?? [] {
            guard case .string(let text) = value.content, let bytes = [UInt8](hex: text) else {
                throw FileProblem(line: value.line, field: file.path(key), reason: "has an entry that is no hex")
            }
            all.append(bytes)
        }
        return all
    }
}

extension RadioKeeper {
    /// Notes the changes of an earlier run: its identity, nodes that it made known, and contacts that are gone.
    ///
    /// Nodes that others have added since stay, and contacts that are there keep what they have learned.
    package mutating func note(left: LeftRadio, on now: RadioRecord, hasOtherKey: Bool) {
        if hasOtherKey { note(command: [ImportPrivateKey.codeByte]) }
        if left.isWhole { note(differencesTo: now) }
        for key in left.met { note(contact: key[...]) }
        for contact in left.record.contacts where !now.contacts.contains(where: { $0.publicKey == contact.publicKey }) {
            note(contact: contact.publicKey.array[...])
        }
        for channel in left.record.channels where !now.channels.contains(channel) {
            note(command: [SetChannel.codeByte, channel.channelIndex])
        }
    }
}
