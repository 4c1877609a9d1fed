import Foundation
import KeyedArchivePlugin

extension AllSamples {
    static var keyedArchive: [any SampleSet] {
        let plain: [ArchivedValue] = [
            .null, .boolean(true), .integer(.init(Int64.min)), .integer(5), .real(0.1), .real(-0.0), .string("größe"),
            .data(Data([1, 2])), .date(Date(timeIntervalSinceReferenceDate: 5)), .decimal(Decimal(12.5)),
            .point(CGPoint(x: 1, y: -2)), .size(CGSize(width: 3, height: 4)), .range(NSRange(location: 1, length: 2)),
            .rect(CGRect(x: 1, y: 2, width: 3, height: 4)),
        ]
        let nested: [ArchivedValue] = [
            .array([]), .array([.string("a"), .string("a"), .array([.integer(1)])]),
            ["name": "Ada", "sizes": [1, 2.5], "isOpen": true], .orderedSet([1, 2]),
        ]
        let compounds: [ArchivedValue] = [
            .countedSet(ArchivedCountedSet([.init("a", count: 2)])), .indexSet(ArchivedIndexSet([1, 2, 9])),
            .indexPath(ArchivedIndexPath([1, 0])), .transform(AffineTransform(rotationByDegrees: 30)),
            .affineTransform(ArchivedAffineTransform(AffineTransform(scale: 2))), .locale(ArchivedLocale("de_DE")),
            .timeZone(ArchivedTimeZone("GMT", data: Data([1]))), .calendar(ArchivedCalendar("gregorian")),
            .dateComponents(ArchivedDateComponents()), .error(ArchivedError(domain: "d", code: 1, userInfo: ["a": 1])),
            .attributedString(ArchivedAttributedString("größe", attributes: ["bold": true])),
            .notification(ArchivedNotification("n", object: [1])), .offset(ArchivedOffset(horizontal: 1, vertical: 2)),
            .directionalEdgeInsets(ArchivedDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)),
            .object(ArchivedInstance(ArchivedClass("A", fallbacks: ["B"]), fields: ["a": .objects([1, nil])])),
            ArchivedColor(.extendedRGB, [1, 0.5, 0], alpha: 0.25).map { .color($0) } ?? .null,
        ]
        let rejected = ["", "bplist00", "<plist/>", "x"].map { Data($0.utf8) }
        return [
            Samples("keyed-archive", plain + nested + compounds, rejected: rejected),
            Samples("keyed-archive(format: xml)", plain + nested + compounds, rejected: rejected),
            Samples("keyed-archive", [Settings.plain, .full], rejected: rejected),
            Samples("keyed-archive(depth: 8)", nested),
            Samples("keyed-archive", Holder.samples, rejected: rejected),
            Samples(
                "keyed-archive",
                [NSArray(), NSArray(array: ["a", 1, 2.5, NSNull(), ["b": Date(timeIntervalSinceReferenceDate: 5)]])],
                rejected: rejected
            ),
        ]
    }
}
