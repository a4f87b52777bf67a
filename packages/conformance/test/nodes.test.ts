import { expect, test } from "vitest";
import { nodesOf, readNodes } from "./nodes.ts";

test("every VM has a local node; nodes of the environment follow", () => {
  const named = "evm=http://127.0.0.1:8545, wasm=https://user:secret@rollup.example:443/rpc,move=http://127.0.0.1:1317";
  const names = (["evm", "move", "wasm"] as const).map((vm) => nodesOf(vm, named).map(({ name }) => name));
  // More local nodes are between them at night.
  expect(names.map((ofVm) => [ofVm[0], ofVm.at(-1)])).toEqual([
    ["hardhat", "evm at 127.0.0.1:8545"],
    ["vipnode-move", "move at 127.0.0.1:1317"],
    ["vipnode-wasm", "wasm at rollup.example"],
  ]);
});

test("an empty variable adds no nodes", () => {
  expect(readNodes("")).toEqual([]);
});

test.each(["http://127.0.0.1:8545", "evm=127.0.0.1:8545", "solana=http://127.0.0.1", "evm=http://a b", "evm="])(
  "%j is refused",
  (text) => {
    expect(() => readNodes(text)).toThrow(/\bVIPSCORE_CONFORMANCE_NODES\b.*\bevm=URL\b/);
  },
);
