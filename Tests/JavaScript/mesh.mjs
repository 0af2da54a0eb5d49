// A mesh for tests in JavaScript, with what node brings along: the command as a child, and its API through fetch.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A refusal of the mesh, with the API's code. */
export class MeshError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Mesh {
  /** Starts a world. It ends with `close`, and when this process ends in whatever way: its input closes then. */
  static async start(world, { seed = 7, endpoints = ["alice"], binary = process.env.MESHBED ?? "meshbed" } = {}) {
    const child = spawn(binary, [
      "emulate", world, "--time", "stepped", "--seed", String(seed), "--control", "http://127.0.0.1:0",
      "--ready-json", "--until-stdin-closes",
      ...endpoints.flatMap((name) => ["--endpoint", `${name}=tcp://127.0.0.1:0`]),
    ], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(createInterface(child.stdout), "line");
    return new Mesh(child, JSON.parse(line));
  }

  constructor(child, ready) {
    this.child = child;
    this.url = ready.control;
    this.provenance = ready.provenance;
    this.radios = Object.fromEntries(
      ready.nodes.filter((node) => node.endpoint?.startsWith("tcp://")).map((node) => {
        const { hostname, port } = new URL(node.endpoint.replace("tcp:", "http:"));
        return [node.name, { host: hostname, port: Number(port) }];
      }));
  }

  async ask(method, path, body) {
    const response = await fetch(this.url + path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new MeshError(answer.error.code, answer.error.message);
    return answer;
  }

  /** Lets time pass. Clients have had all bytes up to then. */
  advance(seconds) {
    return this.ask("POST", "/advance", { seconds });
  }

  /** Lets time pass until the condition holds. */
  async runUntil(condition, seconds = 60) {
    const { isMet, state } = await this.ask("POST", "/run-until", { condition, seconds });
    if (!isMet) throw new MeshError("not-met", `${JSON.stringify(condition)} not within ${seconds} s; digest ${state.digest}`);
    return state;
  }

  /** Has a node do something: `act("bob", "sends", { text: "hi", to: "alice" })`. */
  act(node, verb, body = {}) {
    return this.ask("POST", `/nodes/${encodeURIComponent(node)}/${verb}`, body);
  }

  snapshot(name) {
    return this.ask("POST", "/snapshots", { name });
  }

  restore(name) {
    return this.ask("POST", `/snapshots/${name}/restore`, {});
  }

  /** What happens from now on: lines of a trace, as server-sent events. */
  async *events(signal) {
    const response = await fetch(this.url + "/events", { signal });
    let text = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      let end;
      while ((end = text.indexOf("\n\n")) >= 0) {
        const data = text.slice(0, end).split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
        text = text.slice(end + 2);
        if (data.length > 0) yield JSON.parse(data.join("\n"));
      }
    }
  }

  async close() {
    this.child.stdin.end();
    await once(this.child, "exit");
  }
}
