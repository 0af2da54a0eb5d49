import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

extension RoleTopic {
    /// Records of one build: its file of settings, and a session at its console.
    static let files: [Row] = [
        Row(
            "INF-018", about: "The first saved setting writes the file with all settings", by: .console,
            needs: [.freshRadio, .builds, .board],
            setup: RoleSetup(isUntouched: true, board: recordedBuild)
        ) { node in
            try node.type("set name Hill", "OK")
            let file = try node.target.file("/prefs.json") ?? []
            try node.require("the file", file.text, is: settings(of: node.role, node.switches))
        },
        Row(
            "INF-201", about: "A session at the console goes as it was recorded", by: .console,
            needs: [.freshRadio, .builds], setup: RoleSetup(isUntouched: true, board: recordedBuild)
        ) { node in
            for line in ScriptLine.script { try node.type(line.line, line.answer(of: node.role)) }
        },
    ]

    /// The build that was recorded: no ESP32, no GPS, no gain to boost, 20 dBm.
    @Sendable private static func recordedBuild(_ board: inout BoardProfile) {
        board.model = "Host Board"
        board.platform = .other
        board.packetPoolSize = 32
        board.maxTxPower = 22
        board.txPower = 20
        board.boostsReceiveGain = false
        board.gpsBuild = .absent
        board.batteryMillivolts = 4100
        board.hasOutputs = true
        board.mcuTemperatureTenths = nil
    }

    /// The file of settings of such a build with the name Hill: `FILE-PREFS`.
    static func settings(of role: ServerRole, _ switches: FirmwareSwitches) -> String {
        let (isRepeater, isSensor) = (role == .repeater, role == .sensor)
        let guest = role == .roomServer ? "hello" : ""
        let bridge =
            isRepeater
            ? "en:1,delay:500,src:0,baud:115200,ch:1,secret:\"LVSITANOS\""
            : "en:0,delay:0,src:0,baud:0,ch:0,secret:\"\""
        let loop = isRepeater && switches.detectsLoops ? 1 : 0
        let parts = [
            "name:\"Hill\",pass:\"password\",guest:\"\(guest)\",owner:\"\",adv_int:0,f_adv_int:\(isSensor ? 0 : 47)",
            "lat:0,lon:0,radio:{freq:869.6180,bw:62.5000,sf:8,cr:5,cad:0,int_thr:0,rxgain:0,fem_rxgain:1,fem_txgain:0",
            "tx:20,af:1.0000,rxdelay:0,f_txdelay:0.5000,d_txdelay:\(isRepeater ? "0.3000" : "0.2000"),agc_int:0",
            "hash_mode:0,multi_ack:0},bridge:{\(bridge)},gps:{en:0,int:0,adv_loc:2}",
            "repeat:{disable:\(isRepeater ? 0 : 1),f_max:64,f_max_uns:\(isSensor ? 0 : 64),f_max_adv:\(isSensor ? 0 : 8)",
            "loop:\(loop)},room:{rd_only:0},power:{adc_mult:0,pwr_sav_en:0}",
        ]
        return "{\(parts.joined(separator: ","))}"
    }
}
