"""Refusing a setting by name."""


def require(holds: bool, setting: str, value: object, expected: str) -> None:
    """Refuse a setting with a message that names it, its value and what was expected.

    Raises:
        ValueError: it does not hold.
    """
    if not holds:
        raise ValueError(f"{setting} is {value!r}; it must be {expected}.")


def one_of(setting: str, value: str, choices: tuple[str, ...]) -> None:
    """Refuse a value that is not among the choices.

    Raises:
        ValueError: it is not.
    """
    require(value in choices, setting, value, "one of " + ", ".join(choices))
