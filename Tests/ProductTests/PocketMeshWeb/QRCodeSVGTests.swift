import PocketMeshUI
import Testing

@testable import PocketMeshWeb

@Suite struct QRCodeSVGTests {
    /// The modules that the rectangles of a picture cover, as the text `column row`.
    private func covered(_ picture: String) throws -> [String] {
        var found: [String] = []
        for run in picture.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            let (column, length) = (try #require(Int(run.1)), try #require(Int(run.3)))
            #expect(run.3 == run.4)
            found += (column..<column + length).map { "\($0) \(run.2)" }
        }
        return found
    }

    @Test func `the picture covers each dark module once, with the quiet zone round them`() throws {
        let code = try QRCode("meshcore://contact/add?name=bob")

        let picture = code.svg

        let side = code.size + 8
        let dark = (0..<code.size).flatMap { row in
            (0..<code.size).filter { code[$0, row] }.map { "\($0 + 4) \(row + 4)" }
        }
        #expect(try covered(picture) == dark)
        #expect(picture.contains("viewBox=\"0 0 \(side) \(side)\""))
        #expect(picture.contains("<path fill=\"#fff\" d=\"M0 0h\(side)v\(side)H0z\"/>"))
    }

    @Test func `nothing of the text is in the picture`() throws {
        let picture = try QRCode("\"/><script>alert(1)</script>&lt;").svg

        let rest = picture.replacing(/M\d+ \d+h\d+v1h-\d+z/, with: "")
        #expect(
            rest == """
                <svg xmlns="http://www.w3.org/2000/svg" width="33" height="33" viewBox="0 0 33 33" \
                shape-rendering="crispEdges"><path fill="#fff" d="M0 0h33v33H0z"/><path d=""/></svg>
                """)
    }

    @Test func `an address that is too long for a code has no picture`() {
        #expect(String(repeating: "x", count: 2953).codeDrawing != nil)
        #expect(String(repeating: "x", count: 2954).codeDrawing == nil)
    }
}
