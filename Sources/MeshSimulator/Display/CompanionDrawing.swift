import MeshCompanion
import MeshFirmware
import MeshTime
import MeshWire

/// The text on the display of a companion radio.
///
/// Source: firmware 1.17.1, `UITask` of companion_radio, `ui-new`: `SplashScreen`, `HomeScreen`, `MsgPreviewScreen`.
struct CompanionDrawing {
    /// `UI_RECENT_LIST_SIZE`.
    private static let recentCount = 4
    /// Characters of the smallest letters beside each other on 128 pixels.
    private static let columns = 21

    let radio: CompanionRadio
    let now: Instant
    /// In dBm.
    let noiseFloor: Int16
    /// True for a build with Bluetooth, which has a PIN.
    let hasBluetooth: Bool

    var display: NodeDisplay {
        let screen = radio.display
        guard screen.isOn(at: now) else { return .off }
        var lines: [String]
        switch screen.screen(at: now) {
        case .splash: lines = splash
        case .home: lines = [Drawing.blocks(radio.name)] + page(screen.page)
        case .preview: lines = preview
        }
        if let alert = screen.alert(at: now) { lines.append(alert) }
        return NodeDisplay(lines)
    }

    private var splash: [String] {
        let firmware = radio.board.firmware
        let website = firmware.release.level >= 13 ? [Drawing.website] : []
        return website + [String(Drawing.short(firmware.text).prefix(11)), firmware.buildDate]
    }

    private var preview: [String] {
        guard let newest = radio.display.previews.last else { return [] }
        let hops = newest.pathLength == 255 ? "D" : "\(newest.pathLength)"
        return [
            "Unread: \(radio.display.previews.count) \(age(of: newest.receivedAt))",
            "(\(hops)) \(Drawing.blocks(newest.name.text)):",
            Drawing.blocks(newest.text.prefix(77)),
        ]
    }

    private func page(_ page: CompanionScreen.Page) -> [String] {
        switch page {
        case .first:
            let count = "MSG: \(radio.display.messageCount)"
            if radio.isConnected { return [count, "< Connected >"] }
            return hasBluetooth && radio.activePIN != 0 ? [count, "Pin:\(radio.activePIN)"] : [count]
        case .recent: return recent
        case .radio:
            let settings = radio.preferences
            return [
                "FQ: \(Double(settings.frequency).fixed(3))   SF: \(settings.spreadingFactor)",
                "BW: \(Double(settings.bandwidth).fixed(2))     CR: \(settings.codingRate)",
                "TX: \(settings.txPower)dBm", "Noise floor: \(noiseFloor)",
            ]
        case .bluetooth: return ["toggle: long press"]
        case .advert: return ["advert: long press"]
        case .gps: return receiver
        case .shutdown: return ["hibernate:long press"]
        }
    }

    private var recent: [String] {
        let heard = radio.advertPaths.entries.filter { !$0.name.text.isEmpty }
            .sorted { $0.receivedAt > $1.receivedAt }.prefix(Self.recentCount)
        return heard.map { entry in
            let age = age(of: entry.receivedAt)
            let (name, room) = (Drawing.blocks(entry.name.text), Self.columns - age.count)
            return "\(name.count < room ? name : name.prefix(room - 4) + "...") \(age)"
        }
    }

    /// The GPS receiver; a place stands here only while there is a fix.
    private var receiver: [String] {
        let environment = radio.environment
        let hasFix = environment.isGPSActive && environment.hasFix(at: now)
        let lines = [
            "gps \(environment.isGPSActive ? "on" : "off") \(hasFix ? "fix" : "no fix")",
            "sat \(hasFix ? environment.gps?.satellites ?? 0 : 0)",
        ]
        guard hasFix else { return lines }
        let place = environment.position(at: now)
        return lines + ["pos \(place.latitude.fixed(4)) \(place.longitude.fixed(4))", "alt \(place.altitude.fixed(2))"]
    }

    private func age(of time: UInt32) -> String { Drawing.age(radio.unixTime(at: now) &- time) }
}
