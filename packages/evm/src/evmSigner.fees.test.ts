import { expect, test } from "vitest";
import { HttpStatusError } from "@vipscore/core/wire";
import { refusal, scriptedRpc } from "../test/scriptedRpc.ts";
import { readGasFees } from "./evmSigner.ts";

test.each([
  ["a chain that charges nothing", "0x0", "0x0", "0x0", [0n, 0n, 0n]],
  ["base fee and tip", "0x64", "0x6e", "0xa", [110n, 210n, 10n]],
  ["no tip suggested, a price above the base fee", "0x64", "0x6e", "0x0", [110n, 210n, 10n]],
  ["no base fee in blocks", undefined, "0x6e", "0x0", [110n, 110n, 110n]],
  ["a higher base fee in the next block", "0x64", "0x3f2", "0xa", [1010n, 2010n, 10n]],
  ["a price below the base fee", "0x64", "0x32", "0x0", [100n, 200n, 0n]],
] as const)("%s", async (_, base, price, tip, [expected, maxFeePerGas, maxPriorityFeePerGas]) => {
  const rpc = scriptedRpc({
    eth_getBlockByNumber: base === undefined ? {} : { baseFeePerGas: base },
    eth_gasPrice: price,
    eth_maxPriorityFeePerGas: tip,
  });
  expect(await readGasFees(rpc, undefined)).toEqual({ expected, maxFeePerGas, maxPriorityFeePerGas });
});

test("a node without a method for the tip", async () => {
  const rpc = scriptedRpc({ eth_getBlockByNumber: { baseFeePerGas: "0x64" }, eth_gasPrice: "0x65" });
  expect(await readGasFees(rpc, undefined)).toMatchObject({ expected: 101n, maxPriorityFeePerGas: 1n });
});

test("a method for the tip that a gateway forbids is absent at once", async () => {
  const forbidden = new HttpStatusError("http://scripted", 403, "", { isKnown: true });
  const rpc = scriptedRpc({
    eth_getBlockByNumber: { baseFeePerGas: "0x64" },
    eth_gasPrice: "0x65",
    eth_maxPriorityFeePerGas: forbidden,
  });
  expect(await readGasFees(rpc, undefined)).toMatchObject({ expected: 101n, maxPriorityFeePerGas: 1n });
  expect(rpc.asked.filter((method) => method === "eth_maxPriorityFeePerGas")).toHaveLength(1);
});

test("an answer that is not a number", async () => {
  const rpc = scriptedRpc({ eth_getBlockByNumber: {}, eth_gasPrice: "much", eth_maxPriorityFeePerGas: "0x0" });
  await expect(readGasFees(rpc, undefined)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  const failing = scriptedRpc({ eth_getBlockByNumber: {}, eth_gasPrice: refusal("no price") });
  await expect(readGasFees(failing, undefined)).rejects.toMatchObject({ code: "NODE_ERROR" });
});
