public import Logging

extension Store {
    /// How a store is opened.
    public struct Options: Sendable, Hashable {
        /// What becomes of a file that is or is not there.
        public enum Opening: Sendable, Hashable {
            /// Opens the file, or makes it.
            case createIfMissing
            /// Makes the file; one that is there is an error.
            case create
            /// Opens the file; none is an error.
            case mustExist
            /// Opens the file and never writes, not even beside it where its folder forbids that.
            case readOnly
        }

        /// What becomes of attributes whose transformer cannot be used in this program.
        public enum Unresolved: Sendable, Hashable {
            /// Opening fails and names them all.
            case refuse
            /// Their cells keep their bytes, and reading or writing such an attribute is an error.
            case keepBytes
        }

        /// When a failed decoding, which leaves the bytes as they are, is reported.
        public enum Quarantine: Sendable, Hashable {
            /// The `read` or `write` in which it happened throws at its end.
            case fail
            /// Only who asks, by ``ManagedObject/failure(of:)``, learns of it.
            case report
        }

        /// What becomes of a column that another transformer wrote than the one that the model states.
        public enum ChangedTransformers: Sendable, Hashable {
            /// Opening fails and names both.
            case refuse
            /// Its values are re-encoded before the store is open: see `Store.reencode(_:progress:)`.
            case reencode
        }

        /// What becomes of a file that is or is not there.
        public var opening: Opening
        /// What becomes of attributes whose transformer cannot be used in this program.
        public var unresolved: Unresolved
        /// When a failed decoding in an accessor that cannot throw is reported.
        public var quarantine: Quarantine
        /// How many seconds a writer waits for another process.
        public var busyTimeout: Double
        /// What becomes of a column that another transformer wrote than the one that the model states.
        public var changedTransformers: ChangedTransformers
        /// Told of migrations, quarantines and sweeps, by names and numbers and never by values.
        public var logger: Logger?

        /// Makes options.
        ///
        /// - Parameters:
        ///   - opening: What becomes of a file that is or is not there.
        ///   - unresolved: What becomes of attributes whose transformer cannot be used in this program.
        ///   - quarantine: When a failed decoding in an accessor that cannot throw is reported.
        ///   - busyTimeout: How many seconds a writer waits for another process.
        ///   - changedTransformers: What becomes of a column that another transformer wrote than the one that the
        ///     model states.
        ///   - logger: Told of migrations, quarantines and sweeps.
        public init(
            opening: Opening = .createIfMissing,
            unresolved: Unresolved = .refuse,
            quarantine: Quarantine = .fail,
            busyTimeout: Double = 5,
            changedTransformers: ChangedTransformers = .refuse,
            logger: Logger? = nil
        ) {
            self.opening = opening
            self.unresolved = unresolved
            self.quarantine = quarantine
            self.busyTimeout = busyTimeout
            self.changedTransformers = changedTransformers
            self.logger = logger
        }

        /// Whether both open a store alike, whoever is told of it.
        public static func == (left: Self, right: Self) -> Bool {
            left.opening == right.opening && left.unresolved == right.unresolved
                && left.quarantine == right.quarantine && left.busyTimeout == right.busyTimeout
                && left.changedTransformers == right.changedTransformers
        }

        /// Feeds in what ``==(_:_:)`` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(opening)
            hasher.combine(unresolved)
            hasher.combine(quarantine)
            hasher.combine(busyTimeout)
            hasher.combine(changedTransformers)
        }

        /// Opens the file, or makes it.
        public static let createIfMissing = Self()
        /// Makes the file; one that is there is an error.
        public static let create = Self(opening: .create)
        /// Opens the file; none is an error.
        public static let mustExist = Self(opening: .mustExist)
        /// Opens the file and never writes.
        public static let readOnly = Self(opening: .readOnly)
    }
}
