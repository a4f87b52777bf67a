// Private keys alone: what derives them loads a list of 2,048 words.
export { privateKeyOf, type AccountKey } from "./account/privateKeyOf.ts";
export { openKeystore } from "./keystore.ts";
export { readRemoteKeys, type RemoteKey, type RemoteKeysOptions } from "./remoteKeys.ts";
