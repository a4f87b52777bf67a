import { VipError, type Vm } from "@vipscore/core";
import { prepareVipnodes, vipnodeBuildNotes } from "@vipscore/localnet";
import { demoChains } from "./demoChains.ts";
import type { DemoOutput } from "./demoOutput.ts";

/** Why a chain cannot run on this machine, and what it needs. */
export interface ChainFault {
  readonly reason: string;
  readonly hints: readonly string[];
}

/** Makes the programs of the chains ready while others are shown: builds them if needed. */
export class ChainPreparation {
  readonly #output: DemoOutput;
  readonly #names: string;
  readonly #fault: Promise<ChainFault | undefined>;
  #isOver = false;

  constructor(output: DemoOutput, asked: readonly Vm[], signal: AbortSignal) {
    const waiting = asked.filter((vm) => demoChains[vm].vipnode !== undefined);
    this.#output = output;
    this.#names = waiting.map((vm) => demoChains[vm].name).join(" and ");
    this.#fault = waiting.length === 0 ? Promise.resolve(undefined) : this.#prepare(waiting, signal);
    // Reported where the chain is needed; until then it must not end the process.
    this.#fault.catch(() => undefined);
  }

  /** Waits until a VM's chain can be started; returns why it cannot, or undefined. */
  async faultOf(vm: Vm): Promise<ChainFault | undefined> {
    if (demoChains[vm].vipnode === undefined) return undefined;
    if (!this.#isOver) this.#output.note(`waiting for the program of the local ${demoChains[vm].name} chain`);
    return this.#fault;
  }

  async #prepare(vms: readonly Vm[], signal: AbortSignal): Promise<ChainFault | undefined> {
    const programs = vms.flatMap((vm) => demoChains[vm].vipnode ?? []);
    try {
      await prepareVipnodes({ vms: programs, signal, onProgress: vipnodeBuildNotes(programs, this.#output) });
      return undefined;
    } catch (error) {
      if (!VipError.isVipError(error) || error.code !== "CONFIG_INVALID") throw error;
      const { shortMessage: reason, metaMessages: hints } = error;
      this.#output.warn(`leaving out ${this.#names}: ${reason}`);
      return { reason, hints };
    } finally {
      this.#isOver = true;
    }
  }
}
