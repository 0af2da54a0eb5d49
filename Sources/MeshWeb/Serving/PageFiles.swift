// Which files pages consist of. A test holds the lists against the folder Pages: a file that is in no list is not served.
extension PageFile {
    /// What all pages share.
    package static let shared = [
        PageFile("shared/icon.svg", PackageResources.icon_svg),
        PageFile("shared/theme.css", PackageResources.theme_css),
        PageFile("shared/theme.js", PackageResources.theme_js),
    ]

    /// The app in a browser.
    package static let app =
        shared + [
            PageFile("app/app.html", PackageResources.app_html)
        ]
}

extension PageFile {
    /// Every file that some page has.
    static let all = app
}
