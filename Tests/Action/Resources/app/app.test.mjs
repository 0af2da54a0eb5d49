import assert from "node:assert/strict";
import test from "node:test";

import { Radio } from "./app.mjs";

const place = process.env.RADIO ?? "127.0.0.1:5000";

test("the app reads the name of the radio (CMP-044)", async () => {
  const radio = await Radio.at(place);
  assert.equal(await radio.name(), "alice");
  radio.close();
});

test("the app knows the level of the protocol", async () => {
  const radio = await Radio.at(place);
  assert.ok((await radio.version()) >= 9);
  radio.close();
});
