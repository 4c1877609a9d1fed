/// What protects a key ring's file besides its owner's rights.
enum KeyFileProtection {
    /// Nothing but its mode.
    case mode
    /// A passphrase, and what each guess at it costs.
    case passphrase(SecureBytes, PassphraseCost)

    var cost: PassphraseCost? {
        if case .passphrase(_, let cost) = self { cost } else { nil }
    }
}
