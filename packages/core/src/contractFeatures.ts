/** What a contract can do beyond the published interface, by the entry points that it has. */
export interface ContractFeatures {
  /** The checked finalize, and the revision of a stage that it compares. */
  readonly checkedFinalize: boolean;
  /** The packed entry point, and storage and pages like those of the vipscore contract. */
  readonly packed: boolean;
  /** Owner, finalizer, and a list of members. */
  readonly roles: boolean;
}

/** The features of the vipscore contract. */
export const allFeatures: ContractFeatures = { checkedFinalize: true, packed: true, roles: true };

/** The features of a reference contract. */
export const noFeatures: ContractFeatures = { checkedFinalize: false, packed: false, roles: false };
