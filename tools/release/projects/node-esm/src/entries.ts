// Every entry with code, by the names that a program would use.
import { zeroAddress, type HexAddress } from "@vipscore/blocks";
import { readCosmosEvents, type CosmosEvent } from "@vipscore/blocks/cosmos";
import { openEvmRpc, readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import { run, type Io } from "@vipscore/cli";
import { runConformance, type ConformanceReport } from "@vipscore/conformance";
import { digestScores, pollUntil } from "@vipscore/core/engine";
import { InputError } from "@vipscore/core/errors";
import { object, text, type ReadField } from "@vipscore/core/field";
import { privateKeyOf, type AccountKey } from "@vipscore/core/keys";
import { parseManifest, type ScoresManifest } from "@vipscore/core/manifest";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { readNodeFile, type NodeFile } from "@vipscore/core/nodeFile";
import { testAccounts, type LocalAccount } from "@vipscore/core/testAccounts";
import { parseAccount } from "@vipscore/core/values";
import { parseEndpoint } from "@vipscore/core/wire";
import { parseGasPrices, type GasPrice } from "@vipscore/cosmos";
import { createApi, startIndexer, type RunningIndexer } from "@vipscore/indexer";
import { openIndexer, tokensByAccount, type NftToken } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { readHolders, type Holders } from "@vipscore/indexer-client/holders";
import { readMetadata, type MetadataResult } from "@vipscore/indexer-client/metadata";
import { pageQuery } from "@vipscore/indexer-client/query";
import { getStages, type ScoreStage } from "@vipscore/indexer-client/scores";
import { readVipStage } from "@vipscore/l1";
import { openLedger, type LedgerAccount } from "@vipscore/ledger";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { openSources, readPolicy, runPolicy } from "@vipscore/policy";
import { renderReport, type ReportInput } from "@vipscore/report";
import { connectWasm, wasmAccount } from "@vipscore/wasm";

export const functions = {
  ...{ zeroAddress, readCosmosEvents, openEvmRpc, readEvmEvents, run, parseGasPrices, digestScores, pollUntil },
  ...{ InputError, parseAccount, parseEndpoint, createApi, startIndexer, openIndexer, tokensByAccount, decodeAddress },
  ...{
    readHolders,
    readMetadata,
    getStages,
    pageQuery,
    readVipStage,
    startHardhat,
    nodeEnvironment,
    readNodeFile,
    openSources,
    readPolicy,
  },
  ...{ runPolicy, parseManifest, renderReport, connectWasm, wasmAccount, privateKeyOf },
  ...{ object, text, openLedger, runConformance },
};

export const account: LocalAccount = testAccounts.operator;

export interface Types {
  readonly key: AccountKey;
  readonly reader: ReadField<string>;
  readonly nodeFile: NodeFile;
  readonly address: HexAddress;
  readonly events: readonly (CosmosEvent | EvmEvent)[];
  readonly io: Io;
  readonly price: GasPrice;
  readonly indexer: RunningIndexer;
  readonly token: NftToken;
  readonly stage: ScoreStage;
  readonly holders: Holders;
  readonly metadata: MetadataResult;
  readonly node: LocalNode;
  readonly manifest: ScoresManifest;
  readonly report: ReportInput;
  readonly conformance: ConformanceReport;
  readonly device: LedgerAccount;
}
