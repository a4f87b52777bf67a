import { NodeError } from "@vipscore/core";
import { testAccounts } from "@vipscore/core/testAccounts";
import { checkBlockTime, checkPort, portInUse, type CosmosNode } from "../localNode.ts";
import type { LocalBridge } from "../serveBridgeInfo.ts";
import { StartFailure, startGuarded } from "../startGuarded.ts";
import type { BuildVipnodeOptions } from "./buildVipnode.ts";
import { prepareVipnode } from "./prepareVipnode.ts";

/** The line that vipnode prints once both servers answer. */
const readyLine =
  /^ready rest=(http:\/\/127\.0\.0\.1:\d+) rpc=(http:\/\/127\.0\.0\.1:(\d+)) chain-id=(\S+)(?: vip=(0x[0-9a-f]+))?$/m;

/**
 * A mempool's rules for the transactions of one account. `"initia"` is like initia v1.4 and later: a transaction with a
 * sequence ahead of committed state needs the extension option `/initia.tx.v1.ExtensionOptionQueuedTx`. `"classic"` is
 * like initia v1.2: sequences are accepted in order, and the extension option fails.
 */
export type Mempool = "initia" | "classic";

export interface StartVipnodeOptions extends BuildVipnodeOptions {
  /** Port of the REST server on 127.0.0.1. Default: any free port, as with 0. */
  readonly restPort?: number;
  /** Port of the RPC server on 127.0.0.1. Default: any free port, as with 0. */
  readonly rpcPort?: number;
  /** Milliseconds between blocks. Default: a block as soon as a transaction is waiting. */
  readonly blockTimeMs?: number;
  readonly chainId?: string;
  /** The mempool that the chain imitates. Default: `"initia"`. */
  readonly mempool?: Mempool;
  /** False for a node that keeps no index of transactions. Default: true. */
  readonly txIndex?: boolean;
  /** Folder that keeps the state. Default: none is kept. */
  readonly home?: string;
  /**
   * The chain imitates Initia's L1: it has the module `vip`, whose stage any account can set, and governance, which passes every
   * proposal. Only on Move.
   */
  readonly l1?: boolean;
  /** The rollup's bridge on L1. Default: none. */
  readonly bridge?: LocalBridge;
}

/**
 * Starts `vipnode-move` or `vipnode-wasm`, a one-validator chain with the VM of Initia's rollups, on 127.0.0.1; builds
 * it first if needed (`prepareVipnodes`). It ends with this process, even if this
 * process is killed.
 *
 * @throws CONFIG_INVALID if an option is invalid, a port is taken, or vipnode is not prebuilt and cannot be built;
 * NODE_UNREACHABLE with the end of its error output if it does not start.
 */
export async function startVipnode(options: StartVipnodeOptions): Promise<CosmosNode> {
  const args = vipnodeArguments(options);
  const program = await prepareVipnode(options);
  options.signal?.throwIfAborted();
  const vipnode = startGuarded(program, args, readyLine);
  try {
    const [, restUrl = "", rpcUrl = "", , chainId = "", vipAddress] = await vipnode.ready;
    return {
      vm: options.vm,
      restUrl,
      rpcUrl,
      chainId,
      ...(vipAddress === undefined ? {} : { vipAddress }),
      accounts: Object.values(testAccounts),
      stop: vipnode.stop,
      [Symbol.asyncDispose]: vipnode.stop,
    };
  } catch (cause) {
    await vipnode.stop();
    if (!(cause instanceof StartFailure)) throw cause;
    const printed = cause.stderrTail.trim();
    const taken = /port (\d+) is in use/.exec(printed)?.[1];
    if (taken !== undefined) throw portInUse(Number(taken), cause);
    throw new NodeError(`vipnode-${options.vm} did not start: ${cause.message}`, {
      code: "NODE_UNREACHABLE",
      details: printed,
      metaMessages: printed === "" ? [] : [`It printed: ${printed}`],
      cause,
    });
  }
}

function vipnodeArguments(options: StartVipnodeOptions): readonly string[] {
  const ports = `${checkPort(options.restPort ?? 0)},${checkPort(options.rpcPort ?? 0)}`;
  const blockTimeMs = checkBlockTime(options.blockTimeMs);
  return [
    "start",
    ...(options.home === undefined ? ["--ephemeral"] : ["--home", options.home]),
    "--ports",
    ports,
    ...(blockTimeMs === undefined ? [] : ["--block-time", `${blockTimeMs}ms`]),
    ...(options.chainId === undefined ? [] : ["--chain-id", options.chainId]),
    ...(options.mempool === undefined ? [] : ["--mempool", options.mempool]),
    ...(options.txIndex === false ? ["--no-tx-index"] : []),
    ...(options.l1 === true ? ["--l1"] : []),
    ...bridgeArguments(options.bridge),
  ];
}

function bridgeArguments(bridge: LocalBridge | undefined): readonly string[] {
  if (bridge === undefined) return [];
  const { id, address, l1ChainId } = bridge;
  return [
    "--bridge-id",
    String(id),
    ...(address === undefined ? [] : ["--bridge-addr", address]),
    ...(l1ChainId === undefined ? [] : ["--l1-chain-id", l1ChainId]),
  ];
}
