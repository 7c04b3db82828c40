"""Read what users have: one file for each family of formats."""
