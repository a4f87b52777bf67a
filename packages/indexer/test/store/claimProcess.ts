/** Claims to write to the database of the first argument, says so, and keeps the claim until it is killed. */
import { openStore } from "../../src/store/openStore.ts";

const store = await openStore(process.argv[2] ?? "");
await store.claimWriting();
console.log("claimed");
setInterval(() => undefined, 3_600_000);
