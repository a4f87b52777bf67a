import {
  NodeError,
  planPush,
  push,
  stage,
  type Journal,
  type PushEvent,
  type ScoreContract,
  type ScoreTable,
  type Stage,
} from "@vipscore/core";

interface PushSteps {
  /** Default: stage 1. */
  readonly at?: Stage;
  readonly prune?: boolean;
  readonly packed?: boolean;
  readonly journal?: Journal;
}

/** Plans and pushes a table, and returns everything that the push reported. */
export async function pushAll(
  port: ScoreContract,
  table: ScoreTable,
  { at = stage(1n), ...options }: PushSteps = {},
): Promise<readonly PushEvent[]> {
  const events: PushEvent[] = [];
  const plan = await planPush(port, at, table, options);
  for await (const event of push(port, plan, options)) events.push(event);
  return events;
}

export function countOf(events: readonly PushEvent[], type: PushEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

/** The message whose loss leaves a transaction unanswered. */
export type Loss = "answer" | "request";

/**
 * A port that loses either the first transaction's answer after the node has accepted it, or the request before it reaches
 * the node, as a network does. Everything else is unchanged.
 */
export function losing(port: ScoreContract, loss: Loss): ScoreContract {
  let isLost = false;
  const broadcast: ScoreContract["broadcast"] = async (transaction, options) => {
    if (isLost) return port.broadcast(transaction, options);
    isLost = true;
    if (loss === "answer") await port.broadcast(transaction, options);
    throw new NodeError("the connection was lost", { code: "NODE_UNREACHABLE" });
  };
  return withBroadcast(port, broadcast);
}

/** A port that runs a callback right before it sends its first transaction, as another program might. */
export function beforeBroadcast(port: ScoreContract, act: () => Promise<void>): ScoreContract {
  let isDone = false;
  return withBroadcast(port, async (transaction, options) => {
    if (!isDone) {
      isDone = true;
      await act();
    }
    return port.broadcast(transaction, options);
  });
}

function withBroadcast(port: ScoreContract, broadcast: ScoreContract["broadcast"]): ScoreContract {
  return new Proxy(port, {
    get: (target, key) => {
      if (key === "broadcast") return broadcast;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
