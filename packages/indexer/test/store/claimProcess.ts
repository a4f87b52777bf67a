/**
 * Takes the write lock of the database in the first argument, reports it, and keeps it until it is killed, although nothing
 * refers to its store anymore.
 */
import { collectGarbage } from "@vipscore/testkit/collectGarbage";
import { openStore } from "../../src/store/openStore.ts";

const claim = async (): Promise<void> => (await openStore(process.argv[2] ?? "")).claimWriting();
await claim();
await collectGarbage();
console.log("claimed");
setInterval(() => undefined, 3_600_000);
