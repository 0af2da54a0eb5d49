// The shared worker of all tabs: it reads the stream of events once, and passes it on.

import { Hub, openStream, pump } from "./hub.mjs";

/** Hubs by the key that the program gave: who has another key sees another program, or an older one. */
const hubs = new Map();

function hub(address, headers) {
  const key = JSON.stringify([address, headers]);
  const known = hubs.get(key);
  if (known) return known;
  const hub = new Hub();
  hubs.set(key, hub);
  return hub;
}

globalThis.onconnect = ({ ports: [port] }) => {
  const tab = (message) => port.postMessage(message);
  let joined = null;
  port.onmessage = ({ data }) => {
    if (data.leave) return joined?.leave(tab);
    joined = hub(data.address, data.headers);
    joined.join(tab, data.after);
    // A stream that was refused is asked for again by who comes next.
    joined.reading ??= pump(joined, (after, signal) => openStream(data.address, data.headers, after, signal))
      .finally(() => { joined.reading = null; });
  };
};
