import Foundation
import ImagePlugin
import Transformable

/// A transformer to break, with inputs to begin with.
struct Subject {
    let expression: String
    let seeds: [[UInt8]]
    /// Decodes an input, and encodes and decodes again what comes of it.
    let attempt: ([UInt8]) throws -> Outcome

    /// The outcome of an input that broke nothing.
    enum Outcome: Hashable {
        /// It decoded, and its value survived another round trip.
        case value
        /// It was refused, with this code and message.
        case refusal(String)
    }

    /// An input whose value cannot be encoded and decoded again.
    struct Contradiction: Error {
        let reason: String
    }

    /// Describes what happens to an input.
    func trial(of input: [UInt8]) -> String {
        do {
            switch try attempt(input) {
            case .value: return "decodes, and encodes again"
            case .refusal(let sentence): return "is refused: \(sentence)"
            }
        } catch let contradiction as Contradiction {
            return "is contradictory: \(contradiction.reason)"
        } catch {
            return "is refused without a typed error: \(error)"
        }
    }
}

extension Subject {
    init<Base: Transformer>(
        _ expression: String,
        _ transformer: Base,
        seeds: [[UInt8]],
        input: @escaping ([UInt8]) -> Base.Encoded
    ) {
        self.expression = expression
        self.seeds = seeds
        attempt = { bytes in
            let value: Base.Value
            do {
                value = try transformer.decode(input(bytes), in: .none)
            } catch let error as TransformerError {
                return .refusal(error.description)
            }
            do {
                _ = try transformer.decode(transformer.encode(value, in: .none), in: .none)
            } catch {
                if let damage = Self.damage(to: value) { return .refusal(damage.description) }
                throw Contradiction(reason: "the decoded value cannot be encoded and decoded again: \(error)")
            }
            return .value
        }
    }

    /// Returns the error of an image that is damaged, which is not decoded before its pixels are needed.
    private static func damage(to value: Any) -> TransformerError? {
        guard let image = value as? RasterImage else { return nil }
        do {
            _ = try image.pixels
            return nil
        } catch {
            return error
        }
    }
}
