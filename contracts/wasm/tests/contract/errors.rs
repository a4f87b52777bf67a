//! The texts of errors (W4): the name of the error, and the published text if there is one.

use vip_score::ContractError;

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
