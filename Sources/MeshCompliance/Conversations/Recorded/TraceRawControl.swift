extension Conversation {
    static let traceRawControl = Conversation(
        name: "trace_raw_control",
        about: "trace, raw data, control data, raw packet",
        script: """
            app> 24443322110700000000aabb
            <app 06004433221160170000
            wait 1000
            air> 2600443322110700000000aabb
            air< 5 -90 260228d8443322110700000000aabb
            <app 8814a6260228d8443322110700000000aabb
            <app 890002004433221107000000aabb28d814
            app> 1901aa01020304
            <app 00
            wait 1000
            air> 3e01aa01020304
            air< 4 -80 3e000102030405
            <app 8810b03e000102030405
            <app 8410b0ff0102030405
            app> 378006deadbeef
            <app 00
            wait 1000
            air> 2e008006deadbeef
            air< 4 -80 2e009228deadbeefba00e9984db1a8f72c0630741a52a28dd1864280df9073ad9d247741f4f4e73c
            <app 8810b02e009228deadbeefba00e9984db1a8f72c0630741a52a28dd1864280df9073ad9d247741f4f4e73c
            <app 8e10b0009228deadbeefba00e9984db1a8f72c0630741a52a28dd1864280df9073ad9d247741f4f4e73c
            app> 41003e0001020304
            <app 00
            wait 1000
            air> 3e0001020304
            app> 4100d100aabb
            <app 0106
            """)
}
