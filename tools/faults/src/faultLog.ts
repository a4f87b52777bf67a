import type { FaultKind } from "./faultKinds.ts";
import type { ClassifiedRequest } from "./protocol/nodeProtocol.ts";

/** A request and what was played on it. */
export interface LoggedRequest extends ClassifiedRequest {
  /** Counted from 1. */
  readonly number: number;
  readonly fault?: FaultKind;
  /** How the fault was played: `503`, `800 ms`. */
  readonly detail?: string;
}

/** How often each fault was played; a fault that was not played is not in it. */
export type FaultCounts = Readonly<Partial<Record<FaultKind, number>>>;

/** What a proxy was asked and what it played. */
export class FaultLog {
  readonly #requests: LoggedRequest[] = [];

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  /** Notes a request, and returns what it is to be called by later. */
  add(request: ClassifiedRequest, fault: FaultKind | undefined): LoggedRequest {
    const logged = { ...request, number: this.#requests.length + 1, ...(fault !== undefined && { fault }) };
    this.#requests.push(logged);
    return logged;
  }

  /** Notes how a fault was played, or that a fault of another request hit this one too. */
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

  /** Hashes of the transactions whose broadcast or look-up was hit: what became of them was in doubt for the client. */
  get doubtfulHashes(): ReadonlySet<string> {
    return new Set(this.played.flatMap(({ hashes }) => hashes));
  }
}
