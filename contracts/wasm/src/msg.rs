//! Every message and answer.
//!
//! Messages ignore fields that they do not have, as in the reference contract. The contents of our own messages that write
//! refuse them: there an ignored field could be a misspelled check. In the schema all are strict, for those who generate
//! clients from it.

use cosmwasm_schema::{cw_serde, QueryResponses};
use cosmwasm_std::{Addr, Binary};

/// Creates the contract; the sender becomes its owner.
#[cw_serde]
#[schemars(deny_unknown_fields)]
pub struct InstantiateMsg {
    /// The first members, at least one. The sender is not added by itself.
    pub allow_list: Vec<String>,
    /// The first stage, from 1.
    pub init_stage: u64,
    /// The only account that may finalize, member or not. Null or missing: any member may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
    /// Whether members may add and remove members. Null or missing: they may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members_can_manage: Option<bool>,
}

/// Takes over a contract with the reference contract's storage, with its data. One that is already ours keeps everything.
#[cw_serde]
#[schemars(deny_unknown_fields)]
pub struct MigrateMsg {
    /// The members from then on, at least one, also of a contract that is already ours. Null or missing: those that it has; of
    /// a reference contract at most 1,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_list: Option<Vec<String>>,
}

/// Stages and scores are u64, as plain JSON numbers. Checks come in this order: the sender, the stage, the rows. A message
/// that fails has written nothing. No message takes coins.
#[cw_serde]
#[schemars(deny_unknown_fields)]
pub enum ExecuteMsg {
    /// Permanently freezes a stage and creates the next one. For the finalizer if one is named,
    /// otherwise for members. Prefer `finalize_stage_checked`.
    FinalizeStage { stage: u64 },
    /// Adds to the score of an account.
    IncreaseScore { addr: String, stage: u64, amount: u64 },
    /// Takes from the score of an account.
    DecreaseScore { addr: String, stage: u64, amount: u64 },
    /// Sets the score of an account.
    UpdateScore { addr: String, stage: u64, amount: u64 },
    /// Sets the scores of many accounts; of two rows for one account the last counts. Cheapest in order of address.
    UpdateScores { stage: u64, scores: Vec<(String, u64)> },
    /// Adds a member; nothing happens if it is one. For the owner, and for members while they may manage.
    AddAllowList { addr: String },
    /// Removes a member, but not the last one; nothing happens if it is not one. For the owner, and for members while they
    /// may manage.
    RemoveAllowList { addr: String },

    /// Sets many scores like `update_scores`, for less: no JSON rows, and one event for the batch.
    UpdateScoresPacked(UpdateScoresPacked),
    /// Finalizes a stage if it holds exactly what is expected.
    FinalizeStageChecked(FinalizeStageChecked),
    /// Replaces all members, at the cost of the new ones. For the owner.
    SetAllowList(SetAllowList),
    /// Offers ownership; a later offer replaces an earlier one. For the owner.
    TransferOwnership(TransferOwnership),
    /// Takes ownership that was offered to the sender.
    AcceptOwnership {},
    /// Decides whether members may add and remove members. For the owner.
    SetMembersCanManage(SetMembersCanManage),
    /// Names the only account that may finalize, member or not. For the owner.
    SetFinalizer(SetFinalizer),
}

/// Content of `update_scores_packed`.
#[cw_serde]
#[serde(deny_unknown_fields)]
pub struct UpdateScoresPacked {
    pub stage: u64,
    /// Rows, one after the other: the length of the address (one byte, 20 or 32), the bytes of the address, the score in
    /// eight bytes, the highest first.
    pub rows: Binary,
}

/// Content of `finalize_stage_checked`.
#[cw_serde]
#[serde(deny_unknown_fields)]
pub struct FinalizeStageChecked {
    pub stage: u64,
    /// The sum of all scores.
    pub expected_total: u64,
    /// The number of all scores.
    pub expected_count: u64,
    /// The revision of `get_stage` when the scores were read: no write in between goes unnoticed, not even one that keeps
    /// total and count.
    pub expected_revision: u64,
}

/// Content of `set_allow_list`.
#[cw_serde]
#[serde(deny_unknown_fields)]
pub struct SetAllowList {
    /// At least one; an account that is named twice counts once.
    pub addrs: Vec<String>,
}

/// Content of `transfer_ownership`.
#[cw_serde]
#[serde(deny_unknown_fields)]
pub struct TransferOwnership {
    pub new_owner: String,
}

/// Content of `set_members_can_manage`.
#[cw_serde]
#[serde(deny_unknown_fields)]
pub struct SetMembersCanManage {
    pub allowed: bool,
}

/// Content of `set_finalizer`.
#[cw_serde]
#[serde(deny_unknown_fields)]
pub struct SetFinalizer {
    /// Null: any member may finalize. A message without the field is refused.
    #[serde(deserialize_with = "Option::deserialize")]
    pub finalizer: Option<String>,
}

/// Pages have at most 1,000 rows, and a larger limit counts as 1,000; `get_scores` differs.
#[cw_serde]
#[derive(QueryResponses)]
#[schemars(deny_unknown_fields)]
pub enum QueryMsg {
    /// The score of an account; an error if it has none.
    #[returns(ScoreResponse)]
    GetScore { addr: String, stage: u64 },
    /// A page of a stage in ascending order of the bytes of addresses, from the first one after the address `start_after`
    /// on. A page with fewer rows than the limit is the last one. At most 4,000 rows: an error with a larger limit if more
    /// follow.
    #[returns(ScoresResponse)]
    GetScores {
        stage: u64,
        limit: u64,
        start_after: Option<String>,
    },
    /// A stage; an error if it was never created.
    #[returns(StageInfoResponse)]
    GetStageInfo { stage: u64 },

    /// Name and version of the contract.
    #[returns(ContractVersionResponse)]
    GetContractVersion {},
    /// The first stage.
    #[returns(InitStageResponse)]
    GetInitStage {},
    /// A stage with the number of its scores. Never an error: `exists` is false for one that was never created.
    #[returns(StageResponse)]
    GetStage { stage: u64 },
    /// The scores of at most 1,000 accounts, in their order; null where there is none, unlike a score of 0.
    #[returns(ScoresOfResponse)]
    GetScoresOf { stage: u64, addrs: Vec<String> },
    /// A page of a stage in ascending order of the bytes of addresses, from the address `from` on.
    #[returns(ScoresFromResponse)]
    GetScoresFrom {
        stage: u64,
        from: Option<String>,
        limit: u64,
    },
    /// A page of the members, in ascending order of text, from the first after the address `start_after` on. At most 1,000; a
    /// page with fewer members than the limit is the last one.
    #[returns(MembersResponse)]
    GetMembers {
        start_after: Option<String>,
        limit: Option<u64>,
    },
    /// The number of members.
    #[returns(MemberCountResponse)]
    GetMemberCount {},
    /// Whether an account is a member.
    #[returns(IsMemberResponse)]
    IsMember { addr: String },
    /// Who owns the contract, to whom ownership is offered, whether members may manage members, and who finalizes.
    #[returns(OwnershipResponse)]
    GetOwnership {},
}

/// The score of one account.
#[cw_serde]
pub struct ScoreResponse {
    pub stage: u64,
    pub addr: Addr,
    pub score: u64,
}

/// A page of scores.
#[cw_serde]
pub struct ScoresResponse {
    pub scores: Vec<ScoreResponse>,
}

/// A stage, as published.
#[cw_serde]
pub struct StageInfoResponse {
    pub stage: u64,
    pub total_score: u64,
    pub is_finalized: bool,
}

/// Name and version of the contract.
#[cw_serde]
pub struct ContractVersionResponse {
    pub contract: String,
    pub version: String,
}

/// The first stage.
#[cw_serde]
pub struct InitStageResponse {
    pub init_stage: u64,
}

/// A stage with the number of its scores.
#[cw_serde]
pub struct StageResponse {
    pub stage: u64,
    pub exists: bool,
    pub total_score: u64,
    pub is_finalized: bool,
    /// Null for a stage that the reference contract finalized before a migration.
    pub count: Option<u64>,
    /// How many calls have written rows of the stage.
    pub revision: u64,
}

/// Scores in the order of the question.
#[cw_serde]
pub struct ScoresOfResponse {
    pub scores: Vec<Option<u64>>,
}

/// An account and its score.
#[cw_serde]
pub struct AccountScore {
    pub addr: Addr,
    pub score: u64,
}

/// A page of scores, and where the next one begins.
#[cw_serde]
pub struct ScoresFromResponse {
    pub scores: Vec<AccountScore>,
    /// The `from` of the next page; null on the last one.
    pub next: Option<Addr>,
}

/// A page of members.
#[cw_serde]
pub struct MembersResponse {
    pub members: Vec<Addr>,
}

/// The number of members.
#[cw_serde]
pub struct MemberCountResponse {
    pub count: u64,
}

/// Whether an account is a member.
#[cw_serde]
pub struct IsMemberResponse {
    pub is_member: bool,
}

/// Who may change what besides scores.
#[cw_serde]
pub struct OwnershipResponse {
    pub owner: Addr,
    pub pending_owner: Option<Addr>,
    pub members_can_manage: bool,
    /// The only account that may finalize; null while any member may.
    pub finalizer: Option<Addr>,
}
