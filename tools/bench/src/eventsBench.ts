import { parseArgs } from "node:util";
import { endProcess, nextMessage, startProcess } from "./childProcess.ts";
import type { EventsCost, EventsResult } from "./eventsReader.ts";
import type { PolicyReaderResult } from "./policyReader.ts";
import { readWithCryo } from "./readWithCryo.ts";

/**
 * Measures how fast plain loops and our reader read the events of a played node, and what a policy over them costs, each in its own
 * process: `eventsBench [--vm evm|move|wasm] [--events N] [--cryo <Python that has cryo>]`.
 */
const ofComet = ["plainBlocks", "readCosmosEvents"];
const readers: Readonly<Record<string, readonly string[]>> = {
  evm: ["plain", "plainWithTimes", "readEvmEvents"],
  move: ofComet,
  wasm: ofComet,
};
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1000000" },
    vm: { type: "string", default: "evm" },
    cryo: { type: "string" },
  },
});
const ofVm = readers[values.vm];
if (ofVm === undefined) {
  console.error(`--vm "${values.vm}" is not one of ${Object.keys(readers).join(", ")}`);
  process.exit(2);
}
const events = Number(values.events);
if (!Number.isSafeInteger(events) || events < 1) {
  console.error(`--events "${values.events}" is not a number of events`);
  process.exit(2);
}
const server = startProcess(new URL("./playedServer.ts", import.meta.url), [values.vm, String(events)]);
try {
  const { url, last } = (await nextMessage(server)) as { readonly url: string; readonly last: number };
  const cpuOfNode = async (): Promise<number> => {
    server.send("cpu");
    return (await nextMessage(server)) as number;
  };
  const found = new Set<string>();
  const measure = async (reader: string, read: () => Promise<EventsCost>): Promise<void> => {
    const before = await cpuOfNode();
    const { seconds, cpuSeconds, peakRss, events: count } = await read();
    const rate = `${(count / seconds).toFixed(0)} events/s, ${(last / seconds).toFixed(0)} blocks/s`;
    const cpu = `CPU ${cpuSeconds.toFixed(1)} s, of the node ${((await cpuOfNode()) - before).toFixed(1)} s`;
    const memory = `peak ${(peakRss / 1024 / 1024).toFixed(0)} MiB`;
    console.log(`${reader.padEnd(16)} ${count} events in ${seconds.toFixed(1)} s (${cpu}), ${rate}, ${memory}`);
  };
  for (const reader of ofVm) {
    await measure(reader, async () => {
      const child = startProcess(new URL("./eventsReader.ts", import.meta.url), [reader, url, String(last)]);
      const { sha256, ...cost } = (await nextMessage(child)) as EventsResult;
      found.add(sha256);
      return cost;
    });
  }
  const { cryo } = values;
  if (cryo !== undefined) await measure("cryo", () => readWithCryo(cryo, url, last));
  const child = startProcess(new URL("./policyReader.ts", import.meta.url), [values.vm, url, String(last)]);
  const policy = (await nextMessage(child)) as PolicyReaderResult;
  const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  console.log(
    `policy           ${policy.events} events, ${policy.accounts} accounts: ${policy.collectSeconds.toFixed(1)} s with collection, ${policy.storedSeconds.toFixed(1)} s with stored events (CPU ${policy.cpuSeconds.toFixed(1)} s), peak ${mebibytes(policy.peakRss)}, ${mebibytes(policy.diskBytes)} on disk`,
  );
  if (found.size !== 1) throw new Error("the readers found different events");
} finally {
  await endProcess(server);
}
