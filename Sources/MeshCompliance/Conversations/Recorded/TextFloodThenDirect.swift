extension Conversation {
    static let textFloodThenDirect = Conversation(
        name: "text_flood_then_direct",
        about: """
            message to a contact without path, PATH return with embedded ACK, then a direct message \
            confirmed by a plain ACK; duplicate ACK ignored
            """,
        script: """
            air< 6.25 -90 1100dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e9cd1496b4a344cc282ab21d423
              da63aa080a4baf77dda717e589eb7f2f1475aed0614e7dc5e85d3208febf24e432ca30f79a0b45666d9b56efa2459719989b30ba03
              a60681426f62
            <app 8819a61100dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e9cd1496b4a344cc282ab21d423da6
              3aa080a4baf77dda717e589eb7f2f1475aed0614e7dc5e85d3208febf24e432ca30f79a0b45666d9b56efa2459719989b30ba03a60
              681426f62
            <app 80dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e
            wait 1000
            app> 02000001d2496bdd756040fdd568656c6c6f
            <app 06010187214c34160000
            wait 1000
            air> 0900dd30109772c739cc1f927555a7df9f27f1422c66
            air< 6.25 -90 2102887730dd3e0ad3ec01bffe769a84b9816fec41ad9f54
            <app 8819a62102887730dd3e0ad3ec01bffe769a84b9816fec41ad9f54
            <app 81dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e
            <app 820187214ce8030000
            wait 1000
            air> sealed 4,5,6,7 22027788dd300bc82469f277a52cb84a9e6b538900f368eb
            app> 02000102d2496bdd756040fdd5616761696e
            <app 060095dff911aa1b0000
            wait 1500
            air> 0a027788dd3018e0d98830d716453bcc716818b3dc7dd104
            air< 6.25 -90 0e0095dff9110066
            <app 8819a60e0095dff9110066
            <app 8295dff911dc050000
            air< 6.25 -90 0e0095dff9110067
            <app 8819a60e0095dff9110067
            app> 0ddd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e
            <app 00
            app> 02000203d2496bdd756040fdd5666c6f6f64656420616761696e
            <app 0601255581a5541b0000
            """)
}
