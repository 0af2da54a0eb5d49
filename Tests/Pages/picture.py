"""Makes the pictures of the front page: the run that it names, in the studio, with the message that it follows.

Usage: picture.py [--program MESHBED]

Writes studio.webp and studio-dark.webp into the resources of the documentation.
"""

import argparse
import base64
import pathlib
import subprocess
import tempfile

from browser import Browser, loopback_up

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "Sources/MeshTestbed/MeshTestbed.docc/Resources"
SIZE = (1280, 760)
# While the text flies over the valley.
SCRIPT = """
const player = globalThis.meshbedPlayer;
const message = player.store.messages.find(one => one.text.includes("Lunch"));
document.querySelector("#legend").open = false;
player.chooseMessage(message);
const path = player.way.paths[0];
const hop = path.hops[Math.floor(path.hops.length / 2)];
player.seek(hop.begin + (hop.end - hop.begin) * 0.72);
const first = player.way.hops[0].begin;
player.lanes.show(first - 0.4e6, Math.max(path.end, hop.end) + 1.2e6);
return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=".build/release/meshbed")
    program = str(pathlib.Path(parser.parse_args().program).resolve())
    loopback_up()
    with tempfile.TemporaryDirectory() as folder, Browser(folder) as browser:
        trace, page = pathlib.Path(folder) / "valley.ndjson", pathlib.Path(folder) / "valley.html"
        subprocess.run([program, "mesh", "run", str(RESOURCES / "valley.json"), "--seed", "7", "--for", "120s",
                        "--trace", str(trace)], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([program, "studio", "--open", str(trace), "--export", str(page)], check=True)
        for scheme, name in (("light", "studio.webp"), ("dark", "studio-dark.webp")):
            browser.show(page.as_uri(), 1440, scheme)
            browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1.5, "mobile": False})
            browser.until("the page is ready", "return document.body.dataset.state === 'ready'")
            browser.run(SCRIPT)
            shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 82})
            (RESOURCES / name).write_bytes(base64.b64decode(shot["data"]))
            print(f"{name}: {(RESOURCES / name).stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
