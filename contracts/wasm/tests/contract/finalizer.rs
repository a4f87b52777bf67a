//! Who finalizes (R13), and what the checked finalize checks (R4, R21).

use crate::suite::*;
use cosmwasm_std::Addr;
use vip_score::msg::{ExecuteMsg, OwnershipResponse, QueryMsg};
use vip_score::ContractError;

fn finalizer(suite: &Suite) -> Option<Addr> {
    let answer: OwnershipResponse = suite.ask(&QueryMsg::GetOwnership {});
    answer.finalizer
}

fn assert_denied(suite: &mut Suite, sender: &Addr, msg: &ExecuteMsg) {
    let before = suite.raw_state();
    let addr = sender.to_string();
    let denied = ContractError::PermissionDenied { addr };
    assert!(denied.to_string().contains("Address is not allowed"));
    assert_eq!(suite.send(sender, msg).unwrap_err(), denied);
    assert_eq!(suite.raw_state(), before);
}

#[test]
fn a_finalizer_alone_finalizes() {
    let mut suite = Suite::new();
    let (owner, member, named) = (suite.owner.clone(), suite.member.clone(), account(1));
    assert_eq!(finalizer(&suite), None);
    let response = suite.send(&owner, &set_finalizer(Some(&named))).unwrap();
    let attribute = format!("finalizer={named}");
    assert_eq!(
        own_events(&response),
        [event("set-finalizer", &[&attribute])]
    );
    assert_eq!(finalizer(&suite), Some(named.clone()));
    for sender in [&owner, &member, &suite.stranger.clone()] {
        assert_denied(&mut suite, sender, &ExecuteMsg::FinalizeStage { stage: 1 });
        assert_denied(&mut suite, sender, &checked(1, 0, 0, Some(0)));
        // The sender is checked before the stage.
        assert_denied(&mut suite, sender, &checked(9, 0, 0, None));
    }
    // The finalizer is not a member, and does not write.
    let update = ExecuteMsg::UpdateScores {
        stage: 1,
        scores: texts(&[(account(2), 5)]),
    };
    assert_denied(&mut suite, &named, &update);
    suite.send(&member, &update).unwrap();
    suite
        .send(&named, &ExecuteMsg::FinalizeStage { stage: 1 })
        .unwrap();
    suite.send(&named, &checked(2, 0, 0, Some(0))).unwrap();
    assert!(suite.stage(1).is_finalized && suite.stage(2).is_finalized);
}

#[test]
fn without_a_finalizer_any_member_finalizes() {
    let mut suite = Suite::new();
    let owner = suite.owner.clone();
    suite
        .send(&owner, &set_finalizer(Some(&account(1))))
        .unwrap();
    suite
        .send(&owner, &set_finalizer(Some(&account(2))))
        .unwrap();
    assert_eq!(finalizer(&suite), Some(account(2)));
    let finalize = ExecuteMsg::FinalizeStage { stage: 1 };
    assert_denied(&mut suite, &account(1), &finalize);
    let response = suite.send(&owner, &set_finalizer(None)).unwrap();
    assert_eq!(
        own_events(&response),
        [event("set-finalizer", &["finalizer=any"])]
    );
    assert_eq!(finalizer(&suite), None);
    assert_denied(&mut suite, &account(2), &finalize);
    assert_denied(&mut suite, &owner, &finalize);
    suite.finalize(1).unwrap();
}

#[test]
fn the_finalizer_stays_when_ownership_passes() {
    let mut suite = Suite::new();
    let (owner, new) = (suite.owner.clone(), account(3));
    suite
        .send(&owner, &set_finalizer(Some(&account(1))))
        .unwrap();
    suite.send(&owner, &transfer(&new)).unwrap();
    suite.send(&new, &ExecuteMsg::AcceptOwnership {}).unwrap();
    assert_eq!(finalizer(&suite), Some(account(1)));
    let addr = owner.to_string();
    let error = suite.send(&owner, &set_finalizer(None)).unwrap_err();
    assert_eq!(error, ContractError::NotOwner { addr });
    suite.send(&new, &set_finalizer(None)).unwrap();
}

#[test]
fn every_call_that_writes_a_row_raises_the_revision_by_one() {
    let mut suite = Suite::new();
    let (a, b) = (account(1), account(2));
    let amount = |amount| (a.to_string(), 1, amount);
    let mut revision = 0;
    let mut write = |suite: &mut Suite, msg: ExecuteMsg, raises: bool| {
        suite.write(&msg).unwrap();
        revision += u64::from(raises);
        assert_eq!(suite.stage(1).revision, revision, "{msg:?}");
    };
    let update = |rows: &[(Addr, u64)]| ExecuteMsg::UpdateScores {
        stage: 1,
        scores: texts(rows),
    };
    let rows = [(a.clone(), 1), (b.clone(), 2), (a.clone(), 3)];
    write(&mut suite, update(&rows), true);
    // Nothing changes, but it still counts as a write.
    write(&mut suite, update(&rows[1..]), true);
    write(&mut suite, packed_bytes(1, packed(&rows)), true);
    for (addr, stage, amount) in [amount(0), amount(5)] {
        let same = addr.clone();
        let msg = ExecuteMsg::UpdateScore {
            addr,
            stage,
            amount,
        };
        write(&mut suite, msg, true);
        let addr = same.clone();
        let msg = ExecuteMsg::IncreaseScore {
            addr,
            stage,
            amount,
        };
        write(&mut suite, msg, true);
        let addr = same;
        let msg = ExecuteMsg::DecreaseScore {
            addr,
            stage,
            amount,
        };
        write(&mut suite, msg, true);
    }
    write(&mut suite, update(&[]), false);
    write(&mut suite, packed_bytes(1, vec![]), false);
    let before = suite.stage(1);
    suite.finalize(1).unwrap();
    assert_eq!(suite.stage(1).revision, before.revision);
    assert_eq!(suite.stage(2).revision, 0);
}

#[test]
fn swapped_scores_do_not_pass_a_finalize_that_names_the_revision() {
    let mut suite = Suite::new();
    let (a, b) = (account(1), account(2));
    suite
        .update(1, &[(a.clone(), 10), (b.clone(), 20)])
        .unwrap();
    let seen = suite.stage(1);
    suite.update(1, &[(a, 20), (b, 10)]).unwrap();
    let before = suite.raw_state();
    let count = seen.count.unwrap();
    let error = suite
        .write(&checked(1, seen.total_score, count, Some(seen.revision)))
        .unwrap_err();
    assert_eq!(
        error,
        ContractError::RevisionMismatch {
            stage: 1,
            expected_revision: 1,
            revision: 2
        }
    );
    assert!(error.to_string().starts_with("FinalizeMismatch: "));
    assert_eq!(suite.raw_state(), before);
    suite
        .write(&checked(1, seen.total_score, count, Some(2)))
        .unwrap();
}
