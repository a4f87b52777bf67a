import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join, resolve } from "node:path";
import { pythonEnvironment } from "@vipscore/testkit/pythonEnvironment";

/**
 * Checks the workflows with actionlint (syntax, types of expressions) and, together with the actions and the settings of
 * Dependabot, with zizmor (security). Needs Go and Python 3; the versions of both are in tools/checks/workflows. Exits with
 * status 1 if either has a finding.
 */
const root = process.cwd();
const folder = resolve("tools/checks/workflows");
// Those of this repository, and the examples for operators.
const workflows = globSync([".github/workflows/*.yml", "docs/ci/*.yml"]);
const others = ["action.yml", ".github/dependabot.yml"].filter((path) => existsSync(join(root, path)));

function lints(name: string, program: string, args: readonly string[], cwd: string): boolean {
  const { status, error } = spawnSync(program, args, { cwd, stdio: "inherit" });
  if (error !== undefined) throw error;
  console.log(`${name}: ${status === 0 ? "ok" : `status ${status}`}`);
  return status === 0;
}

// What shellcheck and pyflakes find would depend on whether this machine has them.
const actionlint = ["tool", "actionlint", "-shellcheck=", "-pyflakes="];
const areValid = lints("actionlint", "go", [...actionlint, ...workflows.map((path) => join(root, path))], folder);
const programs = await pythonEnvironment(join(folder, ".build"), join(folder, "requirements.txt"));
const zizmor = ["--offline", "--quiet", "--strict-collection"];
const areSafe = lints("zizmor", join(programs, "zizmor"), [...zizmor, ...workflows, ...others], root);
if (!areValid || !areSafe) process.exitCode = 1;
