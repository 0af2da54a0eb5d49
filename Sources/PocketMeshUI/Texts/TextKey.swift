/// The keys of the table of texts; a test holds that each has a text and that each is used.
public enum TextKey: String, Sendable, Hashable, CaseIterable {
    case aboutLibraries, aboutLicense, actionConnect, actionDeleteData, actionDisconnect, actionDismiss
    case actionFactoryReset, actionForget, actionMarkRead, actionReboot, actionReply, avatarLabel
    case bluetoothGranted, bluetoothMissing, bubbleAccessibility, buttonBegin, buttonContinue, buttonSkip
    case channelAccessibility, channelCreatePrivate, channelJoinHashtag, channelJoinPrivate, channelJoinPublic
    case channelScanCode, channelSubtitle, confirmDelete, confirmReset, contactAccessibility, contactHeard
    case contactKey, contactKind, contactPosition, contactRoute, conversation, conversationUnread, counterLeft
    case counterOver, degradedAnswers, degradedSignal, degradedTimeouts, detailAttempts, detailKey, detailReceived
    case detailRepeats, detailRoundTrip, detailRoute, detailSNR, detailSender, detailSent, detailStatus
    case deviceFound, deviceKnown, doneTitle, errorAdverts, errorCancelled, errorCancelledTitle, errorChannels
    case errorConnection, errorContacts, errorCredentials, errorMessages, errorNodes, errorNotifications
    case errorPictures, errorPolling, errorRequests, errorRooms, errorSettings, errorStore, errorSync
    case errorUnexpectedRecovery, errorUnexpectedTitle, feedbackAdvertDirect, feedbackAdvertFlood
    case feedbackDiscovery, feedbackImported, feedbackSaved, feedbackShared, fieldAirtimeFactor, fieldAutoAdd
    case fieldBadge, fieldBandwidth, fieldBattery, fieldBuildDate, fieldChannelMessages, fieldClientRepeat
    case fieldCodingRate, fieldContactMessages, fieldFiltersTelemetry, fieldFirmware, fieldFrequency
    case fieldLatitude, fieldLibraries, fieldLicense, fieldLongitude, fieldManufacturer, fieldMaxChannels
    case fieldMaxContacts, fieldMultiAcks, fieldName, fieldNewContacts, fieldNodeName, fieldPIN, fieldPathHashMode
    case fieldPower, fieldPreset, fieldPublicKey, fieldQuickReplies, fieldReceiveDelay, fieldRoomMessages
    case fieldSharesLocation, fieldSound, fieldSpreadingFactor, fieldTelemetryBase, fieldTelemetryEnvironment
    case fieldTelemetryLocation, fieldTrusted, fieldUSRanges, fieldVariable, fieldVersion, filterAll
    case filterBlocked, filterChat, filterFavorites, filterRepeaters, filterRooms, filterSensors
    case helpSharesLocation, image, kindChannel, kindChat, kindRepeater, kindRoom, kindSensor, linkAccessibility
    case linkConnecting, linkDegraded, linkDisconnected, linkReady, linkSynchronising, locationGranted
    case locationMissing, markerAccessibility, markerSelf, noDevice, notificationsGranted, notificationsMissing
    case pathFound, pathHashBytes, pathNotFound, permissionAdmin, permissionBluetooth, permissionGuest
    case permissionLocation, permissionNotifications, permissionReadWrite, permissionsText, permissionsTitle
    case pillChannels, pillContacts, pillSettings, presetNone, previewSelf, quickReplyNo, quickReplyOnMyWay
    case quickReplyThanks, quickReplyYes, repeaterAdvert, repeaterPasswordSet, repeaterReboot, repeaterSyncClock
    case repeaterVersion, routeDirect, routeFlood, routeHops, routeOneHop, scanText, scanTitle, sectionAbout
    case sectionAdvanced, sectionAdvancedRadio, sectionBluetooth, sectionContacts, sectionDangerZone
    case sectionDeviceInfo, sectionNoDevice, sectionNode, sectionNotifications, sectionQuickReplies
    case sectionRadioPreset, sectionTelemetry, sectionTrustedContacts, senderSelf, senderUnknown
    case statusAccessibility, statusAcknowledged, statusAcknowledgedAfter, statusAirtime, statusBattery
    case statusDuplicates, statusFailed, statusNoiseFloor, statusPacketsReceived, statusPacketsSent, statusPosts
    case statusQueue, statusQueued, statusRSSI, statusReceiveAirtime, statusReceiveErrors, statusReceivedDirect
    case statusReceivedFlood, statusRepeats, statusRetrying, statusSNR, statusSending, statusSent
    case statusSentDirect, statusSentFlood, statusUptime, telemetryChannel, telemetryChosen, telemetryEverybody
    case telemetryNobody, warningDanger, warningFirmware, warningLaw, warningRadio, welcomeAdverts, welcomeLink
    case welcomeMesh, welcomeRadio, welcomeTitle
}
