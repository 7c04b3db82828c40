"""A grammar of dates, numbers and quantities: it translates or abstains."""
