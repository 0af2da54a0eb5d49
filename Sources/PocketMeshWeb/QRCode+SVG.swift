import PocketMeshUI

extension QRCode {
    /// A picture of the code with its quiet zone, black on white, as SVG: one unit is one module.
    ///
    /// It holds coordinates alone and nothing of the text.
    var svg: String {
        let side = size + 2 * Self.quietZone
        let name = "http://www.w3.org/2000/svg"
        return "<svg xmlns=\"\(name)\" width=\"\(side)\" height=\"\(side)\" viewBox=\"0 0 \(side) \(side)\" "
            + "shape-rendering=\"crispEdges\">"
            + "<path fill=\"#fff\" d=\"M0 0h\(side)v\(side)H0z\"/><path d=\"\(darkRuns)\"/></svg>"
    }

    /// The path of the dark modules: a rectangle for each run of them in a row.
    private var darkRuns: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[column, row] { column += 1 }
                if column > start {
                    let length = column - start
                    path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
                }
                column += 1
            }
        }
        return path
    }
}

extension String {
    /// The picture of an address as a code; `nil` when it is too long for one.
    var codeDrawing: String? { (try? QRCode(self))?.svg }
}
