"""The behaviour of the two chip families of companion radios over Bluetooth. Source: CompanionStatements, CMP-019 to CMP-032."""

from dataclasses import dataclass

from bumble.core import AdvertisingData


@dataclass(frozen=True)
class Family:
    """`rx` and `tx` are the properties of the characteristics, `service_list` the kind of advertised list."""

    name: str
    profile: str
    rx: int
    tx: int
    mtu: int
    tx_first: bool
    service_list: int
    # Of frames: how long a link rests behind each, in seconds.
    gap: float


NRF52 = Family("nRF52", "rak4631", 0x0C, 0x10, 247, True,
               AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, 0)
ESP32 = Family("ESP32", "heltec-v3", 0x08, 0x12, 176, True,
               AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, 0.06)
ALL = [NRF52, ESP32]
