import MeshCompanion
import MeshWire

// Commands that all roles know. Source: InfrastructureNodes, "Commands".
extension ServerNode {
    mutating func commonCommand(_ line: CommandLine, timestamp: UInt32) -> CommandOutcome {
        guard let command = CommonCommand(line, isSerial: timestamp == 0) else { return .text("Unknown command") }
        let arguments = command.arguments(in: line)
        switch command {
        case .powerOff, .shutdown:
            return core.switches.powersOffAllBoards || core.board.hasPowerOff ? .powerOff : .reply([])
        case .reboot: return .restart
        case .clockReboot:
            core.setUnixTime(ServerTiming.clockAfterClockReboot)
            return .restart
        case .advertZeroHop:
            sendSelfAdvert(delayMillis: ServerTiming.commandedAdvert, byFlood: false)
            return .text("OK - zerohop advert sent")
        case .advert:
            sendSelfAdvert(delayMillis: ServerTiming.commandedAdvert, byFlood: true)
            return .text("OK - Advert sent")
        case .clockSync: return .text(synchronizeClock(to: timestamp))
        case .clock: return .text(CalendarTime(unixSeconds: core.unixTime).clockText)
        case .time: return .text(advanceClock(to: NumberReading.digits(arguments)))
        case .startOTA: return .text(core.board.updateAnswer(key: core.publicKey) ?? "Error")
        case .neighbours: return .reply(neighboursText())
        case .neighbourRemove: return removeNeighbours(hex: arguments)
        case .temporaryRadio: return .text(setTemporaryRadio(arguments))
        case .password: return .reply(changePassword(to: arguments))
        case .clearStatistics:
            // Sensors say so too.
            if server.role != .sensor { core.resetStatistics() }
            return .text("(OK - stats reset)")
        case .get: return .reply(server.preferences.get(arguments, preferenceContext(isSerial: timestamp == 0)))
        case .set: return .reply(setPreference(arguments, isSerial: timestamp == 0))
        case .erase: return .text("File system erase: \(eraseFlash() ? "OK" : "Err")")
        case .version: return .text(versionText)
        case .board: return .text(core.board.model)
        case .sensorGet, .sensorSet, .sensorList: return sensorCommand(line)
        case .region: return .reply(regionCommand(line))
        case .gps: return gpsCommand(line)
        case .powerSavingOn: return .text(savePower())
        case .powerSavingOff:
            server.preferences.powerSaving = 0
            savePreferences()
            return .text(core.switches.namesFactorRanges ? "off" : "ok")
        case .powerSaving: return .text(server.preferences.powerSaving != 0 ? "on" : "off")
        case .logStart, .logStop, .logErase, .log: return .text(logCommand(command))
        case .packetStatistics: return .text(packetStatisticsText())
        case .radioStatistics: return .text(radioStatisticsText())
        case .coreStatistics: return .text(coreStatisticsText())
        }
    }

    private var versionText: String {
        let firmware = core.board.firmware
        let build = server.role == .sensor ? core.switches.sensorBuild : nil
        return "\(build?.version ?? firmware.text) (Build: \(build?.date ?? firmware.buildDate))"
    }

    private mutating func removeNeighbours(hex: ArraySlice<UInt8>) -> CommandOutcome {
        // Digits beyond a whole key, like half a byte, make it another length than the one that is wanted.
        guard let prefix = NumberReading.hex(hex, count: min(hex.count, 64) / 2) else {
            return .text("ERR: bad pubkey")
        }
        removeNeighbours(prefix)
        return .text("OK")
    }

    private mutating func eraseFlash() -> Bool {
        guard server.flash.format() else { return false }
        core.effects.append(.flash(.formatted))
        return true
    }
}

// The clock, which goes back by `clkreboot` only. Source: InfrastructureNodes, "Boot and clock".
extension ServerNode {
    /// To the second after the one in which the command was sent; a console sends none.
    private mutating func synchronizeClock(to timestamp: UInt32) -> String {
        guard timestamp > core.unixTime else { return "ERR: clock cannot go backwards" }
        return setClock(timestamp &+ 1)
    }

    private mutating func advanceClock(to seconds: UInt32) -> String {
        guard seconds > core.unixTime else { return "(ERR: clock cannot go backwards)" }
        return setClock(seconds)
    }

    private mutating func setClock(_ seconds: UInt32) -> String {
        core.setUnixTime(seconds)
        return "OK - clock set: \(CalendarTime(unixSeconds: seconds).clockText)"
    }
}

// Sensors, GPS and regions, which know their commands themselves, and the packet log.
extension ServerNode {
    private mutating func sensorCommand(_ line: CommandLine) -> CommandOutcome {
        let answer = server.environment.answerSensorCommand(line.bytes, build: core.board.gpsBuild, at: core.now)
        return answer.map { .reply($0.bytes) } ?? .text("Unknown command")
    }

    /// Builds without GPS do not know the command.
    private mutating func gpsCommand(_ line: CommandLine) -> CommandOutcome {
        var preferences = server.preferences
        let answer = server.environment.answerGPSCommand(
            line.bytes, preferences: &preferences, board: core.board, at: core.now)
        server.preferences = preferences
        guard let answer else { return .text("Unknown command") }
        if answer.crashes { return .restart }
        if answer.savesPreferences { savePreferences() }
        return .reply(answer.text.bytes)
    }

    private mutating func regionCommand(_ line: CommandLine) -> [UInt8] {
        let answer = server.regions.handleCommand(
            line.bytes, role: server.role, firmware: core.board.firmware, canWrite: !server.flash.failsToWrite)
        for effect in answer.effects {
            switch effect {
            case .modified:
                server.preferences.discoveryModified = core.unixTime
                savePreferences()
            case .save: store(server.regions.stored(), at: RegionTable.path)
            case .defaultChanged(let key): server.defaultScope = key
            case .beginLoad: server.regionLoader = RegionLoader(replacing: server.regions)
            }
        }
        return answer.reply
    }

    /// Sensors answer and do nothing.
    private mutating func logCommand(_ command: CommonCommand) -> String {
        let hasLog = server.role != .sensor
        switch command {
        case .logStart:
            server.isLogging = hasLog
            return "   logging on"
        case .logStop:
            server.isLogging = false
            return "   logging off"
        case .logErase:
            if hasLog, server.flash.remove(ServerFiles.packetLog) {
                core.effects.append(.flash(.removed(path: ServerFiles.packetLog)))
            }
            return "   log erased"
        default:
            if hasLog { server.console.write(server.flash[ServerFiles.packetLog] ?? []) }
            return "   EOF"
        }
    }
}
