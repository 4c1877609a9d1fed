import Foundation
import StandardPlugin

extension AllSamples {
    static var standardValues: [any SampleSet] {
        dates + identifiers + compressed + json + propertyLists + lists
    }

    private static let times = [
        0, 0.5, -1, 1e9, 86_400.25, -978_307_200, 700_000_000.123,
    ]
    .map { Date(timeIntervalSinceReferenceDate: $0) }

    private static let wholeSeconds = times.filter {
        $0.timeIntervalSinceReferenceDate.rounded() == $0.timeIntervalSinceReferenceDate
    }

    private static let days = [0, -1, 1, 8_101, -700_000, 2_900_000]
        .map {
            Date(timeIntervalSinceReferenceDate: $0 * 86_400)
        }

    private static let rejectedDates: [any Sendable] = [
        "", "2020", "2020-13-01T00:00:00Z", "2021-02-29T00:00:00Z", "now",
    ]

    private static var dates: [any SampleSet] {
        [
            Samples("iso8601", times, rejected: rejectedDates),
            Samples("iso8601(fraction: 3)", times, rejected: rejectedDates) { abs($0.timeIntervalSince($1)) < 0.001 },
            Samples("iso8601-date", days, rejected: rejectedDates),
            Samples("iso8601-week", days, rejected: rejectedDates),
            Samples("rfc2822", wholeSeconds, rejected: rejectedDates),
            Samples("http-date", wholeSeconds, rejected: rejectedDates),
            Samples("reference-time", times),
            Samples("unix-time", times) { abs($0.timeIntervalSince($1)) < 1e-6 },
            Samples("unix-time(unit: milliseconds, form: integer)", times) { abs($0.timeIntervalSince($1)) < 0.001 },
            Samples("date-format(pattern: \"yyyy-MM-dd HH:mm:ss\")", wholeSeconds),
            Samples(
                "date-format(pattern: \"d. MMMM yyyy HH:mm:ss\", locale: \"de_DE\", zone: \"Europe/Berlin\")",
                wholeSeconds
            ),
        ]
    }

    private static var identifiers: [any SampleSet] {
        let urls = [
            "https://example.com", "https://user@example.com:8080/a%20b?c=d&e#f", "mailto:a@b.c", "file:///tmp/x",
        ]
        let relative = ["a", "../b?c", "//host/x", "#top"]
        let uuids = ["00000000-0000-0000-0000-000000000000", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]
        return [
            Samples("url", urls.compactMap { URL(string: $0) }, rejected: ["", "a b", "http://[", "%"]),
            Samples("url(relative: true)", (urls + relative).compactMap { URL(string: $0) }),
            Samples(
                "uuid",
                uuids.compactMap(UUID.init),
                rejected: ["", "E621E1F8", "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}"]
            )
            .ordered { $0.uuidString },
            Samples("uuid(lowercase: true)", uuids.compactMap(UUID.init)).ordered { $0.uuidString },
            Samples("uuid(form: bytes)", uuids.compactMap(UUID.init), rejected: [Data(), Data(count: 15)])
                .ordered { $0.uuidString },
        ]
    }

    private static var compressed: [any SampleSet] {
        ["deflate", "zlib", "gzip", "zlib(level: 0)", "gzip(level: 9)", "deflate(limit: 100000)"]
            .map { Samples($0, Bytes.many, rejected: [Data([0xFF, 0xFF, 0xFF])]) }
    }

    private static var json: [any SampleSet] {
        let values: [JSONValue] = [
            .null, .bool(true), .integer(.min), .unsignedInteger(.max), .double(0.1), .double(-0.0),
            .string("größe\u{0}\"\\"),
            .array([]), .object([:]), .array([.array([.null, .integer(1)]), .string("")]),
            .object(["b": .integer(1), "a": .object(["x": .null]), "größe": .double(1e300), "": .bool(false)]),
        ]
        let rejected = ["", "{", "[1,]", "{\"a\":1,}", "nul", "01", "1 2", "\"\\ud800\"", "NaN"].map { Data($0.utf8) }
        return [
            Samples("json", values, rejected: rejected),
            Samples("json(pretty: true)", values, rejected: rejected),
            Samples("json", [Settings.plain, .full], rejected: rejected + [Data("{}".utf8)]),
            Samples("json(dates: unix)", [Settings.full]) { $0.isNearly($1) },
        ]
    }

    private static var propertyLists: [any SampleSet] {
        let values: [PropertyListValue] = [
            .bool(true), .integer(.min), .unsignedInteger(.max), .real(0.1), .string("größe"),
            .data(Data([0, 1, 255])),
            .date(Date(timeIntervalSinceReferenceDate: 5)), .array([]), .dictionary([:]),
            .dictionary(["b": .integer(1), "a": .array([.string("x"), .data(Data())]), "größe": .real(1e300)]),
        ]
        let rejected = ["", "bplist00", "<plist>", "<plist><dict><key>a</key></dict></plist>"].map { Data($0.utf8) }
        return ["plist", "plist(format: xml)"]
            .flatMap { expression -> [any SampleSet] in
                [
                    Samples(expression, values, rejected: rejected),
                    Samples(expression, [Settings.plain, .full], rejected: rejected) { $0.isNearly($1) },
                ]
            }
            + [Samples("plist", [PropertyListValue.uid(7), .array([.uid(.max)])])]
    }

    private static var lists: [any SampleSet] {
        [
            Samples("list(of: (integer-text))", [[], [Int64(1), 2, -3]], rejected: ["", "[", "[x]", "[[]]"]),
            Samples("list(of: (text | base64))", [[], ["", "größe"]]),
            Samples(
                "list(of: (uuid(form: bytes)))",
                [[UUID](), [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()]]
            ),
        ]
    }
}

/// A value of a program's own type.
struct Settings: Codable, Equatable, Sendable {
    var name: String
    var sizes: [Double]
    var opened: Date
    var thumbnail: Data
    var parent: [String: Bool]?

    static let plain = Self(name: "", sizes: [], opened: Date(timeIntervalSinceReferenceDate: 0), thumbnail: Data())
    static let full = Self(
        name: "größe\n\"quoted\"",
        sizes: [0, 0.1, -1e300],
        opened: Date(timeIntervalSinceReferenceDate: 700_000_000.5),
        thumbnail: Data(0...255),
        parent: ["b": true, "a": false]
    )

    /// Equality but for the fraction of a second, which some formats do not keep.
    func isNearly(_ other: Self) -> Bool {
        var copy = other
        copy.opened = opened
        return copy == self && abs(opened.timeIntervalSince(other.opened)) < 1
    }
}
