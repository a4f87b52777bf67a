// A local chain with a scoring contract that `vipscore` has deployed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { testAccounts } from "@vipscore/core/testAccounts";

/** The public test account that signs. */
export const { mnemonic } = testAccounts.deployer;

/** Starts a chain of the VM with the program vipnode, which the rehearsal puts on the PATH. */
export async function startChain(vm) {
  const node = spawn(`vipnode-${vm}`, ["start"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: node.stdout }), "line");
  const [, rest, rpc, chainId] = /^ready rest=(\S+) rpc=(\S+) chain-id=(\S+)$/.exec(line);
  const endpoint = vm === "move" ? rest : rpc;
  const env = { ...process.env, VIPSCORE_ENDPOINT: endpoint, CHAIN_ID: chainId, MNEMONIC: mnemonic };
  /** Runs a command, and returns what it reports. */
  const vipscore = (...args) =>
    JSON.parse(execFileSync("node_modules/.bin/vipscore", [...args, "--json"], { env }).toString());
  const { address } = vipscore("deploy", "--init-stage", "1").contract;
  const stop = async () => {
    node.kill();
    await once(node, "close");
  };
  return { rest, rpc, chainId, address, vipscore, stop };
}
