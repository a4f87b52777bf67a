import { beforeAll, describe, expect, test } from "vitest";
import type { ScoreContract } from "@vipscore/core";
import type { AminoSigner } from "@vipscore/cosmos";
import type { Actor, AdapterChain, ConnectOptions } from "./adapterChain.ts";
import { accountOf, readRows, rowsOf, stageOne, write, writeRows } from "./rows.ts";

/** A chain of the Cosmos SDK with the adapter of its VM. */
export interface CosmosChain extends AdapterChain {
  fund(coinType?: 60 | 118): Promise<CosmosActor>;
  /** Funds an account that signs amino JSON. */
  fundAmino(signer: AminoSigner): Promise<CosmosActor>;
  poor(): CosmosActor;
}

export interface CosmosActor extends Actor {
  /** Connects and pays a gas price, `0.15umin`. Default: the chain's. */
  connect(address: string, options?: ConnectOptions & { readonly gasPrices?: string }): Promise<ScoreContract>;
}

/** Invalid addresses on Move and Wasm, see `testConnect`. */
export const wrongAddresses = {
  "that is empty": "",
  "without digits": "0x",
  "of other letters": "0xzz",
  "cut off": "init1",
  "of another chain": "cosmos1ch49tkg2ap8rqa3z7xutzdf4asl07pr4asj5q9",
  "that is too long": `0x${"1".repeat(65)}`,
};

/**
 * Returns the sequences that a connection reports: at first, after the node refused that sequence because it expects another,
 * and once more.
 */
export async function sequencesAroundRefusal(contract: ScoreContract): Promise<readonly bigint[]> {
  const sequence = await contract.getSequence();
  const signed = await contract.sign({ kind: "finalizeStage", stage: stageOne }, { sequence, gas: 100_000n });
  await expect(contract.broadcast(signed)).rejects.toMatchObject({ refusal: "sequence" });
  return [sequence, await contract.getSequence(), await contract.getSequence()];
}

/** Registers the tests that the score contracts of Move and Wasm share beyond `testScoreContract`: fees, keys, bytes. */
export function testCosmosContract(chain: () => CosmosChain): void {
  describe("a contract on the Cosmos SDK", () => {
    let contract: ScoreContract;
    beforeAll(async () => {
      contract = await (await chain().fund()).deploy("ours");
    });

    test("reports the chain's fee token", async () => {
      const { gasPrice, token } = await contract.getFees();
      const free = { amount: 0n, per: 1n };
      expect({ gasPrice, token }).toEqual({ gasPrice: free, token: { symbol: "umin", decimals: 0 } });
      const { baseGas, maxGas } = await contract.getLimits();
      expect(maxGas).toBeGreaterThan(20_000_000n);
      expect(baseGas).toBeGreaterThan(chain().vm === "move" ? 50_000n : 100_000n);
    });

    test("refuses a transaction above the chain's size limit as too large", async () => {
      const sequence = await contract.getSequence();
      const call = { kind: "updateScores", stage: stageOne, rows: rowsOf(60_000) } as const;
      const large = await contract.sign(call, { sequence, gas: 500_000_000n });
      const refused = { refusal: "too-large", code: "BROADCAST_REFUSED" };
      await expect(contract.broadcast(large)).rejects.toMatchObject(refused);
      expect(await contract.lookUp(large.hash)).toEqual({ state: "unknown" });
    });

    test("pays the given gas price", async () => {
      const payer = await chain().fund();
      const paying = await payer.connect(contract.identity.address, { gasPrices: "0.15umin" });
      const before = await paying.getFees();
      expect(before.gasPrice).toEqual({ amount: 15n, per: 100n });
      const call = { kind: "addMember", account: accountOf(1) } as const;
      await write(paying, call, 400_001n);
      const { balance } = await paying.getFees();
      expect(before.balance - balance).toBe(60_001n);
      const gas = (before.balance * 100n) / 15n;
      const dear = await paying.sign(call, { sequence: await paying.getSequence(), gas });
      const refused = { refusal: "funds", code: "INSUFFICIENT_FUNDS" };
      await expect(paying.broadcast(dear)).rejects.toMatchObject(refused);
    });
  });

  test("an invalid gas price is refused before the first request", async () => {
    const actor = chain().poor();
    const options = { url: "http://127.0.0.1:1", gasPrices: "much" };
    await expect(actor.connect(`0x${"1".repeat(64)}`, options)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test.each([60, 118] as const)("a key of coin type %i signs", async (coinType) => {
    const contract = await (await chain().fund(coinType)).deploy("ours");
    await writeRows(contract, rowsOf(2));
    expect(await readRows(contract)).toHaveLength(2);
  });
}
