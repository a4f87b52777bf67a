import { spawn } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";

/** A program that ends with this process, however it ends. */
export interface GuardedProcess {
  /** Resolves with the first match of `ready` in the program's output; rejects if it exits or takes too long. */
  readonly ready: Promise<RegExpExecArray>;
  /** Stops the program: SIGTERM, then SIGKILL after 3 s. Resolves when it is gone. */
  readonly stop: () => Promise<void>;
}

/** The program exited, or took too long, before it was ready. */
export class StartFailure extends Error {
  override readonly name: string = "StartFailure";
  /** The last 4,000 characters that it printed to standard error. */
  readonly stderrTail: string;

  constructor(message: string, stderrTail: string) {
    super(message);
    this.stderrTail = stderrTail;
  }
}

const tailLength = 4_000;

// A busy or slow machine may need this long to start; an exit is detected immediately.
const defaultStartBoundMs = 120_000;

// The guard kills the program after 3 s; if the guard itself hangs, both are killed as a group.
const stopBoundMs = 6_000;

/** Starts a program under a guard process that stops it when this process stops it or dies. */
export function startGuarded(
  command: string,
  args: readonly string[],
  ready: RegExp,
  startBoundMs = defaultStartBoundMs,
): GuardedProcess {
  // Next to this file in sources and build output, with the same extension.
  const guard = fileURLToPath(new URL(`./processGuard${extname(import.meta.url)}`, import.meta.url));
  const child = spawn(process.execPath, [guard, command, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    // A separate process group: Ctrl-C in a terminal reaches only this process, which then stops the program cleanly.
    detached: true,
    // Options of this process, such as a debugger port, are not meant for the guard.
    env: { ...nodeEnvironment(process.env), NODE_OPTIONS: "" },
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => {
      resolve(error.message);
    });
    child.once("close", (status, signal) => {
      resolve(signal === null ? `exit status ${status}` : `signal ${signal}`);
    });
  });

  let stderrTail = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderrTail = (stderrTail + text).slice(-tailLength);
  });

  const started = new Promise<RegExpExecArray>((resolve, reject) => {
    let printed = "";
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.stdout.off("data", read);
      // Keep reading and discard it: a full pipe would block the program.
      child.stdout.resume();
      act();
    };
    const read = (text: string): void => {
      printed += text;
      const match = ready.exec(printed);
      if (match !== null) settle(() => resolve(match));
    };
    const timer = setTimeout(() => {
      settle(() => reject(new StartFailure(`not ready after ${startBoundMs} ms`, stderrTail)));
    }, startBoundMs);
    child.stdout.setEncoding("utf8").on("data", read);
    void exited.then((how) => settle(() => reject(new StartFailure(`ended with ${how}`, stderrTail))));
  });

  const end = async (): Promise<void> => {
    child.stdin.destroy();
    const timer = setTimeout(() => killProcessGroup(child.pid), stopBoundMs);
    await exited;
    clearTimeout(timer);
  };
  let ended: Promise<void> | undefined;
  return { ready: started, stop: () => (ended ??= end()) };
}

function killProcessGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group exited between the timer and the signal.
  }
}
