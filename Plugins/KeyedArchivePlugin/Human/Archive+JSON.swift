internal import Foundation

extension Archive {
    /// The archive as JSON: its top objects, and all objects by their numbers.
    ///
    /// A reference is `{"$ref": 3}`, an instance `{"$object": "NSArray", "$classes": […], "$fields": {…}}`, a
    /// class `{"$class": "NSArray", "$classes": […]}`; scalars are written as ``ArchivedValue/json`` writes them.
    public var json: String {
        let top = topObjects.map { JSON.Member($0.key, Self.value($0.object)) }
        let objects = (0..<count).map { Self.content(object($0)) }
        return JSONPrinter.print(
            .object([JSON.Member("$top", .object(top)), JSON.Member("$objects", .array(objects))])
        ) + "\n"
    }

    /// A reference to an object, or what stands there itself.
    private static func value(_ object: ArchivedObject) -> JSON {
        object.number.map { .tagged("$ref", .integer(Int128($0))) } ?? content(object)
    }

    private static func content(_ object: ArchivedObject) -> JSON {
        switch object.kind {
        case .null: .null
        case .boolean: .boolean(object.boolean ?? false)
        case .integer: .integer(object.integer ?? 0)
        case .real: ArchivedValueToJSON.json(of: .real(object.real ?? 0))
        case .string: .string(object.string ?? "")
        case .data: ArchivedValueToJSON.json(of: .data(object.data ?? Data()))
        case .date: ArchivedValueToJSON.json(of: .date(object.date ?? Date(timeIntervalSinceReferenceDate: 0)))
        case .list: .array(object.elements.map(value))
        case .dictionary: fields(object)
        case .instance: described("$object", object.archivedClass, [JSON.Member("$fields", fields(object))])
        case .classDescription: described("$class", object.describedClass, [])
        }
    }

    private static func fields(_ object: ArchivedObject) -> JSON {
        .object(object.fields.map { JSON.Member($0.name, value($0.value)) })
    }

    private static func described(_ tag: String, _ archivedClass: ArchivedClass?, _ rest: [JSON.Member]) -> JSON {
        let chain = JSON.array((archivedClass?.chain ?? []).map { .string($0) })
        let name = JSON.string(archivedClass?.name ?? "")
        return .object([JSON.Member(tag, name), JSON.Member("$classes", chain)] + rest)
    }
}
