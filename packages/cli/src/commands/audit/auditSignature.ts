import type { ScoresManifest } from "@vipscore/manifest";
import { optionalPackage } from "../../optionalPackage.ts";
import type { AuditLog } from "./auditLog.ts";

/** Compares the address that a manifest's signature gives with the one that the manifest names. */
export async function auditSignature(manifest: ScoresManifest, log: AuditLog): Promise<void> {
  const { signature } = manifest;
  if (signature === undefined) {
    log.notChecked("signature", "the manifest has none");
    return;
  }
  const { recoverSigner } = await optionalPackage("@vipscore/policy");
  const { signer, eip191 } = signature;
  const found = await recoverSigner(manifest, eip191);
  if (found?.toLowerCase() === signer.toLowerCase()) log.same("signature", `by ${found}: is that the operator?`);
  else log.differs("signature", "the signature", `is not one of ${signer} over this manifest`);
}
