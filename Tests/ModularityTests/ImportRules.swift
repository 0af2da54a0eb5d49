/// Holds the manifest and the imports against the layer diagram.
enum ImportRules {
    /// Dependencies that the diagram does not allow, and modules without a row.
    static func check(_ manifest: Manifest) -> [Finding] {
        manifest.targets.filter { !$0.isTest && !$0.name.hasSuffix("TestSupport") }.flatMap { target -> [Finding] in
            guard let row = Layers.row(of: target.name) else {
                return [
                    finding(target, "has no row in the layer diagram; add it to Tests/ModularityTests/Layers.swift")
                ]
            }
            return target.dependencies
                .filter { !isAllowed($0, in: row) }
                .map { finding(target, "of layer \(row.number) may not depend on \($0); arrows only point down") }
        }
    }

    /// Imports of a module that the diagram or the manifest does not allow.
    static func check(_ file: SourceText, of module: String, manifest: Manifest) -> [Finding] {
        guard let row = Layers.row(of: module) else { return [] }
        let declared = manifest.targets.first { $0.name == module }?.dependencies ?? []
        return file.imports.compactMap { name, line in
            if ["Swift", module].contains(name) { return nil }
            if !isAllowed(name, in: row) {
                return Finding(
                    path: file.path, line: line,
                    message: "\(module) (layer \(row.number)) may not import \(name); " + advice(for: name))
            }
            if Layers.row(of: name) != nil && !declared.contains(name) {
                return Finding(
                    path: file.path, line: line,
                    message: "\(module) imports \(name) without naming it in Package.swift; declare the dependency")
            }
            return nil
        }
    }

    /// Dependencies that the manifest names and no file of the target imports.
    static func unused(_ manifest: Manifest, files: [SourceText]) -> [Finding] {
        manifest.targets.filter { !$0.isTest && !$0.name.hasSuffix("TestSupport") }.flatMap { target -> [Finding] in
            let own = files.filter { Repository.module(of: $0.path) == target.name }
            // What is in C includes headers, whose names tell no module.
            if own.isEmpty { return [] }
            let imported = Set(own.flatMap { $0.imports.map(\.module) })
            return target.dependencies.filter { !imported.contains($0) }
                .map { finding(target, "depends on \($0) but never imports it; take the arrow away") }
        }
    }

    /// Modules that others reach though they have to do without.
    static func separated(_ manifest: Manifest, by separations: [Separation] = Layers.separations) -> [Finding] {
        separations.flatMap { separation -> [Finding] in
            let reached = manifest.closure(ofTargets: [separation.module])
            let known = Set(manifest.targets.flatMap { [$0.name] + $0.dependencies })
            return ([separation.module] + separation.without).filter { !known.contains($0) }.map {
                Finding(path: "Package.swift", line: 0, message: "a separation names \($0), which is no module")
            }
                + separation.without.filter(reached.contains).map {
                    Finding(
                        path: "Package.swift", line: 0,
                        message: "\(separation.module) reaches \($0): \(separation.reason)")
                }
        }
    }

    /// Imports of a folder that keeps the law of the pure layers within a higher module.
    static func checkPureFolder(_ file: SourceText) -> [Finding] {
        guard let folder = Layers.pureFolders.first(where: { file.path.hasPrefix($0.path) }) else { return [] }
        return file.imports.filter { $0.module != "Swift" && !folder.imports.contains($0.module) }.map {
            Finding(
                path: file.path, line: $0.line,
                message: "\(folder.path) may not import \($0.module); " + advice(for: $0.module))
        }
    }

    /// Imports of the whole of Foundation, in any layer. It has no exception: one such file links all of it.
    static func checkFoundation(_ file: SourceText) -> [Finding] {
        file.imports.filter { ["Foundation", "FoundationInternationalization"].contains($0.module) }.map {
            Finding(
                path: file.path, line: $0.line,
                message: "\($0.module) brings 34 MB of Unicode data along: " + advice(for: $0.module))
        }
    }

    /// Tells whether a module of this layer may name another: one of ours from its own layer down, or a library of its
    /// row.
    private static func isAllowed(_ name: String, in row: Layer) -> Bool {
        if row.outside.contains(name) { return true }
        guard let other = Layers.row(of: name) else { return false }
        return !other.isDoor && other.number <= row.number
    }

    private static func finding(_ target: Manifest.Target, _ message: String) -> Finding {
        Finding(path: "Package.swift", line: target.line, message: "\(target.name) \(message)")
    }

    private static func advice(for name: String) -> String {
        switch name {
        case "Foundation", "FoundationInternationalization":
            "use FoundationEssentials, and DecimalText, TextColumns, SystemThread and ChildProcess of MeshWire and MeshFiles"
        case "FoundationEssentials": "use FixedBytes, Hex and ByteText of MeshWire"
        case "Dispatch", "NIOCore", "NIOPosix": "waiting belongs in a shell: take `now`, return effects and a next wake"
        case "Glibc": "files, sockets and clocks belong in a shell"
        case "Logging": "return a trace effect; the shell logs it"
        case "CSodium", "CLibCrypto": "MeshCrypto is the only door to the crypto libraries"
        case "CDBus", "CBus": "MeshBus is the only door to D-Bus"
        case "CSQLite": "MeshStore is the only door to SQLite"
        case "CZlib": "MeshCaptureIO is the only door to zlib"
        case "HummingbirdCore", "HTTPTypes", "NIOHTTP1", "NIOHTTPTypes":
            "MeshWeb is the only door to the library of HTTP"
        case "CQRCode": "PocketMeshUI is the only door to the library of QR codes"
        case "CPcap": "MeshCaptureIO is the only door to libpcap"
        case "CBluetooth": "MeshTransports is the only door to the sockets of Bluetooth"
        default: "arrows only point down"
        }
    }
}
