//! Errors: their texts (W4), the name of the error and the published text if there is one; and what a call that fails leaves.

use crate::suite::*;
use cosmwasm_std::testing::message_info;
use vip_score::{contract, ContractError};

/// A chain undoes what a failed call wrote, but not for a contract that builds on this one and goes on after the error.
#[test]
fn a_refused_batch_has_written_nothing_itself() {
    let mut suite = Suite::new();
    let rows: Vec<_> = (0..30).map(|number| (account(number), MAX / 20)).collect();
    suite.update(1, &rows[..15]).unwrap();
    let before = suite.raw_state();
    let info = message_info(&suite.member, &[]);
    for msg in [
        packed_bytes(1, packed(&rows)),
        vip_score::msg::ExecuteMsg::UpdateScores {
            stage: 1,
            scores: texts(&rows),
        },
    ] {
        let refused = contract::execute(suite.deps.as_mut(), suite.env.clone(), info.clone(), msg);
        assert_eq!(refused.unwrap_err(), ContractError::TotalOverflow { stage: 1 });
        assert_eq!(suite.raw_state(), before);
    }
}

#[test]
fn errors_have_their_name_and_the_published_text() {
    let addr = || "init1".to_string();
    let (stage, amount, score) = (7, 5, 3);
    let not_found = "ScoreNotFound: User score not found: init1 in stage 7";
    let insufficient = "InsufficientScore: Insufficient score: init1 has 3 in stage 7, ";
    let of_none = "InsufficientScore: Insufficient score: User score not found: init1 has none";
    let mismatch = "FinalizeMismatch: stage 7: expected total 1 and count 2, the stage has 3 and 4";
    let old = "FinalizeMismatch: stage 7: expected revision 1, the stage has 2: ";
    let many = "TooManyAddresses: 1001 addresses, at most 1000 are allowed";
    let large = "LimitTooLarge: limit 5000, and more than 4000 rows follow: a page has at most 4000";
    let (expected_revision, count, limit) = (1, 1001, 5000);
    for (error, beginning) in [
        (ContractError::StageZero {}, "StageZero: Stage can not be zero"),
        (
            ContractError::StageNotFound { stage },
            "StageNotFound: Stage not found: 7",
        ),
        (
            ContractError::StageFinalized { stage },
            "StageFinalized: Stage finalized: 7",
        ),
        (ContractError::ScoreNotFound { stage, addr: addr() }, not_found),
        (
            ContractError::InsufficientScore {
                stage,
                addr: addr(),
                score,
                amount,
            },
            insufficient,
        ),
        (
            ContractError::InsufficientScoreOfNone {
                stage,
                addr: addr(),
                amount,
            },
            of_none,
        ),
        (
            ContractError::FinalizeMismatch {
                stage,
                expected_total: 1,
                expected_count: 2,
                total: 3,
                count: 4,
            },
            mismatch,
        ),
        (
            ContractError::RevisionMismatch {
                stage,
                expected_revision,
                revision: 2,
            },
            old,
        ),
        (ContractError::TooManyAddresses { count, max: 1000 }, many),
        (ContractError::LimitTooLarge { limit, max: 4000 }, large),
        (
            ContractError::PermissionDenied { addr: addr() },
            "PermissionDenied: Address is not allowed: init1",
        ),
        (
            ContractError::NotOwner { addr: addr() },
            "NotOwner: Address is not allowed: init1",
        ),
        (
            ContractError::OwnershipNotOffered { addr: addr() },
            "OwnershipNotOffered: Address is not allowed: ",
        ),
    ] {
        let text = error.to_string();
        assert!(text.starts_with(beginning), "{text}");
    }
}
