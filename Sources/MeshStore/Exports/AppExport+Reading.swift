import MeshCore
package import MeshFiles
import MeshWire

extension AppExport {
    /// What the readers look for, in errors.
    private static let sought =
        "an app's export with contacts, channels or settings; the contacts or channels of meshcore-cli as JSON; "
        + "links and cards (meshcore://…), a line each"

    /// Members by which an app's export is told from other objects.
    private static let sections = [
        "private_key", "radio_settings", "position_settings", "other_settings", "channels", "contacts",
    ]
    /// All members of an app's export.
    static let members = ["name", "public_key"] + sections

    /// Reads a file beside those that were read before. Throws for a file in no known form, and then takes nothing.
    ///
    /// - Parameter file: the name of the file in errors and refusals.
    package mutating func read(_ bytes: [UInt8], file: String = "") throws(FileProblem) {
        do throws(FileProblem) {
            var copy = self
            try copy.take(bytes)
            for index in copy.refusals.indices.dropFirst(refusals.count) { copy.refusals[index].file = file }
            self = copy
        } catch {
            var problem = error
            problem.file = file
            throw problem
        }
    }

    private mutating func take(_ bytes: [UInt8]) throws(FileProblem) {
        guard bytes.count <= Self.longest else {
            throw FileProblem(line: 0, reason: "is longer than \(Self.longest >> 20) MiB")
        }
        let text = FieldText.utf8(bytes)
        let first = text.first { $0 > 0x20 }
        let hasFound: Bool
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            hasFound = take(try Self.json(text))
        } else {
            hasFound = readLines(text)
        }
        guard hasFound else { throw FileProblem(line: 0, reason: "is in no known form; looked for \(Self.sought)") }
    }

    /// One document; lines of JSON are a list.
    private static func json(_ text: [UInt8]) throws(FileProblem) -> JSONText {
        do throws(FileProblem) {
            return try JSONText(reading: text)
        } catch {
            var values: [JSONText] = []
            for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .enumerated()
            {
                guard line.contains(where: { $0 > 0x20 }) else { continue }
                guard let value = try? JSONReader.read([UInt8](line), line: index + 1) else { throw error }
                values.append(value)
            }
            return JSONText(content: .array(values))
        }
    }

    /// Takes over a JSON value of a known form; `false` for any other.
    private mutating func take(_ value: JSONText) -> Bool {
        switch value.content {
        case .string(let text): return takeLink(text, line: value.line)
        case .array(let elements):
            var hasFound = false
            for element in elements where take(element) { hasFound = true }
            return hasFound
        case .object: return (try? JSONFields(value, at: "")).map { takeObject($0, value) } ?? false
        default: return false
        }
    }

    private mutating func takeObject(_ fields: JSONFields, _ value: JSONText) -> Bool {
        // What meshcore-cli prints of a contact, and what the map of nodes is sent.
        if let uri = try? fields.string("uri") { return takeLink(uri, line: fields.line) }
        if let links = try? fields.list("links") { return take(JSONText(line: fields.line, content: .array(links))) }
        if fields.member("channel_secret") != nil {
            takeEntry("channel", fields) { export, fields throws(FileProblem) in
                try export.takeChannel(fields, name: "channel_name", secret: "channel_secret")
            }
            return true
        }
        if fields.member("adv_name") != nil {
            takeEntry("contact", fields) { export, fields throws(FileProblem) in try export.takeListed(fields) }
            return true
        }
        if fields.keys.contains(where: Self.sections.contains) {
            takeApp(fields)
            return true
        }
        // The contacts of meshcore-cli are members of one object, by their keys.
        guard case .object(let members) = value.content, !members.isEmpty,
            members.allSatisfy({ FixedBytes<32>(hex: $0.key) != nil })
        else { return false }
        return take(JSONText(line: fields.line, content: .array(members.map(\.value))))
    }

    /// Takes over an entry; one that cannot be read is refused, and named.
    mutating func takeEntry(
        _ kind: String, _ fields: JSONFields,
        _ body: (inout AppExport, JSONFields) throws(FileProblem) -> Void
    ) {
        do throws(FileProblem) {
            try body(&self, fields)
        } catch {
            var problem = error
            let name = Self.title(fields)
            problem.field = [kind + (name.isEmpty ? "" : " \"\(name)\""), error.field].filter { !$0.isEmpty }
                .joined(separator: ": ")
            refuse(problem)
        }
    }

    /// The name of an entry in errors, cut.
    private static func title(_ fields: JSONFields) -> String {
        for key in ["name", "adv_name", "channel_name"] {
            if case .string(let text) = fields.member(key)?.content { return ByteText(text).cut(to: 31).string }
        }
        return ""
    }

    private mutating func readLines(_ text: [UInt8]) -> Bool {
        var hasFound = false
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard let first = line.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#") else { continue }
            guard let link = ContactCard.link(in: line) else {
                leftOut.note("without a link", isFault: false, line: index + 1)
                continue
            }
            if takeLink(link, line: index + 1) { hasFound = true }
        }
        return hasFound
    }
}
