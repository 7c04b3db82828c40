"""The steps of the pipeline, and in the folders below the pure code that they call."""
