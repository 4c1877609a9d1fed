// Who declares entities opens stores and names transformers: one import gives all three.
@_exported public import Transformable
@_exported public import TransformableStore
