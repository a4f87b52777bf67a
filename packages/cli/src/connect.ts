import { CheckError, InputError, VipError } from "@vipscore/core";
import { connectEvm, readChainId, redactUrl, type EvmScoreContract } from "@vipscore/evm";
import type { LocalAccount } from "viem";
import type { Context } from "./context.ts";
import { noKey, readSigner } from "./key/readSigner.ts";
import { shortAddress } from "./output/numbers.ts";
import { deploymentsFileName, readDeployment } from "./settings/deploymentsFile.ts";
import type { ConnectionFlags, Settings } from "./settings/readSettings.ts";
import type { Setting } from "./settings/setting.ts";

/** Whether a command signs: `required`, `optional` (used when there), or `none`. */
export type KeyNeed = "required" | "optional" | "none";

/**
 * Finds the key that a command signs with and tells on stderr which one it is.
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`.
 */
export async function findSigner(
  context: Context,
  settings: Settings,
  flags: ConnectionFlags,
  need: KeyNeed,
): Promise<LocalAccount | undefined> {
  if (need === "none") return undefined;
  const { io, output, scrubber } = context;
  const onLocalNode = settings.localNode !== undefined;
  const signer = await readSigner(io, { keystore: flags.keystore, onLocalNode, scrubber });
  if (signer === undefined && need === "required") throw noKey();
  if (signer === undefined) return undefined;
  output.note(output.paintNote("dim", `signer    ${signer.value.address}  (${signer.source})`));
  return signer.value;
}

/**
 * Connects to the contract that the settings name, or that was last deployed from this folder to their chain. Tells on
 * stderr what was not said by a flag.
 *
 * @throws InputError `CONFIG_INVALID`, `KEY_INVALID`; CheckError `CHAIN_MISMATCH`, `CONTRACT_NOT_FOUND`; NodeError.
 */
export async function connect(
  context: Context,
  settings: Settings,
  flags: ConnectionFlags,
  need: KeyNeed,
): Promise<EvmScoreContract> {
  const { output, io } = context;
  const account = await findSigner(context, settings, flags, need);
  tellEndpoint(context, settings);
  let address: Setting<string> | undefined;
  try {
    address = settings.contract ?? (await findDeployment(context, settings));
    if (address.source !== "--contract") {
      output.note(output.paintNote("dim", `contract  ${address.value}  (${address.source})`));
    }
    return await connectEvm({
      rpcUrl: settings.rpcUrl.value,
      address: address.value,
      account,
      expectedChainId: settings.chainId?.value,
      signal: io.signal,
    });
  } catch (error) {
    throw withOrigin(error, settings, address);
  }
}

/** Tells on stderr which endpoint is used, without its credentials, unless a flag said it. */
export function tellEndpoint({ output, scrubber }: Context, { rpcUrl }: Settings): void {
  scrubber.addUrl(rpcUrl.value);
  if (rpcUrl.source === "--rpc-url" || !URL.canParse(rpcUrl.value)) return;
  output.note(output.paintNote("dim", `endpoint  ${redactUrl(new URL(rpcUrl.value))}  (${rpcUrl.source})`));
}

async function findDeployment({ io }: Context, settings: Settings): Promise<Setting<string>> {
  const { vm, rpcUrl } = settings;
  const expectedChainId = settings.chainId?.value;
  const chainId = await readChainId({ rpcUrl: rpcUrl.value, expectedChainId, signal: io.signal });
  const found = await readDeployment(io.cwd, vm, chainId);
  if (found !== undefined) return { value: found.address, source: deploymentsFileName };
  throw new InputError(`no contract is known for chain ${chainId}`, {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Deploy one: vipscore deploy",
      "Or name one with --contract, CONTRACT_ADDRESS or contract in vipscore.config.json.",
    ],
  });
}

/** A wrong address or chain id is put right where it was written, so the error names the place. */
function withOrigin(error: unknown, settings: Settings, address: Setting<string> | undefined): unknown {
  if (!VipError.isVipError(error)) return error;
  const { chainId } = settings;
  const hints: string[] = [];
  if (error.code === "CONTRACT_NOT_FOUND" && address !== undefined) {
    hints.push(`The address ${shortAddress(address.value)} comes from ${address.source}.`);
    if (address.source === deploymentsFileName) {
      hints.push("A local node that was started anew has lost it: run `vipscore deploy` again.");
    }
  }
  if (error.code === "CHAIN_MISMATCH" && chainId !== undefined) {
    hints.push(`Chain ${chainId.value} comes from ${chainId.source}, the endpoint from ${settings.rpcUrl.source}.`);
  }
  if (hints.length === 0) return error;
  const { code, shortMessage, metaMessages } = error;
  return new CheckError(shortMessage, { code, metaMessages: [...metaMessages, ...hints], cause: error });
}
