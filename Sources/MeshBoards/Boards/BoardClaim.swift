import Glibc
import MeshFiles
package import MeshTransports
import MeshWire

/// The use of real radios by one program: others are refused meanwhile, with a sentence that says who has them.
///
/// The claim ends when the value goes, and with the process at the latest. A place of labgrid that was acquired for a
/// process that was killed stays its user's, as labgrid does it, and is taken up by the next claim.
package final class BoardClaim {
    /// The radios with the addresses at which they are now.
    package let target: Target
    private let locks: [FileLock]
    private let place: LabgridPlace?
    private var hasEnded = false

    /// Claims all radios of a target; one that is emulated in this process is nobody else's.
    ///
    /// - Parameters:
    ///   - purpose: The command that uses the radios, for others.
    ///   - folders: The place of the locks.
    package init(
        _ target: Target, for purpose: String, in folders: BoardFolders = .standard, lines: USBLines = USBLines()
    ) throws(Bench.Problem) {
        var locks: [FileLock] = []
        var acquired: LabgridPlace?
        var target = target
        if let name = target.board?.place {
            let place = LabgridPlace(name)
            locks.append(try Self.lock("\(LabgridPlace.scheme)\(name)", target.title, purpose, folders.locks))
            let (address, isOurs) = try Self.acquire(place, target.title)
            if isOurs { acquired = place }
            target = target.at(address)
        } else if target.isSomewhere, let serial = target.board?.usb {
            target = target.at(.serial(path: try Self.line(of: serial, target.title, lines)))
        }
        do throws(Bench.Problem) {
            for address in target.addresses {
                guard let key = BoardKey(address, lines: lines) else { continue }
                try Self.check(address, of: target, lines)
                let name = target.label ?? address.brief
                locks.append(try Self.lock(key.text, name, purpose, folders.locks))
            }
        } catch {
            acquired?.release()
            throw error
        }
        self.target = target
        self.locks = locks
        place = acquired
    }

    deinit { release() }

    /// Gives the radios back.
    package func release() {
        guard !hasEnded else { return }
        hasEnded = true
        place?.release()
        for lock in locks { lock.release() }
    }

    /// The line of a board that may be plugged in anywhere.
    private static func line(of serial: String, _ name: String, _ lines: USBLines) throws(Bench.Problem) -> String {
        let found = lines.lines(of: serial)
        guard let line = found.first else {
            throw .missing(name, reason: "no serial line has the USB serial number \(serial)")
        }
        guard found.count == 1 else {
            let list = found.joined(separator: " and ")
            throw .lacks(name, reason: "has several lines, \(list); its bench file can name one as the address")
        }
        return line
    }

    private static func acquire(
        _ place: LabgridPlace, _ name: String
    ) throws(Bench.Problem) -> (address: LinkAddress, isOurs: Bool) {
        do throws(LabgridPlace.Refusal) {
            let isOurs = try place.acquire()
            do throws(LabgridPlace.Refusal) {
                return (try place.address(), isOurs)
            } catch {
                if isOurs { place.release() }
                throw error
            }
        } catch {
            switch error {
            case .taken(let holder): throw .inUse(name, by: "\(holder), by labgrid")
            case .missing(let reason): throw .missing(name, reason: reason)
            }
        }
    }

    /// The board at a line has to be the one that the bench file means.
    private static func check(_ address: LinkAddress, of target: Target, _ lines: USBLines) throws(Bench.Problem) {
        guard let wanted = target.board?.usb, case .serial(let path, _) = address, let found = lines.serial(of: path),
            found != wanted
        else { return }
        let reason = "\(path) has the board with the USB serial number \(found.visibleLine), and not \(wanted)"
        throw .missing(target.title, reason: reason)
    }

    private static func lock(
        _ key: String, _ name: String, _ purpose: String, _ folder: String
    ) throws(Bench.Problem) -> FileLock {
        do {
            try UserFolders.makeShared(folder)
            let path = "\(folder)/\(UserFolders.fileName(key)).lock"
            return try FileLock(path, holder: holder(purpose), isShared: true)
        } catch let refusal as FileLock.Refusal {
            guard case .held(let holder) = refusal else { throw .lacks(name, reason: "cannot be locked: \(refusal)") }
            throw .inUse(name, by: holder.isEmpty ? "another program" : holder.visibleLine)
        } catch {
            throw .lacks(name, reason: "cannot be locked: \(error)")
        }
    }

    private static func holder(_ purpose: String) -> String {
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "user \(geteuid())"
        return "\(user): \(purpose), process \(getpid())"
    }
}

extension Target {
    /// The same radio at the address at which it was found.
    fileprivate func at(_ address: LinkAddress) -> Target {
        var target = Target(address, rig: rig, allowing: allowed)
        (target.label, target.board) = (label, board)
        return target
    }
}
