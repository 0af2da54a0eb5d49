extension Conversation {
    static let channel = Conversation(
        name: "channel",
        about: "channel text and data, both directions; second channel; unknown slot",
        script: """
            app> 200123746573740000000000000000000000000000000000000000000000000000009cd8fcf22a47333b591d96a2b848b73f
            <app 00
            app> 1f01
            <app ignoring 8-33 120123746573740031342041756720323032360048656c74656320563300000000009cd8fcf22a47333b591d9
              6a2b848b73f
            app> 08416c696365
            <app 00
            app> 03000001d2496b686920616c6c
            <app 00
            wait 1000
            air> 15001141767deba6a326d722e813bc415d857d11badfece48f44745e4c654974f8c1edabc1
            app> 03000102d2496b68692074657374
            <app 00
            wait 1000
            air> 1500d9f40222677ef06af8aae0f59d7c4df2cd44a164a401ae2288cdc8836c6e4e007f1dd6
            air< 6.25 -90 154201020304d98ddce9aef74a749dec9f642ea4c8c0c2c3437326683a6b0fcb2bd6ba852c3a59984f
            <app 8819a6154201020304d98ddce9aef74a749dec9f642ea4c8c0c2c3437326683a6b0fcb2bd6ba852c3a59984f
            <app 83
            app> 0a
            <app 11190000014200d8d1496b426f623a2068656c6c6f202374657374
            app> 3e01ff00ffdead
            <app 00
            wait 1000
            air> 1900d9564bb1574b1782fa07a2232f77821b9f75f2
            air< 6.25 -90 1900d9905a67dc48e00c916225f80df7533bb63c6c
            <app 8819a61900d9905a67dc48e00c916225f80df7533bb63c6c
            <app 83
            app> 0a
            <app 1b190000010000ff02beef
            app> 03002802d2496b78
            <app 0102
            app> 03010002d2496b78
            <app 0101
            """)
}
