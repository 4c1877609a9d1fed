public import Foundation
public import Transformable

extension ArchivedValue {
    /// Reads JSON as ``json`` writes it.
    ///
    /// - Parameter json: The JSON, in UTF-8.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidData`.
    public init(json: Data) throws(TransformerError) {
        self = try ArchivedValueFromJSON.value(of: JSONParser.parse(json))
    }

    /// The value as JSON that says types where JSON has none, and that loses nothing.
    ///
    /// A number with a fraction or an exponent is a real one, any other an integer. What JSON has no
    /// type for is an object of one member, whose name begins with `$`:
    ///
    /// | JSON | value |
    /// |---|---|
    /// | `{"$real": "nan"}` | a real number without digits: `nan`, `infinity`, `-infinity` |
    /// | `{"$data": "AAEC"}` | data, in base64 |
    /// | `{"$date": "2001-01-01T00:00:00.125Z"}` | a date; seconds since 2001 where the text is not exact |
    /// | `{"$uuid": "…"}` | a UUID |
    /// | `{"$url": "https://example.com"}` | a URL; `["index.html", "https://example.com"]` with its base |
    /// | `{"$decimal": "1.5"}` | a decimal |
    /// | `{"$dictionary": [[1, "one"]]}` | a dictionary with keys that are no strings, or begin with `$` |
    /// | `{"$set": []}`, `{"$orderedSet": []}` | sets |
    /// | `{"$point": [1.0, 2.0]}`, `$size`, `$rect`, `$range`, `$edgeInsets` | geometry |
    /// | `{"$object": "Acme.Thing", "$classes": [], "$fields": {}}` | an object of another class |
    ///
    /// In a field of such an object, `{"$inline": 3}` is a value that stands in the field itself,
    /// `{"$nil": null}` the null reference, and `{"$list": []}` a list of objects.
    public var json: String {
        JSONPrinter.print(ArchivedValueToJSON.json(of: self)) + "\n"
    }
}

extension HumanForm where Value == ArchivedValue {
    /// JSON with types, as ``ArchivedValue/json`` writes it.
    public static var archivedJSON: Self {
        Self(
            isText: true,
            parse: { try ArchivedValue(json: $0) },
            print: { value, _ in Data(value.json.utf8) }
        )
    }
}
