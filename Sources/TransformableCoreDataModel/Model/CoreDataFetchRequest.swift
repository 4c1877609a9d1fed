/// A fetch request that is stored in a Core Data model.
public struct CoreDataFetchRequest: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the entity whose objects are fetched.
    public var entity: String
    /// The predicate, which can contain variables such as `$name`, or `nil` if all objects are fetched.
    public var predicate: String?
    /// All other settings, as the model states them, such as `fetchLimit`.
    ///
    /// A compiled model states only those that differ from the default.
    public var settings: [String: String] = [:]

    /// Creates a fetch request.
    ///
    /// - Parameters:
    ///   - name: The fetch request's name.
    ///   - entity: The name of the entity whose objects are fetched.
    ///   - predicate: The predicate.
    public init(_ name: String, entity: String, predicate: String? = nil) {
        self.name = name
        self.entity = entity
        self.predicate = predicate
    }
}

extension CoreDataFetchRequest {
    /// The settings that are `YES` unless the model says otherwise.
    static let defaults: Set = [
        "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
    ]
}

/// A property of an entity in a Core Data model whose value is the result of a fetch request.
public struct CoreDataFetchedProperty: Sendable, Hashable {
    /// The name.
    public var name: String
    /// Whether the property can be empty.
    public var isOptional = false
    /// The request, or `nil` if the model states none.
    public var request: CoreDataFetchRequest?
    /// Additional information for the app's own use.
    public var userInfo: [String: String] = [:]

    /// Creates a fetched property.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - request: The request.
    public init(_ name: String, request: CoreDataFetchRequest? = nil) {
        self.name = name
        self.request = request
    }
}
