"""A phone of Bumble's that finds a companion radio, pairs with its PIN and asks it for itself.

    python Tests/Bluetooth/phone.py 127.0.0.1:PORT [PIN]

PORT is that of the phone's controller, which hears the radio's. The PIN is 123456 unless told otherwise.
"""

import asyncio
import logging
import sys

from central import Central

APP_START, GET_TIME, SELF_INFO, TIME = 1, 5, 5, 9


async def main(place, pin=123456):
    phone = Central(int(place.rpartition(":")[2]), pin=int(pin))
    await phone.open()
    try:
        found = await phone.begin()
        print(f"paired with {found.name} at {str(found.address).removesuffix('/P')}")
        info = await phone.ask(bytes([APP_START]) + bytes(7) + b"phone", SELF_INFO)
        print(f"its key is {info[4:36].hex()}")
        seconds = await phone.ask(bytes([GET_TIME]), TIME)
        print(f"its clock shows {int.from_bytes(seconds[1:5], 'little')}")
        await phone.disconnect()
    finally:
        await phone.close()


if __name__ == "__main__":
    for name in ("bumble", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    asyncio.run(main(*sys.argv[1:]))
