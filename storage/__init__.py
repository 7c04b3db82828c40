"""Records, write-once datasets, phrase memory, ledger and model registry."""
