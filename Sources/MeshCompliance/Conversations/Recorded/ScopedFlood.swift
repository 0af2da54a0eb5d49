extension Conversation {
    static let scopedFlood = Conversation(
        name: "scoped_flood",
        about: "session flood scope, unscoped override, default scope, self advert",
        script: """
            app> 0841
            <app 00
            app> 36009cd8fcf22a47333b591d96a2b848b73f
            <app 00
            app> 03000001d2496b73636f706564
            <app 00
            wait 1000
            air> 14118d000000113278252f34fe6e08d57fefebda5238fa9d72
            app> 3601
            <app 00
            app> 03000002d2496b756e73636f706564
            <app 00
            wait 1000
            air> 15001107ef31e735aa5861e6a2967deedf9657eb85
            app> 3f746573740000000000000000000000000000000000000000000000000000009cd8fcf22a47333b591d96a2b848b73f
            <app 00
            app> 40
            <app 1c746573740000000000000000000000000000000000000000000000000000009cd8fcf22a47333b591d96a2b848b73f
            app> 3601
            <app 00
            app> 0701
            <app 00
            wait 1000
            air> 10787200000030aca175cd49661141c9504136733e61cf2e26f6d199b77f77b178c321a7fb0102d2496bbd68aa190dd79b8f403
              9c374c3e0eee2e6d56f8985058e16c894643fc0909f7f9afcceb043098f6f1f1512fe9b89eef012ff3f7cef098cd26a71844d7a5f0
              f0a8141
            app> 3600
            <app 00
            app> 03000003d2496b64656661756c742073636f7065
            <app 00
            wait 1000
            air> 1481cc000000119038130bc55515dd507adb79995103071be1fb9126fdbb9a759321c53ed0cc878e58
            app> 3f
            <app 00
            app> 40
            <app 1c
            app> 03000004d2496b6e6f6e65
            <app 00
            wait 1000
            air> 150011a4638155dda84a36d641fb06db7b6ae11343
            """)
}
