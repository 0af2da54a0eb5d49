/// The steps from an empty file to today's tables, numbered from 1.
///
/// A step that was ever released is never changed: later changes are new steps. Each runs in one transaction.
enum Schema {
    struct Migration {
        var number: Int
        var sql: String
    }

    /// Marks our files among all SQLite databases: "PMSv" in ASCII.
    static let applicationID = 0x504D_5376

    static let migrations: [Migration] = [
        Migration(number: 1, sql: records),
        Migration(number: 2, sql: queueAndSettings),
        Migration(number: 3, sql: images),
        Migration(number: 4, sql: pausedTransfers),
        Migration(number: 5, sql: blockedNames),
        Migration(number: 6, sql: unsyncedCounts),
        Migration(number: 7, sql: regionScopes),
        Migration(number: 8, sql: ways),
        Migration(number: 9, sql: keptChunks),
    ]

    /// The six kinds of records. Source: ServiceStack, "The store".
    ///
    /// `message.contactID` and `message.channelID` name derived identifiers rather than rows. So the history of a
    /// contact or channel that went away is found again when it comes back.
    private static let records = """
        PRAGMA application_id = \(applicationID);
        CREATE TABLE device (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            publicKey BLOB NOT NULL UNIQUE CHECK (length(publicKey) = 32),
            nodeName TEXT NOT NULL,
            firmwareVersion INTEGER NOT NULL,
            firmwareVersionString TEXT NOT NULL,
            manufacturerName TEXT NOT NULL,
            buildDate TEXT NOT NULL,
            maxContacts INTEGER NOT NULL,
            maxChannels INTEGER NOT NULL,
            frequencyKHz INTEGER NOT NULL,
            bandwidthHz INTEGER NOT NULL,
            spreadingFactor INTEGER NOT NULL,
            codingRate INTEGER NOT NULL,
            txPower INTEGER NOT NULL,
            maxTxPower INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            blePin INTEGER NOT NULL,
            manualAddContacts INTEGER NOT NULL,
            multiAcks INTEGER NOT NULL,
            telemetryModeBase INTEGER NOT NULL,
            telemetryModeLoc INTEGER NOT NULL,
            telemetryModeEnv INTEGER NOT NULL,
            advertLocationPolicy INTEGER NOT NULL,
            lastConnected INTEGER NOT NULL,
            lastContactSync INTEGER NOT NULL,
            isActive INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX deviceActive ON device (isActive) WHERE isActive;
        CREATE TABLE contact (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 32),
            name TEXT NOT NULL,
            typeRaw INTEGER NOT NULL,
            flags INTEGER NOT NULL,
            outPathLength INTEGER NOT NULL,
            outPath BLOB NOT NULL CHECK (length(outPath) <= 64),
            lastAdvertTimestamp INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            lastModified INTEGER NOT NULL,
            nickname TEXT,
            isBlocked INTEGER NOT NULL,
            isFavorite INTEGER NOT NULL,
            isDiscovered INTEGER NOT NULL,
            lastMessageDate INTEGER,
            unreadCount INTEGER NOT NULL CHECK (unreadCount >= 0)
        ) STRICT;
        CREATE UNIQUE INDEX contactKey ON contact (deviceID, publicKey);
        CREATE INDEX contactConversation ON contact (deviceID, lastMessageDate) WHERE lastMessageDate IS NOT NULL;
        CREATE TABLE channel (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            slot INTEGER NOT NULL,
            name TEXT NOT NULL,
            secret BLOB NOT NULL CHECK (length(secret) = 16),
            isEnabled INTEGER NOT NULL,
            isArchived INTEGER NOT NULL,
            lastMessageDate INTEGER,
            unreadCount INTEGER NOT NULL CHECK (unreadCount >= 0)
        ) STRICT;
        CREATE UNIQUE INDEX channelSlot ON channel (deviceID, slot) WHERE NOT isArchived;
        CREATE INDEX channelSecret ON channel (deviceID, secret);
        CREATE TABLE message (
            receivedOrder INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            contactID BLOB CHECK (length(contactID) = 16),
            channelID BLOB CHECK (length(channelID) = 16),
            channelIndex INTEGER,
            text TEXT NOT NULL,
            timestamp INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            direction INTEGER NOT NULL,
            status INTEGER NOT NULL,
            textType INTEGER NOT NULL,
            ackCode INTEGER,
            pathLength INTEGER NOT NULL,
            snr REAL,
            senderKeyPrefix BLOB,
            senderNodeName TEXT,
            isRead INTEGER NOT NULL,
            replyToID BLOB CHECK (length(replyToID) = 16),
            roundTripTime INTEGER,
            heardRepeats INTEGER NOT NULL,
            retryAttempt INTEGER NOT NULL,
            maxRetryAttempts INTEGER NOT NULL,
            deduplicationKey TEXT
        ) STRICT;
        CREATE INDEX messageContact ON message (deviceID, contactID, receivedOrder);
        CREATE INDEX messageChannel ON message (deviceID, channelID, receivedOrder) WHERE channelID IS NOT NULL;
        CREATE UNIQUE INDEX messageDuplicate ON message (deviceID, deduplicationKey)
            WHERE deduplicationKey IS NOT NULL;
        CREATE INDEX messageAck ON message (deviceID, ackCode) WHERE ackCode IS NOT NULL;
        CREATE INDEX messageUnfinished ON message (deviceID, status) WHERE status <> 3;
        CREATE TABLE remoteNodeSession (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 32),
            name TEXT NOT NULL,
            role INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            isConnected INTEGER NOT NULL,
            permissionLevel INTEGER NOT NULL,
            lastConnectedDate INTEGER,
            lastBatteryMillivolts INTEGER,
            lastUptimeSeconds INTEGER,
            lastNoiseFloor INTEGER,
            unreadCount INTEGER NOT NULL CHECK (unreadCount >= 0),
            lastRxAirtimeSeconds INTEGER,
            neighborCount INTEGER NOT NULL,
            lastSyncTimestamp INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX sessionKey ON remoteNodeSession (deviceID, publicKey);
        CREATE TABLE roomMessage (
            receivedOrder INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            sessionID BLOB NOT NULL REFERENCES remoteNodeSession (id) ON DELETE CASCADE,
            authorKeyPrefix BLOB NOT NULL CHECK (length(authorKeyPrefix) = 4),
            authorName TEXT,
            text TEXT NOT NULL,
            timestamp INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            isFromSelf INTEGER NOT NULL,
            status INTEGER NOT NULL,
            deduplicationKey TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX roomMessageDuplicate ON roomMessage (sessionID, deduplicationKey);
        CREATE INDEX roomMessageOrder ON roomMessage (sessionID, timestamp, receivedOrder);
        """

    /// The offline queue, the addresses of radios, settings; contacts that went from the radio; unknown senders.
    private static let queueAndSettings = """
        ALTER TABLE device ADD COLUMN clientRepeat INTEGER;
        ALTER TABLE device ADD COLUMN pathHashMode INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE device ADD COLUMN lastFullContactSync INTEGER;
        ALTER TABLE device ADD COLUMN knownRegions TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE contact ADD COLUMN onRadio INTEGER NOT NULL DEFAULT 1;
        CREATE INDEX messageUnknownSender ON message (deviceID, senderKeyPrefix)
            WHERE contactID IS NULL AND senderKeyPrefix IS NOT NULL;
        CREATE INDEX messageUnknownChannel ON message (deviceID, channelIndex, receivedOrder)
            WHERE channelID IS NULL AND channelIndex IS NOT NULL;
        CREATE TABLE endpoint (
            kind TEXT NOT NULL,
            address TEXT NOT NULL,
            deviceID BLOB REFERENCES device (id) ON DELETE SET NULL,
            displayName TEXT NOT NULL,
            lastUsed INTEGER NOT NULL,
            bonded INTEGER NOT NULL,
            PRIMARY KEY (kind, address)
        ) STRICT;
        CREATE INDEX endpointDevice ON endpoint (deviceID);
        CREATE TABLE pendingSend (
            sendOrder INTEGER PRIMARY KEY AUTOINCREMENT,
            messageID BLOB NOT NULL UNIQUE REFERENCES message (id) ON DELETE CASCADE,
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            kind INTEGER NOT NULL,
            target BLOB NOT NULL CHECK (length(target) = 16),
            text TEXT NOT NULL,
            timestamp INTEGER,
            attemptCount INTEGER NOT NULL,
            createdAt INTEGER NOT NULL,
            lastError TEXT
        ) STRICT;
        CREATE INDEX pendingSendOrder ON pendingSend (deviceID, sendOrder);
        CREATE TABLE setting (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// Pictures as messages, and their transfers.
    private static let images = """
        ALTER TABLE message ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE blob (
            messageID BLOB NOT NULL PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
            mime TEXT NOT NULL,
            data BLOB NOT NULL
        ) STRICT;
        CREATE TABLE imageTransfer (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            direction INTEGER NOT NULL,
            senderKeyPrefix BLOB NOT NULL CHECK (length(senderKeyPrefix) = 6),
            imageID INTEGER NOT NULL,
            total INTEGER NOT NULL,
            received BLOB NOT NULL,
            state INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX imageTransferKey ON imageTransfer (deviceID, direction, senderKeyPrefix, imageID);
        """

    /// The date of the last progress of a transfer, and the size of its chunks: resuming needs both.
    private static let pausedTransfers = """
        ALTER TABLE imageTransfer ADD COLUMN changedAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE imageTransfer ADD COLUMN chunkBytes INTEGER NOT NULL DEFAULT 0;
        """

    /// Every message on a channel asks whether its sender's name is blocked.
    private static let blockedNames = """
        CREATE INDEX contactBlocked ON contact (deviceID, name) WHERE isBlocked;
        """

    /// The number of posts that rooms still have for us, as they report it.
    private static let unsyncedCounts = """
        ALTER TABLE remoteNodeSession ADD COLUMN unsyncedCount INTEGER CHECK (unsyncedCount >= 0);
        """

    /// The region of a channel's messages, which no slot of a radio has.
    private static let regionScopes = """
        ALTER TABLE channel ADD COLUMN regionScope TEXT;
        """

    /// The attempts of own messages, and the packets with texts that were heard.
    private static let ways = """
        CREATE TABLE messageAttempt (
            sendOrder INTEGER PRIMARY KEY,
            messageID BLOB NOT NULL REFERENCES message (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            sentAt INTEGER NOT NULL,
            isFlood INTEGER NOT NULL,
            pathLength INTEGER NOT NULL,
            path BLOB NOT NULL CHECK (length(path) <= 64)
        ) STRICT;
        CREATE INDEX messageAttemptMessage ON messageAttempt (messageID, sendOrder);
        CREATE TABLE heardPacket (
            heardOrder INTEGER PRIMARY KEY,
            deviceID BLOB NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            heardAt INTEGER NOT NULL,
            snr INTEGER NOT NULL,
            rssi INTEGER NOT NULL,
            packet BLOB NOT NULL CHECK (length(packet) <= 255)
        ) STRICT;
        CREATE INDEX heardPacketOrder ON heardPacket (deviceID, heardOrder);
        """

    /// The chunks of incomplete pictures, and the reports on those that were sent.
    private static let keptChunks = """
        ALTER TABLE imageTransfer ADD COLUMN arrived BLOB NOT NULL DEFAULT x'';
        CREATE TABLE imageChunk (
            transferID BLOB NOT NULL REFERENCES imageTransfer (id) ON DELETE CASCADE,
            place INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (transferID, place)
        ) STRICT;
        """
}
