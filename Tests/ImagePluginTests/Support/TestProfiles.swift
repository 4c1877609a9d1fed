import Foundation

/// ICC profiles that Peer/vectors.py assembles.
enum TestProfiles {
    /// The colorants of Display P3 with a gamma of 1.8.
    static let wide = decoded(
        """
            AAABxGxjbXMCQAAAbW50clJHQiBYWVogAAAAAAAAAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y0A
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIZGVzYwAAAOQAAABgd3RwdAAAAUQAAAAUclhZWgAA
            AVgAAAAUZ1hZWgAAAWwAAAAUYlhZWgAAAYAAAAAUclRSQwAAAZQAAAAQZ1RSQwAAAaQAAAAQYlRSQwAAAbQAAAAQZGVzYwAAAAAAAAAFd2lk
            ZQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            WFlaIAAAAAAAAPbWAAEAAAAA0y1YWVogAAAAAAAAg98AAD2/////u1hZWiAAAAAAAABKvwAAsTcAAAq5WFlaIAAAAAAAACg4AAARCwAAyLlj
            dXJ2AAAAAAAAAAEBzQAAY3VydgAAAAAAAAABAc0AAGN1cnYAAAAAAAAAAQHNAAA=
        """
    )

    /// Gray with samples that are proportional to light.
    static let gray = decoded(
        """
            AAABLGxjbXMCQAAAbW50ckdSQVlYWVogAAAAAAAAAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y0A
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADZGVzYwAAAKgAAABgd3RwdAAAAQgAAAAUa1RSQwAA
            ARwAAAAQZGVzYwAAAAAAAAAFZ3JheQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1jdXJ2AAAAAAAAAAEBAAAA
        """
    )

    /// Four inks that are not ideal.
    static let press = decoded(
        """
            AAABzGxjbXMCQAAAcHJ0ckNNWUtMYWIgAAAAAAAAAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPbWAAEAAAAA0y0A
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADZGVzYwAAAKgAAABgd3RwdAAAAQgAAAAUQTJCMAAA
            ARwAAACwZGVzYwAAAAAAAAAGcHJlc3MAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAWFlaIAAAAAAAAPbWAAEAAAAA0y1tZnQyAAAAAAQDAgAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAA
            AAAAAAABAAAAAgACAAD//wAA//8AAP//AAD///JAgACAACRWgACAAOLzewDVACILf4CIgIxAxgB7ABUKhwB/gHzzwQDQABK+hoCIAJ4aXQBQ
            ABe3fIB7M47NWAClABVsfACDszgaowBLAAzAg4B6syjNngCgAAzAgwCDMwAA//8AAP//AAD//w==
        """
    )

    /// The colors of ``wide``, as the profile of a display with a serial number, a calibration, and a name.
    static let display = adding(
        [
            ("mmod", Data("mmod".utf8) + Data(count: 4) + Data("SERIAL42".utf8)),
            ("vcgt", Data("vcgt".utf8) + Data(count: 24)),
            ("dscm", Data("mluc".utf8) + Data(count: 4) + Data("Display of Ada".utf8)),
        ],
        to: wide
    )

    /// The colors of ``wide``, as colord makes a profile from what a display says about itself.
    ///
    /// The tag `meta` is a dictionary with one record: the places of a name and a value from the start of the tag, both in
    /// UTF-16 (ICC.1:2022, dictType).
    static let desktop: Data = {
        let (name, serial) = (utf16("EDID_serial"), utf16("SERIAL42"))
        let record = Data([0, 0, 0, 32, 0, 0, 0, 22, 0, 0, 0, 54, 0, 0, 0, 16])
        let dictionary = Data("dict".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 16]) + record + name + serial
        return adding([("meta", dictionary), ("dmdd", Data("mluc".utf8) + Data(count: 12))], to: wide)
    }()

    /// Returns ASCII text in UTF-16, with the most significant byte first.
    static func utf16(_ text: String) -> Data {
        Data(text.utf8.flatMap { [0, $0] as [UInt8] })
    }

    /// Returns a profile with further tags: a longer table, so that the data of all tags move.
    private static func adding(_ tags: [(String, Data)], to profile: Data) -> Data {
        func number(_ offset: Int) -> Int { profile[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let count = number(128)
        let moved = tags.count * 12
        var table = Data()
        for place in stride(from: 132, to: 132 + count * 12, by: 12) {
            table += profile[place..<place + 4] + bytes(number(place + 4) + moved) + bytes(number(place + 8))
        }
        var end = profile.count + moved
        for (name, data) in tags {
            table += Data(name.utf8) + bytes(end) + bytes(data.count)
            end += data.count
        }
        return bytes(end) + profile[4..<128] + bytes(count + tags.count) + table + profile[(132 + count * 12)...]
            + tags.flatMap { $0.1 }
    }

    private static func decoded(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
