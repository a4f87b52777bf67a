import { forward, startProxy, type Proxy, type ProxyAnswer, type ProxyRequest } from "../proxy/startProxy.ts";
import type { ChooseFault, FaultKind } from "./faultChoice.ts";
import type { ClassifiedRequest, NodeProtocol } from "./nodeProtocol.ts";
import { playFault, type FaultTiming } from "./playFault.ts";

export interface FaultProxyOptions {
  /** URL of the node. */
  readonly upstreamUrl: string;
  /** URL of a replica that lags behind. Default: the node, so that stale reads are fresh. */
  readonly staleUrl?: string;
  readonly protocol: NodeProtocol;
  readonly choose: ChooseFault;
  readonly timing: FaultTiming;
  /** Gas of a block as shown to the client, so that few rows fill a transaction. Default: the node's. */
  readonly blockGas?: bigint;
  /** Sends a transaction of the client's signer to the node; returns the outcome. Default: does nothing. */
  readonly writeAsOther?: () => Promise<string>;
  /** Sets the next block's base fee to this many gwei. Default: does nothing. */
  readonly jumpBaseFee?: (gwei: number) => Promise<void>;
  /** Called with each request before it is forwarded. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A proxy on 127.0.0.1 between a client and a node that injects faults. Its end waits for that of all requests. */
export interface FaultProxy extends Proxy {
  readonly log: FaultLog;
}

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { upstreamUrl, staleUrl = upstreamUrl, protocol, choose, timing, blockGas, onRequest } = options;
  const log = new FaultLog();
  const underWay = new Map<LoggedRequest, Promise<unknown>>();
  const hand = async (url: string, request: ProxyRequest): Promise<ProxyAnswer> => {
    const answered = await forward(url, request);
    return blockGas === undefined ? answered : protocol.withBlockGas(request, answered, blockGas);
  };
  const restart = (downMs: number): void => {
    // Open requests lose their answers.
    for (const { number, fault } of underWay.keys()) if (fault === undefined) log.amend(number, { fault: "restart" });
    proxy.restart(downMs);
  };
  const proxy = await startProxy((request, left) => {
    const classified = protocol.classify(request);
    const chosen = choose(classified);
    const logged = log.add(classified, chosen?.kind);
    onRequest?.(logged);
    const replying =
      chosen === undefined
        ? hand(upstreamUrl, request)
        : playFault(chosen, request, {
            protocol,
            timing,
            forward: (forwarded) => hand(upstreamUrl, forwarded),
            forwardStale: (forwarded) => hand(staleUrl, forwarded),
            restart,
            writeAsOther: options.writeAsOther ?? (() => Promise.resolve("nothing sent")),
            jumpBaseFee: options.jumpBaseFee ?? (() => Promise.resolve()),
            left,
            note: (detail) => log.amend(logged.number, { detail }),
          });
    underWay.set(logged, replying);
    return replying.finally(() => underWay.delete(logged));
  });
  const close = async (): Promise<void> => {
    await proxy.close();
    await Promise.allSettled(underWay.values());
  };
  return { ...proxy, log, close, [Symbol.asyncDispose]: close };
}

/** A request and what was played on it. */
export interface LoggedRequest extends ClassifiedRequest {
  /** Counted from 1. */
  readonly number: number;
  readonly fault?: FaultKind;
  /** Details of the fault as it was played: `503`, `800 ms`. */
  readonly detail?: string;
}

/** Number of times that each fault was played; faults that were not played are missing. */
export type FaultCounts = Readonly<Partial<Record<FaultKind, number>>>;

/** A proxy's requests and the faults that it played. */
export class FaultLog {
  readonly #requests: LoggedRequest[] = [];

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  /** Records a request and returns its number. */
  add(request: ClassifiedRequest, fault: FaultKind | undefined): LoggedRequest {
    const logged = { ...request, number: this.#requests.length + 1, ...(fault !== undefined && { fault }) };
    this.#requests.push(logged);
    return logged;
  }

  /** Records how a fault was played, or that another request's fault also hit this one. */
  amend(number: number, what: Pick<LoggedRequest, "fault" | "detail">): void {
    const logged = this.#requests[number - 1];
    if (logged !== undefined) this.#requests[number - 1] = { ...logged, ...what };
  }

  /** The requests that were hit. */
  get played(): readonly LoggedRequest[] {
    return this.#requests.filter(({ fault }) => fault !== undefined);
  }

  get counts(): FaultCounts {
    const counts: Partial<Record<FaultKind, number>> = {};
    for (const { fault } of this.played) if (fault !== undefined) counts[fault] = (counts[fault] ?? 0) + 1;
    return counts;
  }

  /** Hashes of the transactions whose broadcast or look-up was hit: the client was in doubt about their outcome. */
  get doubtfulHashes(): ReadonlySet<string> {
    return new Set(this.played.flatMap(({ hashes }) => hashes));
  }
}
