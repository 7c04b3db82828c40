"""Translations rated by people: blinded worksheets, what raters return, and how far they agree."""
