import { createRequire } from "node:module";
import { NodeError, VipError } from "@vipscore/core";
import { testAccounts } from "@vipscore/core/testAccounts";
import { isObject } from "@vipscore/core/wire";
import {
  checkBlockTime,
  checkPort,
  evmAccountBalance,
  evmBlockGasLimit,
  evmChainId,
  portInUse,
  type LocalNode,
} from "./localNode.ts";
import { StartFailure, startGuarded } from "./startGuarded.ts";

/** The line that anvil prints once it answers, with the port. */
const readyLine = /Listening on 127\.0\.0\.1:(\d+)/;

/**
 * Starts anvil, a second and independent EVM node, from the npm package `@foundry-rs/anvil`, which its
 * user installs, on 127.0.0.1: hardfork cancun, 150,000,000 gas a block. Under cancun anvil has no limit on the gas of one transaction. A transaction with a
 * sequence ahead of the account's waits for the gap to fill. It ends with this process, even if this process is killed.
 *
 * @param options.port default: any free port, as with 0.
 * @param options.blockTimeMs milliseconds between blocks; default: each transaction is mined immediately.
 * @throws CONFIG_INVALID if an option is invalid, the port is taken, or anvil is not installed for this machine;
 * NODE_UNREACHABLE with the end of its error output if anvil does not start.
 */
export async function startAnvil(
  options: { readonly port?: number; readonly blockTimeMs?: number } = {},
): Promise<LocalNode> {
  const port = checkPort(options.port ?? 0);
  const blockTimeMs = checkBlockTime(options.blockTimeMs);
  const anvil = startGuarded(findAnvilBinary(), anvilArguments(port, blockTimeMs), readyLine);
  try {
    const rpcUrl = `http://127.0.0.1:${(await anvil.ready)[1]}`;
    const accounts = Object.values(testAccounts);
    for (const { address } of accounts) await fund(rpcUrl, address);
    return {
      vm: "evm",
      kind: "anvil",
      rpcUrl,
      chainId: String(evmChainId),
      accounts,
      stop: anvil.stop,
      [Symbol.asyncDispose]: anvil.stop,
    };
  } catch (cause) {
    await anvil.stop();
    if (!(cause instanceof StartFailure)) throw cause;
    if (/address already in use/i.test(cause.stderrTail)) throw portInUse(port, cause);
    throw new NodeError(`anvil did not start: ${cause.message}`, {
      code: "NODE_UNREACHABLE",
      details: cause.stderrTail.trim(),
      metaMessages: cause.stderrTail.trim() === "" ? [] : [`It printed: ${cause.stderrTail.trim()}`],
      cause,
    });
  }
}

function anvilArguments(port: number, blockTimeMs: number | undefined): readonly string[] {
  const settings = {
    "--host": "127.0.0.1",
    "--port": port,
    "--chain-id": evmChainId,
    "--hardfork": "cancun",
    "--gas-limit": evmBlockGasLimit,
    // Without its own accounts; the test accounts are funded once it answers.
    "--accounts": 0,
    ...(blockTimeMs === undefined ? {} : { "--block-time": blockTimeMs / 1_000 }),
  };
  // The 2 MB limit would refuse a batch of large transactions.
  return ["--no-request-size-limit", ...Object.entries(settings).flatMap(([name, value]) => [name, String(value)])];
}

async function fund(rpcUrl: string, address: string): Promise<void> {
  const params = [address, `0x${evmAccountBalance.toString(16)}`];
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_setBalance", params }),
  });
  const answer: unknown = await response.json();
  if (isObject(answer) && "result" in answer) return;
  throw new NodeError(`anvil refused to fund ${address}`, { code: "NODE_ERROR", details: JSON.stringify(answer) });
}

const architectures: Partial<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Returns the path of the anvil program that npm installed for this machine: `@foundry-rs/anvil`, which this package only uses
 * when it is there, has an optional dependency for each platform (`@foundry-rs/anvil-linux-amd64` and so on).
 */
function findAnvilBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`;
  try {
    // Resolved from the package that depends on it, because strict package managers hide it from all others.
    const fromHere = createRequire(import.meta.url);
    const fromAnvil = createRequire(fromHere.resolve("@foundry-rs/anvil/package.json"));
    return fromAnvil.resolve(`${name}/bin/anvil${process.platform === "win32" ? ".exe" : ""}`);
  } catch (cause) {
    throw new VipError(`anvil is not installed for this machine: the package ${name} is missing`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Install it: npm install @foundry-rs/anvil. Or use the Hardhat node."],
      cause,
    });
  }
}
