internal import Foundation
internal import Transformable
internal import _HostileInputs

extension LawCheck {
    /// Checks that decoding a damaged form either throws a typed error or returns a value that can be encoded again.
    func checkDamage() {
        guard let transformer = laws.reversible else { return }
        for (index, value) in laws.values.enumerated() {
            phase("encoding \(describe(index))") {
                guard let encoded = try? transformer.encode(value, in: context) else { return }
                checkDamage(of: encoded, transformer, index, describe(index))
                guard let form = streamedForm(of: value), areIdentical(form, encoded) == false else { return }
                checkDamage(of: form, transformer, index, "\(describe(index)), encoded by a stream")
            }
        }
    }

    private func checkDamage(
        of encoded: Encoded,
        _ transformer: any Transformer<Value, Encoded>,
        _ index: Int,
        _ origin: String
    ) {
        for (name, make) in damages(of: encoded, index) {
            let subject = "\(origin), \(name)"
            steps.step("decoding \(subject)") {
                guard let damaged = make(), areIdentical(damaged, encoded) != true else { return }
                decode(damaged, transformer, subject)
            }
            guard transformer is any StreamTransformer else { continue }
            steps.step("decoding by a stream \(subject)") {
                guard let damaged = make(), areIdentical(damaged, encoded) != true else { return }
                checkStream(of: damaged, "\(subject), in two pieces")
            }
        }
    }

    /// Returns damaged forms.
    ///
    /// Very large forms take the most time, so they are included only for the first few values.
    private func damages(of encoded: Encoded, _ index: Int) -> [(name: String, make: () -> Encoded?)] {
        let seed = laws.options.seed &+ UInt64(index) << 32
        func all<Form: Damageable>(_ form: Form) -> [(name: String, make: () -> Encoded?)] {
            form.damages(limit: laws.options.damagesPerValue, seed: seed)
                .filter { $0.kind != .oversize || index < laws.options.oversizedValues }
                .map { damage in
                    (name: damage.description, make: { damage.make() as? Encoded })
                }
        }
        return (encoded as? any Damageable).map { all($0) } ?? []
    }

    private func decode(_ damaged: Encoded, _ transformer: any Transformer<Value, Encoded>, _ subject: String) {
        let value: Value
        do {
            value = try transformer.decode(damaged, in: context)
        } catch {
            inspect(error, subject)
            return
        }
        let isForged = traits.contains(.authenticated)
        expect(!isForged, .authenticated, "\(subject): decodes, but the transformer claims to be authenticated")
        do {
            let again = try transformer.decode(transformer.encode(value, in: context), in: context)
            // Damage can produce a number that is not equal to itself, and lossy transformers do not preserve equality.
            let isComparable = laws.areEqual(value, value) && !traits.contains(.lossy)
            let isKept = !isComparable || laws.areEqual(value, again)
            expect(
                isKept,
                .encodesAgain,
                "\(subject): decodes to \(shown(value)), whose round trip gives \(shown(again))"
            )
        } catch {
            expect(false, .encodesAgain, "\(subject): decodes to \(shown(value)), which \(describe(error))")
            inspect(error, subject)
        }
    }

    /// Checks that an error is typed, has a useful message, and does not reveal confidential values.
    func inspect(_ error: any Error, _ subject: @autoclosure () -> String) {
        guard let typed = error as? TransformerError else {
            expect(false, .typedErrors, "\(subject()): \(describe(error)), which is not a TransformerError")
            return
        }
        let isSentence = typed.message.split(separator: " ").count > 1
        expect(isSentence, .typedErrors, "\(subject()): “\(typed.message)” is not a sentence that says what is wrong")
        expect((typed.offset ?? 0) >= 0, .typedErrors, "\(subject()): the error has a negative offset")
        guard traits.contains(.confidential) else { return }
        let text = [String(reflecting: typed), typed.description, typed.underlying.map { "\($0)" } ?? ""].joined()
        expect(
            !secrets.areSeen(in: text),
            .confidential,
            "\(subject()): the error with the code \(typed.code) reveals a value"
        )
    }
}

/// Fragments that would reveal values in a message, which may quote any part of them.
struct SecretFragments {
    /// The number of bytes in a fragment, which makes accidental matches unlikely.
    private static let length = 8
    private var pieces: Set<UInt64> = []

    /// Collects the fragments of values: of text and bytes in several forms, of numbers, and of nested values.
    init(_ values: [Any]) {
        for value in values {
            insert(value, depth: 0)
        }
    }

    /// Returns whether text contains a fragment of a value.
    func areSeen(in text: String) -> Bool {
        !pieces.isEmpty && Self.pieces(of: text).contains { pieces.contains($0) }
    }

    private mutating func insert(_ value: Any, depth: Int) {
        switch value {
        case let text as String:
            insert(text)
        case let bytes as Data:
            insert(bytes)
        case let bytes as [UInt8]:
            insert(Data(bytes))
        case let number as any Numeric:
            insert("\(number)")
        default:
            guard depth < 8 else { return }
            for child in Mirror(reflecting: value).children {
                insert(child.value, depth: depth + 1)
            }
        }
    }

    private mutating func insert(_ bytes: Data) {
        insert(HexadecimalText.text(of: bytes))
        insert(HexadecimalText.text(of: bytes, uppercase: true))
        insert(bytes.base64EncodedString())
        insert(String(decoding: bytes, as: UTF8.self))
        insert("\([UInt8](bytes.prefix(400)))")
    }

    private mutating func insert(_ text: String) {
        // Repetitive fragments, such as padding and zeros, would match by accident.
        pieces.formUnion(Self.pieces(of: String(text.prefix(400))).filter { Self.variety(of: $0) > 3 })
    }

    private static func pieces(of text: String) -> [UInt64] {
        var window: UInt64 = 0
        return text.utf8.enumerated()
            .compactMap { index, byte in
                window = window << 8 | UInt64(byte)
                return index + 1 < length ? nil : window
            }
    }

    private static func variety(of piece: UInt64) -> Int {
        Set((0..<length).map { UInt8(truncatingIfNeeded: piece >> UInt64($0 * 8)) }).count
    }
}
