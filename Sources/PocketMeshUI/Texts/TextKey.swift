/// The keys of texts that code uses; scripts of pages name theirs, which begin with `page`.
///
/// A test holds that each key has a text in each language and that each is used.
public enum TextKey: String, Sendable, Hashable, CaseIterable {
    case aboutLibraries, aboutLicense, actionConnect, actionDeleteData, actionDisconnect, actionDismiss
    case actionFactoryReset, actionForget, actionMarkRead, actionOpen, actionReboot, actionReply, actionSyncContacts,
        avatarLabel
    case bluetoothDenied, bluetoothGranted, bluetoothMissing, bluetoothOff, bubbleAccessibility, buttonBegin,
        buttonContinue, buttonSkip
    case channelAccessibility, channelCreatePrivate, channelJoinHashtag, channelJoinPrivate, channelJoinPublic
    case channelScanCode, channelSubtitle, confirmDelete, confirmReset, contactAccessibility, contactHeard
    case contactKey, contactKind, contactPosition, contactRoute, conversation, conversationUnread
    case dateDay, degradedAnswers, degradedSignal, degradedTimeouts, detailAttempts, detailKey
    case detailReceived, detailRepeats, detailRoundTrip, detailRoute, detailSNR, detailSender, detailSent
    case detailStatus, deviceFound, deviceKnown, doneTitle, errorAdverts, errorCancelled, errorCancelledTitle
    case errorChannels, errorConnection, errorContacts, errorCredentials, errorMessages, errorNodes
    case errorNotifications, errorPictures, errorPolling, errorRequests, errorRooms, errorSettings, errorStore
    case errorSync, errorUnexpectedRecovery, errorUnexpectedTitle, feedbackAdvertDirect, feedbackAdvertFlood
    case feedbackDiscovery, feedbackImported, feedbackSaved, feedbackShared, fieldAirtimeFactor, fieldAutoAdd
    case fieldBadge, fieldBandwidth, fieldBattery, fieldBuildDate, fieldChannelMessages, fieldClientRepeat
    case fieldCodingRate, fieldContactMessages, fieldFiltersTelemetry, fieldFirmware, fieldFrequency, fieldFullSync
    case fieldLatitude, fieldLibraries, fieldLicense, fieldLongitude, fieldLowBattery, fieldManufacturer,
        fieldMaxChannels
    case fieldMaxContacts, fieldMultiAcks, fieldName, fieldNewContacts, fieldNodeName, fieldPIN
    case fieldPathHashMode, fieldPower, fieldPreset, fieldPublicKey, fieldQuickReplies, fieldReceiveDelay
    case fieldRoomMessages, fieldSharesLocation, fieldSound, fieldSpreadingFactor, fieldTelemetryBase
    case fieldTelemetryEnvironment, fieldTelemetryLocation, fieldTrusted, fieldUSRanges, fieldVariable
    case fieldVersion, filterAll, filterBlocked, filterChat, filterFavorites, filterRepeaters, filterRooms
    case filterSensors, helpSharesLocation, image, imageQuestion, kindChannel, kindChat, kindRepeater, kindRoom,
        kindSensor
    case linkAccessibility, linkConnecting, linkDegraded, linkDisconnected, linkReady, linkSynchronising
    case locationGranted, locationMissing, locationOff, markerAccessibility, markerSelf, monthApril, monthAugust
    case monthDecember, monthFebruary, monthJanuary, monthJuly, monthJune, monthMarch, monthMay, monthNovember
    case monthOctober, monthSeptember, noDevice, notificationsGranted, notificationsMissing, notificationsOff, pathFound
    case pathNotFound, permissionAdmin, permissionBluetooth, permissionGuest, permissionLocation
    case permissionNotifications, permissionReadOnly, permissionReadWrite, permissionsText, permissionsTitle,
        pillChannels
    case pillContacts, pillSettings, presetNone, previewSelf, quickReplyNo, quickReplyOnMyWay, quickReplyThanks
    case quickReplyYes, repeaterAdvert, repeaterPasswordSet, repeaterReboot, repeaterSyncClock, repeaterVersion
    case routeDirect, routeFlood, scanText, scanTitle, sectionAbout, sectionAdvanced
    case sectionAdvancedRadio, sectionBluetooth, sectionContacts, sectionDangerZone, sectionDeviceInfo
    case sectionNoDevice, sectionNode, sectionNotifications, sectionQuickReplies, sectionRadioPreset
    case sectionTelemetry, sectionTrustedContacts, senderSelf, senderUnknown, statusAccessibility
    case statusAcknowledged, statusAcknowledgedAfter, statusAirtime, statusArrived, statusBattery, statusDuplicates
    case statusFailed, statusNoiseFloor, statusNotConfirmed, statusNotConfirmedDetail, statusPacketsReceived,
        statusPacketsSent, statusPosts, statusQueue
    case statusQueued, statusRSSI, statusReceiveAirtime, statusReceiveErrors, statusReceivedDirect
    case statusReceivedFlood, statusRetrying, statusSNR, statusSending, statusSent
    case statusSentDirect, statusSentFlood, statusUptime, syncAlways, syncDaily, syncMonthly, syncWeekly,
        telemetryChannel, telemetryChosen, telemetryEverybody
    case telemetryNobody, timeAfternoon, timeMorning, timeOfDay, warningDanger, warningFirmware, warningLaw
    case warningRadio, welcomeAdverts, welcomeLink, welcomeMesh, welcomeRadio, welcomeTitle
    case fieldRetries, helpRetries, retriesBalanced, retriesDirectFirst, retriesLong, retriesOwn
    case retriesPreset, retriesShort, sectionMessages
    case clockAhead, clockBehind, contactClock, decimalMark, hoursOfDay, language, languageName, spanHours, spanMinutes
    case notificationBattery, notificationNewContact, notificationReplyFailed, notificationSummary
}

/// The texts for a number of things, with a key for each form, such as `spanDaysOne` and `spanDaysOther`.
enum CountedText: String, CaseIterable {
    case counterLeft, counterOver, imageChunks, notificationMessages, pathHashBytes, routeHops, spanDays, spanYears,
        statusRepeats
}
