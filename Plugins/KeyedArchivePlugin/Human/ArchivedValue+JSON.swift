public import Foundation
public import Transformable

extension ArchivedValue {
    /// Parses JSON in the format of ``json``.
    ///
    /// - Parameter json: The JSON, in UTF-8.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData` if the JSON is malformed.
    public init(json: Data) throws(TransformerError) {
        self = try ArchivedValueFromJSON.value(of: JSONParser.parse(json))
    }

    /// The value as JSON, with tags for types that JSON does not have, so that nothing is lost.
    ///
    /// A number with a fraction or an exponent is a real number, and any other number is an integer. A value for which
    /// JSON has no type is an object with a single member whose name begins with `$`:
    ///
    /// | JSON | value |
    /// |---|---|
    /// | `{"$real": "nan"}` | a real number without digits: `nan`, `infinity`, `-infinity` |
    /// | `{"$data": "AAEC"}` | data, in base64 |
    /// | `{"$date": "2001-01-01T00:00:00.125Z"}` | a date, or seconds since 2001 if the text is not exact |
    /// | `{"$uuid": "…"}` | a UUID |
    /// | `{"$url": "https://example.com"}` | a URL; `["index.html", "https://example.com"]` with its base |
    /// | `{"$decimal": "1.5"}` | a decimal |
    /// | `{"$dictionary": [[1, "one"]]}` | a dictionary with keys that are not strings or begin with `$` |
    /// | `{"$set": []}`, `{"$orderedSet": []}` | sets |
    /// | `{"$countedSet": [["a", 2]]}` | a counted set |
    /// | `{"$point": [1.0, 2.0]}`, `$size`, `$rect`, `$range`, `$edgeInsets`, `$uiEdgeInsets`, `$transform` | geometry |
    /// | `{"$offset": [1.0, 2.0]}`, `{"$directionalEdgeInsets": [1.0, 2.0, 3.0, 4.0]}` | UIKit's geometry |
    /// | `{"$affineTransform": [1.0, 0.0, 0.0, 1.0, 5.0, 6.0]}` | an affine transform with 32-bit numbers |
    /// | `{"$indexSet": [[0, 50], [100, 1]]}` | an index set: locations and lengths |
    /// | `{"$indexPath": [1, 0]}` | an index path |
    /// | `{"$locale": "de_DE"}`, `{"$timeZone": "Europe/Paris"}` | a locale, a time zone |
    /// | `{"$calendar": {"identifier": "gregorian"}}` | a calendar |
    /// | `{"$dateComponents": {"year": 2026, "month": 5}}` | date components |
    /// | `{"$attributedString": {"string": "ab", "runs": [[1, {}], [1, {"bold": true}]]}}` | an attributed string |
    /// | `{"$error": {"domain": "…", "code": 4, "userInfo": {}}}` | an error |
    /// | `{"$notification": {"name": "…", "object": 1, "userInfo": {}}}` | a notification |
    /// | `{"$color": {"space": "deviceRGB", "components": [1.0, 0.5, 0.0], "alpha": 1.0}}` | a color |
    /// | `{"$object": "Acme.Thing", "$classes": [], "$fields": {}}` | an object of another class |
    ///
    /// Such an object can have `"$fallbacks": ["NSString"]`, which names the classes to use if its own is not known. In
    /// its fields, `{"$inline": 3}` is a value that is stored in the field itself, `{"$nil": null}` is the null
    /// reference, and `{"$list": []}` is a list of objects.
    public var json: String {
        JSONPrinter.print(ArchivedValueToJSON.tokens(of: self)) + "\n"
    }
}

extension HumanForm where Value == ArchivedValue {
    /// The JSON form with types, in the format of ``ArchivedValue/json``.
    ///
    /// Printing throws an error if the JSON would take more than a gigabyte. With shared objects, a few bytes can represent
    /// more text than fits in memory.
    public static var archivedJSON: Self {
        Self(
            isText: true,
            parse: { try ArchivedValue(json: $0) },
            print: { value, _ in
                guard let tokens = ArchivedValueToJSON.tokens(of: value, limit: 1 << 30) else {
                    throw TransformerError.limitExceeded(
                        "as JSON, the value would take more than a gigabyte; extract a part of it"
                    )
                }
                return Data((JSONPrinter.print(tokens) + "\n").utf8)
            }
        )
    }
}

/// Writes values as JSON with tags, using its own stack instead of recursion.
struct ArchivedValueToJSON {
    private enum Item {
        case value(ArchivedValue)
        case field(ArchivedInstance.FieldValue)
        case token(JSONToken)
    }

    private var tokens: [JSONToken] = []
    private var waiting: [Item] = []

    static func tokens(of value: ArchivedValue) -> [JSONToken] {
        var writer = Self(value)
        while writer.writeNext() {}
        return writer.tokens
    }

    /// Returns the tokens of a value, or nil if they take more than a number of bytes, including their text.
    static func tokens(of value: ArchivedValue, limit: Int) -> [JSONToken]? {
        var writer = Self(value)
        var (count, size) = (0, 0)
        while writer.writeNext() {
            size += writer.tokens[count...].reduce(0) { $0 + $1.size }
            count = writer.tokens.count
            guard size <= limit else { return nil }
        }
        return writer.tokens
    }

    private init(_ value: ArchivedValue) {
        waiting = [.value(value)]
    }

    /// Writes the next item, regardless of its nesting, or returns false if there is none.
    private mutating func writeNext() -> Bool {
        guard let item = waiting.popLast() else { return false }
        switch item {
        case .value(let value): write(value)
        case .field(let field): write(field)
        case .token(let token): tokens.append(token)
        }
        return true
    }

    /// Pushes items to be written in this order.
    private mutating func push(_ items: [Item]) {
        waiting.append(contentsOf: items.reversed())
    }

    private func list(_ items: [Item]) -> [Item] {
        [.token(.beginArray)] + items + [.token(.endArray)]
    }

    private func tagged(_ tag: String, _ items: [Item]) -> [Item] {
        [.token(.beginObject), .token(.name(tag))] + items + [.token(.endObject)]
    }

    private mutating func write(_ value: ArchivedValue) {
        switch value {
        case .null: tokens.append(.null)
        case .boolean(let flag): tokens.append(.boolean(flag))
        case .integer(let number): tokens.append(.integer(number))
        case .real(let number) where number.isFinite: tokens.append(.real(number))
        case .real(let number): write("$real", nonFinite(number))
        case .string(let text): tokens.append(.string(text))
        case .data(let data): write("$data", .string(data.base64EncodedString()))
        case .date(let date): write(date)
        case .uuid(let uuid): write("$uuid", .string(uuid.uuidString))
        case .url(let url): write(url)
        case .decimal(let decimal): write("$decimal", .string(decimal.isNaN ? "nan" : decimal.description))
        case .array(let values): push(list(values.map { .value($0) }))
        case .set(let values): push(tagged("$set", list(values.map { .value($0) })))
        case .orderedSet(let values): push(tagged("$orderedSet", list(values.map { .value($0) })))
        case .dictionary(let pairs): write(pairs)
        case .point, .size, .rect, .range, .edgeInsets, .transform: writeGeometry(value)
        case .object(let instance): write(instance)
        case .countedSet, .offset, .directionalEdgeInsets, .affineTransform, .indexSet, .indexPath, .locale,
            .timeZone, .calendar, .dateComponents, .attributedString, .error, .notification, .color:
            guard let compound = value.compound else { return }
            push(tagged(type(of: compound).tag, [.value(compound.plain)]))
        }
    }

    private mutating func write(_ tag: String, _ scalar: JSONToken) {
        tokens += [.beginObject, .name(tag), scalar, .endObject]
    }

    /// Returns the token for a number that is not finite.
    ///
    /// An unusual NaN keeps its bits.
    private func nonFinite(_ number: Double) -> JSONToken {
        let isUsual = number.isInfinite || number.bitPattern == Double.nan.bitPattern
        return isUsual ? NamedNumber.token(number) : .integer(Int128(number.bitPattern))
    }

    private mutating func write(_ date: Date) {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = seconds.exactDateText.map { Item.token(.string($0)) }
        push(tagged("$date", [text ?? .value(.real(seconds))]))
    }

    private mutating func write(_ url: ArchivedURL) {
        guard !url.bases.isEmpty else { return write("$url", .string(url.relativeString)) }
        push(tagged("$url", list(([url.relativeString] + url.bases).map { .token(.string($0)) })))
    }

    private mutating func write(_ pairs: ArchivedDictionary) {
        let isPlain = pairs.allSatisfy { $0.key.string.map { !$0.hasPrefix("$") } ?? false }
        guard isPlain else {
            let lists = pairs.flatMap { list([.value($0.key), .value($0.value)]) }
            return push(tagged("$dictionary", list(lists)))
        }
        let members = pairs.flatMap { [Item.token(.name($0.key.string ?? "")), .value($0.value)] }
        push([.token(.beginObject)] + members + [.token(.endObject)])
    }

    private mutating func writeGeometry(_ value: ArchivedValue) {
        switch value {
        case .point(let point): write("$point", [point.x, point.y])
        case .size(let size): write("$size", [size.width, size.height])
        case .rect(let rect): write("$rect", [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
        case .range(let range):
            let numbers = [range.location, range.length].map { Item.token(.integer(Int128($0))) }
            push(tagged("$range", list(numbers)))
        case .edgeInsets(let insets):
            let numbers = [insets.top, insets.left, insets.bottom, insets.right].map { CGFloat($0) }
            write(insets.isUIKit ? "$uiEdgeInsets" : "$edgeInsets", numbers)
        case .transform(let transform): write("$transform", transform.numbers.map { CGFloat($0) })
        default: break
        }
    }

    private mutating func write(_ tag: String, _ numbers: [CGFloat]) {
        push(tagged(tag, list(numbers.map { .token(NamedNumber.token(Double($0))) })))
    }

    private mutating func write(_ instance: ArchivedInstance) {
        tokens.append(.beginObject)
        tokens += instance.archivedClass.tokens(tag: "$object")
        tokens += [.name("$fields"), .beginObject]
        let fields = instance.fields.flatMap { [Item.token(.name($0.name)), .field($0.value)] }
        push(fields + [.token(.endObject), .token(.endObject)])
    }

    private mutating func write(_ field: ArchivedInstance.FieldValue) {
        switch field {
        case .object(let value): push(optional(value))
        case .inline(let value): push(tagged("$inline", [.value(value)]))
        case .objects(let values): push(tagged("$list", list(values.flatMap(optional))))
        }
    }

    private func optional(_ value: ArchivedValue?) -> [Item] {
        value.map { [.value($0)] } ?? tagged("$nil", [.token(.null)])
    }
}

extension ArchivedClass {
    /// Returns the members of a JSON object that describe its class.
    func tokens(tag: String) -> [JSONToken] {
        var tokens: [JSONToken] = [.name(tag), .string(name), .name("$classes"), .beginArray]
        tokens += chain.map { .string($0) } + [.endArray]
        guard !fallbacks.isEmpty else { return tokens }
        return tokens + [.name("$fallbacks"), .beginArray] + fallbacks.map { .string($0) } + [.endArray]
    }
}

extension Double {
    /// The number of seconds since 2001 as a date in a common format, or nil if nine fractional digits are not exact.
    var exactDateText: String? {
        guard let parts = DecimalSeconds(exactly: self), parts.fraction.count <= 9, abs(self) < 1e11,
            parts.time.bitPattern == bitPattern
        else { return nil }
        return DateText.text(ofSeconds: self)
    }
}
