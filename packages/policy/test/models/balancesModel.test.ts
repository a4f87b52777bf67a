import fc from "fast-check";
import { encodeDeployData, encodeFunctionData } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHardhatProvider, serveJsonRpc, type HardhatProvider, type LoopbackServer } from "@vipscore/localnet";
import { compileSolidity } from "@vipscore/testkit/compileSolidity";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { collectSource } from "../collectSource.ts";
import { addTo } from "./exampleRun.ts";

let chain: HardhatProvider;
let server: LoopbackServer;
/** Two that send, and two that only receive. */
let accounts: readonly string[];

beforeAll(async () => {
  chain = await createHardhatProvider({ freeGas: true });
  server = await serveJsonRpc((method, params) => chain.request({ method, params }), 0);
  const senders = chain.accounts.slice(0, 2).map(({ address }) => address.toLowerCase());
  accounts = [...senders, `0x${"77".repeat(20)}`, `0x${"88".repeat(20)}`];
});
afterAll(async () => {
  await server.close();
  await chain.close();
});

/** What happens in a block. */
interface Action {
  readonly kind: "transfer" | "mint" | "burn";
  /** Indexes of accounts. */
  readonly from: number;
  readonly to: number;
  readonly value: bigint;
  /** Empty blocks after it. */
  readonly empty: number;
}

const actions = (kinds: readonly Action["kind"][]): fc.Arbitrary<readonly Action[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      from: fc.nat(1),
      to: fc.nat(3),
      value: fc.oneof(fc.bigInt(0n, 10n ** 18n), fc.constantFrom(0n, 1n)),
      empty: fc.constantFrom(0, 0, 2),
    }),
    { minLength: 1, maxLength: 12 },
  );

/** Sends a transaction, which is in a block when it returns; returns the address of a contract that it created. */
async function send(transaction: object): Promise<string> {
  const paid = { gasPrice: "0x0", gas: "0x100000", ...transaction };
  // A transaction that fails is in a block, too.
  const hash = await chain.request({ method: "eth_sendTransaction", params: [paid] }).catch(() => undefined);
  if (hash === undefined) return "";
  const receipt = await chain.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return (receipt as { readonly contractAddress: string | null }).contractAddress ?? "";
}

async function height(): Promise<number> {
  return Number(await chain.request({ method: "eth_blockNumber", params: [] }));
}

/** Balances of a kind, and how an action changes them on the chain. */
interface Case {
  readonly fields: string;
  readonly start: ReadonlyMap<string, bigint>;
  readonly kinds: readonly Action["kind"][];
  readonly play: (action: Action) => Promise<unknown>;
}

function ofNativeToken(): Case {
  return {
    fields: "",
    start: new Map(accounts.map((account, index) => [account, index < 2 ? 10_000n * 10n ** 18n : 0n])),
    kinds: ["transfer"],
    play: ({ from, to, value }) => send({ from: accounts[from], to: accounts[to], value: `0x${value.toString(16)}` }),
  };
}

async function ofToken(): Promise<Case> {
  const { Token } = await compileSolidity(new URL("Token.sol", import.meta.url));
  if (Token === undefined) throw new Error("Token.sol has no Token");
  const { abi } = Token;
  const token = await send({ from: accounts[0], data: encodeDeployData(Token) });
  return {
    fields: `token = "${token}"`,
    start: new Map(accounts.map((account) => [account, 0n])),
    kinds: ["transfer", "transfer", "mint", "burn"],
    play: ({ kind, from, to, value }) => {
      const args = kind === "burn" ? [value] : [accounts[to], value];
      return send({ from: accounts[from], to: token, data: encodeFunctionData({ abi, functionName: kind, args }) });
    },
  };
}

test.each([
  ["the native token", ofNativeToken],
  ["an ERC-20 token", ofToken],
])("balances of %s after any block are those of an independent model", async (_, open) => {
  const { fields, start, kinds, play } = await open();
  const balances = new Map(start);
  /** The balances after each block from `first` on. */
  const states = [[...balances]];
  const first = await height();
  const mine = async (blocks: number) => {
    for (let block = 0; block < blocks; block += 1) {
      await chain.request({ method: "hardhat_mine", params: ["0x1"] });
      states.push([...balances]);
    }
  };
  await fc.assert(
    fc.asyncProperty(actions(kinds), fc.nat(), async (played, chosen) => {
      const { length } = states;
      for (const action of played) {
        await play(action);
        const { kind, value } = action;
        const [from = "", to = ""] = [accounts[action.from], accounts[action.to]];
        if (kind === "mint" || (balances.get(from) ?? 0n) >= value) {
          if (kind !== "mint") addTo(balances, from, -value);
          if (kind !== "burn") addTo(balances, to, value);
        }
        states.push([...balances]);
        await mine(action.empty);
      }
      await mine(1);
      expect(await height()).toBe(first + states.length - 1);
      const index = length + (chosen % (states.length - 1 - length));
      const node = { vm: "evm", rpcUrl: server.url, chainId: chain.chainId } as const;
      const { rows } = await collectSource(node, `kind = "balances"\naccounts = "accounts.csv"\n${fields}`, {
        blocks: [1, first + index],
        files: { "accounts.csv": `address\n${accounts.join("\n")}\n` },
      });
      expect(rows).toEqual(states[index]);
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(10) },
  );
});
