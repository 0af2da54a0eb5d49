import MeshCompanion

/// The article MixedMeshes, printed from runs.
enum MixedMeshArticle {
    static func markdown() -> String {
        let sections = MixedMesh.all.map(section)
        return ([introduction, table] + sections + [drawn]).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # What breaks in a mixed mesh

        What happens when one node runs another version of the firmware than its neighbours, as runs show it.

        ## Overview

        Each row is a small mesh that is run for each version, with the same seeds. A test repeats the runs and compares
        them with this page. Links carry 8 dB, and nothing else is on the air. The columns 1.14 to 1.17.1 rest on
        released source text. The column 1.18 is read from source text that is not a release, and not verified.
        """

    private static var table: String {
        let rows: [[String]] = MixedMesh.all.map { row in [row.title] + FirmwareVersion.all.map { row.measure($0) } }
        let columns = [""] + FirmwareVersion.all.map(\.name)
        let lines: [[String]] = [columns, columns.map { _ in "---" }] + rows
        return lines.map { cells in "| " + cells.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private static func section(_ row: MixedMesh) -> String {
        "## \(row.title)\n\n\(row.setting)\n\(row.advice)\n\nSource: FirmwareVersions, \(row.statements.joined(separator: ", "))."
    }

    private static let drawn = """
        ## Meshes drawn by a seed

        The scenario `flood/mixed-versions` draws a mesh, a version for each node, texts, adverts and faults. It holds when
        no rule of the air is broken, and each text is delivered or given up in the end. Run it with your own seeds:

        ```
        meshbed scenario soak mixed-versions --seeds 1..1000
        ```
        """
}
