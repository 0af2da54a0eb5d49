/// A file of a page, as a browser asks for it.
package struct PageFile: Hashable, Sendable {
    /// Its path below the place where the pages are mounted: `shared/theme.css`.
    package var path: String
    package var bytes: [UInt8]

    package init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The media type, by the ending of the name; nothing for a name that browsers are not to interpret.
    package var type: String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json", "webmanifest": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }

    /// A hash of the bytes (FNV-1a, 64 bits), which changes when they do.
    var tag: String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
