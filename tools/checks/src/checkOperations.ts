import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pythonEnvironment } from "@vipscore/testkit/pythonEnvironment";

/**
 * Checks what docs/operations gives to operators: the alerts, which promtool also plays, the units, whose exposure systemd
 * measures, and the Dockerfile. Needs promtool (Debian's `prometheus`), systemd-analyze (`systemd`) and Python 3. Exits with
 * status 1 on a finding.
 */
const folder = resolve("docs/operations");
const own = resolve("tools/checks/operations");
/** In tenths of systemd's exposure level, which is 10 for a unit that limits nothing. */
const maxExposure = 25;

function passes(program: string, ...args: readonly string[]): boolean {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  if (error !== undefined) throw error;
  const [shown, said] = [[program, ...args].map((word) => basename(word)).join(" "), stdout + stderr];
  // systemd-analyze only warns of a line that it does not know.
  const isFine = status === 0 && !/\.service:\d+: /.test(said);
  console.log(isFine ? `${shown}: ok` : `${shown}: status ${status}\n${said}`);
  return isFine;
}

/** Returns the alerts that fire in none of the tests. */
function unplayedAlerts(): readonly string[] {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const fired = [...read("alerts.test.yml").matchAll(/alertname: (\w+)\n +eval_time: .*\n +exp_alerts:(?! \[\])/g)];
  const names = new Set(fired.map(([, name]) => name));
  const alerts = [...read("alerts.yml").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
  if (alerts.length === 0) throw new Error("alerts.yml has no alert");
  return alerts.filter((name) => !names.has(name));
}

const units = globSync("systemd/*.service", { cwd: folder }).map((path) => join(folder, path));
const programs = await pythonEnvironment(join(own, ".build"), join(own, "requirements.txt"));
const unplayed = unplayedAlerts();
for (const name of unplayed) console.error(`alerts.test.yml: ${name} never fires`);
const results = [
  unplayed.length === 0,
  passes("promtool", "check", "config", "prometheus.yml"),
  passes("promtool", "test", "rules", "alerts.test.yml"),
  passes("systemd-analyze", "verify", ...units),
  ...units.map((path) => passes("systemd-analyze", "security", "--offline=true", `--threshold=${maxExposure}`, path)),
  passes(join(programs, "hadolint"), "Dockerfile"),
];
if (results.includes(false)) process.exitCode = 1;
