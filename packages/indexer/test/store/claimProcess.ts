/** Takes the write lock of the database in the first argument, reports it, and keeps it until it is killed. */
import { openStore } from "../../src/store/openStore.ts";

const store = await openStore(process.argv[2] ?? "");
await store.claimWriting();
console.log("claimed");
setInterval(() => undefined, 3_600_000);
