// Loaded before a push (`node --import`), ends it at a step: KILL_AT=<step>:<number>, counted from 1. The steps of a batch are
// `bytes` (before its signed bytes are on disk), `line` (after them, before the journal's line), `send` (after a line, before the
// network), and `request` (while the node reads a request with transactions). `full` fails to write the bytes: no space is left.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [step, number] = (process.env.KILL_AT ?? "").split(":");
const counts = {};

function pass(name) {
  counts[name] = (counts[name] ?? 0) + 1;
  return name === step && counts[name] === Number(number);
}

function killAt(name) {
  if (pass(name)) process.kill(process.pid, "SIGKILL");
}

const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  const areBytes = String(to).endsWith(".signed");
  if (areBytes && pass("full")) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  if (areBytes) killAt("bytes");
  await rename(from, to);
  if (areBytes) killAt("line");
};

const { fdatasync } = fs;
fs.fdatasync = (fd, done) =>
  fdatasync(fd, (error) => {
    killAt("send");
    done(error);
  });
syncBuiltinESMExports();

const { fetch } = globalThis;
globalThis.fetch = (url, init) => {
  const answer = fetch(url, init);
  const body = typeof init?.body === "string" ? init.body : "";
  if (/broadcast_tx|sendRawTransaction|tx_bytes/.test(body) && pass("request"))
    setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 20);
  return answer;
};
