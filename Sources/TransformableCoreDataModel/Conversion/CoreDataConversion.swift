public import TransformableModel

/// The result of converting a Core Data model to a model of this library.
public struct CoreDataConversion: Sendable {
    /// The converted model.
    public let model: Model
    /// Notes about everything that could not be converted unchanged, in the order of the entities.
    public let notes: [CoreDataNote]

    /// Whether something was lost.
    public var hasLosses: Bool { notes.contains(where: \.isLoss) }
}

extension CoreDataModel {
    /// Converts the model to a model of this library.
    ///
    /// Parts without a counterpart are listed in the notes. The same model and map always give the same
    /// result.
    ///
    /// - Parameters:
    ///   - map: The map, whose expressions take the place of value transformers and classes.
    ///   - version: The version of the converted model. Core Data's versions have no order, so you have to state it.
    /// - Returns: The converted model and the notes.
    /// - Throws: ``CoreDataError`` with ``CoreDataError/Code/invalidModel`` and the faults if the result is not valid.
    public func converted(
        map: ModelMap = ModelMap(),
        version: Int = 1
    ) throws(CoreDataError) -> CoreDataConversion {
        var converter = ModelConverter(self, map: map)
        if let excess = converter.excess {
            throw CoreDataError(.limitExceeded, "the model cannot be converted: \(excess)")
        }
        let entities = converter.convert()
        do {
            let requests = converter.fetchRequests
            let model = try Model(version: version, entities: entities, fetchRequests: requests)
            return CoreDataConversion(model: model, notes: converter.notes)
        } catch {
            throw CoreDataError(.invalidModel, "the model cannot be converted", underlying: error)
        }
    }
}
