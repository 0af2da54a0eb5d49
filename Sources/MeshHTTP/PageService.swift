/// Serves the files of pages to everybody who asks: they hold no secret, and no state.
///
/// Each answer limits a page to scripts of ours and to requests to its own origin. Thus text from outside that got into
/// markup could neither run nor fetch.
package struct PageService: WebService {
    private struct Entry {
        let type: String
        let tag: String
        let bytes: [UInt8]
    }

    private let entries: [String: Entry]
    private let policy: String
    private let permissions: String

    /// - Parameters:
    ///   - files: with the paths that their pages name.
    ///   - index: the path of the file that stands for the place itself: `app/app.html` for `/`.
    ///   - tiles: where pictures of maps come from, as `https://tiles.example.org`, if the user has named a place.
    ///   - usesCamera: true for pages that may ask the user for a camera; all others cannot.
    package init(_ files: [PageFile], index: String, tiles: String? = nil, usesCamera: Bool = false) {
        var entries: [String: Entry] = [:]
        for file in files {
            let entry = Entry(type: file.type, tag: file.tag, bytes: file.bytes)
            entries[file.path] = entry
            if file.path == index { entries[""] = entry }
        }
        self.entries = entries
        permissions = "camera=(\(usesCamera ? "self" : "")), geolocation=(), microphone=()"
        let pictures = (["'self'", "blob:", "data:"] + [tiles].compactMap(\.self)).joined(separator: " ")
        policy =
            "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src \(pictures); "
            + "connect-src 'self'; manifest-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; "
            + "form-action 'none'; "
            + "require-trusted-types-for 'script'; trusted-types meshbed-stream"
    }

    package func answer(_ request: WebRequest) async -> WebAnswer {
        guard let entry = entries[request.path.joined(separator: "/")] else {
            return WebAnswer(WebRefusal(.notFound, "there is no such page"))
        }
        guard request.method == "GET" else {
            return WebAnswer(WebRefusal(.notAllowed, "the path takes GET"))
        }
        let isKnown = request.knownTags.contains(entry.tag)
        return WebAnswer(
            status: isKnown ? 304 : 200, type: entry.type, body: .whole(isKnown ? [] : entry.bytes),
            fields: [
                // Kept, and asked for again: another build has other pages at the same address.
                ("cache-control", "no-cache"), ("etag", entry.tag), ("content-security-policy", policy),
                ("referrer-policy", "no-referrer"), ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                ("permissions-policy", permissions),
            ])
    }

    package func methods(at path: [String]) -> [String] {
        entries[path.joined(separator: "/")] == nil ? [] : ["GET"]
    }

    package func isOpen(_ path: [String]) -> Bool { true }
}
