package import MeshHTTP

// Which files pages consist of. A test holds the lists against the folder Pages: a file that is in no list is not
// served.
extension PageFile {
    /// The files that all pages share.
    package static let shared = [
        PageFile("shared/icon.svg", PackageResources.icon_svg),
        PageFile("shared/theme.css", PackageResources.theme_css),
        PageFile("shared/theme.js", PackageResources.theme_js),
    ]

    /// The app in a browser.
    package static let app =
        shared + [
            PageFile("app/addresses.mjs", PackageResources.addresses_mjs),
            PageFile("app/api.js", PackageResources.api_js),
            PageFile("app/app.css", PackageResources.app_css),
            PageFile("app/app.html", PackageResources.app_html),
            PageFile("app/app.js", PackageResources.app_js),
            PageFile("app/banners.js", PackageResources.banners_js),
            PageFile("app/channels.js", PackageResources.channels_js),
            PageFile("app/chats.js", PackageResources.chats_js),
            PageFile("app/codes.js", PackageResources.codes_js),
            PageFile("app/contacts.js", PackageResources.contacts_js),
            PageFile("app/dom.js", PackageResources.dom_js),
            PageFile("app/heights.mjs", PackageResources.heights_mjs),
            PageFile("app/hub.mjs", PackageResources.hub_mjs),
            PageFile("app/languages.mjs", PackageResources.languages_mjs),
            PageFile("app/lines.mjs", PackageResources.lines_mjs),
            PageFile("app/map.js", PackageResources.map_js),
            PageFile("app/news.mjs", PackageResources.news_mjs),
            PageFile("app/nodes.js", PackageResources.nodes_js),
            PageFile("app/onboarding.js", PackageResources.onboarding_js),
            PageFile("app/paths.js", PackageResources.paths_js),
            PageFile("app/pictures.js", PackageResources.pictures_js),
            PageFile("app/projection.mjs", PackageResources.projection_mjs),
            PageFile("app/repeaters.js", PackageResources.repeaters_js),
            PageFile("app/route.js", PackageResources.route_js),
            PageFile("app/scan.mjs", PackageResources.scan_mjs),
            PageFile("app/settings.js", PackageResources.settings_js),
            PageFile("app/shared.mjs", PackageResources.shared_mjs),
            PageFile("app/status.js", PackageResources.status_js),
            PageFile("app/stream.mjs", PackageResources.stream_mjs),
            PageFile("app/texts.mjs", PackageResources.texts_mjs),
            PageFile("app/times.mjs", PackageResources.times_mjs),
            PageFile("app/ways.mjs", PackageResources.ways_mjs),
        ]
}

extension PageFile {
    /// Every file that some page has.
    static let all = app
}
