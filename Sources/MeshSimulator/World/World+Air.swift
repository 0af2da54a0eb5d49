import MeshFirmware
import MeshRadio
import MeshTime

/// Frames on the air: who hears them, and what becomes of those that meet.
extension World {
    /// Whether a node's modem follows a frame now, as its listen-before-talk asks.
    func isReceiving(_ node: NodeID) -> Bool {
        guard slots[node.index].transmission == nil else { return false }
        return slots[node.index].receptions.contains { $0.isLocked && $0.detected <= now }
    }

    mutating func beginTransmission(_ bytes: RadioFrame, from sender: NodeID) {
        cutTransmission(of: sender)
        loseReceptions(of: sender, .halfDuplex)
        let radio = slots[sender.index].airtime
        let airtime = TimeSpan(microseconds: radio.microseconds(bytes: bytes.count))
        let frame = framesSent
        framesSent += 1
        let place = putOnAir(Transmission(frame: frame, sender: sender, bytes: bytes))
        slots[sender.index].transmission = place
        queue.schedule(.transmissionEnds(place: Int32(place), frame: frame), at: now + airtime)

        bytes.withBytes { digest.fold(.transmitted, at: now, node: Int32(sender.index), $0) }
        record(sender, .txBegin(frame: frame, bytes: bytes.bytes, airtime: airtime))
        let detected = now + .microseconds(radio.symbolMicroseconds * Int64(air.detectionSymbols))
        for index in slots.indices where index != sender.index {
            let listener = NodeID(index: index)
            guard let signal = links[sender, listener], slots[index].parameters.hears(radio.parameters) else {
                continue
            }
            beginReception(
                Reception(frame: frame, signal: signal, detected: detected, isLocked: false, loss: nil), at: listener)
        }
    }

    private mutating func putOnAir(_ transmission: Transmission) -> Int {
        if let free = transmissions.firstIndex(where: { $0 == nil }) {
            transmissions[free] = transmission
            return free
        }
        transmissions.append(transmission)
        return transmissions.count - 1
    }

    /// A frame reaches an antenna. An idle modem locks on to it; one that follows another frame changes over only to a
    /// frame that is stronger by the capture threshold, and loses its own to one that is not weaker by as much.
    private mutating func beginReception(_ arriving: Reception, at listener: NodeID) {
        var arriving = arriving
        record(listener, .rxBegin(frame: arriving.frame))
        if !slots[listener.index].isUp {
            arriving.loss = .off
        } else if slots[listener.index].transmission != nil {
            arriving.loss = .halfDuplex
        }
        arriving.isLocked = arriving.loss == nil
        for index in slots[listener.index].receptions.indices {
            let other = slots[listener.index].receptions[index]
            let lead = Int(arriving.signal.rssiHundredths) - Int(other.signal.rssiHundredths)
            if lead < air.captureThresholdHundredths {
                arriving.loss = arriving.loss ?? .collision
                if other.isLocked { arriving.isLocked = false }
            } else if other.isLocked && arriving.loss == nil {
                slots[listener.index].receptions[index].isLocked = false
            }
            if lead > -air.captureThresholdHundredths && other.loss == nil {
                slots[listener.index].receptions[index].loss = .collision
            }
        }
        slots[listener.index].receptions.append(arriving)
    }

    mutating func endTransmission(place: Int, frame: UInt64) {
        guard let transmission = transmissions[place], transmission.frame == frame else { return }
        let sender = transmission.sender
        transmissions[place] = nil
        slots[sender.index].transmission = nil
        record(sender, .txEnd(frame: frame))
        // All receptions end before anyone reacts, so that a node's answer meets a free air.
        var ended: [(listener: NodeID, reception: Reception)] = []
        for index in slots.indices {
            guard let position = slots[index].receptions.firstIndex(where: { $0.frame == frame }) else { continue }
            ended.append((NodeID(index: index), slots[index].receptions.remove(at: position)))
        }
        pass(.transmitDone, to: sender)
        for (listener, reception) in ended {
            endReception(reception, at: listener, transmission.bytes)
        }
    }

    private mutating func endReception(_ reception: Reception, at listener: NodeID, _ bytes: RadioFrame) {
        if let loss = reception.loss {
            record(listener, .rxDrop(frame: reception.frame, reason: loss))
            if loss == .collision && reception.isLocked { pass(.receiveError, to: listener) }
        } else {
            record(listener, .rxEnd(frame: reception.frame, signal: reception.signal))
            pass(.heard(bytes, reception.signal), to: listener)
        }
    }

    /// The frame a node is sending ends here, and nobody receives it.
    mutating func cutTransmission(of sender: NodeID) {
        guard let place = slots[sender.index].transmission, let transmission = transmissions[place] else { return }
        transmissions[place] = nil
        slots[sender.index].transmission = nil
        for index in slots.indices {
            guard let position = slots[index].receptions.firstIndex(where: { $0.frame == transmission.frame })
            else { continue }
            let reception = slots[index].receptions.remove(at: position)
            record(
                NodeID(index: index),
                .rxDrop(frame: transmission.frame, reason: reception.loss ?? .senderCut))
        }
    }

    /// Everything that a node is receiving is lost to it; it stays on the air as interference.
    mutating func loseReceptions(of listener: NodeID, _ reason: RxLoss) {
        for index in slots[listener.index].receptions.indices {
            slots[listener.index].receptions[index].isLocked = false
            if slots[listener.index].receptions[index].loss == nil {
                slots[listener.index].receptions[index].loss = reason
            }
        }
    }

    mutating func tune(_ node: NodeID, to parameters: LoRaParameters) {
        if !slots[node.index].parameters.hears(parameters) {
            let lost = slots[node.index].receptions
            slots[node.index].receptions = []
            for reception in lost {
                record(node, .rxDrop(frame: reception.frame, reason: reception.loss ?? .retuned))
            }
        }
        slots[node.index].airtime = Airtime(parameters)
    }
}
