import ArgumentParser

extension Decode.Input {
    /// Decodes and prints everything; `false` when something made no sense.
    func decode(with decoder: some ByteDecoder) -> Bool {
        var isClean = true
        var isFirst = true
        func take(_ line: some StringProtocol, _ place: String) {
            switch decoder.content(of: String(line)) {
            case .nothing: return
            case .notHex(let column, let reason):
                Console.note("meshbed decode: \(place), column \(column): \(reason)")
                isClean = false
            case .bytes(let bytes):
                let record = decoder.decode(bytes)
                if record.isMalformed { isClean = false }
                if !isFirst && !json { Console.out("") }
                isFirst = false
                Console.text(json ? RecordJSON(record).line : record.text)
            }
        }
        if hex.isEmpty || hex == ["-"] {
            var number = 0
            var lines = InputLines()
            while let line = lines.next() {
                number += 1
                switch line {
                case .text(let line): take(line, "line \(number)")
                case .tooLong:
                    Console.note("meshbed decode: line \(number): is longer than \(InputLines.longest) bytes")
                    isClean = false
                case .failed(let reason):
                    Console.note("meshbed decode: standard input: \(reason)")
                    isClean = false
                }
            }
        } else {
            for (index, argument) in hex.enumerated() {
                let place = "argument \(index + 1)"
                if decoder.content(of: argument) == .nothing {
                    Console.note("meshbed decode: \(place): holds no bytes")
                    isClean = false
                }
                take(argument, place)
            }
        }
        return isClean
    }
}
