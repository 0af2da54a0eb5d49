-- A database of schema 6 as Meshbed 0.2.0-dev (245a46e4d9) wrote it with GRDB 7.10.0: `client --target loopback:pair/alice`,
-- a message to bob, one on Public, rep1 blocked. Never changed: it is what a new version must read.
PRAGMA application_id = 1347244918;
PRAGMA user_version = 6;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
INSERT INTO grdb_migrations VALUES('2');
INSERT INTO grdb_migrations VALUES('3');
INSERT INTO grdb_migrations VALUES('4');
INSERT INTO grdb_migrations VALUES('5');
INSERT INTO grdb_migrations VALUES('6');
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
, clientRepeat INTEGER, pathHashMode INTEGER NOT NULL DEFAULT 0, lastFullContactSync INTEGER, knownRegions TEXT NOT NULL DEFAULT '[]') STRICT;
INSERT INTO device VALUES(X'3c994bf6924882ac9066d8febea6aafc',X'37f0dcaaace00912781b0180f94fcc6355b5c4805d309f06fbd042148beed436','alice',13,'v1.17.1','Heltec V3','14 Aug 2026',350,40,869618,62500,8,5,22,22,0.0,0.0,0,0,0,0,0,0,0,1795893954,1715770352,1,0,0,1795893951,'[]');
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
, onRadio INTEGER NOT NULL DEFAULT 1) STRICT;
INSERT INTO contact VALUES(X'11e98b5d082c830d8fc5db76250ee1a8',X'3c994bf6924882ac9066d8febea6aafc',X'dac7c35d8ca0a9edc642423ce19345712570092cd6e6604f1bdf10ff38fb1f1d','rep1',2,0,255,X'',1715766751,0.0,0.0,1715770352,NULL,1,0,0,NULL,0,1);
INSERT INTO contact VALUES(X'506c30fe7fbd809c9a35cc41ebfe85f6',X'3c994bf6924882ac9066d8febea6aafc',X'45f40c8b5f58cd7248c77b5ff50801e104255e57ffc1493b8100bfa0ac4ffacf','bob',1,0,255,X'',1715766751,0.0,0.0,1715770352,NULL,0,0,0,1795893951,0,1);
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
INSERT INTO channel VALUES(X'332d3e8fa01c8eb59d030196553787fc',X'3c994bf6924882ac9066d8febea6aafc',0,'Public',X'8b3387e9c5cdea6ac9e5edbaa115cd72',1,0,1795893953,0);
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
, kind INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO message VALUES(1,X'b9d1d0dd3a7c4b4a924c98848ef974d7',X'3c994bf6924882ac9066d8febea6aafc',X'506c30fe7fbd809c9a35cc41ebfe85f6',NULL,NULL,'grüße, are you there?',1795893951,1795893951,1,3,0,622416446,0,NULL,NULL,NULL,0,NULL,2758,0,0,3,NULL,0);
INSERT INTO message VALUES(2,X'73a45b33d5ab42a98f34c40b770e0df0',X'3c994bf6924882ac9066d8febea6aafc',NULL,X'332d3e8fa01c8eb59d030196553787fc',0,'hello all',1795893953,1795893953,1,2,0,NULL,0,NULL,NULL,NULL,0,NULL,NULL,0,0,0,NULL,0);
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
, unsyncedCount INTEGER CHECK (unsyncedCount >= 0)) STRICT;
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
CREATE TABLE endpoint (
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    deviceID BLOB REFERENCES device (id) ON DELETE SET NULL,
    displayName TEXT NOT NULL,
    lastUsed INTEGER NOT NULL,
    bonded INTEGER NOT NULL,
    PRIMARY KEY (kind, address)
) STRICT;
INSERT INTO endpoint VALUES('loopback','pair/alice?seed=1',X'3c994bf6924882ac9066d8febea6aafc','alice',1795893954,0);
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
CREATE TABLE setting (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('connection.lastDevice','3C994BF6-9248-82AC-9066-D8FEBEA6AAFC');
INSERT INTO setting VALUES('connection.lastDeviceName','alice');
INSERT INTO setting VALUES('connection.wanted','loopback:pair/alice?seed=1');
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
, changedAt INTEGER NOT NULL DEFAULT 0, chunkBytes INTEGER NOT NULL DEFAULT 0) STRICT;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('pendingSend',0);
CREATE UNIQUE INDEX deviceActive ON device (isActive) WHERE isActive;
CREATE UNIQUE INDEX contactKey ON contact (deviceID, publicKey);
CREATE INDEX contactConversation ON contact (deviceID, lastMessageDate) WHERE lastMessageDate IS NOT NULL;
CREATE UNIQUE INDEX channelSlot ON channel (deviceID, slot) WHERE NOT isArchived;
CREATE INDEX channelSecret ON channel (deviceID, secret);
CREATE INDEX messageContact ON message (deviceID, contactID, receivedOrder);
CREATE INDEX messageChannel ON message (deviceID, channelID, receivedOrder) WHERE channelID IS NOT NULL;
CREATE UNIQUE INDEX messageDuplicate ON message (deviceID, deduplicationKey)
    WHERE deduplicationKey IS NOT NULL;
CREATE INDEX messageAck ON message (deviceID, ackCode) WHERE ackCode IS NOT NULL;
CREATE INDEX messageUnfinished ON message (deviceID, status) WHERE status <> 3;
CREATE UNIQUE INDEX sessionKey ON remoteNodeSession (deviceID, publicKey);
CREATE UNIQUE INDEX roomMessageDuplicate ON roomMessage (sessionID, deduplicationKey);
CREATE INDEX roomMessageOrder ON roomMessage (sessionID, timestamp, receivedOrder);
CREATE INDEX messageUnknownSender ON message (deviceID, senderKeyPrefix)
    WHERE contactID IS NULL AND senderKeyPrefix IS NOT NULL;
CREATE INDEX messageUnknownChannel ON message (deviceID, channelIndex, receivedOrder)
    WHERE channelID IS NULL AND channelIndex IS NOT NULL;
CREATE INDEX endpointDevice ON endpoint (deviceID);
CREATE INDEX pendingSendOrder ON pendingSend (deviceID, sendOrder);
CREATE UNIQUE INDEX imageTransferKey ON imageTransfer (deviceID, direction, senderKeyPrefix, imageID);
CREATE INDEX contactBlocked ON contact (deviceID, name) WHERE isBlocked;
COMMIT;
