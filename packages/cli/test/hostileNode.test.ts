import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { errorCodes, exitStatusOf, formatBech32, parseAccount, type ErrorCode } from "@vipscore/core";
import { script } from "@vipscore/testkit/scriptedServer";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { runCli, type CliResult } from "./harness.ts";
import { hostileAnswers, type Answering } from "./hostileAnswers.ts";
import { obeyed } from "./obeyed.ts";

const secret = "s3cr3t-t0ken-0123456789";
const password = "p4ss-w0rd-9876543210";
const contract = parseAccount(`0x${"c1".repeat(32)}`, { accountBytes: [32] });

const vms = [
  ["evm", contract.slice(0, 42)],
  ["move", contract],
  ["wasm", formatBech32(contract)],
] as const;

const cwd = temporaryFolder();

// All answers of a VM in parallel: failures that may pass are retried for half a minute.
test.concurrent.for(vms)(
  "a hostile node on %s: every answer leads to a code and shows no secret",
  async ([vm, address]) => {
    const check = async ([title, answer]: readonly [string, Answering]): Promise<readonly string[]> => {
      const { url } = await script(({ body }) => answer(idOf(body)));
      const endpoint = `${url.replace("//", `//operator:${password}@`)}/v1/${secret}`;
      const args = ["status", "--vm", vm, "--endpoint", endpoint, "--contract", address, "--debug"];
      const result = await runCli(args, cwd);
      return faultsOf(result).map((fault) => `${title}: ${fault}`);
    };
    const faults = await Promise.all(hostileAnswers(secret).map(check));
    expect(faults.flat()).toEqual([]);
    expect(await readdir(cwd)).toEqual([]);
  },
);

function faultsOf({ status, stdout, stderr }: CliResult): readonly string[] {
  const code = /\[(\w+), exit \d+\]/.exec(stderr)?.[1] ?? "";
  const faults: string[] = [];
  if (!(code in errorCodes)) faults.push(`no code in ${stderr}`);
  else if (status !== exitStatusOf(code as ErrorCode)) faults.push(`status ${status} with ${code}`);
  if (stdout !== "") faults.push("printed something");
  if (obeyed.test(stderr)) faults.push("steers a terminal");
  if ([secret, password].some((hidden) => stderr.includes(hidden))) faults.push("shows a secret");
  return faults;
}

function idOf(body: string): unknown {
  return body === "" ? undefined : (JSON.parse(body) as { readonly id?: unknown }).id;
}
