import MeshCapture
import MeshCaptureIO
import MeshFiles
import MeshRecords
import MeshWire

extension Decode.Input {
    /// Decodes and prints companion frames; `false` when something made no sense.
    func decode(with decoder: FrameDecoder) -> Bool {
        var output = DecodedOutput(isJSON: json)
        eachLine(output: &output) { line, _, output in
            switch HexLine.read(line.utf8) {
            case .nothing: return false
            case .notHex(let column, let reason): output.complain(reason, column: column)
            case .bytes(let bytes): output.show(decoder.decode(bytes))
            }
            return true
        }
        return output.isClean
    }

    /// Decodes and prints packets in any form; `false` when something made no sense.
    func decode(with decoder: PacketDecoder) -> Bool {
        var output = DecodedOutput(isJSON: json)
        var reader = RecordReader()
        var packets: [HeardPacket] = []
        eachLine(output: &output) { line, number, output in
            let fault = reader.take([UInt8](line.utf8)[...], number: number, into: &packets)
            // An argument is a record of its own.
            if !hex.isEmpty, hex != ["-"] { reader.end(into: &packets) }
            defer { packets.removeAll() }
            for packet in packets { output.show(decoder.decode(packet)) }
            guard let fault else { return !packets.isEmpty }
            output.complain(fault.reason, column: fault.column)
            return true
        }
        reader.end(into: &packets)
        for packet in packets { output.show(decoder.decode(packet)) }
        return output.isClean
    }

    /// Feeds arguments, or lines of standard input; the body returns whether there was anything in one.
    private func eachLine(
        output: inout DecodedOutput, _ body: (String, _ number: Int, inout DecodedOutput) -> Bool
    ) {
        guard hex.isEmpty || hex == ["-"] else {
            for (index, argument) in hex.enumerated() {
                output.place = "argument \(index + 1)"
                if !body(argument, index + 1, &output) { output.complain("holds no bytes") }
            }
            return
        }
        var number = 0
        var lines = InputLines()
        while let line = lines.next() {
            number += 1
            output.place = "line \(number)"
            switch line {
            case .text(let line): _ = body(line, number, &output)
            case .tooLong: output.complain("is longer than \(InputLines.longest) bytes")
            case .failed(let reason):
                output.place = "standard input"
                output.complain(reason)
            }
        }
    }
}

/// Prints decoded records one after the other, and remembers whether all made sense.
struct DecodedOutput {
    let isJSON: Bool
    private(set) var isClean = true
    private var isFirst = true
    /// The place that is decoded, for complaints.
    var place = ""

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    mutating func show(_ record: DecodedRecord) {
        if record.isMalformed { isClean = false }
        if !isFirst && !isJSON { Console.out("") }
        isFirst = false
        if isJSON { return Console.text(RecordJSON(record).line) }
        if let heard = record.heard?.circumstances, !heard.isEmpty { Console.out(heard) }
        Console.text(record.text)
    }

    mutating func complain(_ reason: String, column: Int? = nil) {
        isClean = false
        Console.note("meshbed decode: \(place)\(column.map { ", column \($0)" } ?? ""): \(reason)")
    }

    // MARK: Files

    /// The end of a file for programs.
    private struct Summary: Encodable {
        let file: String
        let packets: Int
        let leftOut: [LeftOutRow]
    }

    /// Decodes and prints the packets of a file, and says what it left out.
    mutating func printFile(_ path: String, with decoder: PacketDecoder) {
        place = path
        do {
            let (bytes, problem) = try RecordLoad.bytes(of: path)
            if let problem { complain(problem.reason) }
            let file = try RecordFile(bytes)
            for packet in file.packets { show(decoder.decode(packet)) }
            if file.leftOut.faults > 0 { isClean = false }
            let rows = file.leftOut.rows
            if isJSON {
                let summary = Summary(file: path, packets: file.packets.count, leftOut: rows.map(LeftOutRow.init))
                Console.text((try? summary.jsonText(inOneLine: true)) ?? "{}")
            } else {
                Console.note("\(path): \(file.packets.count.counted("packet"))")
                for row in rows { Console.note("\(path): left out: \(row)") }
            }
        } catch let problem as FileProblem {
            complain("\(problem)")
        } catch {
            isClean = false
            Console.note("meshbed decode: \(error)")
        }
    }
}
