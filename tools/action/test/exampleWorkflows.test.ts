import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { testAccounts } from "@vipscore/core/testAccounts";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { callL1 } from "@vipscore/testkit/callL1";
import { started } from "@vipscore/testkit/started";
import { action, checkout, makeActionFolder, type Run, type Step } from "./actionFolder.ts";
import { bodyOf, postedTo, runnerEnvironment, startGitHub } from "./gitHub.ts";

type Texts = Readonly<Record<string, string>>;

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

async function readWorkflow(name: string): Promise<Workflow> {
  return parse(await readFile(join(checkout, "docs/ci", name), "utf8")) as Workflow;
}

/** Replaces the expressions of a workflow. @throws Error for one that has no value. */
function evaluate(text: string, values: Texts): string {
  return text.replaceAll(/\$\{\{ *(.*?) *\}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`the test gives no value to ${expression}`);
    return value;
  });
}

function evaluateAll(texts: Texts, values: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluate(text, values)]));
}

/** Returns the environment that the action's script has in the step of a job. */
function environmentOf(workflow: Workflow, job: string, values: Texts): Texts {
  const step = workflow.jobs[job]?.steps.find(({ uses }) => uses?.startsWith("vipscore/vipscore@") === true);
  const { inputs, runs } = action;
  const script = runs.steps.find(({ id }) => id === "vipscore");
  if (step?.with === undefined || script?.env === undefined) throw new Error(`${job} does not use the action`);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const defaults = Object.entries(inputs).map(([name, { default: text = "" }]) => [name, text] as const);
  const given = Object.entries(step.with).map(([name, value]) => [name, String(value)] as const);
  const passed = evaluateAll(Object.fromEntries([...defaults, ...given]), values);
  const named = Object.entries(passed).map(([name, value]) => [`inputs.${name}`, value] as const);
  const token = passed["command"]?.startsWith("plan") === true ? (passed["token"] ?? "") : "";
  return {
    ...evaluateAll(step.env ?? {}, values),
    ...evaluateAll(script.env, {
      ...Object.fromEntries(named),
      "startsWith(inputs.command, 'plan') && inputs.token || ''": token,
    }),
  };
}

it("installs the command of the release that the workflow names, which the examples leave open", async () => {
  await using folder = await makeActionFolder();
  await writeFile(join(folder.path, "npm"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const { run } = action.runs.steps.find((step) => step.run?.startsWith("npm install ") === true) ?? {};
  const { stdout } = await folder.runLine(run, {});
  const manifest = await readFile(join(checkout, "packages/cli/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  expect(stdout.trim().split(" ").at(-1)).toBe(`@vipscore/cli@${version}`);
  for (const name of ["evm", "move", "wasm", "deploy"]) {
    const text = await readFile(join(checkout, `docs/ci/${name}.yml`), "utf8");
    expect(text.match(/vipscore@\S*/g)?.filter((found) => found !== "vipscore@RELEASE_COMMIT")).toEqual([]);
    expect(text).not.toMatch(/^ *version:/m);
  }
});

/** The chains, each with the address that the endpoint of its workflow stands for. */
const chains = {
  evm: { start: () => startHardhat(), endpointOf: ({ rpcUrl }: LocalNode) => rpcUrl },
  move: { start: () => startVipnode({ vm: "move" }), endpointOf: ({ rpcUrl }: LocalNode) => rpcUrl },
  wasm: { start: () => startVipnode({ vm: "wasm" }), endpointOf: ({ rpcUrl }: LocalNode) => rpcUrl },
} as const;

describe.each(["evm", "move", "wasm"] as const)("docs/ci/%s.yml", (vm) => {
  const folder = started(() => makeActionFolder());
  const node = started(() => chains[vm].start());
  const l1 = started(() => startVipnode({ vm: "move", l1: true }));
  let workflow: Workflow;
  let values: Texts;
  beforeAll(async () => {
    workflow = await readWorkflow(`${vm}.yml`);
    values = {
      "vars.CHAIN_ID": node.chainId,
      "secrets.PRIVATE_KEY": testAccounts.deployer.privateKey,
      "github.token": "a-token",
    };
  });

  const endpoint = (): string => chains[vm].endpointOf(node);
  const ofContract = (): Texts => ({
    VIPSCORE_ENDPOINT: endpoint(),
    CONTRACT_ADDRESS: values["vars.CONTRACT_ADDRESS"] ?? "",
  });

  async function runJob(job: string, env: Texts = {}, of = workflow): Promise<Run> {
    const environment = environmentOf(of, job, values);
    expect(environment["VIPSCORE_ENDPOINT"]).toMatch(/^https:\/\/(json-rpc|rpc)\.my-rollup\.example$/);
    expect(environment["L1_REST_URL"]).toBe("https://rest.initia.xyz");
    const ofL1 = { L1_REST_URL: l1.restUrl, VIP_ADDRESS: l1.vipAddress ?? "" };
    return folder.runScript({ ...environment, VIPSCORE_ENDPOINT: endpoint(), ...ofL1, ...env });
  }

  it("plans a deployment on a pull request, and deploys", async () => {
    const contract = await readWorkflow("deploy.yml");
    const gitHub = await startGitHub();
    expect(await runJob("plan", runnerEnvironment(gitHub, folder.path), contract)).toMatchObject({ status: 0 });
    const comment = bodyOf(postedTo(gitHub));
    // L1 is at stage 1, and expects a new contract to start at the next one.
    expect(comment).toMatch(/first stage +2\n/);
    expect(comment).toContain(node.chainId);

    const outputs = join(folder.path, "outputs.txt");
    // The pushes below are to stage 1, and the deployer finalizes.
    const own = { INPUT_STAGE: "1", INPUT_FINALIZER: testAccounts.deployer.address, GITHUB_OUTPUT: outputs };
    expect(await runJob("deploy", own, contract)).toMatchObject({ status: 0 });
    const [, address = ""] = /^contract=(\S+)\n$/.exec(await readFile(outputs, "utf8")) ?? [];
    expect(await readFile(join(folder.path, ".vipscore/deployments.json"), "utf8")).toContain(address);
    const summary = join(folder.path, "deployed.md");
    const [shown = {}] = contract.jobs["deploy"]?.steps.filter(({ run }) => run !== undefined) ?? [];
    const outcome = evaluateAll(shown.env ?? {}, { "steps.contract.outputs.contract": address });
    expect(await folder.runLine(shown.run, { ...outcome, GITHUB_STEP_SUMMARY: summary })).toMatchObject({ status: 0 });
    expect((await readFile(summary, "utf8")).split(address).length).toBeGreaterThan(2);
    values = { ...values, "vars.CONTRACT_ADDRESS": address };
    const { stdout } = await folder.run("vipscore", ["status", "--json"], ofContract());
    const members = [testAccounts.deployer.address.toLowerCase(), `0x${"aaa".padStart(40, "0")}`];
    expect((JSON.parse(stdout) as { readonly members: readonly string[] }).members.toSorted()).toEqual(members.sort());
  });

  it("plans on a pull request, pushes, and finalizes", async () => {
    const gitHub = await startGitHub();
    expect(await runJob("plan", runnerEnvironment(gitHub, folder.path))).toMatchObject({ status: 0 });
    const comment = postedTo(gitHub);
    expect(comment.headers["authorization"]).toBe("Bearer a-token");
    // Without a key there is a price, and no balance.
    expect(bodyOf(comment)).toMatch(/add +2 .*\n.*gas +[\d,]+ +price +\d/);
    expect(bodyOf(comment)).not.toMatch(/\bbalance\b/);

    const written = { RUNNER_TEMP: folder.path, GITHUB_OUTPUT: join(folder.path, "pushed.txt") };
    expect(await runJob("push", written)).toMatchObject({ status: 0 });
    expect(await readFile(written.GITHUB_OUTPUT, "utf8")).toBe(`push=${join(folder.path, "push.json")}\n`);
    const report = ["report", "--stage", "1", "--plan", "push.json", "--out", "report.html", "--json"];
    expect(await folder.run("vipscore", report, ofContract())).toMatchObject({ status: 0 });
    expect(workflow.jobs["push"]?.steps.at(-1)).toMatchObject({
      uses: expect.stringMatching(/^actions\/upload-artifact@/) as unknown,
      with: { path: "${{ steps.scores.outputs.push }}" },
    });
    // One that writes nothing leaves the file and the outputs of the one before.
    const again = { ...written, GITHUB_OUTPUT: join(folder.path, "again.txt") };
    expect(await runJob("push", again)).toMatchObject({ status: 0 });
    await expect(readFile(again.GITHUB_OUTPUT, "utf8")).rejects.toThrow("ENOENT");
    // No stage of L1 is over.
    expect(await runJob("finalize")).toMatchObject({ status: 1 });
    const named = await runJob("finalize", { INPUT_STAGE: "1" });
    expect(named.output).toMatch(/^::error .*\[STAGE_RUNNING\]$/m);
    await callL1({ ...l1, vipAddress: l1.vipAddress ?? "" }).call("advance_stage");
    // The contract's open stage is still stage 1.
    expect(await runJob("push")).toMatchObject({ status: 3 });
    expect(await runJob("finalize")).toMatchObject({ status: 0 });
    const { stdout } = await folder.run("vipscore", ["status", "--json"], ofContract());
    expect(JSON.parse(stdout)).toMatchObject({
      stages: [
        { stage: "1", isFinalized: true, total: "1550" },
        { stage: "2", isFinalized: false },
      ],
    });
  });
});
