extension Conversation {
    static let signing = Conversation(
        name: "signing",
        about: "signing session with its error paths",
        script: """
            app> 2201
            <app 0104
            app> 23
            <app 0104
            app> 21
            <app 130000200000
            app> 22616263
            <app 00
            app> 22646566
            <app 00
            app> 23
            <app 14a11acb83b6a15a045db60c392ca2b38aacfa6fc1bdaa02471e77da0c8419b1adb1132edcdeb10fe5261c66d9cd1836ddc52b0
              f58f69c1247890b6d63fb9ab70a
            app> 23
            <app 0104
            app> 21
            <app 130000200000
            app> 23
            <app 14344dafa9071ce7c25283c8d6ee8f8dd8379e01470909423cf9f34126795d338fa41a395ea45b4944dcfe071ad944b6d673c9e
              0f8ac12970651f464587f68f506
            """)
}
