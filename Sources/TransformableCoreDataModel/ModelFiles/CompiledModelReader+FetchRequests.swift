extension CompiledModelReader {
    /// The settings that are numbers and 0 by default, along with their names in XML.
    ///
    /// The names are those that the reader of compiled models in ZeeQL lists.
    private static let numbers = [
        ("NSFetchLimit", "fetchLimit"), ("NSFetchOffset", "fetchOffset"), ("NSBatchSize", "fetchBatchSize"),
        ("NSResultType", "resultType"),
    ]
    /// The flags, along with their names in XML and the result type for which they are not set by default.
    private static let flags: [(bit: Int, name: String, unlessType: Int?)] = [
        (2, "includeSubentities", nil), (4, "includePropertyValues", 1), (8, "returnObjectsAsFaults", nil),
        (16, "includesPendingChanges", 2),
    ]
    private static let distinctFlag = 1
    /// Settings that models in XML do not have.
    private static let others = [
        "NSHavingPredicate", "NSRelationshipKeyPathsForPrefetching", "NSValuesToFetch", "NSValuesToGroupBy",
    ]

    /// Reads the fetch requests that are stored in a model, sorted by name.
    mutating func fetchRequests(of root: CompiledObject) throws(CoreDataError) -> [CoreDataFetchRequest] {
        var requests: [CoreDataFetchRequest] = []
        for (name, object) in try pairs(root["NSFetchRequestTemplates"]) {
            guard let request = try fetchRequest(object, name, CoreDataNote(property: name, "")) else { continue }
            requests.append(request)
        }
        return requests.sorted { $0.name < $1.name }
    }

    /// Reads a fetched property.
    mutating func fetchedProperty(
        _ object: CompiledObject,
        _ name: String,
        place: CoreDataNote
    ) throws(CoreDataError) -> CoreDataFetchedProperty {
        var property = CoreDataFetchedProperty(name)
        property.isOptional = object["NSIsOptional"]?.boolean ?? false
        property.userInfo = try userInfo(of: object)
        // The name of the field is not documented, but its class is.
        if let request = object.field(ofClass: "NSFetchRequest") {
            property.request = try fetchRequest(request, "fetchedPropertyFetchRequest", place)
        } else {
            note("its fetch request cannot be read from a compiled model and was dropped", place)
        }
        return property
    }

    /// Reads a fetch request, or notes that it is dropped.
    ///
    /// Without its predicate, it would fetch other objects.
    private mutating func fetchRequest(
        _ object: CompiledObject,
        _ name: String,
        _ place: CoreDataNote
    ) throws(CoreDataError) -> CoreDataFetchRequest? {
        guard let entity = object["NSEntity"].flatMap({ self.name(of: $0) }) ?? object.text("NSEntityName") else {
            note("the fetch request has no entity and was dropped", place)
            return nil
        }
        var request = CoreDataFetchRequest(name, entity: entity)
        if let predicate = object["NSPredicate"] {
            guard let text = CompiledPredicate.text(of: predicate) else {
                note("the predicate of the fetch request cannot be read, so the request was dropped", place)
                return nil
            }
            request.predicate = text
        }
        for (key, name) in Self.numbers {
            guard let number = object[key]?.integer, number != 0 else { continue }
            request.settings[name] = String(number)
        }
        readFlags(of: object, into: &request)
        let order = try members(object["NSSortDescriptors"]).map(\.sortText)
        if !order.isEmpty { request.settings["sortDescriptors"] = order.joined(separator: ", ") }
        for key in Self.others where object[key].map({ !$0.members.isEmpty || $0.className == nil }) ?? false {
            note("“\(key)” of the fetch request cannot be read and was dropped", place)
        }
        return request
    }

    /// Reads the settings that differ from the default.
    private func readFlags(of object: CompiledObject, into request: inout CoreDataFetchRequest) {
        guard object["NSHasFetchRequestFlags"]?.boolean == true, let flags = object["NSFetchRequestFlags"]?.integer
        else { return }
        if flags & Self.distinctFlag != 0 { request.settings["returnDistinctResults"] = "YES" }
        let type = object["NSResultType"]?.integer ?? 0
        for flag in Self.flags where flags & flag.bit == 0 && flag.unlessType != type {
            request.settings[flag.name] = "NO"
        }
    }

    mutating func note(_ text: String, _ place: CoreDataNote) {
        notes.append(CoreDataNote(entity: place.entity, property: place.property, text))
    }
}

extension CompiledObject {
    /// The text of a sort descriptor, such as `name` or `age descending`.
    fileprivate var sortText: String {
        let comparison = text("NSSelector").flatMap { $0 == "compare:" ? nil : " by \($0)" } ?? ""
        return (text("NSKey") ?? "SELF") + comparison + (self["NSAscending"]?.boolean == false ? " descending" : "")
    }
}
