import type { HexAddress } from "../../../src/index.ts";
import { startEvmChain, type EvmLiveChain } from "./evmChain.ts";
import type { LiveChain, Mark } from "./liveChain.ts";
import { startMoveChain } from "./moveChain.ts";
import { startWasmChain, type WasmLiveChain } from "./wasmChain.ts";

/** A collection with an answer that stops other indexers, and its token 7, which the deployer owns. */
export interface OddCollection {
  readonly address: HexAddress;
  readonly mark: Mark;
}

/** What an indexer must show of an odd collection. */
export interface OddCase<Chain extends LiveChain> {
  readonly what: string;
  readonly make: (chain: Chain) => Promise<OddCollection>;
  /** Undefined for a contract that is not a collection. */
  readonly shown: { readonly name: string; readonly uri: string } | undefined;
  /** Number of items that `left_out` counts. */
  readonly lost: number;
}

const evmCases: readonly OddCase<EvmLiveChain>[] = [
  {
    what: "a name of bytes32",
    make: (chain) => mintSeven(chain, "Bytes32Name"),
    shown: { name: "Old Cats", uri: "ipfs://7" },
    lost: 0,
  },
  {
    what: "a URI with a NUL and invalid UTF-8",
    make: (chain) => mintSeven(chain, "NulUri"),
    shown: { name: "Nul", uri: "ipfs://\uFFFDa\uFFFD" },
    lost: 1,
  },
  {
    what: "a URI that loops until its gas is used",
    make: (chain) => mintSeven(chain, "LoopingUri"),
    shown: { name: "Loop", uri: "" },
    lost: 1,
  },
];

const wasmCases: readonly OddCase<WasmLiveChain>[] = [
  {
    what: "a name of bytes",
    make: (chain) => tellSeven(chain, { contract_info: JSON.stringify({ name: [...Buffer.from("Old Cats")] }) }),
    shown: undefined,
    lost: 0,
  },
  {
    what: "a name under the newer query only",
    make: (chain) => tellSeven(chain, { get_collection_info_and_extension: JSON.stringify({ name: "New Cats" }) }),
    shown: { name: "New Cats", uri: "" },
    lost: 0,
  },
  {
    what: "a URI with a NUL",
    make: (chain) => tellSeven(chain, { contract_info: '{"name":"Nul"}' }, { token_uri: "ipfs://\0a" }),
    shown: { name: "Nul", uri: "ipfs://\uFFFDa" },
    lost: 1,
  },
  {
    what: "a URI with invalid UTF-8",
    make: (chain) => {
      const info = Buffer.concat([Buffer.from('{"token_uri":"ipfs://'), Buffer.of(0xff), Buffer.from('a"}')]);
      return tellSeven(chain, { contract_info: '{"name":"Bad"}', nft_info: info });
    },
    shown: { name: "Bad", uri: "ipfs://\uFFFDa" },
    lost: 1,
  },
  {
    // A contract whose query uses all gas is refused by the chain in the same way.
    what: "a URI that the contract does not return",
    make: (chain) => tellSeven(chain, { contract_info: '{"name":"Mute"}' }),
    shown: { name: "Mute", uri: "" },
    lost: 0,
  },
];

/** On Move, text is always UTF-8, and a URI is in the event: no code runs to read it, so none can loop. */
const moveCases: readonly OddCase<LiveChain>[] = [
  {
    what: "a name with a NUL",
    make: (chain) => mintIn(chain, "Nul\0Cats", "ipfs://7"),
    shown: { name: "Nul\uFFFDCats", uri: "ipfs://7" },
    lost: 0,
  },
  {
    what: "a URI with a NUL",
    make: (chain) => mintIn(chain, "Nul", "ipfs://\0a"),
    shown: { name: "Nul", uri: "ipfs://\uFFFDa" },
    lost: 1,
  },
];

/** A chain with odd collections. */
export interface OddChain {
  readonly name: string;
  readonly cases: readonly string[];
  /** Starts the chain with one collection of each case; returns it and what was made. */
  readonly start: () => Promise<{ readonly chain: LiveChain; readonly made: readonly MadeCase[] }>;
}

export interface MadeCase extends Omit<OddCase<never>, "make">, OddCollection {}

/** Each chain with its cases. */
export const oddChains: readonly OddChain[] = [
  oddChain("EVM", startEvmChain, evmCases),
  oddChain("Wasm", startWasmChain, wasmCases),
  oddChain("Move", startMoveChain, moveCases),
];

function oddChain<Chain extends LiveChain>(
  name: string,
  start: () => Promise<Chain>,
  cases: readonly OddCase<Chain>[],
): OddChain {
  const startWithAll = async () => {
    const chain = await start();
    const made: MadeCase[] = [];
    for (const { make, ...one } of cases) made.push({ ...one, ...(await make(chain)) });
    return { chain, made };
  };
  return { name, cases: cases.map(({ what }) => what), start: startWithAll };
}

async function mintSeven(chain: EvmLiveChain, contract: string): Promise<OddCollection> {
  const { address } = await chain.createOf(contract);
  return { address, mark: await playSeven(chain, contract, "ipfs://7") };
}

async function mintIn(chain: LiveChain, name: string, uri: string): Promise<OddCollection> {
  const { address } = await chain.create(name);
  return { address, mark: await playSeven(chain, name, uri) };
}

async function playSeven(chain: LiveChain, collection: string, uri: string): Promise<Mark> {
  const [mark] = await chain.play("deployer", [{ kind: "mint", collection, tokenId: "7", to: "deployer", uri }]);
  if (mark === undefined) throw new Error("nothing was played");
  return mark;
}

/** Makes a contract with these answers emit the mint of token 7. */
async function tellSeven(
  chain: WasmLiveChain,
  answers: Parameters<WasmLiveChain["script"]>[0],
  more: Readonly<Record<string, string>> = {},
): Promise<OddCollection> {
  const address = await chain.script(answers);
  const mint = { action: "mint", token_id: "7", owner: chain.bech32Of("deployer"), ...more };
  return { address, mark: await chain.tell(address, mint) };
}
