public import Foundation
internal import TransformableModel

/// A map of a model's transformers and Swift types, which the model itself does not specify, as a JSON file.
///
/// All members are optional. Unknown members are errors.
///
/// ```json
/// {
///     "access": "public",
///     "classes": { "Person": "PersonRecord" },
///     "imports": ["AcmeColors"],
///     "initialValues": { "Person.mood": ".neutral" },
///     "transformers": { "ColorsTransformer": "acme.colors", "Person.portrait": "png" },
///     "types": { "acme.colors": "[AcmeColor]", "Person.mood": "Mood" }
/// }
/// ```
public struct ModelMap: Sendable, Hashable {
    /// The expressions of transformable attributes, by `Entity.attribute`, by the name of a Core Data value
    /// transformer, or by the class that the Core Data model states for the attribute's values.
    ///
    /// If several of these keys exist, the first one applies.
    public var transformers: [String: String] = [:]
    /// The Swift types of attributes in generated code, by `Entity.attribute`, by the expression of a transformer, by
    /// the name of a Core Data value transformer, or by the class that the Core Data model states for the attribute's
    /// values.
    ///
    /// If several of these keys exist, the first one applies.
    public var types: [String: String] = [:]
    /// Swift expressions for the initial values of attributes with these types, by `Entity.attribute`.
    public var initialValues: [String: String] = [:]
    /// The names of generated classes by the names of entities.
    public var classes: [String: String] = [:]
    /// The modules that generated code imports.
    public var imports: [String] = []
    /// The access level of generated code, or `nil` if the map states none.
    public var access: ModelCode.Access?

    /// Creates an empty map.
    public init() {}

    /// Creates a map from JSON.
    ///
    /// - Parameters:
    ///   - json: The JSON document.
    ///   - file: The name of the file, for errors.
    /// - Throws: ``CoreDataError`` with the code ``CoreDataError/Code/invalidMap`` if the document is not a map.
    public init(json: Data, file: String? = nil) throws(CoreDataError) {
        // Foundation's errors say neither where the fault is nor what was expected.
        if let fault = JSONSyntax.fault(in: json) {
            throw CoreDataError(.invalidMap, "the map is invalid: \(fault)", file: file)
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: json)
        } catch {
            throw CoreDataError(.invalidMap, Self.sentence(for: error), file: file)
        }
    }

    private static func sentence(for error: any Error) -> String {
        guard let error = error as? DecodingError, let context = error.context else { return "the map is invalid" }
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        let place = path.isEmpty ? "the map" : "“\(SwiftText.plain(path))” in the map"
        return "\(place) is invalid: \(error.expectation ?? SwiftText.plain(context.debugDescription))"
    }
}

extension CoreDataError.Code {
    /// The file that maps a model's transformers and types is invalid.
    public static let invalidMap = Self(rawValue: "invalid-map")
}

extension ModelMap: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case transformers, types, initialValues, classes, imports, access
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Creates a map from the members of a JSON object.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the object is not a map.
    public init(from decoder: any Decoder) throws {
        let names = Set(CodingKeys.allCases.map(\.rawValue))
        let all = try decoder.container(keyedBy: AnyKey.self)
        if let unknown = all.allKeys.map(\.stringValue).filter({ !names.contains($0) }).min() {
            let list = names.sorted().joined(separator: ", ")
            let message = "there is no member “\(unknown)”; a map can have \(list)"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
        }
        let members = try decoder.container(keyedBy: CodingKeys.self)
        transformers = try members.decodeIfPresent([String: String].self, forKey: .transformers) ?? [:]
        types = try members.decodeIfPresent([String: String].self, forKey: .types) ?? [:]
        initialValues = try members.decodeIfPresent([String: String].self, forKey: .initialValues) ?? [:]
        classes = try members.decodeIfPresent([String: String].self, forKey: .classes) ?? [:]
        imports = try members.decodeIfPresent([String].self, forKey: .imports) ?? []
        if let word = try members.decodeIfPresent(String.self, forKey: .access) {
            guard let access = ModelCode.Access(rawValue: word) else {
                let words = ModelCode.Access.allCases.map(\.rawValue).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: .access,
                    in: members,
                    debugDescription: "it must be one of \(words)"
                )
            }
            self.access = access
        }
    }
}

extension DecodingError {
    /// What a value of the wrong type must be, without the names of Swift types.
    fileprivate var expectation: String? {
        switch self {
        case .typeMismatch(let type, _), .valueNotFound(let type, _):
            if type == String.self { return "it must be a string" }
            return "\(type)".hasPrefix("Array<") ? "it must be a list of strings" : "it must be an object"
        default: return nil
        }
    }

    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
