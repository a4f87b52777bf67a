import type { Vm } from "@vipscore/core";
import { startVipnode, type LocalNode } from "@vipscore/localnet";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { isLong } from "@vipscore/testkit/isLong";
import { startMinievm } from "@vipscore/testkit/minievm";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { publishedCode, readContractCode } from "../src/contractCode.ts";
import { openSubject } from "../src/openSubject.ts";
import type { Subject } from "../src/subject.ts";
import { startNode } from "./startChain.ts";

/** The local node that never gives a reason for a failed call. */
const withholding = "minievm double";

/** Adds nodes: `evm=http://127.0.0.1:8545,move=http://127.0.0.1:1317`. */
export const nodesVariable = "VIPSCORE_CONFORMANCE_NODES";

/** A node on which all scenarios run. */
export interface TestedNode {
  readonly vm: Vm;
  readonly name: string;
  open(): Promise<OpenNode>;
}

export interface OpenNode {
  readonly subject: Subject;
  stop(): Promise<void>;
}

/** Opens the chain at an endpoint, for the contract in VIPSCORE_CONFORMANCE_ARTIFACT. Default: the published package's. */
async function open(vm: Vm, url: string, mayBeMinievm: boolean): Promise<Subject> {
  const file = process.env["VIPSCORE_CONFORMANCE_ARTIFACT"];
  const code = await (file === undefined ? publishedCode(vm) : readContractCode(file));
  return openSubject({ url, code, seed: fuzzSeed(), mayBeMinievm });
}

/** At night also anvil, nodes with the mempool of initia v1.2, and the minievm double, whose blocks come late. */
const localNodes: readonly TestedNode[] = [
  local("evm", "hardhat", () => startNode("evm")),
  local("move", "vipnode-move", () => startNode("move")),
  local("wasm", "vipnode-wasm", () => startNode("wasm")),
  ...(isLong
    ? [
        local("evm", "anvil", async () => {
          const node = await startAnvil();
          return { node, url: node.rpcUrl };
        }),
        local("evm", withholding, async () => {
          const node = await startMinievm();
          return { node, url: node.rpcUrl };
        }),
        local("move", "vipnode-move, classic", async () => {
          const node = await startVipnode({ vm: "move", mempool: "classic" });
          return { node, url: node.restUrl };
        }),
        local("wasm", "vipnode-wasm, classic", async () => {
          const node = await startVipnode({ vm: "wasm", mempool: "classic" });
          return { node, url: node.rpcUrl };
        }),
      ]
    : []),
];

/** Returns the nodes of a VM: the local nodes, then those of the environment. */
export function nodesOf(vm: Vm, environment = process.env[nodesVariable] ?? ""): readonly TestedNode[] {
  return [...localNodes, ...readNodes(environment)].filter((node) => node.vm === vm);
}

/** @throws Error for an entry that is not `vm=url`. */
export function readNodes(text: string): readonly TestedNode[] {
  const entries = text.split(",").filter((entry) => entry.trim() !== "");
  return entries.map((entry) => {
    const [, vm, url] = /^\s*(evm|move|wasm)=(https?:\/\/\S+?)\s*$/.exec(entry) ?? [];
    if (vm === undefined || url === undefined) {
      throw new Error(`${nodesVariable}: "${entry}" is not evm=URL, move=URL or wasm=URL`);
    }
    return given(vm as Vm, url);
  });
}

function local(
  vm: Vm,
  name: string,
  start: () => Promise<{ readonly node: Pick<LocalNode, "stop">; readonly url: string }>,
): TestedNode {
  return {
    vm,
    name,
    open: async () => {
      const { node, url } = await start();
      try {
        return { subject: await open(vm, url, name === withholding), stop: () => node.stop() };
      } catch (error) {
        await node.stop();
        throw error;
      }
    },
  };
}

function given(vm: Vm, url: string): TestedNode {
  // Only the host: a URL may hold credentials.
  const name = `${vm} at ${new URL(url).host}`;
  return { vm, name, open: async () => ({ subject: await open(vm, url, true), stop: () => Promise.resolve() }) };
}
