extension Conversation {
    static let offlineQueue = Conversation(
        name: "offline_queue",
        about: "messages arrive while no client is connected",
        script: """
            air< 6.25 -90 1100dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e9cd1496b4a344cc282ab21d423
              da63aa080a4baf77dda717e589eb7f2f1475aed0614e7dc5e85d3208febf24e432ca30f79a0b45666d9b56efa2459719989b30ba03
              a60681426f62
            <app 8819a61100dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e9cd1496b4a344cc282ab21d423da6
              3aa080a4baf77dda717e589eb7f2f1475aed0614e7dc5e85d3208febf24e432ca30f79a0b45666d9b56efa2459719989b30ba03a60
              681426f62
            <app 80dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e
            wait 500
            link down
            air< 6.25 -90 0a0030ddda63448211ed730f834756ec8357414208e0
            wait 1000
            air> payload 5 0d00fc8d9a490022
            air< 6.25 -90 1500118e612e5fb6336850a597551b5e642a7578fe
            wait 1000
            link up
            app> 01032020202020206d63636c69
            <app 0501161630aca175cd49661141c9504136733e61cf2e26f6d199b77f77b178c321a7fb01000000000000000000000000f2440d0
              024f4000008054546353930343933
            app> 0a
            <app 10190000dd756040fdd5ff00ced1496b6f6e65
            app> 0a
            <app 11190000000000d8d1496b426f623a2074776f
            app> 0a
            <app 0a
            """)
}
