internal import Foundation

/// Writes values as JSON with tags.
enum ArchivedValueToJSON {
    static func json(of value: ArchivedValue) -> JSON {
        switch value {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .real(let number): number.isFinite ? .real(number) : .tagged("$real", nonFinite(number))
        case .string(let text): .string(text)
        case .data(let data): .tagged("$data", .string(data.base64EncodedString()))
        case .date(let date): .tagged("$date", self.date(date.timeIntervalSinceReferenceDate))
        case .uuid(let uuid): .tagged("$uuid", .string(uuid.uuidString))
        case .url(let url): .tagged("$url", self.url(url))
        case .decimal(let decimal): .tagged("$decimal", .string(decimal.isNaN ? "nan" : decimal.description))
        case .array(let values): .array(values.map(json))
        case .dictionary(let pairs): dictionary(pairs)
        case .set(let values): .tagged("$set", .array(values.map(json)))
        case .orderedSet(let values): .tagged("$orderedSet", .array(values.map(json)))
        case .point(let point): numbers("$point", [point.x, point.y])
        case .size(let size): numbers("$size", [size.width, size.height])
        case .rect(let rect):
            numbers("$rect", [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
        case .range(let range):
            .tagged("$range", .array([.integer(Int128(range.location)), .integer(Int128(range.length))]))
        case .edgeInsets(let insets):
            numbers("$edgeInsets", [insets.top, insets.left, insets.bottom, insets.right].map { CGFloat($0) })
        case .object(let instance): object(instance)
        }
    }

    private static func numbers(_ tag: String, _ numbers: [CGFloat]) -> JSON {
        .tagged(tag, .array(numbers.map { JSON.number(Double($0)) }))
    }

    /// A NaN that is not the usual one keeps its bits.
    private static func nonFinite(_ number: Double) -> JSON {
        let isUsual = number.isInfinite || number.bitPattern == Double.nan.bitPattern
        return isUsual ? JSON.number(number) : .integer(Int128(number.bitPattern))
    }

    private static func date(_ seconds: Double) -> JSON {
        DateText.text(seconds).map { .string($0) } ?? nonFiniteOrSeconds(seconds)
    }

    private static func nonFiniteOrSeconds(_ seconds: Double) -> JSON {
        seconds.isFinite ? .real(seconds) : .tagged("$real", nonFinite(seconds))
    }

    private static func url(_ url: ArchivedURL) -> JSON {
        url.bases.isEmpty
            ? .string(url.relativeString) : .array(([url.relativeString] + url.bases).map { .string($0) })
    }

    private static func dictionary(_ pairs: ArchivedDictionary) -> JSON {
        let isPlain = pairs.allSatisfy { $0.key.string.map { !$0.hasPrefix("$") } ?? false }
        guard isPlain else {
            return .tagged("$dictionary", .array(pairs.map { .array([json(of: $0.key), json(of: $0.value)]) }))
        }
        return .object(pairs.map { JSON.Member($0.key.string ?? "", json(of: $0.value)) })
    }

    private static func object(_ instance: ArchivedInstance) -> JSON {
        .object([
            JSON.Member("$object", .string(instance.archivedClass.name)),
            JSON.Member("$classes", .array(instance.archivedClass.chain.map { .string($0) })),
            JSON.Member("$fields", .object(instance.fields.map { JSON.Member($0.name, field($0.value)) })),
        ])
    }

    private static func field(_ value: ArchivedInstance.FieldValue) -> JSON {
        switch value {
        case .object(let value): optional(value)
        case .inline(let value): .tagged("$inline", json(of: value))
        case .objects(let values): .tagged("$list", .array(values.map(optional)))
        }
    }

    private static func optional(_ value: ArchivedValue?) -> JSON {
        value.map(json) ?? .tagged("$nil", .null)
    }
}

/// Dates as text, where that is exact.
enum DateText {
    /// ISO 8601 in UTC with up to nine digits of a second; nil if reading it back gives another date.
    static func text(_ seconds: Double) -> String? {
        guard seconds.isFinite, abs(seconds) < 1e11 else { return nil }
        let whole = seconds.rounded(.down)
        let nanoseconds = ((seconds - whole) * 1e9).rounded()
        guard nanoseconds < 1e9 else { return nil }
        let digits = String(1_000_000_000 + Int(nanoseconds)).dropFirst()
        let trimmed = String(digits.reversed().drop { $0 == "0" }.reversed())
        let date = XMLDate.text(Int(whole)).dropLast()
        let text = trimmed.isEmpty ? "\(date)Z" : "\(date).\(trimmed)Z"
        return self.seconds(text)?.bitPattern == seconds.bitPattern ? text : nil
    }

    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return parts.count == 1 ? XMLDate.seconds(text).map { Double($0) } : nil }
        let fraction = parts[1].dropLast()
        let areDigits = fraction.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard parts[1].last == "Z", areDigits, !fraction.isEmpty, let part = Double("0.\(fraction)"),
            let whole = XMLDate.seconds("\(parts[0])Z")
        else { return nil }
        return Double(whole) + part
    }
}
