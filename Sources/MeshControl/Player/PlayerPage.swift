import FoundationEssentials
import MeshCaptureIO
import MeshCrypto
import MeshWire

/// A document with its player in one HTML file, which needs no server and no network.
///
/// The page forbids itself every request, and every script and style but its own two, which it names by their digests.
/// What came from outside is in the file as base64 alone, and the player shows it as text.
package struct PlayerPage {
    let document: PlayerDocument

    package init(_ document: PlayerDocument) {
        self.document = document
    }

    /// The modules of the player, each behind those that it imports.
    static let modules = [
        "document.js", "fate.js", "colours.js", "heat.js", "map.js", "lanes.js", "panels.js", "live.js", "player.js",
    ]

    /// The files that a server sends to browsers: paths, and bytes.
    package static var files: [(path: String, bytes: [UInt8])] {
        (["player.html", "player.css"] + modules).map { ("player/" + $0, file($0) ?? []) }
    }

    /// The path of the page itself, whose names lead to the other files from the place above it.
    package static let index = "player/player.html"

    /// A file of the player as the server of a live run gives it: name and bytes; `nil` for any other name.
    static func file(_ name: String) -> [UInt8]? {
        switch name {
        case "player.html": PackageResources.player_html
        case "player.css": PackageResources.player_css
        case "document.js": PackageResources.document_js
        case "fate.js": PackageResources.fate_js
        case "colours.js": PackageResources.colours_js
        case "heat.js": PackageResources.heat_js
        case "map.js": PackageResources.map_js
        case "lanes.js": PackageResources.lanes_js
        case "panels.js": PackageResources.panels_js
        case "live.js": PackageResources.live_js
        case "player.js": PackageResources.player_js
        default: nil
        }
    }

    /// The file, UTF-8.
    package var html: String {
        let script = Self.bundle
        let style = "\n" + Self.text("player.css")
        let policy =
            "default-src 'none'; script-src '\(Self.digest(of: script))'; style-src '\(Self.digest(of: style))'; "
            + "img-src data:; base-uri 'none'; form-action 'none'"
        let packed = document.packed
        let deflated = Packing.deflated(packed)
        let data = Data(deflated ?? packed).base64EncodedString()
        let form = deflated == nil ? "plain" : "deflate"
        // Whatever stands between the marks is for a server.
        let template = Self.text("player.html")
        guard let begin = template.firstRange(of: "<!--head-->"), let end = template.firstRange(of: "<!--end-->") else {
            return template
        }
        return template[..<begin.lowerBound]
            + """
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <title>\(document.title.xmlEscaped) – Meshbed</title>
            <style>\(style)</style>
            <script type="application/octet-stream" id="document" data-form="\(form)">\(data)</script>
            <script type="module">\(script)</script>
            """ + template[end.upperBound...]
    }

    /// All modules as one: names are different in all of them, so what joins them can go.
    static var bundle: String {
        "\n"
            + modules.map { name in
                text(name).split(separator: "\n", omittingEmptySubsequences: false).filter {
                    !$0.hasPrefix("import ")
                }.map { $0.hasPrefix("export ") ? $0.dropFirst(7) : $0 }.joined(separator: "\n")
            }.joined(separator: "\n")
    }

    private static func text(_ name: String) -> String { String(decoding: file(name) ?? [], as: UTF8.self) }

    /// As a policy names what it allows.
    private static func digest(of text: String) -> String {
        "sha256-" + Data(SHA256.hash(Array(text.utf8)).array).base64EncodedString()
    }
}
