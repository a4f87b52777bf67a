import { openIndexer } from "@vipscore/indexer-client";
import { getAccount, getStages, listAccounts } from "@vipscore/indexer-client/scores";

const indexer = openIndexer("https://indexer.example.org");
const [newest] = await getStages(indexer);
if (newest === undefined) throw new Error("the contract has no stage yet");

const mine = await getAccount(indexer, newest.stage, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz");
console.log(
  `rank ${mine.rank} of ${newest.accounts}, ${BigInt(mine.score)} of ${newest.total}, at block ${newest.height}`,
);

const { items } = await listAccounts(indexer, newest.stage).page({ limit: 10 });
console.log(items.map(({ rank, account, score }) => `${rank} ${account} ${score}`));
