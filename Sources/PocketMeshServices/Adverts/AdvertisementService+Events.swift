import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

// What the events mean for the store.
extension AdvertisementService {
    func handle(_ event: MeshEvent, of deviceID: UUID) async {
        do {
            switch event {
            case .advertisement(let key): try await heardAdvert(Data(key.array), of: deviceID)
            case .newContact(let record): try await heardNewNode(record, of: deviceID)
            case .pathUpdate(let key): try await pathUpdated(key, of: deviceID)
            case .pathResponse(let answer): try await pathDiscovered(answer, of: deviceID)
            case .contactDeleted(let key): try await contactDropped(Data(key.array), of: deviceID)
            case .contactsFull:
                dependencies.log.warning("the radio has no room for another contact")
                events.emit(.contactsFull)
            case .discoverResponse(let push, let response):
                events.emit(.nodeDiscovered(NodeDiscovery(push, response)))
            default: break
            }
        } catch is CancellationError {
            return
        } catch {
            dependencies.log.warning("\(event.name) was not stored: \(error)")
        }
    }

    /// Handles a push that names the node and no time: the host's time counts until a synchronisation brings the node's
    /// own.
    private func heardAdvert(_ key: Data, of deviceID: UUID) async throws {
        let row = try await store.fetchContact(deviceID: deviceID, publicKey: key)
        if let row, row.onRadio, !row.isDiscovered {
            try await store.updateContactLastAdvert(
                deviceID: deviceID, publicKey: key, timestamp: dependencies.seconds)
            events.emit(.advertHeard(publicKey: key))
            await contactUpdated(row.id)
        } else {
            owe(key)
            events.emit(.advertHeard(publicKey: key))
        }
    }

    private func heardNewNode(_ record: ContactRecord, of deviceID: UUID) async throws {
        let key = Data(record.publicKey.array)
        let row = try await store.fetchContact(deviceID: deviceID, publicKey: key)
        let (id, isNew) = try await store.saveDiscoveredContact(deviceID: deviceID, from: record)
        // The radio has lost a contact, or the row was added while the push was under way: a sync tells.
        if row?.onRadio == true { owe(nil) }
        events.emit(.advertHeard(publicKey: key))
        guard isNew else {
            await contactUpdated(id)
            return
        }
        let name = record.name.text.readable
        events.emit(.contactDiscovered(name: name, contactID: id))
        if let handler = taker?.newContact {
            await handler(name, id)
        } else if untold.count < SyncRequest.keyLimit {
            untold.append((name, id))
        }
    }

    private func pathUpdated(_ key: FixedBytes<32>, of deviceID: UUID) async throws {
        let publicKey = Data(key.array)
        let before = try await store.fetchContact(deviceID: deviceID, publicKey: publicKey)
        events.emit(.pathRefreshed(publicKey: publicKey))
        let record: ContactRecord
        do {
            record = try await session.getContact(publicKey: key)
        } catch let error as SessionError {
            // A synchronisation brings the path as well.
            owe(nil)
            throw StackError(.adverts, of: error)
        }
        // The radio keeps nodes without a type for requests to strangers; they are in no listing.
        guard record.type != .none else { return }
        let id = try await store.saveContact(deviceID: deviceID, from: record)
        guard let after = try await store.fetchContact(id: id) else { return }
        events.emit(.pathUpdated(after))
        tellRouting(of: id, from: before?.routing, to: after.routing)
        await contactUpdated(id)
    }

    /// Handles an answer to a path discovery; with two contacts for its 6 bytes of key it belongs to neither.
    private func pathDiscovered(_ answer: PathInfo, of deviceID: UUID) async throws {
        let prefix = Data(answer.publicKeyPrefix.array)
        let match = try await store.fetchContact(deviceID: deviceID, publicKeyPrefix: prefix)
        if let match, !match.isAmbiguous, answer.outPathLength.isValid {
            let contact = match.contact
            let length = answer.outPathLength
            try await store.updateContactPath(id: contact.id, lengthRaw: length.rawValue, path: Data(answer.outPath))
            events.emit(.pathDiscovered(DiscoveredPath(answer, publicKey: contact.publicKey)))
            let routing = ContactDTO.Routing.path(hashSize: length.hashSize, hops: length.hopCount)
            tellRouting(of: contact.id, from: contact.routing, to: routing)
            await contactUpdated(contact.id)
        } else {
            dependencies.log.notice("a path was answered that fits no contact, or more than one")
            events.emit(.pathDiscovered(DiscoveredPath(answer)))
        }
    }

    private func tellRouting(of id: UUID, from old: ContactDTO.Routing?, to new: ContactDTO.Routing) {
        guard (old ?? .unknown == .unknown) != (new == .unknown) else { return }
        events.emit(.routingChanged(contactID: id, isFlood: new == .unknown))
    }

    private func contactDropped(_ key: Data, of deviceID: UUID) async throws {
        guard let row = try await store.fetchContact(deviceID: deviceID, publicKey: key) else { return }
        try await store.markContactOffRadio(deviceID: deviceID, publicKey: key)
        events.emit(.contactDeleted(publicKey: key))
        await contactUpdated(row.id)
    }
}
