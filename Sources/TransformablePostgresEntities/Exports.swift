// This module's declarations use names from both modules that it joins.
@_exported public import TransformableEntities
@_exported public import TransformablePostgres
