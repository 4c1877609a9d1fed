internal import Logging
internal import Transformable

/// Messages for a logger.
///
/// They contain names and numbers, but never values. Of a value's error, they contain only the codes.
extension Logger {
    func noteMigration(from old: Int, to new: Int) {
        info("migrated a store", metadata: ["from": "\(old)", "to": "\(new)"])
    }

    func noteOutdatedProjections() {
        warning("projections were left unchanged, because a value or key that they are computed from is missing")
    }

    func noteUnchecked(_ warning: StoreError) {
        self.warning("the store's model cannot be verified", metadata: ["code": "\(warning.code)"])
    }

    func noteUncheckedRows(of entity: String) {
        warning("rows cannot be checked, because there is no key", metadata: ["entity": "\(entity)"])
    }

    func noteQuarantine(_ failure: StoreError, _ object: ObjectID, _ attribute: String) {
        var metadata: Logger.Metadata = [
            "entity": "\(object.entity)", "object": "\(object.number)", "attribute": "\(attribute)",
            "code": "\(failure.code)",
        ]
        if let error = failure.transformerError { metadata["cause"] = "\(error.code)" }
        warning("a value cannot be decoded, and its bytes are kept", metadata: metadata)
    }

    func noteEndedBlock(_ error: StoreError) {
        var metadata: Logger.Metadata = ["code": "\(error.code)"]
        if let entity = error.entity { metadata["entity"] = "\(entity)" }
        if let attribute = error.attribute { metadata["attribute"] = "\(attribute)" }
        critical("an object is used after its block has ended", metadata: metadata)
    }

    /// Notes what a failed re-encoding has left behind, and what to do about it.
    func noteRemains(_ fault: String) {
        warning("a re-encoding has failed and left something behind", metadata: ["fault": "\(fault)"])
    }

    func noteSweep(removing count: Int) {
        guard count > 0 else { return }
        info("removed the files of unreferenced blobs", metadata: ["count": "\(count)"])
    }
}

extension Store.Options {
    /// Notes that a store cannot report the changes of other programs, because its server is a standby.
    package func noteUnheard(_ error: StoreError) {
        logger?.warning("changes by other programs are not reported", metadata: ["code": "\(error.code)"])
    }
}
