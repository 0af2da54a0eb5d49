import MeshFiles
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshWire

/// Request to the program of an external node: one JSON object in one line of UTF-8.
///
/// ```
/// {"start":{"protocol":1,"node":"alice","boots":0,"now":0,"seed":"…","radio":{…}}}
/// {"tick":{"now":1250000,"busy":false,"noise":-110,"heard":[{"frame":"1100…","snr":1000,"rssi":-8000}]}}
/// {"end":{"now":60000000}}
/// ```
///
/// `start` and `tick` are answered by a line each (`PeerAnswer`), and the world's time stands still until then; `end`
/// is not.
enum PeerRequest: Hashable, Encodable, Sendable {
    /// The board starts. In the middle of a run it starts again: all but what the program keeps is forgotten.
    case start(PeerStart)
    /// Something has happened, or the time of the last answer's `wake` has come.
    case tick(PeerTick)
    /// The run has ended in good order.
    case end(now: Int64)

    private enum Key: String, CodingKey {
        case start, tick, end
    }

    private struct End: Encodable {
        let now: Int64
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        switch self {
        case .start(let start): try members.encode(start, forKey: .start)
        case .tick(let tick): try members.encode(tick, forKey: .tick)
        case .end(let now): try members.encode(End(now: now), forKey: .end)
        }
    }

    /// With sorted keys, so that equal requests are equal bytes: they are part of a run's digest.
    var line: [UInt8] { [UInt8](((try? jsonText(inOneLine: true)) ?? "{}").utf8) + [UInt8(ascii: "\n")] }
}

/// State of a board that starts, for its program.
struct PeerStart: Hashable, Encodable, Sendable {
    /// Grows when a program for the number before would go wrong.
    static let protocolNumber = 1

    var `protocol` = Self.protocolNumber
    /// The name of the node in its world.
    var node: String
    /// 0 at power-on, then one more with each restart.
    var boots: Int
    /// The node's clock in microseconds.
    var now: Int64
    /// 32 bytes of randomness of this start alone, in hex: the same ones in every run of a seed.
    var seed: String
    /// The radio settings in use.
    var radio: PeerRadioSettings
}

/// The settings of a radio, under the names that the companion protocol has for them.
struct PeerRadioSettings: Hashable, Codable, Sendable {
    /// kHz.
    var freq: UInt32
    /// Hz.
    var bw: UInt32
    var sf: UInt8
    /// The denominator: 5 stands for 4/5.
    var cr: UInt8
    /// dBm.
    var power: Int8

    var parameters: LoRaParameters {
        LoRaParameters(frequencyKilohertz: freq, bandwidthHertz: bw, spreadingFactor: sf, codingRate: cr)
    }

    init(_ parameters: LoRaParameters, power: Int8) {
        freq = parameters.frequencyKilohertz
        bw = parameters.bandwidthHertz
        sf = parameters.spreadingFactor
        cr = parameters.codingRate
        self.power = power
    }
}

/// Events since the last answer. Members without content are absent.
struct PeerTick: Hashable, Encodable, Sendable {
    /// A frame with a good checksum.
    struct Heard: Hashable, Encodable, Sendable {
        /// 1 to 255 bytes in hex.
        var frame: String
        /// Hundredths of dB.
        var snr: Int16
        /// Hundredths of dBm.
        var rssi: Int16
    }

    /// The node's clock in microseconds.
    var now: Int64 = 0
    /// Tells whether the radio receives a frame at this moment, or a preamble was detected.
    var busy = false
    /// The noise floor in dBm.
    var noise: Int16 = 0
    var heard: [Heard]?
    /// The transmission that was asked for has left the air.
    var sent: Bool?
    /// Frames with a wrong checksum.
    var errors: Int?

    /// Tells whether there is something that the program has to be told of at once.
    var isNews: Bool { heard != nil || sent != nil || errors != nil }
}

/// Answer of a program to a `start` or a `tick`; an object without a member sleeps until a frame is heard.
struct PeerAnswer: Hashable, Decodable, Sendable {
    /// Bytes of a line: many times the longest answer.
    static let longest = 4096
    /// The latest moment to wake at, as far as every JSON library counts exactly.
    static let lastWake: Int64 = 1 << 53 - 1

    /// The time of the next request without an event, by the node's clock in microseconds.
    var wake: Int64?
    /// A frame to send now: 1 to 255 bytes in hex.
    var transmit: String?
    /// The radio settings from now on.
    var radio: PeerRadioSettings?
    /// Tells whether the node switches itself off for the rest of the run; it is not asked again.
    var leave: Bool?

    private enum Key: String, CodingKey, CaseIterable {
        case wake, transmit, radio, leave
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let known = Key.allCases.map(\.rawValue)
        let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let other = names.sorted().first(where: { !known.contains($0) }) {
            throw PeerProblem("\"\(other)\" is not known here; known are \(known.joined(separator: ", "))")
        }
        let members = try decoder.container(keyedBy: Key.self)
        wake = try members.decodeIfPresent(Int64.self, forKey: .wake)
        transmit = try members.decodeIfPresent(String.self, forKey: .transmit)
        radio = try members.decodeIfPresent(PeerRadioSettings.self, forKey: .radio)
        leave = try members.decodeIfPresent(Bool.self, forKey: .leave)
    }

    /// Reads a line without its end.
    init(line: [UInt8]) throws(PeerProblem) {
        do {
            self = try PeerAnswer(json: line)
        } catch let problem as PeerProblem {
            throw problem
        } catch let error as DecodingError {
            throw PeerProblem("its answer is no answer (\(error.briefReason)): \(Self.shown(line))")
        } catch {
            throw PeerProblem("its answer is no JSON: \(Self.shown(line))")
        }
    }

    /// The frame to send; throws when there is one that no radio sends.
    func frame() throws(PeerProblem) -> RadioFrame? {
        guard let transmit else { return nil }
        guard let bytes = [UInt8](hex: transmit), 1...PacketLimits.frame ~= bytes.count else {
            throw PeerProblem("\"transmit\" must be 1 to \(PacketLimits.frame) bytes in hex")
        }
        return RadioFrame(bytes)
    }

    /// The beginning of a line, without what a terminal would obey.
    private static func shown(_ line: [UInt8]) -> String {
        String(decoding: line.prefix(120).map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

/// Breach of the rules by the program of an external node; a sentence without its subject and full stop.
package struct PeerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension DecodingError {
    /// The place and what is wrong there.
    fileprivate var briefReason: String {
        let context =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
