import { createHash } from "node:crypto";
import { firstValue, type VmEvent } from "@vipscore/blocks/cosmos";
import { parseObject } from "@vipscore/core/wire";
import type { OriginNamed } from "../nftChain.ts";

/**
 * Returns what a transfer that Initia's NFT module sent over IBC says about its collection; undefined for any other event.
 * On this chain a collection is named after its class and the way it came: in full if a Wasm contract received it, hashed
 * if the NFT module did. As in a real indexer (initia-labs/rollytics, `indexer/collector/nft-pair`), which knows the VM.
 */
export function readOriginName({ type, attributes }: VmEvent): OriginNamed | undefined {
  const valueOf = (key: string): string => firstValue(attributes, `packet_${key}`) ?? "";
  if (type !== "recv_packet" || valueOf("src_port") !== "nft-transfer") return undefined;
  const { classId, classData } = parseObject(valueOf("data")) ?? {};
  if (typeof classId !== "string" || typeof classData !== "string") return undefined;
  const originName = parseObject(Buffer.from(classData, "base64").toString())?.["name"];
  if (typeof originName !== "string") return undefined;
  const port = valueOf("dst_port");
  const path = `${port}/${valueOf("dst_channel")}/${classId}`;
  const hash = () => createHash("sha256").update(path).digest("hex").toUpperCase();
  return { kind: "originNamed", name: port.startsWith("wasm.") ? path : `ibc/${hash()}`, originName };
}
