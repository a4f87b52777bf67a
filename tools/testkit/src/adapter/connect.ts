import { beforeAll, describe, expect, test } from "vitest";
import type { ScoreContract, Vm } from "@vipscore/core";
import { script } from "../scriptedServer.ts";
import type { AdapterChain } from "./adapterChain.ts";
import { rowsOf, stageOne, writeRows } from "./rows.ts";

/** Number of rows that needs more than one page. */
const twoPages: Readonly<Record<Vm, number>> = { evm: 1500, move: 2500, wasm: 4500 };

/** An endpoint on which nothing listens. */
const nowhere = "http://127.0.0.1:1";

/** The spellings of a VM's addresses. */
export interface Addresses {
  /** Other spellings of a contract's address. */
  respell(address: string): readonly string[];
  /** Texts that are not a contract's address, by what is wrong with them. */
  readonly wrong: Readonly<Record<string, string>>;
  /** Addresses without a scoring contract, by what is there instead. */
  readonly absent: Readonly<Record<string, string>>;
}

/** Registers the tests of connecting to a contract. */
export function testConnect(chain: () => AdapterChain, addresses: Addresses): void {
  let contract: ScoreContract;
  beforeAll(async () => {
    contract = await (await chain().fund()).deploy("ours");
  });

  test("an address in another spelling is the same contract", async () => {
    for (const address of addresses.respell(contract.identity.address)) {
      const again = await chain().read(address);
      expect(again.identity).toEqual(contract.identity);
    }
  });

  test.each(Object.entries(addresses.wrong))(
    "an address %s is refused before the first request",
    async (_, address) => {
      const connecting = chain().read(address, { url: nowhere });
      await expect(connecting).rejects.toMatchObject({ code: "INPUT_INVALID" });
    },
  );

  test.each(Object.entries(addresses.absent))("%s is not a scoring contract", async (_, address) => {
    await expect(chain().read(address)).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });

  test("the chain ID is read, and checked if one is expected", async () => {
    const { chainId } = chain();
    expect(await chain().readChainId()).toBe(chainId);
    expect(await chain().readChainId(chainId)).toBe(chainId);
    const mismatch = { code: "CHAIN_MISMATCH" };
    await expect(chain().readChainId("7")).rejects.toMatchObject(mismatch);
    const connecting = chain().read(contract.identity.address, { expectedChainId: "7" });
    await expect(connecting).rejects.toMatchObject(mismatch);
  });

  test("an abort ends a connection with the caller's reason", async () => {
    const reason = new Error("enough");
    const connecting = chain().read(contract.identity.address, { signal: AbortSignal.abort(reason) });
    await expect(connecting).rejects.toBe(reason);
  });

  test("an abort ends the wait for a silent endpoint with the caller's reason", async () => {
    const { url, requests } = await script(() => ({ instead: "silence" }));
    const caller = new AbortController();
    const connecting = chain().read(contract.identity.address, { url, signal: caller.signal });
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    const reason = new Error("enough");
    caller.abort(reason);
    await expect(connecting).rejects.toBe(reason);
  });

  test("an abort ends reading between pages with the caller's reason", async () => {
    await writeRows(contract, rowsOf(twoPages[chain().vm]));
    const height = await contract.getHeight();
    const caller = new AbortController();
    const reason = new Error("enough");
    const read = async () => {
      for await (const _ of contract.getScores(stageOne, { height, signal: caller.signal })) caller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });

  test("a web page is not a node", async () => {
    const { url } = await script(() => ({ body: "<!doctype html><title>Welcome</title>" }));
    const connecting = chain().read(contract.identity.address, { url });
    await expect(connecting).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  describe.concurrent("gives up waiting for", () => {
    test("an endpoint on which nothing listens", async () => {
      const connecting = chain().read(contract.identity.address, { url: nowhere });
      await expect(connecting).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
    });

    test("a height that is far ahead", async () => {
      const height = (await contract.getHeight()) + 1_000_000n;
      await expect(contract.getStage(stageOne, { height })).rejects.toMatchObject({ code: "NODE_BEHIND" });
    });
  });
}
