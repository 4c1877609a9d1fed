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
    public static var archivedJSON: Self {
        Self(
            isText: true,
            parse: { try ArchivedValue(json: $0) },
            print: { value, _ in Data(value.json.utf8) }
        )
    }
}
