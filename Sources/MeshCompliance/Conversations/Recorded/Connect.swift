extension Conversation {
    static let connect = Conversation(
        name: "connect",
        about: "first contact of a client with an empty radio",
        appVersion: 0,
        script: """
            app> 1603
            <app 0d0daf280000000031342041756720323032360048656c746563205633000000000000000000000000000000000000000000000
              0000000000000000076312e31372e31000000000000000000000000000000
            app> 01032020202020206d63636c69
            <app 0501161630aca175cd49661141c9504136733e61cf2e26f6d199b77f77b178c321a7fb01000000000000000000000000f2440d0
              024f4000008054546353930343933
            app> 05
            <app 0900d2496b
            app> 060ad2496b
            <app 00
            app> 0600d2496b
            <app 0106
            app> 1f00
            <app ignoring 9-33 12005075626c69630049661141c9504136733e61cf2e26f6d199b77f77b178c321a78b3387e9c5cdea6ac9e5e
              dbaa115cd72
            app> 1f28
            <app 0102
            app> 04
            <app 0200000000
            <app 0400000000
            app> 0a
            <app 0a
            app> 14
            <app 0c68100000000000060000
            app> 40
            <app 1c
            app> 3b
            <app 190000
            app> 3c
            <app 1a689b0600689b060077440d0077440d00f0010e00f0010e00
            """)
}
