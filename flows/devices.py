"""Devices that settings ask for and this machine does not have."""

from flows.settings import Settings
from model.device_names import kind_of


def missing_devices(settings: Settings) -> list[str]:
    """Say which devices are missing; results that were computed elsewhere can be used all the same,
    so this is no error before something has to be computed.
    """
    training, decoding = settings.training, settings.decoding
    wanted = (
        (training.device, "training.device", training.processes // training.nodes),
        (decoding.device, "decoding.device", 1),
    )
    if all(kind_of(name) == "cpu" for name, _, _ in wanted):
        return []
    from model.machine import NoDevice, device_of

    found = []
    for name, setting, processes in wanted:
        try:
            device_of(name, setting, processes=processes)
        except NoDevice as error:
            found.append(f"{settings.file}: {error}")
    return found
