/**
 * A separate program, started by {@link startGuarded}: runs the command in its arguments and stops it when standard
 * input closes. The operating system closes that pipe however the parent dies, so a killed parent leaves no node
 * behind.
 */
import { spawn } from "node:child_process";

/** Maximum time for the command to exit after SIGTERM, in milliseconds. */
const patienceMs = 3_000;

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error("usage: processGuard <command> [argument...]");

const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

const endGuarded = (): void => {
  child.kill("SIGTERM");
  // The timer does not keep this program alive after the command exits.
  setTimeout(() => child.kill("SIGKILL"), patienceMs).unref();
};

process.stdin.on("close", endGuarded).on("error", endGuarded).resume();
process.on("SIGTERM", endGuarded);
// A terminal sends Ctrl-C to all its programs; the parent decides what it means and closes the pipe.
process.on("SIGINT", () => undefined);

child.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on("exit", (status, signal) => {
  process.exit(signal === null ? (status ?? 1) : 1);
});
