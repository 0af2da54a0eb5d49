import FoundationEssentials
import Logging
import MeshCore
import MeshPacket
import MeshWire

// Paths of recipients, as far as sending changes them.
extension MessageService {
    /// The next attempt is to be flooded.
    func forgetPath(to contact: ContactDTO) async {
        do {
            if let paths {
                try await paths.resetPath(deviceID: contact.deviceID, publicKey: contact.publicKey)
            } else {
                try await session.resetPath(FixedBytes(contact.publicKey))
                try await store.updateContactPath(
                    id: contact.id, lengthRaw: PathLength.unknown.rawValue, path: Data())
            }
        } catch {
            // The attempt is made all the same, on the old path.
            dependencies.log.warning("the path to a contact was not forgotten: \(error)")
        }
    }

    /// Asks the radio for the one contact, and stores its path if it differs from that before the send.
    func checkPath(of contact: ContactDTO) async {
        guard !isStopped, let record = try? await session.getContact(publicKey: FixedBytes(contact.publicKey)) else {
            return
        }
        let now = ContactDTO(deviceID: contact.deviceID, record: record)
        do {
            if try await store.fetchContact(id: contact.id)?.path != now.path {
                try await store.updateContactPath(id: contact.id, lengthRaw: now.outPathLengthRaw, path: now.outPath)
            }
        } catch {
            dependencies.log.error("the path to a contact was not stored: \(error)")
        }
        let known = memory.announcedPaths.updateValue(now.path, forKey: contact.id)
        if now.path != contact.path && now.path != known {
            events.emit(.sendChangedPath(contactID: contact.id, isFlood: !now.hasPath))
        }
    }

    /// Asks for a better path, and waits for no answer.
    func discoverPath(to contact: ContactDTO) {
        keep("path discovery after a flood") { service in
            do {
                _ = try await service.session.sendPathDiscovery(to: FixedBytes(contact.publicKey))
            } catch {
                service.dependencies.log.debug("no path was discovered: \(error)")
            }
        }
    }
}
