import { fork } from "node:child_process";
import { once } from "node:events";

/** A module of the bench in its own process, whose time and memory do not count as the bench's. */
export interface BenchProcess<First> {
  /** Its first message. */
  readonly first: First;
  /** Sends it a message, and returns the next one that it sends. */
  readonly ask: (message: string) => Promise<unknown>;
  /** Resolves when it has ended, as it does when its parent's channel closes. */
  readonly end: () => Promise<void>;
}

/** Starts a module of the bench; resolves with its first message. @throws Error if it ends instead of sending one. */
export async function startProcess<First>(file: URL, args: readonly string[] = []): Promise<BenchProcess<First>> {
  const child = fork(file, args, { execArgv: ["--conditions=@vipscore/source"] });
  const next = async (): Promise<unknown> => {
    const ended = new AbortController();
    const exit = once(child, "exit", ended).then(([code]) => {
      throw new Error(`a process of the bench ended with ${String(code)}`);
    });
    const [message] = (await Promise.race([once(child, "message", ended), exit])) as [unknown];
    exit.catch(() => undefined);
    ended.abort();
    return message;
  };
  return {
    first: (await next()) as First,
    ask: (message) => {
      child.send(message);
      return next();
    },
    end: async () => {
      if (child.connected) child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
