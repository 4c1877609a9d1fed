/// The protection of a key ring's file, in addition to its permissions.
enum KeyFileProtection {
    /// No additional protection.
    case mode
    /// A passphrase, and the cost of each guess at it.
    case passphrase(SecureBytes, PassphraseCost)

    var cost: PassphraseCost? {
        if case .passphrase(_, let cost) = self { cost } else { nil }
    }
}
