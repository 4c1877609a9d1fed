/// A fetch request that is part of a model, so that programs can run it by name.
///
/// The condition can contain parameters, which are written with a dollar sign. Their values are provided when the
/// request is run:
///
/// ```swift
/// FetchRequestDescription("patientsOfWard", of: "Patient", where: "ward == $ward and age >= $age",
///                         sortedBy: [.ascending("name")])
/// let patients = try context.fetch(request: "patientsOfWard", ["ward": "3B", "age": 18])
/// ```
public struct FetchRequestDescription: Sendable, Hashable {
    /// The request's name, which must be unique in the model.
    public var name: String
    /// The entity whose objects are fetched.
    public var entity: String
    /// The text of the condition, as documented on ``Condition``.
    public var condition: String
    /// The keys to sort by, most important first.
    public var order: [SortKey]
    /// The maximum number of objects, or `nil` for all.
    public var limit: Int?
    /// The number of objects to skip.
    public var offset: Int
    /// Additional information for the program's own use.
    public var userInfo: [String: String] = [:]

    /// Creates a fetch request.
    ///
    /// - Parameters:
    ///   - name: The request's name.
    ///   - entity: The entity whose objects are fetched.
    ///   - condition: The text of the condition, which can contain parameters such as `$age`.
    ///   - order: The keys to sort by, most important first.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    public init(
        _ name: String,
        of entity: String,
        where condition: String = "true",
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.name = name
        self.entity = entity
        self.condition = condition
        self.order = order
        self.limit = limit
        self.offset = offset
    }

    /// The names of the condition's parameters, in the order in which they first occur.
    ///
    /// It is empty if the condition is invalid.
    public var parameters: [String] {
        (try? ConditionParser.parameters(of: condition).all) ?? []
    }

    /// The names of the parameters that follow `in`, and take an array.
    package var listParameters: Set<String> {
        (try? ConditionParser.parameters(of: condition).lists) ?? []
    }

    /// Returns the paths and comparisons in the condition, in which null stands for each parameter, or `nil` if it is
    /// invalid.
    ///
    /// - Parameter known: What names mean in the model, and thus where the paths start that a quantified path is compared
    ///   with. Without it, they start at the end of that path.
    /// - Returns: The paths and comparisons.
    package func conditionParts(in known: RequestPaths?) -> ConditionParts? {
        guard var parser = try? ConditionParser(condition, parameters: nil) else { return nil }
        return (try? parser.parse())
            .map { node in ConditionParts(node) { known?.quantifiedPart(of: $0, from: entity) ?? $0 } }
    }

    /// Returns the condition with values for its parameters.
    ///
    /// - Parameter values: The values, by parameter. A `nil` value stands for null, and a list can follow `in`.
    /// - Returns: The condition.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidCondition`` if a parameter has no value, or if there is
    ///   no such parameter.
    public func condition(with values: [String: (any Sendable)?] = [:]) throws(StoreError) -> Condition {
        let known = parameters
        if let stranger = values.keys.filter({ !known.contains($0) }).min() {
            let names = known.map { "$\($0)" }.joined(separator: ", ")
            let list = known.isEmpty ? "it has none" : "its parameters are \(names)"
            throw StoreError(.invalidCondition, "the fetch request “\(name)” has no parameter $\(stranger); \(list)")
        }
        return try Condition(condition, parameters: values)
    }

    /// Returns the reason why the request is invalid, or `nil` if it is valid.
    var fault: String? {
        if (limit ?? 0) < 0 || offset < 0 { return "has a negative limit or offset" }
        do throws(StoreError) {
            _ = try ConditionParser.parameters(of: condition)
            return nil
        } catch {
            return "has an invalid condition: \(error)"
        }
    }
}
