// Stands for an app: asks a companion radio on a port for its name.

import { once } from "node:events";
import { connect } from "node:net";

const [DEVICE_QUERY, APP_START, SELF_INFO] = [0x16, 0x01, 0x05];

/** A connection, on which frames have the mark and the length that serial links and TCP have. */
export class Radio {
  static async at(address) {
    const [host, port] = address.split(":");
    const socket = connect(Number(port), host);
    await once(socket, "connect");
    return new Radio(socket);
  }

  constructor(socket) {
    this.socket = socket;
    this.bytes = Buffer.alloc(0);
  }

  async ask(frame) {
    const head = Buffer.from([0x3c, 0, 0]);
    head.writeUInt16LE(frame.length, 1);
    this.socket.write(Buffer.concat([head, frame]));
    for (;;) {
      const length = this.bytes.length >= 3 ? this.bytes.readUInt16LE(1) : Infinity;
      if (this.bytes.length >= 3 + length) {
        const answer = this.bytes.subarray(3, 3 + length);
        this.bytes = this.bytes.subarray(3 + length);
        return answer;
      }
      const [more] = await once(this.socket, "data", { signal: AbortSignal.timeout(5000) });
      this.bytes = Buffer.concat([this.bytes, more]);
    }
  }

  async version() {
    return (await this.ask(Buffer.from([DEVICE_QUERY, 3])))[1];
  }

  /** The name stands behind 58 bytes of SELF_INFO. */
  async name() {
    const info = await this.ask(Buffer.concat([Buffer.from([APP_START, 1, 0, 0, 0, 0, 0, 0]), Buffer.from("app")]));
    if (info[0] !== SELF_INFO) throw new Error(`no SELF_INFO: ${info.toString("hex")}`);
    return info.subarray(58).toString();
  }

  close() {
    this.socket.destroy();
  }
}
