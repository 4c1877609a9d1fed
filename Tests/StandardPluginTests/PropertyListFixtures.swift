/// The same values written by Python's plistlib: `plistlib.dumps(value, fmt=…)`; the tabs of XML are spaces.
enum PropertyListFixtures {
    /// With a reference, `UID(7)`, under `k`.
    static let binary = """
        YnBsaXN0MDDXAQIDBAUGBwgQERITFBVRYVNiaWdRZVFrUWxRblVzbWFsbKcJCgsMDQ4PEAEJI0AEAAAAAAAAQgECM0G7tShwAAAA\
        YwDp2D3eAF8QFHh4eHh4eHh4eHh4eHh4eHh4eHh4FAAAAAAAAAAA///////////QgAegE///////////E4AAAAAAAAAACBcZHR8h\
        IyUrMzU2P0JLUml6e31+hwAAAAAAAAEBAAAAAAAAABYAAAAAAAAAAAAAAAAAAACQ
        """

    /// With a text of markup under `t`.
    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>a</key>
            <array>
                <integer>1</integer>
                <true/>
                <real>2.5</real>
                <data>
                AQI=
                </data>
                <date>2015-09-25T07:00:00Z</date>
                <string>é😀</string>
                <string>xxxxxxxxxxxxxxxxxxxx</string>
            </array>
            <key>big</key>
            <integer>18446744073709551615</integer>
            <key>e</key>
            <dict/>
            <key>l</key>
            <array/>
            <key>n</key>
            <integer>-1</integer>
            <key>small</key>
            <integer>-9223372036854775808</integer>
            <key>t</key>
            <string>&lt;&amp;&gt;"'</string>
        </dict>
        </plist>
        """
}
