import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { testAccounts, type LocalNode } from "@vipscore/localnet";

const architectures: Partial<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Runs a program until standard input ends, so that it ends with the process that started it, even if that is killed. */
const guarded = '"$@" & program=$!; cat >/dev/null; kill -9 $program';

/**
 * Starts anvil of the npm package `@foundry-rs/anvil`, a second and independent EVM node, on 127.0.0.1, with the chain ID, hardfork,
 * block gas and accounts of `startHardhat`. Under cancun it has no limit on the gas of one transaction.
 *
 * @param options.blockTimeMs milliseconds between blocks; default: each transaction is mined immediately.
 */
export async function startAnvil({ blockTimeMs }: { readonly blockTimeMs?: number } = {}): Promise<LocalNode> {
  const fixed = ["--no-request-size-limit", "--hardfork", "cancun", "--gas-limit", "150000000"];
  const own = ["--host", "127.0.0.1", "--port", "0", "--chain-id", "31337", "--accounts", "0"];
  const pace = blockTimeMs === undefined ? [] : ["--block-time", `${blockTimeMs / 1_000}`];
  const child = spawn("sh", ["-c", guarded, "sh", findBinary(), ...fixed, ...own, ...pace], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const ready = new Promise<string>((resolve, reject) => {
    // Read to the end: a full pipe would block the program.
    createInterface(child.stdout).on("line", (line) => {
      const [, port] = /Listening on 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (port !== undefined) resolve(port);
    });
    ended.then(() => reject(new Error("anvil did not start")), reject);
  });
  const rpcUrl = `http://127.0.0.1:${await ready}`;
  const accounts = Object.values(testAccounts);
  for (const { address } of accounts) await fund(rpcUrl, address);
  const stop = async (): Promise<void> => {
    child.stdin.destroy();
    await ended;
  };
  return { vm: "evm", rpcUrl, chainId: "31337", accounts, stop, [Symbol.asyncDispose]: stop };
}

async function fund(rpcUrl: string, address: string): Promise<void> {
  const params = [address, `0x${(10_000n * 10n ** 18n).toString(16)}`];
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_setBalance", params }),
  });
  const answer = (await response.json()) as object;
  if (!("result" in answer)) throw new Error(`anvil refused to fund ${address}: ${JSON.stringify(answer)}`);
}

/** The program is in an optional dependency for each platform, `@foundry-rs/anvil-linux-amd64` and so on. */
function findBinary(): string {
  const platform = `${process.platform}-${architectures[process.arch] ?? process.arch}`;
  const fromAnvil = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
  return fromAnvil.resolve(`@foundry-rs/anvil-${platform}/bin/anvil`);
}
