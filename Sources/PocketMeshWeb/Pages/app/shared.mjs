// Follows the events of the program by one stream for all tabs of this browser: a browser has six connections to a host,
// and a stream for each tab would use them up.
//
// A shared worker reads the stream. Where there is none, the tab with the lock reads and tells the others, and the next one
// does when it has gone. Where there is neither, each tab reads for itself.

import { Follower, Hub, openStream, pump } from "./hub.mjs";

/** How long a tab that comes in view waits for a sign of the reader, in milliseconds. */
const PATIENCE = 3000;

/**
 * Follows the events behind a number: `told` gets each event, `changed` is told "open", "closed" or "refused", and
 * `missed` runs when everything has to be read again.
 */
export function followShared({ address, headers, after, handlers }) {
  const follower = new Follower(after, handlers);
  const open = (last, signal) => openStream(address, headers, last, signal);
  const alone = () => readAlone(follower, open);
  const locked = () => (globalThis.navigator?.locks && globalThis.BroadcastChannel
    ? readByLock(`meshbed ${address} ${headers.Authorization}`, follower, open) : alone());
  if (globalThis.SharedWorker) readByWorker(follower, { address, headers }, locked);
  else locked();
}

function readAlone(follower, open) {
  const hub = new Hub();
  hub.join((message) => follower.take(message), follower.last);
  pump(hub, open);
}

/** The address of the worker, for browsers that ask for a promise that it is no text from outside. */
function workerAddress() {
  const address = new URL("stream.mjs", import.meta.url).href;
  if (!globalThis.trustedTypes) return address;
  return trustedTypes.createPolicy("meshbed-stream", { createScriptURL: () => address }).createScriptURL("");
}

function readByWorker(follower, words, otherwise) {
  let address;
  try {
    address = workerAddress();
  } catch {
    return otherwise();
  }
  let port = null;
  let isHeard = false;
  const start = () => {
    const worker = new SharedWorker(address, { type: "module", name: "meshbed" });
    worker.onerror = () => {
      if (isHeard || !port) return;
      port.close();
      port = null;
      otherwise();
    };
    ({ port } = worker);
    port.onmessage = ({ data }) => {
      isHeard = true;
      follower.take(data);
    };
    join();
  };
  const join = () => port.postMessage({ ...words, after: follower.last });
  start();
  addEventListener("pagehide", () => port?.postMessage({ leave: true }));
  // Who comes back has missed what came meanwhile, or the worker has ended without a word.
  whenInView(() => {
    if (!port) return;
    isHeard = false;
    join();
    setTimeout(() => { if (port && !isHeard) start(); }, PATIENCE);
  });
}

function readByLock(name, follower, open) {
  const channel = new BroadcastChannel(name);
  const others = (message) => channel.postMessage(message);
  let hub = null;
  let isHeard = false;
  channel.onmessage = ({ data }) => {
    if (data.join !== undefined) return hub?.join(others, data.join);
    isHeard = true;
    follower.take(data);
  };
  const lead = async (options) => {
    const stop = new AbortController();
    try {
      await navigator.locks.request(name, options, () => {
        hub = new Hub();
        hub.join((message) => follower.take(message), follower.last);
        hub.join(others, follower.last);
        return pump(hub, open, stop.signal);
      });
    } catch {
      // Another tab has taken the lock: this one waits for its turn again.
      stop.abort();
      hub = null;
      lead({});
    }
  };
  others({ join: follower.last });
  lead({});
  whenInView(() => {
    if (hub) return;
    isHeard = false;
    others({ join: follower.last });
    // A browser may have stopped the tab with the lock.
    setTimeout(() => { if (!hub && !isHeard) lead({ steal: true }); }, PATIENCE);
  });
}

function whenInView(act) {
  document.addEventListener("visibilitychange", () => { if (!document.hidden) act(); });
  addEventListener("pageshow", (event) => { if (event.persisted) act(); });
}
