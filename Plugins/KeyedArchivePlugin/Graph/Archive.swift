public import Foundation
public import Transformable
internal import _PropertyLists

/// Any keyed archive, seen as data: objects, their classes and fields, and which object refers to which.
///
/// No class is looked up and no code of an archive's classes runs. References stay references: objects
/// may be shared and may contain themselves. Opening one checks it whole: what is broken is an error,
/// and nothing that is read from it later can fail.
///
/// ```swift
/// let archive = try Archive(data)
/// let name = archive["root"]?["NS.relative"]?.string
/// ```
public struct Archive: Sendable {
    let storage: ArchiveStorage

    /// Opens an archive in either format.
    ///
    /// - Parameters:
    ///   - data: The archive, possibly damaged or hostile.
    ///   - limits: What is spent at most.
    /// - Throws: `TransformerError`: `invalid-data` with an offset, `unsupported` for an archiver or a
    ///   version that is not known, `limit-exceeded`.
    public init(_ data: Data, limits: KeyedArchiveLimits = KeyedArchiveLimits()) throws(TransformerError) {
        storage = try ArchiveStorage(data, limits: limits)
    }

    /// The format it was read from.
    public var format: KeyedArchiveFormat { storage.format }

    /// The number of objects, including the null that is always the first.
    public var count: Int { storage.count }

    /// The classes that objects have.
    public var classes: [ArchivedClass] { storage.classes }

    /// The names of the objects that the archive was made of; usually only `root`.
    public var topKeys: [String] {
        storage.table.keys(of: storage.top).map { storage.table.repairedText(storage.table.nodes[Int($0)]) }
    }

    /// The objects that the archive was made of, with their names.
    var topObjects: [(key: String, object: ArchivedObject)] {
        zip(topKeys, storage.table.values(of: storage.top))
            .map { ($0, ArchivedObject(storage, valueAt: Int($1))) }
    }

    /// Finds a top object.
    ///
    /// - Parameter key: Its name, usually `root`.
    /// - Returns: The object; nil if there is none of the name.
    public subscript(key: String) -> ArchivedObject? {
        storage.table.value(named: key, in: storage.top).map { ArchivedObject(storage, valueAt: $0) }
    }

    /// Gives an object by its number.
    ///
    /// - Precondition: The number is less than ``count``.
    ///
    /// - Parameter number: Its number, as references have it.
    /// - Returns: The object.
    public func object(_ number: Int) -> ArchivedObject {
        precondition(0..<count ~= number, "an archive's objects are numbered from 0 to count - 1")
        return ArchivedObject(storage, number: number)
    }
}
