// Code that declares entities also opens stores and names transformers, so a single import provides all three.
@_exported public import Transformable
@_exported public import TransformableSQLite
