import { NodeError } from "@vipscore/core";
import type { CosmosNode } from "../localNode.ts";
import { checkBlockTime, checkPort, portInUse } from "../nodeSettings.ts";
import { startGuarded, StartFailure } from "../startGuarded.ts";
import { testAccounts } from "../testAccounts.ts";
import { buildVipnode, type BuildVipnodeOptions } from "./buildVipnode.ts";

/** The line that vipnode prints once both servers answer. */
const readyLine =
  /^ready rest=(http:\/\/127\.0\.0\.1:\d+) rpc=(http:\/\/127\.0\.0\.1:(\d+)) chain-id=(\S+)(?: vip=(0x[0-9a-f]+))?$/m;

/**
 * How a mempool takes the transactions of one account. `"initia"` is that of Initia's nodes from initia v1.4 on: a transaction
 * with a sequence after that of committed state needs the extension option `/initia.tx.v1.ExtensionOptionQueuedTx`. `"classic"`
 * is that of nodes on initia v1.2: sequences are taken in order, and the extension option fails.
 */
export type Mempool = "initia" | "classic";

export interface StartVipnodeOptions extends BuildVipnodeOptions {
  /** Port of the REST server on 127.0.0.1, 0 or absent for any free one. */
  readonly restPort?: number;
  /** Port of the RPC server on 127.0.0.1, 0 or absent for any free one. */
  readonly rpcPort?: number;
  /** Milliseconds between blocks; without it a block is made as soon as a transaction waits. */
  readonly blockTimeMs?: number;
  readonly chainId?: string;
  /** The mempool that the chain behaves like; default `"initia"`. */
  readonly mempool?: Mempool;
  /** The chain plays Initia's L1: it has the module `vip`, whose stage any account can set. Move alone can. */
  readonly l1?: boolean;
}

/**
 * Starts `vipnode-move` or `vipnode-wasm`, a one-validator chain with the VM of Initia's rollups, on 127.0.0.1; builds it
 * first where needed ({@link buildVipnode}). Its state is forgotten when it stops. It ends with this process, also when this one is
 * killed.
 *
 * @throws CONFIG_INVALID when an option cannot be used, a port is taken, or vipnode cannot be built here;
 * NODE_UNREACHABLE with the end of its error output when it does not start.
 */
export async function startVipnode(options: StartVipnodeOptions): Promise<CosmosNode> {
  const args = vipnodeArguments(options);
  const program = await buildVipnode(options);
  options.signal?.throwIfAborted();
  const vipnode = startGuarded(program, args, readyLine);
  try {
    const [, restUrl = "", rpcUrl = "", , chainId = "", vipAddress] = await vipnode.ready;
    return {
      vm: options.vm,
      kind: "vipnode",
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
    const said = cause.stderrTail.trim();
    const taken = /port (\d+) is in use/.exec(said)?.[1];
    if (taken !== undefined) throw portInUse(Number(taken), cause);
    throw new NodeError(`vipnode-${options.vm} did not start: ${cause.message}`, {
      code: "NODE_UNREACHABLE",
      details: said,
      metaMessages: said === "" ? [] : [`It printed: ${said}`],
      cause,
    });
  }
}

function vipnodeArguments(options: StartVipnodeOptions): readonly string[] {
  const ports = `${checkPort(options.restPort ?? 0)},${checkPort(options.rpcPort ?? 0)}`;
  const blockTimeMs = checkBlockTime(options.blockTimeMs);
  return [
    "start",
    "--ephemeral",
    "--ports",
    ports,
    ...(blockTimeMs === undefined ? [] : ["--block-time", `${blockTimeMs}ms`]),
    ...(options.chainId === undefined ? [] : ["--chain-id", options.chainId]),
    ...(options.mempool === undefined ? [] : ["--mempool", options.mempool]),
    ...(options.l1 === true ? ["--l1"] : []),
  ];
}
