"""The rules by which a trained model may take the place of the one in production."""
