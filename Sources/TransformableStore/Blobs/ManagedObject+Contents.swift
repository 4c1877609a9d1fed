public import Foundation
internal import Transformable

extension ManagedObject {
    /// Sets an attribute to bytes as its first stages write them, which are stored as they are: an archive for
    /// `keyed-archive`, a JPEG file for `jpeg | sealed`.
    ///
    /// Where `setValue(_:for:)` encodes a value, this takes what an encoder has written before, by this program or
    /// another one, so that nothing of it is lost: not the quality of a picture, nor what an archive holds beside the
    /// value. The bytes are decoded at once, and refused if they give no value. Stages that take bytes, such as `gzip`
    /// and `sealed`, come after them as always. They are what ``stream(_:)`` gives.
    ///
    /// Of an attribute whose values are of a class, the value is kept and encoded by the save, since it may be changed
    /// in place until then.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - name: The name of a data or transformed attribute.
    /// - Throws: ``StoreError``: ``StoreError/Code/invalidValue`` if the bytes give no value or break a rule of the
    ///   model, ``StoreError/Code/wrongType`` for an attribute without bytes, ``StoreError/Code/unknownAttribute`` or
    ///   ``StoreError/Code/readOnly``.
    public func setContents(_ contents: Data, for name: String) throws {
        let attribute = try bytesAttribute(name)
        try requireSettable(attribute.index)
        try put(slot(contents, attribute), attribute.index)
    }

    private func slot(_ contents: Data, _ attribute: StoredAttribute) throws -> Slot {
        let slot = attribute.load({ contents }, in: place(attribute))
        if var failure = slot.failure {
            failure.code = .invalidValue
            failure.message = "the bytes are not what its transformer writes"
            throw failure
        }
        guard !attribute.isMutableInPlace else { return slot }
        try located(attribute) {
            if attribute.isExternal { try attribute.rules.check(.blob(contents)) }
            let stored = ColumnValue.blob(try attribute.tail.encode(contents, in: place(attribute)))
            if !attribute.isExternal { try attribute.rules.check(stored) }
            slot.keepContents(stored)
        }
        return slot
    }

    /// Sets an attribute to bytes that are stored as they are and need not give a value.
    ///
    /// For what has been rescued from another file.
    func setUndecodable(_ bytes: Data, _ attribute: StoredAttribute, _ failure: StoreError) throws {
        let cell: ColumnValue = attribute.isDeferrable ? .blob(bytes) : .brokenText(bytes)
        try put(Slot(streamed: nil, encoded: cell, failure: failure), attribute.index)
    }
}
