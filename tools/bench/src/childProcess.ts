import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Starts a module of the bench as a process of its own. */
export function startProcess(file: URL, args: readonly string[] = []): ChildProcess {
  return fork(file, args, { execArgv: ["--conditions=@vipscore/source"] });
}

/** The next message of a child. @throws Error when it ends before. */
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

/** Ends a child that ends with its parent's channel; resolves when it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.connected) child.disconnect();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
