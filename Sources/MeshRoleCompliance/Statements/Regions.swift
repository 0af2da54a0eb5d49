import MeshBoards
import MeshFirmware
import MeshTime
import MeshWire

extension RoleTopic {
    /// The command `region`.
    static let regions = RoleTopic(
        "Regions",
        [
            Row("INF-206", about: "A fresh node knows the wildcard", of: .repeater, by: .console) { node in
                try node.type("region", "*^ F\n")
            },
            Row("INF-207", about: "A region that denies floods ends with a space", of: .repeater, by: .console) {
                node in
                try node.putRegion("a")
                try node.type("region put b a")
                try node.type("region denyf b", "OK")
                try node.type("region get a", " a F")
                try node.type("region get b", " b (a) ")
            },
            Row(
                "INF-208", about: "A region with parts, and the wildcard, are not removed", of: .repeater, by: .console
            ) { node in
                try node.putRegion("a")
                try node.type("region put b a")
                try node.type("region remove a", "Err - not empty")
                try node.type("region remove *", "Err - not empty")
                try node.type("region remove b", "OK")
                try node.type("region remove a", "OK")
            },
            Row("INF-205", about: "While regions are loaded every line is swallowed", of: .repeater, by: .console) {
                node in
                try node.type("region load", "")
                for line in ["ver", " a F", "  b"] { try node.type(line, "") }
                try node.type(" ", "OK - loaded 2 regions")
                try node.type("region", "*^ F\n a F\n  b\n")
            },
            Row("INF-021", about: "Regions are not saved", of: .sensor, by: .console) { node in
                try node.type("region save", "Err - save failed")
            },
            Row(
                "INF-019", about: "Regions that are not saved are lost at a restart", of: .repeater, by: .console,
                needs: .restart
            ) { node in
                try node.putRegion("eu")
                try node.type("region save", "OK")
                try node.putRegion("uk")
                try node.type("reboot")
                try node.wait(.seconds(20))
                try node.type("region get eu", " eu F")
                try node.type("region get uk", "Err - unknown region")
            },
            Row(
                "INF-020", about: "The choice of a default saves the whole table", of: .repeaterAndRoom, by: .console,
                needs: .restart
            ) { node in
                try node.putRegion("a")
                try node.type("region default b", " default scope is now b")
                try node.type("reboot")
                try node.wait(.seconds(20))
                try node.type("region get a", " a F")
                try node.type("region default", " default scope is b")
            },
        ])
}
