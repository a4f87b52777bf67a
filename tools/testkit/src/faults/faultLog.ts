import type { FaultKind } from "./faultKinds.ts";
import type { ClassifiedRequest } from "./protocol/nodeProtocol.ts";

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
