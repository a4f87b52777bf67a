import { InputError } from "@vipscore/core";
import { nodeFileName } from "@vipscore/core/nodeFile";
import { readVipBridges, type VipBridge, type VipOptions, type VipStage } from "@vipscore/l1";
import type { MoveAccount } from "@vipscore/move";
import type { Context } from "../context.ts";
import { confirmAddress, findSigner, noSigner, type SignerFlags } from "../key/findSigner.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { isDevice } from "../rollup/rollup.ts";
import { vipOptions, type L1Settings } from "../settings/l1Settings.ts";
import { readL1Stage } from "./l1Stage.ts";

/** L1 as the commands that change a registration need it. */
export interface L1Connection {
  readonly current: VipStage;
  readonly options: VipOptions;
  readonly bridges: readonly VipBridge[];
  /** Registrations that have ended. */
  readonly ended: readonly VipBridge[];
  /** The account of `--sign`; undefined without it. */
  readonly signer: MoveAccount | undefined;
}

/** The flags that say whether and with what to sign. */
export interface SignFlags extends SignerFlags {
  readonly sign?: boolean;
}

/**
 * Reads L1 and, with `--sign`, opens the signer.
 *
 * @throws InputError `CONFIG_INVALID` without an L1 endpoint; `KEY_INVALID`; DeviceError; NodeError.
 */
export async function connectL1(context: Context, l1: L1Settings | undefined, flags: SignFlags): Promise<L1Connection> {
  const { io, output } = context;
  if (l1 === undefined) throw noL1();
  const current = await readL1Stage(context, l1);
  const options = vipOptions(l1, io.signal);
  const { bridges, ended } = await readVipBridges(options);
  if (flags.sign !== true) return { current, options, bridges, ended, signer: undefined };
  // L1 is a Move chain.
  const found = await findSigner(context, { vm: "move", onLocalNode: l1.restUrl.source === nodeFileName }, flags);
  if (found === undefined) throw noSigner();
  const { value, source } = found;
  const { moveAccount, moveAminoAccount } = await optionalPackage("@vipscore/move");
  const signer = isDevice(value) ? moveAminoAccount(value) : moveAccount(value);
  output.note(output.paintNote("dim", `signer    ${signer.address}  (${source})`));
  if (isDevice(value)) await confirmAddress(context, value, signer.address);
  return { current, options, bridges, ended, signer };
}

function noL1(): InputError {
  return new InputError("no L1 endpoint is set", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set L1's REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json."],
  });
}
