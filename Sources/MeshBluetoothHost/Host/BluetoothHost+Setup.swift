import MeshTime
import MeshWire

// Bringing the controller up, and what it says to commands.

extension BluetoothHost {
    /// The steps in which a controller is set up, in their order.
    enum Setup: Int, Sendable, CaseIterable {
        case reset
        case version
        case eventMask
        case lowEnergyEventMask
        case bufferSize
        case classicBufferSize
        case address
        case features
        case randomAddress
    }

    /// Ended and encrypted links, versions, broken hardware, renewed keys, and all of low energy.
    private static let eventMask: UInt64 = 1 << 4 | 1 << 7 | 1 << 11 | 1 << 15 | 1 << 47 | 1 << 61
    /// Connections in the short form, reports, updates, keys, requests for intervals, lengths.
    private static let lowEnergyEventMask: UInt64 = 1 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6

    mutating func begin(_ step: Setup) {
        phase = .starting(step)
        switch step {
        case .reset: command(.reset)
        case .version: command(.other(opcode: HCI.CommandCode.readLocalVersion))
        case .eventMask: command(.eventMask(.init(Self.eventMask)))
        case .lowEnergyEventMask: command(.lowEnergyEventMask(.init(Self.lowEnergyEventMask)))
        case .bufferSize: command(.other(opcode: HCI.CommandCode.readLowEnergyBufferSize))
        case .classicBufferSize:
            guard controller.dataSize == 0 || controller.dataCount == 0 else { return next(step) }
            command(.other(opcode: HCI.CommandCode.readBufferSize))
        case .address: command(.other(opcode: HCI.CommandCode.readAddress))
        case .features: command(.other(opcode: HCI.CommandCode.readLowEnergyFeatures))
        case .randomAddress:
            guard let address = settings.randomAddress ?? madeAddress else { return next(step) }
            controller.address = address
            var parameters = HCI.RandomAddress()
            parameters.address = FixedBytes(address.bytes.reversed())
            command(.randomAddress(parameters))
        }
    }

    /// Static: its two highest bits are set.
    private var madeAddress: BluetoothAddress? {
        guard settings.makesRandomAddress else { return nil }
        return BluetoothAddress(number: controller.address.number | 3 << 46, isRandom: true)
    }

    private mutating func next(_ step: Setup) {
        if let next = Setup(rawValue: step.rawValue + 1) { return begin(next) }
        // Fragments hold what the shortest packet on the air does.
        guard controller.dataSize >= 27, controller.dataCount > 0 else {
            failure = .useless
            return
        }
        data = HCI.DataQueue(
            size: controller.dataSize, capacity: controller.dataCount, limit: settings.queueLimit + Self.answerRoom)
        phase = .ready
        tell(.ready(controller))
    }

    /// The answer to a step; what it returns must be readable.
    private mutating func completed(_ step: Setup, _ event: HCI.CommandComplete) {
        do throws(FrameError) {
            switch step {
            case .reset, .eventMask, .lowEnergyEventMask, .randomAddress: break
            case .version:
                let version = try event.result(HCI.LocalVersion.self)
                (controller.version, controller.manufacturer) = (version.version, version.manufacturer)
            case .bufferSize:
                let size = try event.result(HCI.BufferSize.self)
                (controller.dataSize, controller.dataCount) = (Int(size.dataSize), Int(size.dataCount))
            case .classicBufferSize:
                let size = try event.result(HCI.ClassicBufferSize.self)
                (controller.dataSize, controller.dataCount) = (Int(size.dataSize), Int(size.dataCount))
            case .address:
                controller.address = BluetoothAddress(try event.result(HCI.LocalAddress.self).address, type: 0)
            case .features: features = try event.result(HCI.Features.self)
            }
            next(step)
        } catch {
            failure = .malformed(error)
        }
    }

    // MARK: Answers to commands

    /// Removes the awaited command that an answer belongs to, and returns whether there was one.
    private mutating func isAwaited(_ opcode: UInt16, _ credits: UInt8) -> Bool {
        guard commands.answered(opcode, credits: credits) else { return false }
        if opcode == HCI.CommandCode.connectionUpdate, !updates.isEmpty { updates.removeFirst() }
        return true
    }

    mutating func take(complete event: HCI.CommandComplete, at now: Instant) {
        // An answer to what was not asked only tells how many commands are taken.
        guard isAwaited(event.opcode, event.packets) else { return }
        let status = event.status ?? 0
        if case .starting(let step) = phase {
            if status == 0 { return completed(step, event) }
            failure = .refused(opcode: event.opcode, status: status)
            return
        }
        answered(event.opcode, status, at: now)
    }

    mutating func take(status event: HCI.CommandStatus, at now: Instant) {
        guard isAwaited(event.opcode, event.packets) else { return }
        // While the controller is set up no command is answered so, but refused ones.
        if case .starting = phase {
            failure = .refused(opcode: event.opcode, status: event.status)
            return
        }
        guard event.status != 0 else { return }
        answered(event.opcode, event.status, at: now)
    }

    private mutating func answered(_ opcode: UInt16, _ status: UInt8, at now: Instant) {
        switch opcode {
        case HCI.CommandCode.setAdvertisingEnable:
            guard !advertisingSwitches.isEmpty else { return }
            let isOn = advertisingSwitches.removeFirst()
            if status == 0 { advertising(isOn) }
        case HCI.CommandCode.setScanEnable:
            guard !scanSwitches.isEmpty else { return }
            let isOn = scanSwitches.removeFirst()
            if status == 0 { tell(.scanning(isOn)) }
            if !isOn || status != 0 { scan = nil }
        case HCI.CommandCode.createConnection where status != 0:
            guard let failed = attempt else { return }
            attempt = nil
            tell(.connectFailed(failed.peer, status: status))
            return
        // The connection has come about, or failed, in the meantime: its event says so.
        case HCI.CommandCode.createConnectionCancel: return
        // Lengths beyond 27 bytes are a wish.
        case HCI.CommandCode.setDataLength: return
        default: break
        }
        if status != 0 { tell(.notDone(opcode: opcode, status: status)) }
    }

    mutating func advertising(_ isOn: Bool) {
        guard isAdvertising != isOn else { return }
        isAdvertising = isOn
        tell(.advertising(isOn))
    }
}
