//! Stages: R1 to R5, R10.

use crate::suite::*;
use vip_score::msg::{ExecuteMsg, InitStageResponse, InstantiateMsg, QueryMsg, StageResponse};
use vip_score::ContractError;

use cw_multi_test::Executor;

fn no_stage(stage: u64) -> StageResponse {
    StageResponse {
        stage,
        exists: false,
        total_score: 0,
        is_finalized: false,
        count: Some(0),
        revision: 0,
    }
}

#[test]
fn the_first_stage_is_open_and_the_only_one() {
    let suite = Suite::with_stage(7);
    assert_eq!(suite.stage(7), stage(7, 0, 0, false));
    assert_eq!(suite.stage(6), no_stage(6));
    assert_eq!(suite.stage(8), no_stage(8));
    let first: InitStageResponse = suite.ask(&QueryMsg::GetInitStage {});
    assert_eq!(first.init_stage, 7);
}

#[test]
fn a_member_that_is_named_twice_is_one_member() {
    let mut app = new_app();
    let owner = account(1);
    let code = app.store_code(our_code());
    let allow_list = [2, 3, 2].map(|number| account(number).into_string());
    let msg = InstantiateMsg {
        allow_list: allow_list.to_vec(),
        init_stage: 4,
    };
    let contract = app.instantiate_contract(code, owner.clone(), &msg, &[], "vip", None);
    let contract = contract.unwrap();
    let is_own = |key: &[u8]| key.starts_with(b"\x00\x0aallow_list");
    let state = app.dump_wasm_raw(&contract);
    assert_eq!(state.iter().filter(|(key, _)| is_own(key)).count(), 2);
}

#[test]
fn creation_with_stage_0_or_without_members_fails() {
    let mut app = new_app();
    let owner = account(1);
    let code = app.store_code(our_code());
    let mut create = |allow_list: &[&str], init_stage| {
        let msg = InstantiateMsg {
            allow_list: allow_list.iter().map(|text| text.to_string()).collect(),
            init_stage,
        };
        app.instantiate_contract(code, owner.clone(), &msg, &[], "vip", None)
            .map_err(contract_error)
            .unwrap_err()
    };
    let member = account(2).into_string();
    assert_eq!(create(&[&member], 0), ContractError::StageZero {});
    assert_eq!(create(&[], 1), ContractError::NoMembers {});
    assert!(matches!(
        create(&[&member, "init1nope"], 1),
        ContractError::InvalidAddress { addr, .. } if addr == "init1nope"
    ));
}

#[test]
fn finalize_freezes_the_stage_and_opens_the_next() {
    let mut suite = Suite::new();
    suite.update(1, &[(account(1), 5)]).unwrap();
    let response = suite.finalize(1).unwrap();
    assert_eq!(
        own_events(&response),
        [
            event("finalize-stage", &["stage=1"]),
            event("create-stage", &["stage=2"])
        ]
    );
    assert_eq!(suite.stage(1), stage(1, 5, 1, true));
    assert_eq!(suite.stage(2), stage(2, 0, 0, false));
    assert_eq!(suite.stage(3), no_stage(3));
}

#[test]
fn a_second_finalize_fails_and_changes_nothing() {
    let mut suite = Suite::new();
    suite.update(1, &[(account(1), 5)]).unwrap();
    suite.finalize(1).unwrap();
    suite
        .update(2, &[(account(1), 6), (account(2), 7)])
        .unwrap();
    suite.finalize(2).unwrap();
    let before = suite.raw_state();
    let is_finalized = Err(ContractError::StageFinalized { stage: 1 });
    assert_eq!(suite.finalize(1).map(drop), is_finalized);
    assert_eq!(suite.write(&checked(1, 5, 1, None)).map(drop), is_finalized);
    assert_eq!(suite.raw_state(), before);
    assert_eq!(suite.stage(2), stage(2, 13, 2, true));
}

#[test]
fn only_the_open_stage_can_be_finalized() {
    let mut suite = Suite::with_stage(3);
    for number in [0, 1, 2, 4, MAX] {
        let not_found = Err(ContractError::StageNotFound { stage: number });
        assert_eq!(suite.finalize(number).map(drop), not_found);
        assert_eq!(
            suite.write(&checked(number, 0, 0, None)).map(drop),
            not_found
        );
    }
}

#[test]
fn the_last_stage_has_no_next() {
    let mut suite = Suite::with_stage(MAX);
    suite.update(MAX, &[(account(1), MAX)]).unwrap();
    let response = suite.finalize(MAX).unwrap();
    let finalized = event("finalize-stage", &["stage=18446744073709551615"]);
    assert_eq!(own_events(&response), [finalized]);
    assert_eq!(suite.stage(MAX), stage(MAX, MAX, 1, true));
    assert_eq!(suite.stage(0), no_stage(0));
    assert_eq!(
        suite.finalize(MAX).unwrap_err(),
        ContractError::StageFinalized { stage: MAX }
    );
    assert_eq!(suite.all_by_get_scores(MAX, 10), [(account(1), MAX)]);
}

#[test]
fn checked_finalize_takes_exactly_what_is_there() {
    let mut suite = Suite::new();
    suite
        .update(1, &[(account(1), 5), (account(2), 0)])
        .unwrap();
    let before = suite.raw_state();
    let wrong = [(5, 1), (4, 2), (6, 2), (0, 0), (MAX, MAX)];
    for ((total, count), revision) in wrong.into_iter().flat_map(|w| [(w, None), (w, Some(1))]) {
        assert_eq!(
            suite
                .write(&checked(1, total, count, revision))
                .unwrap_err(),
            ContractError::FinalizeMismatch {
                stage: 1,
                expected_total: total,
                expected_count: count,
                total: 5,
                count: 2
            }
        );
        assert_eq!(suite.raw_state(), before);
    }
    suite.write(&checked(1, 5, 2, None)).unwrap();
    assert!(suite.stage(1).is_finalized);
    suite.write(&checked(2, 0, 0, Some(0))).unwrap();
    assert!(suite.stage(2).is_finalized);
}

#[test]
fn nobody_changes_a_finalized_stage() {
    let mut suite = Suite::new();
    let rows: Vec<_> = (0..50).map(|n| (account(n), n)).collect();
    suite.update(1, &rows).unwrap();
    suite.finalize(1).unwrap();
    let before = suite.raw_state();
    let addr = account(3).into_string();
    let (stage, amount) = (1, 1);
    let scores = vec![(addr.clone(), 1)];
    let rows = packed(&[(account(3), 1)]);
    for msg in [
        ExecuteMsg::UpdateScores { stage, scores },
        ExecuteMsg::UpdateScores {
            stage,
            scores: vec![],
        },
        packed_bytes(stage, rows),
        ExecuteMsg::UpdateScore {
            addr: addr.clone(),
            stage,
            amount,
        },
        ExecuteMsg::IncreaseScore {
            addr: addr.clone(),
            stage,
            amount,
        },
        ExecuteMsg::DecreaseScore {
            addr,
            stage,
            amount,
        },
        ExecuteMsg::FinalizeStage { stage },
        checked(1, 0, 0, None),
        checked(1, 1225, 50, Some(1)),
    ] {
        assert_eq!(
            suite.write(&msg).unwrap_err(),
            ContractError::StageFinalized { stage }
        );
        assert_eq!(suite.raw_state(), before);
    }
}
