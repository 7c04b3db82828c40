"""Answers to an auditor's questions as text, JSON and drawings; rows in, texts out."""
