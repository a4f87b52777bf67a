import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Starts a module of the bench in its own process. */
export function startProcess(file: URL, args: readonly string[] = []): ChildProcess {
  return fork(file, args, { execArgv: ["--conditions=@vipscore/source"] });
}

/** Returns the next message of a child. @throws Error if the child ends first. */
export function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => {
      child.off("message", onMessage);
      reject(new Error(`a process of the bench ended with ${code}`));
    };
    const onMessage = (message: unknown) => {
      child.off("exit", onExit);
      resolve(message);
    };
    child.once("message", onMessage);
    child.once("exit", onExit);
  });
}

/** Ends a child that exits when its parent's channel closes; resolves when the child has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.connected) child.disconnect();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
