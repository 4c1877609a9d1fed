internal import Foundation
internal import Transformable

/// The location of an attribute's bytes: its cell, or a blob.
enum BytesSource: Sendable {
    case memory(Data)
    case file(BlobFile)
}

/// The source of a value's bytes, before they are opened.
struct ValueSource: Sendable {
    let bytes: BytesSource
    let tail: any StreamTransformer
    let context: TransformContext
    let entity: String
    let attribute: String

    /// Creates a source of an attribute's bytes before the stages of a tail, or before the attribute's own tail.
    init(
        _ bytes: BytesSource,
        of attribute: StoredAttribute,
        at place: TransformContext,
        _ tail: (any StreamTransformer)? = nil
    ) {
        self.bytes = bytes
        self.tail = tail ?? attribute.tail
        context = place
        entity = attribute.entity
        self.attribute = attribute.name
    }

    /// Adds the location to an error, and says what cannot be read.
    func located(_ error: any Error) -> StoreError {
        var located =
            error as? StoreError
            ?? StoreError(.undecodable, "the stored bytes cannot be decoded", underlying: error)
        located.entity = located.entity ?? entity
        located.attribute = located.attribute ?? attribute
        located.object = located.object ?? context.object.map { ObjectID(entity: entity, number: $0) }
        return located
    }
}
