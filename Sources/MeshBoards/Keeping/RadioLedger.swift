import Glibc
import MeshFiles
import MeshTransports
import MeshWire

/// The files of the radios behind one board that runs have changed and not put back.
///
/// A board has several only where several radios were at one address.
package final class RadioLedger {
    private let key: BoardKey
    private let folder: String
    /// The radio of this run, and its file.
    private var open: (radio: LeftRadio, path: String)?
    /// The reason why the last write failed.
    package private(set) var problem: String?

    /// The ledger of the one board of a target; `nil` where there is no folder for it.
    package init?(_ target: Target, in folders: BoardFolders) {
        guard let key = BoardKey(target), let records = folders.records else { return nil }
        self.key = key
        folder = records + "/" + key.fileName
    }

    /// Tells whether another radio at the place is the same board with another identity.
    package var isOfBoard: Bool { key.isOfBoard }

    // MARK: Earlier runs

    /// The radios that earlier runs have left, with their files; one whose file cannot be read is an error.
    package func left() throws -> [(radio: LeftRadio, path: String)] {
        guard try FileSystem.kind(of: folder) != nil else { return [] }
        return try FileSystem.names(in: folder).filter { $0.hasSuffix(Self.suffix) }.map { name in
            let path = folder + "/" + name
            return (try LeftRadio(path: path), path)
        }
    }

    private static let suffix = ".json"

    /// Forgets a radio: everything is put back.
    package func forget(_ path: String) {
        do throws(FileSystem.Failure) {
            try FileSystem.remove(path)
        } catch {
            problem = error.description
        }
    }

    // MARK: This run

    /// Stores the state of a radio before anything is changed.
    ///
    /// - Parameter isWhole: whether all differences are this run's, whoever made them.
    package func begin(_ keeper: RadioKeeper, isWhole: Bool = false) {
        var radio = LeftRadio(keeper.before)
        radio.isWhole = isWhole
        radio.met = keeper.met
        radio.clock = keeper.clock.map { ($0.unixSeconds, Int64(time(nil))) }
        let name = radio.key.isEmpty ? "radio" : radio.key.hex
        open = (radio, folder + "/" + name + Self.suffix)
        store()
    }

    /// Stores the nodes that the run is about to make known to the radio.
    package func note(_ keeper: RadioKeeper?) {
        guard let keeper, let radio = open?.radio, keeper.met.count != radio.met.count else { return }
        open?.radio.met = keeper.met
        store()
    }

    /// Ends the run; the file stays where something was not put back.
    package func end(isWhole: Bool) {
        if let open, isWhole { forget(open.path) }
        open = nil
    }

    private func store() {
        guard let open else { return }
        do throws(FileSystem.Failure) {
            try FileSystem.makeDirectory(folder)
            try FileSystem.replace(open.path, with: open.radio.bytes)
        } catch {
            problem = error.description
        }
    }
}
