import { encodeDeployData, getContractAddress, numberToHex } from "viem";
import { describe, expect, inject, test } from "vitest";
import { createHardhatProvider } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testConnect } from "@vipscore/testkit/adapter/connect";
import { readRows, rowsOf, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { connectEvm } from "../src/index.ts";
import { hardhat } from "./evmChain.ts";
import { deployCode, deployer, operator } from "./testContract.ts";

describe("a live node", () => {
  const chain = useChain(hardhat.start);

  testConnect(chain, {
    respell: (address) => [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`],
    wrong: {
      "that is too short": "0x8E88A58b6912513002Ec36023CBCe51106ee35",
      "without 0x": "8E88A58b6912513002Ec36023CBCe51106ee3573",
      "with a wrong checksum": "0x8E88A58b6912513002Ec36023CBCe51106ee357a",
      "in bech32": "init138yy4c4fzfgnqqhvxcprhj39zphwx4hndlg6hm",
    },
    absent: {
      "an address without code": "0x8E88A58b6912513002Ec36023CBCe51106ee3573",
      "a person's account": operator.address,
      "a precompiled contract": "0x0000000000000000000000000000000000000004",
    },
  });

  // Twelve bytes of creation code that return the bytes after them as the contract's code.
  const creationOf = (code: string) => {
    const length = (code.length / 2).toString(16).padStart(2, "0");
    return `0x60${length}600c60003960${length}6000f3${code}` as const;
  };
  test.each([
    ["one that reverts", "60006000fd"],
    ["one that stops without an answer", "00"],
    ["one that answers 1 to everything", "600160005260206000f3"],
    ["one that answers 0 to everything", "60206000f3"],
    ["one that answers 33 bytes", "600160005260216000f3"],
    ["one with a faulty instruction", "fe"],
  ])("another contract is not a scoring contract: %s", async (_, code) => {
    const where = await deployCode(chain().url, creationOf(code));
    await expect(chain().read(where)).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });

  test("at a height before its creation the contract is not found", async () => {
    const contract = await (await chain().fund()).deploy("ours");
    await expect(contract.getStage(stageOne, { height: 0n })).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });
});

test("an in-process Hardhat network is reached without a port", async () => {
  const provider = await createHardhatProvider();
  try {
    const { abi, bytecode } = inject("contracts").reference;
    const data = encodeDeployData({ abi, bytecode, args: [1n] });
    const transaction = { from: deployer.address, data, gas: numberToHex(3_000_000n) };
    await provider.request({ method: "eth_sendTransaction", params: [transaction] });
    const where = getContractAddress({ from: deployer.address, nonce: 0n });
    const contract = await connectEvm({ provider, address: where, account: deployer, expectedChainId: 31337n });
    await writeRows(contract, rowsOf(3));
    expect(await readRows(contract)).toEqual(rowsOf(3));
  } finally {
    await provider.close();
  }
});
