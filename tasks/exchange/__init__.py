"""The phrase memory in the forms of other tools; texts out of rows, no files."""
