//! Why a message is refused.

use cosmwasm_std::StdError;
use thiserror::Error;

/// Why a message was refused. The text starts with the name of the variant, because it is all that a client receives; if
/// the published interface has a text for the error, the sentence contains it.
#[derive(Error, Debug, PartialEq)]
pub enum ContractError {
    #[error("Std: {0}")]
    Std(#[from] StdError),

    /// The sender may not do this.
    #[error("PermissionDenied: Address is not allowed: {addr}")]
    PermissionDenied { addr: String },

    /// The sender is not the owner.
    #[error("NotOwner: Address is not allowed: {addr} is not the owner")]
    NotOwner { addr: String },

    /// Ownership was not offered to the sender.
    #[error("OwnershipNotOffered: Address is not allowed: ownership was not offered to {addr}")]
    OwnershipNotOffered { addr: String },

    /// Stages are numbered from 1.
    #[error("StageZero: Stage can not be zero")]
    StageZero {},

    /// The stage was never created.
    #[error("StageNotFound: Stage not found: {stage}")]
    StageNotFound { stage: u64 },

    /// The stage is finalized.
    #[error("StageFinalized: Stage finalized: {stage}")]
    StageFinalized { stage: u64 },

    /// The account's score is lower than the amount to subtract.
    #[error("InsufficientScore: Insufficient score: {addr} has {score} in stage {stage}, {amount} was to be taken")]
    InsufficientScore {
        stage: u64,
        addr: String,
        score: u64,
        amount: u64,
    },

    /// The account has no score, and the amount to subtract is above 0.
    #[error("InsufficientScore: Insufficient score: User score not found: {addr} has none in stage {stage}, {amount} was to be taken")]
    InsufficientScoreOfNone { stage: u64, addr: String, amount: u64 },

    /// The account has no score in the stage.
    #[error("ScoreNotFound: User score not found: {addr} in stage {stage}")]
    ScoreNotFound { stage: u64, addr: String },

    /// The score would exceed u64.
    #[error("ScoreOverflow: The score of {addr} in stage {stage} would exceed 2^64 - 1")]
    ScoreOverflow { stage: u64, addr: String },

    /// The total would exceed u64.
    #[error("TotalOverflow: The total of stage {stage} would exceed 2^64 - 1")]
    TotalOverflow { stage: u64 },

    /// The chain does not accept the address.
    #[error("InvalidAddress: {addr}: {reason}")]
    InvalidAddress { addr: String, reason: String },

    /// The account is the only member left.
    #[error("LastMember: The last allow-list member cannot be removed: {addr}")]
    LastMember { addr: String },

    /// Nobody could write to a contract without members.
    #[error("NoMembers: The allow list is empty")]
    NoMembers {},

    /// The stage does not hold what the caller of the checked finalize expected.
    #[error("FinalizeMismatch: stage {stage}: expected total {expected_total} and count {expected_count}, the stage has {total} and {count}")]
    FinalizeMismatch {
        stage: u64,
        expected_total: u64,
        expected_count: u64,
        total: u64,
        count: u64,
    },

    /// Scores of the stage were written after the caller of the checked finalize read it.
    #[error("FinalizeMismatch: stage {stage}: expected revision {expected_revision}, the stage has {revision}: its scores were written in between")]
    RevisionMismatch {
        stage: u64,
        expected_revision: u64,
        revision: u64,
    },

    /// A packed batch that does not have the documented form.
    #[error("InvalidPackedScores: no row of an address of 20 or 32 bytes begins at byte {position}")]
    InvalidPackedScores { position: usize },

    /// A query names more addresses than the maximum.
    #[error("TooManyAddresses: {count} addresses, at most {max} are allowed")]
    TooManyAddresses { count: usize, max: usize },

    /// More rows follow than a page may have, and a short page would look like the last one.
    #[error("LimitTooLarge: limit {limit}, and more than {max} rows follow: a page has at most {max}")]
    LimitTooLarge { limit: u64, max: usize },

    /// The text is too long to be part of a key.
    #[error("TextTooLong: a text of {bytes} bytes, at most {max} are allowed")]
    TextTooLong { bytes: usize, max: usize },

    /// The contract takes no coins.
    #[error("FundsSent: The contract takes no coins")]
    FundsSent {},

    /// The contract cannot be migrated to this code.
    #[error("MigrationRefused: {reason}")]
    MigrationRefused { reason: String },
}
