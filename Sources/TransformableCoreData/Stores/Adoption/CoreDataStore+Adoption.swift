public import Foundation
public import Transformable
public import TransformableModel
internal import TransformableSQLite
package import TransformableStore

extension CoreDataStore {
    /// Creates a store of this library with the objects of this store.
    ///
    /// Objects keep their numbers, so that the number in an object's URI, such as the 7 in `Person/p7`, is the number
    /// of the new object. Relationships and their order are kept, and further objects get numbers that have never been
    /// used. Stored bytes of transformable attributes are copied unchanged, and the attribute's transformer in the
    /// model must be able to read them. Values in files of their own are copied as well.
    ///
    /// Data that does not follow the model does not stop the adoption. It is kept where possible, and always
    /// reported:
    ///
    /// - A value that is not of its attribute's type is stored unchanged. Reading it is an error.
    /// - The bytes of an attribute whose transformer is not registered are kept.
    /// - `NaN` in an optional decimal attribute is stored as a missing value.
    /// - References to objects that do not exist are left out, unless the options say otherwise.
    /// - If Core Data's record of the highest number leaves too few numbers for new objects, it is ignored.
    /// - If an object lacks a property that the model requires, the property becomes optional in the new
    ///   store's model. If Core Data's model does not have a required attribute at all, every object gets the model's
    ///   default, if there is one.
    /// - If an object has no value of a derived attribute, the value is computed.
    /// - If several objects have a value that must be unique, values no longer have to be unique in the new store's
    ///   model.
    ///
    /// The new store appears as a whole or not at all. Memory use does not depend on the number of objects, except for
    /// values that must be unique but are not. Indexes of the new store take up to 64 MB of memory while they are
    /// filled. This store is not changed.
    ///
    /// - Parameters:
    ///   - model: The new store's model. Its entities and properties have the names that they have in Core Data.
    ///   - url: The new store's file, which must not exist.
    ///   - registry: The registry that contains the model's transformers.
    ///   - options: What to adopt, and what to do about dangling references.
    ///   - progress: A closure that is called with the number of objects so far. If it throws an error, the adoption
    ///     ends.
    /// - Returns: What was adopted and found.
    /// - Throws: `CoreDataError` if this store cannot be read or refers to objects that do not exist, `StoreError` if
    ///   the new store cannot be created, and errors thrown by `progress`.
    public func adopt(
        as model: Model,
        into url: URL,
        transformers registry: TransformerRegistry,
        options: AdoptionOptions = AdoptionOptions(),
        progress: ((_ count: Int) throws -> Void)? = nil
    ) throws -> AdoptionReport {
        try adopt(as: model, into: url, transformers: registry, options: options, watch: nil, progress: progress)
    }

    /// Does the same, and removes what is unfinished when the process is interrupted.
    package func adopt(
        as model: Model,
        into url: URL,
        transformers registry: TransformerRegistry,
        options: AdoptionOptions,
        watch: (any WorkingFolderWatch)?,
        progress: ((_ count: Int) throws -> Void)?
    ) throws -> AdoptionReport {
        try read { reader in
            var adopted = try AdoptedModel(model, self, selecting: options.entities)
            try adopted.relax(reader)
            try adopted.allowDuplicates(reader, registry)
            let (model, notes) = (adopted.model, adopted.notes)
            func fill(_ store: Store) throws -> AdoptionReport {
                var report = try store.load { loader in
                    let work = AdoptionWork(self, model, loader, options)
                    var adoption = StoreAdoption(self, work, progress: progress)
                    return try adoption.run(reader)
                }
                report.notes = notes + report.notes
                try file.requireUnchanged()
                if options.verifies, !options.isRehearsal { report.verification = try store.verify() }
                return report
            }
            guard !options.isRehearsal else {
                let lenient = Store.Options(unresolved: .keepBytes)
                return try fill(Store.inMemory(model: model, transformers: registry, options: lenient))
            }
            return try Store.create(
                at: url,
                model: model,
                transformers: registry,
                unresolved: .keepBytes,
                watch: watch,
                filling: fill
            )
        }
    }
}
