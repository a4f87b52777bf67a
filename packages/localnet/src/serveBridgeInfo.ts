import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { formatBech32, parseAccount } from "@vipscore/core";
import { listenOnLoopback, type LoopbackServer } from "./listenOnLoopback.ts";

/** A rollup's bridge on L1. */
export interface LocalBridge {
  /** From 1. */
  readonly id: bigint;
  /** The bridge's account on L1, in bech32. Default: the one that L1 derives from the ID. */
  readonly address?: string;
  /** Chain ID of that L1. Default: that of a local one. */
  readonly l1ChainId?: string;
}

const path = "/opinit/opchild/v1/bridge_info";

/**
 * Serves the part of a rollup's REST endpoint that names its bridge, next to a local EVM node, which has only JSON-RPC; vipnode
 * serves it itself. The fields are those of initia-labs/OPinit (x/opchild).
 *
 * @param port Default: any free port.
 * @throws CONFIG_INVALID if the port is invalid or in use.
 */
export function serveBridgeInfo(bridge: LocalBridge, port = 0): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const isKnown = request.method === "GET" && request.url === path;
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
    const { id, address = bridgeAddress(id), l1ChainId = "vipnode-l1-1" } = bridge;
    const known = { bridge_info: { bridge_id: id.toString(), bridge_addr: address, l1_chain_id: l1ChainId } };
    response.end(JSON.stringify(isKnown ? known : { code: 5, message: "Not Found", details: [] }));
  });
  return listenOnLoopback(server, port);
}

/** Returns the account of a bridge on every L1, in bech32: the SDK's address of the module `ophost` for the ID in 8 bytes. */
export function bridgeAddress(id: bigint): string {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(id);
  const address = sha256(Buffer.concat([sha256(Buffer.from("module")), Buffer.from("ophost\0"), key]));
  return formatBech32(parseAccount(`0x${address.toString("hex")}`, { accountBytes: [32] }));
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
