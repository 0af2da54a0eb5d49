extension Conversation {
    static let textReceive = Conversation(
        name: "text_receive",
        about: "flooded and direct texts, CLI reply, room post; automatic acknowledgements on the air",
        script: """
            air< 6.25 -90 1100dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e9cd1496b4a344cc282ab21d423
              da63aa080a4baf77dda717e589eb7f2f1475aed0614e7dc5e85d3208febf24e432ca30f79a0b45666d9b56efa2459719989b30ba03
              a60681426f62
            <app 8819a61100dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e9cd1496b4a344cc282ab21d423da6
              3aa080a4baf77dda717e589eb7f2f1475aed0614e7dc5e85d3208febf24e432ca30f79a0b45666d9b56efa2459719989b30ba03a60
              681426f62
            <app 80dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e
            wait 500
            air< 6.25 -90 11000b15678c4e5e5f83357f9ff1330bdfb28517f3f0fb81ed52e849da7eab9feec7a6d1496b22cd800db69c6b1df2
              6e63a0656a08a9bfaa7691465af9e65032ee1ef13dcfde2c8a56868cb873d72c55a61aaa82988aad8e7aae3ad0314ff83d12d1a19b
              240583526f6f6d
            <app 8819a611000b15678c4e5e5f83357f9ff1330bdfb28517f3f0fb81ed52e849da7eab9feec7a6d1496b22cd800db69c6b1df26e6
              3a0656a08a9bfaa7691465af9e65032ee1ef13dcfde2c8a56868cb873d72c55a61aaa82988aad8e7aae3ad0314ff83d12d1a19b240
              583526f6f6d
            <app 800b15678c4e5e5f83357f9ff1330bdfb28517f3f0fb81ed52e849da7eab9feec7
            wait 500
            air< -3.5 -101 090301020330dde5f2b3c812616695a500333715aad4ce52f7
            <app 88f29b090301020330dde5f2b3c812616695a500333715aad4ce52f7
            <app 83
            wait 500
            air> sealed 10 2100dd30a5426619bc1b181bfb563ff009774e2711bc
            app> 0a
            <app 10f20000dd756040fdd50300ced1496b4772c3bcc39f65
            app> 0a
            <app 0a
            app> 09dd756040fdd5145e2bf9832d264dd080e4b3e73016bdf6574b4cd87eaa697f5e0100015a00000000000000000000000000000
              0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000426f62000
              00000000000000000000000000000000000000000000000000000009cd1496b000000000000000000d2496b
            <app 00
            air< 6.25 -90 0a0030ddfae8938ef5d0a3b3dd191bc9e8607ea0da09
            <app 8819a60a0030ddfae8938ef5d0a3b3dd191bc9e8607ea0da09
            <app 83
            wait 500
            air> payload 5 0e015a6d13f5450021
            app> 0a
            <app 10190000dd756040fdd5ff00cfd1496b646972656374
            air< 6.25 -90 0a0030ddeb7bad168084b871ee6537ca88b319681097
            <app 8819a60a0030ddeb7bad168084b871ee6537ca88b319681097
            <app 83
            wait 500
            app> 0a
            <app 10190000dd756040fdd5ff01d0d1496b3e206f6b
            air< 6.25 -90 0900300b36ecfd2877f615982ef05ea9747351e4b0b8
            <app 8819a60900300b36ecfd2877f615982ef05ea9747351e4b0b8
            <app 83
            wait 500
            air> sealed 7 21000b30b363d51258dd7c46fc4b056161ff4c47c865
            app> 0a
            <app 101900000b15678c4e5e0002d1d1496bdd756040706f73746564
            app> 0a
            <app 0a
            """)
}
