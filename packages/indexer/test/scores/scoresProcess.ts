/**
 * Follows a played contract into the database in the first argument, until it is killed or has all its blocks. Prints the stored
 * height at the start and after each write, and ends with status 0.
 */
import { followScores } from "../../src/follow/followScores.ts";
import { openStore } from "../../src/store/openStore.ts";
import { bridgeId } from "./followingScores.ts";
import { playedLife } from "./playedLife.ts";

const [database = "", seed = ""] = process.argv.slice(2);
const played = playedLife(Number(seed));
const store = await openStore(database);
const indexedHeight = async () => (await store.scores.read())?.height ?? 0;
/** As a text: numbers are printed in color if color is forced. */
const print = (height: number): void => console.log(String(height));
print(await indexedHeight());
const stopping = new AbortController();
const { contract, readEvents } = played;
await followScores({
  contract,
  readEvents,
  // One block at a time, so that the process can be killed between any two.
  chain: { ...played.chain, readHead: async () => Math.min(played.head, (await indexedHeight()) + 1) },
  store: {
    ...store.scores,
    apply: async (changes, progress) => {
      await store.scores.apply(changes, progress);
      print(progress.height);
    },
    storeTree: async (tree) => {
      await store.scores.storeTree(tree);
      // The last block that changes a stage finalizes it.
      if (played.stagesAt(await indexedHeight()) === played.stagesAt(played.head)) stopping.abort();
    },
  },
  bridgeId,
  pollMs: 1,
  signal: stopping.signal,
});
await store.close();
