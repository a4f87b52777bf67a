import { stage as toStage } from "@vipscore/core";
import { createApi, openStore, serveApi, startIndexer } from "@vipscore/indexer";
import { buildSnapshot, readStoredProof } from "@vipscore/snapshot";
import { servePlayed } from "@vipscore/testkit/rpcCalls";
import { accountAt, playedScores, playedStage, scoreAt } from "./playedScores.ts";
import { PlayedTokens } from "./playedTokens.ts";

/** CPU time and peak memory of a process so far; without the database's. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly peakRss: number;
}

/** What filling a database cost. */
export interface Ingest extends Usage {
  /** Time until the owners of all tokens are stored, in seconds. */
  readonly ownersSeconds: number;
  /** Time until all URIs are stored, too, in seconds. */
  readonly seconds: number;
}

/**
 * A process of the indexer's bench: `indexerParts node <tokens>`, `ingest <database> <url> <last block>`,
 * `score <database> <url> <accounts>`, `prove <database> <url> <accounts>` or `serve <database>`. Sends what it has to say, then its {@link Usage} for each message, and ends with its parent.
 */
const [, , part, first = "", url = "", last] = process.argv;
process.on("message", () => process.send?.(usage()));
process.on("disconnect", () => process.exit(0));
const parts: Readonly<Record<string, () => Promise<object>>> = { node: play, ingest, score, prove, serve };
process.send?.(await parts[part ?? ""]?.());

async function play() {
  const played = new PlayedTokens(Number(first));
  return { url: (await servePlayed(played)).url, last: played.height };
}

async function ingest(): Promise<Ingest> {
  const started = performance.now();
  const secondsSoFar = () => (performance.now() - started) / 1_000;
  let ownersSeconds = 0;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const indexer = await startIndexer({
    source: { jsonRpcUrl: url },
    database: first,
    onEvent: (event) => {
      if (event.type === "waiting") console.error(event.error.message);
      if (event.type === "indexed" && event.height === Number(last)) ownersSeconds = secondsSoFar();
      if (event.type === "urisRead" && event.pendingUris === 0) finish();
    },
  });
  await Promise.race([finished, indexer.ended]);
  const cost = { ownersSeconds, seconds: secondsSoFar(), ...usage() };
  await indexer.stop();
  return cost;
}

/** Stores a stage of a contract that is read as a whole. */
async function score(): Promise<Usage & { readonly seconds: number }> {
  const started = performance.now();
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const indexer = await startIndexer({
    source: { jsonRpcUrl: url },
    database: first,
    nfts: false,
    scores: playedScores(Number(last)),
    onEvent: ({ type }) => type === "scored" && finish(),
  });
  await Promise.race([finished, indexer.ended]);
  const cost = { seconds: (performance.now() - started) / 1_000, ...usage() };
  await indexer.stop();
  return cost;
}

/** Stores the tree of the stage, and makes 1,000 proofs from it. */
async function prove() {
  const accounts = Number(last);
  const { scores } = await openStore(first);
  const contract = playedScores(accounts);
  const bridgeId = 1n;
  await scores.begin(contract.identity, bridgeId);
  const info = await contract.getStage(toStage(playedStage));
  if (info === undefined) throw new Error("the contract has no stage");
  const { stage, total } = info;
  const started = usage().cpuSeconds;
  const rows = Array.from({ length: accounts }, (_, index) => ({
    account: accountAt(index),
    score: scoreAt(index, accounts),
  }));
  const snapshot = buildSnapshot({ bridgeId, stage, total, rows });
  await scores.storeTree({ stage, root: snapshot.root ?? "", parts: [...snapshot.parts()] });
  const stored = usage().cpuSeconds;
  const tree = scores.openTree(stage);
  for (let proof = 0; proof < 1_000; proof += 1) {
    const row = rows[(proof * 7_919) % accounts] ?? { account: "", score: 0n };
    if ((await readStoredProof(tree, { bridgeId, stage, total, ...row })) === undefined) throw new Error("no proof");
  }
  return { treeCpuSeconds: stored - started, proofCpuMs: usage().cpuSeconds - stored, ...usage() };
}

async function serve() {
  const api = createApi({ store: await openStore(first) });
  return { url: (await serveApi({ api, host: "127.0.0.1", port: 0 })).url };
}

function usage(): Usage {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return { cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000, peakRss: maxRSS * 1_024 };
}
