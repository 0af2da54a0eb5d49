import MeshCompanion
import MeshTime
import MeshWire

// Beginning, time, state of the board (CompanionStatements, CMP-040 to CMP-049, CMP-056, CMP-057
// and CMP-204 to CMP-209).
extension CompanionRadio {
    mutating func handle(_ frame: AppStart) {
        endFrameWithNUL()
        listing = nil
        takeBackMessage()
        send(
            Resp.SelfInfo(
                txPower: preferences.txPower, maxTxPower: UInt8(bitPattern: core.board.maxTxPower),
                publicKey: core.publicKey, latitude: reportedLatitude, longitude: reportedLongitude,
                multiAcks: preferences.multiAcks, advertLocationPolicy: preferences.advertLocationPolicy,
                telemetryModes: preferences.telemetryEnvironment << 4 | preferences.telemetryLocation << 2
                    | preferences.telemetryBase,
                manualAdd: preferences.manualAdd, frequency: reportedFrequency, bandwidth: reportedBandwidth,
                spreadingFactor: preferences.spreadingFactor, codingRate: preferences.codingRate,
                name: preferences.name))
    }

    mutating func handle(_ frame: DeviceQuery) {
        appVersion = frame.appTargetVersion
        let board = core.board
        send(
            Resp.DeviceInfo(
                firmwareVersionCode: core.switches.level,
                halvedMaxContacts: reportedContactLimit,
                maxChannels: UInt8(truncatingIfNeeded: board.maxChannels), blePin: preferences.blePin,
                buildDate: FixedBytes(text: ByteText(board.firmware.buildDate).prefix(11)),
                model: FixedBytes(text: ByteText(board.model).prefix(39)),
                version: FixedBytes(text: ByteText(board.firmware.text).prefix(19)),
                clientRepeat: preferences.repeatByte, pathHashMode: preferences.pathHashMode))
    }

    private var reportedContactLimit: UInt8 {
        let limit = core.board.maxContacts
        return core.quirks.contains(.halvedContactLimit) ? UInt8(truncatingIfNeeded: limit / 2) : UInt8(clamping: limit)
    }

    mutating func handle(_ frame: GetDeviceTime) {
        sendApart(Resp.CurrTime(epoch: core.unixTime))
    }

    mutating func handle(_ frame: SetDeviceTime) {
        guard frame.epoch >= core.unixTime || !core.quirks.contains(.clockOnlyForward) else {
            return refuse(.illegalArg)
        }
        core.setUnixTime(frame.epoch)
        ok()
    }

    mutating func handle(_ frame: GetBattAndStorage) {
        let used = core.board.storageOverheadKiB + UInt32(clamping: flash.usedBytes / 1024)
        sendApart(
            Resp.BattAndStorage(
                battery: environment.batteryMillivolts(at: core.now),
                storage: StorageUse(used: used, total: core.board.storageKiB)))
    }

    mutating func handle(_ frame: GetStats) {
        switch frame.statsType {
        case 0: send(Resp.Stats(.core(coreStats)))
        case 1: send(Resp.Stats(.radio(radioStats)))
        case 2: send(Resp.Stats(.packets(packetStats)))
        default: refuse(.illegalArg)
        }
    }

    private var coreStats: CoreStats {
        var stats = CoreStats()
        stats.battery = environment.batteryMillivolts(at: core.now)
        stats.uptime = core.millis.count / 1000
        stats.errorFlags = core.errorFlags.rawValue
        stats.queueLength = UInt8(truncatingIfNeeded: core.queuedToSend)
        return stats
    }

    private var radioStats: RadioStats {
        var stats = RadioStats()
        stats.noiseFloor = core.noiseFloor
        stats.lastRSSI = core.lastSignal.rssiByte
        stats.lastSNR = core.lastSignal.snrQuarters
        stats.txAir = core.statistics.airtime / 1000
        stats.rxAir = core.statistics.receiveAirtime / 1000
        return stats
    }

    private var packetStats: PacketStats {
        var stats = PacketStats()
        stats.received = core.statistics.framesReceived
        stats.sent = core.statistics.framesSent
        stats.sentFlood = core.statistics.sentFlood
        stats.sentDirect = core.statistics.sentDirect
        stats.receivedFlood = core.statistics.receivedFlood
        stats.receivedDirect = core.statistics.receivedDirect
        stats.receiveErrors = core.statistics.receiveErrors
        return stats
    }

    // MARK: Ends

    mutating func handle(_ frame: Reboot) {
        guard frame.word == Reboot().word else { return refuse(.unsupportedCmd) }
        writeContactsNow()
        restart()
    }

    /// Shuts the interface before anything is erased, so that no answer arrives.
    ///
    /// Up to 1.16 streams do not heed that. On USB the answer is written at once; one in the queue of Wi-Fi is lost
    /// with the restart. A radio that cannot be erased continues there.
    mutating func handle(_ frame: FactoryReset) {
        guard frame.word == FactoryReset().word else { return refuse(.unsupportedCmd) }
        if core.switches.disablesStreams || !interface.isStream { interface.disable() }
        core.effects += interface.hangingUp.map { NodeEffect.appClosed.at($0) }
        guard flash.format() else { return refuse(.fileIOError) }
        core.effects.append(.flash(.formatted))
        ok()
        // The board does nothing but wait for its restart.
        interface.disable()
        contactsDue = nil
        restartsAt = core.now + TimeSpan.seconds(1)
    }
}
