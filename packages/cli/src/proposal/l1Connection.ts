import { CheckError, formatBech32, InputError, parseAccount, type Account } from "@vipscore/core";
import { readVipBridges, type VipBridge, type VipOptions, type VipStage } from "@vipscore/l1";
import { nodeFileName } from "@vipscore/localnet/nodeFile";
import type { Context } from "../context.ts";
import { readL1Stage } from "../l1Stage.ts";
import type { SigningKey } from "../rollup/rollup.ts";
import type { L1Settings } from "../settings/l1Settings.ts";

/** L1 as the commands that change a registration need it. */
export interface L1Connection {
  readonly current: VipStage;
  readonly options: VipOptions;
  readonly bridges: readonly VipBridge[];
  /** The key of `--sign`; undefined without it. */
  readonly signer: L1Signer | undefined;
}

/** An account of L1 that signs. */
export interface L1Signer {
  readonly account: Account;
  readonly key: SigningKey;
}

/** The flags that say whether and with what to sign. */
export interface SignFlags {
  readonly sign?: boolean;
  readonly keystore?: string;
}

/**
 * Reads L1 and, with `--sign`, the key.
 *
 * @throws InputError `CONFIG_INVALID` without an L1 endpoint; `KEY_INVALID`; NodeError.
 */
export async function connectL1(
  context: Context,
  l1: L1Settings | undefined,
  { sign = false, keystore }: SignFlags,
): Promise<L1Connection> {
  const { io, output, scrubber } = context;
  if (l1 === undefined) throw noL1();
  const current = await readL1Stage(context, l1);
  const options = { l1RestUrl: l1.restUrl.value, vipAddress: l1.vipAddress?.value, signal: io.signal };
  const { bridges } = await readVipBridges(options);
  if (!sign) return { current, options, bridges, signer: undefined };
  const { noKey, readKey } = await import("../key/readKey.ts");
  // L1 is a Move chain.
  const onLocalNode = l1.restUrl.source === nodeFileName;
  const key = await readKey(io, { vm: "move", keystore, onLocalNode, scrubber });
  if (key === undefined) throw noKey();
  const { moveAccount } = await import("@vipscore/move");
  const { account, address } = moveAccount(key.value);
  output.note(output.paintNote("dim", `signer    ${address}  (${key.source})`));
  return { current, options, bridges, signer: { account, key: key.value } };
}

/** Throws `PERMISSION_DENIED` if another account than this one would sign. */
export function checkIsOperator(signer: L1Signer | undefined, bridge: VipBridge): Account {
  const operator = parseAccount(padded(bridge.operatorAddress), { accountBytes: [20, 32] });
  if (signer === undefined || signer.account === operator) return operator;
  throw new CheckError(
    `${formatBech32(signer.account)} is not the operator of bridge ${bridge.bridgeId}: L1 knows ${formatBech32(operator)}`,
    { code: "PERMISSION_DENIED", metaMessages: ["Sign with the operator's key."] },
  );
}

/** Move prints addresses without leading zeros. */
function padded(address: string): string {
  return /^0x[0-9a-f]{1,64}$/.test(address) ? `0x${address.slice(2).padStart(64, "0")}` : address;
}

function noL1(): InputError {
  return new InputError("no L1 endpoint is set", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set L1's REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json."],
  });
}
