/**
 * Follows the chain at the URL in the first argument into the SQLite file in the second, until it is killed. Prints the
 * stored height at the start and after each block, and "settled" once it has all URIs.
 */
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import { followChain } from "../../src/follow/followChain.ts";
import { openStore } from "../../src/store/openStore.ts";

const [jsonRpcUrl = "", file = ""] = process.argv.slice(2);
const chain = evmChain({ jsonRpcUrl });
const store = await openStore(file);
/** As a text: numbers are printed in color if color is forced. */
const print = (value: number | string): void => console.log(String(value));
// Includes what an earlier process stored before it was killed.
print((await store.readChain())?.height ?? 0);
await followChain({
  // One block at a time, so that the process can be killed between any two.
  chain: { ...chain, blocksPerRead: 1 },
  store,
  pollMs: 5,
  onEvent: (event) => {
    if (event.type === "urisRead" && event.pendingUris === 0) print("settled");
    else print(event.type === "indexed" ? event.height : event.type);
  },
  signal: new AbortController().signal,
});
