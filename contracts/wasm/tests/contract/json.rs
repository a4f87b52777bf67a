//! The bytes of every message. The published ones are frozen: they come from the interface of the reference contract.

use crate::suite::*;
use cosmwasm_std::{from_json, to_json_string, Addr};
use vip_score::msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg};

/// The message parses from the text and serializes to the same text.
fn assert_execute(text: &str, msg: ExecuteMsg) {
    assert_eq!(from_json::<ExecuteMsg>(text).unwrap(), msg);
    assert_eq!(to_json_string(&msg).unwrap(), text);
}

fn assert_query(text: &str, msg: QueryMsg) {
    assert_eq!(from_json::<QueryMsg>(text).unwrap(), msg);
    assert_eq!(to_json_string(&msg).unwrap(), text);
}

#[test]
fn published_messages_are_frozen() {
    let addr = || "a".to_string();
    assert_execute(
        r#"{"finalize_stage":{"stage":18446744073709551615}}"#,
        ExecuteMsg::FinalizeStage { stage: MAX },
    );
    assert_execute(
        r#"{"increase_score":{"addr":"a","stage":1,"amount":9007199254740993}}"#,
        ExecuteMsg::IncreaseScore {
            addr: addr(),
            stage: 1,
            amount: ABOVE_DOUBLES,
        },
    );
    assert_execute(
        r#"{"decrease_score":{"addr":"a","stage":1,"amount":0}}"#,
        ExecuteMsg::DecreaseScore {
            addr: addr(),
            stage: 1,
            amount: 0,
        },
    );
    assert_execute(
        r#"{"update_score":{"addr":"a","stage":1,"amount":18446744073709551615}}"#,
        ExecuteMsg::UpdateScore {
            addr: addr(),
            stage: 1,
            amount: MAX,
        },
    );
    assert_execute(
        r#"{"update_scores":{"stage":1,"scores":[["a",18446744073709551615],["b",9007199254740993]]}}"#,
        ExecuteMsg::UpdateScores {
            stage: 1,
            scores: vec![(addr(), MAX), ("b".to_string(), ABOVE_DOUBLES)],
        },
    );
    assert_execute(
        r#"{"add_allow_list":{"addr":"a"}}"#,
        ExecuteMsg::AddAllowList { addr: addr() },
    );
    assert_execute(
        r#"{"remove_allow_list":{"addr":"a"}}"#,
        ExecuteMsg::RemoveAllowList { addr: addr() },
    );
    assert_query(
        r#"{"get_score":{"addr":"a","stage":1}}"#,
        QueryMsg::GetScore { addr: addr(), stage: 1 },
    );
    assert_query(
        r#"{"get_scores":{"stage":1,"limit":10,"start_after":"a"}}"#,
        QueryMsg::GetScores {
            stage: 1,
            limit: 10,
            start_after: Some(addr()),
        },
    );
    for text in [
        r#"{"get_scores":{"stage":1,"limit":10}}"#,
        r#"{"get_scores":{"limit":10,"stage":1,"start_after":null}}"#,
    ] {
        let expected = QueryMsg::GetScores {
            stage: 1,
            limit: 10,
            start_after: None,
        };
        assert_eq!(from_json::<QueryMsg>(text).unwrap(), expected);
    }
    assert_query(r#"{"get_stage_info":{"stage":1}}"#, QueryMsg::GetStageInfo { stage: 1 });
    let instantiate = r#"{"allow_list":["a"],"init_stage":1}"#;
    let msg: InstantiateMsg = from_json(instantiate).unwrap();
    assert_eq!(to_json_string(&msg).unwrap(), instantiate);
    let migrate: MigrateMsg = from_json("{}").unwrap();
    assert_eq!(migrate, MigrateMsg { allow_list: None });
    assert_eq!(to_json_string(&migrate).unwrap(), "{}");
}

#[test]
fn additional_messages() {
    let addr = || "a".to_string();
    assert_execute(
        r#"{"update_scores_packed":{"stage":1,"rows":"AQID"}}"#,
        packed_bytes(1, vec![1, 2, 3]),
    );
    assert_execute(
        r#"{"finalize_stage_checked":{"stage":1,"expected_total":18446744073709551615,"expected_count":2,"expected_revision":3}}"#,
        checked(1, MAX, 2, 3),
    );
    let instantiate = r#"{"allow_list":["a"],"init_stage":1,"finalizer":"b","members_can_manage":false}"#;
    let msg: InstantiateMsg = from_json(instantiate).unwrap();
    assert_eq!(to_json_string(&msg).unwrap(), instantiate);
    let migrate = r#"{"allow_list":["a"]}"#;
    let msg: MigrateMsg = from_json(migrate).unwrap();
    assert_eq!(to_json_string(&msg).unwrap(), migrate);
    assert_execute(
        r#"{"set_allow_list":{"addrs":["a"]}}"#,
        set_members(&[Addr::unchecked("a")]),
    );
    assert_query(r#"{"get_member_count":{}}"#, QueryMsg::GetMemberCount {});
    assert_execute(
        r#"{"transfer_ownership":{"new_owner":"a"}}"#,
        transfer(&Addr::unchecked("a")),
    );
    assert_execute(
        r#"{"set_finalizer":{"finalizer":"a"}}"#,
        set_finalizer(Some(&Addr::unchecked("a"))),
    );
    assert_execute(r#"{"set_finalizer":{"finalizer":null}}"#, set_finalizer(None));
    assert_execute(r#"{"accept_ownership":{}}"#, ExecuteMsg::AcceptOwnership {});
    assert_execute(
        r#"{"set_members_can_manage":{"allowed":false}}"#,
        set_members_can_manage(false),
    );
    assert_query(r#"{"get_contract_version":{}}"#, QueryMsg::GetContractVersion {});
    assert_query(r#"{"get_init_stage":{}}"#, QueryMsg::GetInitStage {});
    assert_query(r#"{"get_stage":{"stage":1}}"#, QueryMsg::GetStage { stage: 1 });
    assert_query(
        r#"{"get_scores_of":{"stage":1,"addrs":["a"]}}"#,
        QueryMsg::GetScoresOf {
            stage: 1,
            addrs: vec![addr()],
        },
    );
    assert_query(
        r#"{"get_scores_from":{"stage":1,"from":"a","limit":5}}"#,
        QueryMsg::GetScoresFrom {
            stage: 1,
            from: Some(addr()),
            limit: 5,
        },
    );
    assert_query(
        r#"{"get_members":{"start_after":null,"limit":null}}"#,
        QueryMsg::GetMembers {
            start_after: None,
            limit: None,
        },
    );
    assert_eq!(
        from_json::<QueryMsg>(r#"{"get_members":{"limit":3}}"#).unwrap(),
        QueryMsg::GetMembers {
            start_after: None,
            limit: Some(3),
        }
    );
    assert_query(r#"{"is_member":{"addr":"a"}}"#, QueryMsg::IsMember { addr: addr() });
    assert_query(r#"{"get_ownership":{}}"#, QueryMsg::GetOwnership {});
}

#[test]
fn published_messages_accept_fields_that_they_do_not_have() {
    // As the reference contract does: its messages are plain `derive(Deserialize)`.
    for text in [
        r#"{"finalize_stage":{"stage":1,"other":"a"}}"#,
        r#"{"update_score":{"addr":"a","stage":1,"amount":2,"other":[1,{"x":null}]}}"#,
        r#"{"increase_score":{"addr":"a","stage":1,"amount":2,"other":1}}"#,
        r#"{"decrease_score":{"addr":"a","stage":1,"amount":2,"other":1}}"#,
        r#"{"update_scores":{"stage":1,"scores":[["a",2]],"other":1}}"#,
        r#"{"add_allow_list":{"addr":"a","other":1}}"#,
        r#"{"remove_allow_list":{"addr":"a","other":1}}"#,
    ] {
        from_json::<ExecuteMsg>(text).unwrap();
    }
    for text in [
        r#"{"get_score":{"addr":"a","stage":1,"other":1}}"#,
        r#"{"get_scores":{"stage":1,"limit":1,"other":1}}"#,
        r#"{"get_stage_info":{"stage":1,"other":1}}"#,
    ] {
        from_json::<QueryMsg>(text).unwrap();
    }
    from_json::<InstantiateMsg>(r#"{"allow_list":["a"],"init_stage":1,"other":1}"#).unwrap();
    from_json::<MigrateMsg>(r#"{"other":1}"#).unwrap();
}

#[test]
fn anything_else_is_not_a_message() {
    let execute = |text: &str| from_json::<ExecuteMsg>(text).unwrap_err().to_string();
    let error = execute(r#"{"nope":{}}"#);
    // Recorded: the name, and the names in this order, with ours after them.
    let recorded = "unknown variant `nope`, expected one of `finalize_stage`, `increase_score`, \
        `decrease_score`, `update_score`, `update_scores`, `add_allow_list`, `remove_allow_list`";
    assert!(error.contains(recorded), "{error}");
    let error = execute(r#"{"finalize_stage":{}}"#);
    assert!(error.contains("missing field `stage`"), "{error}");
    for text in [
        r#"{"finalize_stage":{"stage":-1}}"#,
        r#"{"finalize_stage":{"stage":"1"}}"#,
        r#"{"finalize_stage":{"stage":1.5}}"#,
        r#"{"finalize_stage":{"stage":18446744073709551616}}"#,
        r#"{"finalize_stage":{"stage":null}}"#,
        r#"{"finalize_stage":{"stage":1,"stage":1}}"#,
        r#"{"finalize_stage":{"stage":1},"accept_ownership":{}}"#,
        r#"{"update_scores":{"stage":1,"scores":[["a"]]}}"#,
        r#"{"update_scores":{"stage":1,"scores":[["a",1,2]]}}"#,
        r#"{"update_scores_packed":{"stage":1,"rows":"?"}}"#,
        // Our own messages are strict.
        r#"{"update_scores_packed":{"stage":1,"rows":"","other":1}}"#,
        r#"{"finalize_stage_checked":{"stage":1,"expected_total":5,"expected_count":2}}"#,
        r#"{"finalize_stage_checked":{"stage":1,"expected_total":5,"expected_count":2,"expected_revision":null}}"#,
        r#"{"finalize_stage_checked":{"stage":1,"expected_total":5,"expected_count":2,"expected_revision":3,"other":1}}"#,
        r#"{"set_members_can_manage":{"allowed":false,"other":1}}"#,
        r#"{"transfer_ownership":{"new_owner":"a","other":1}}"#,
        r#"{"set_allow_list":{"addrs":[],"other":1}}"#,
        r#"{"set_allow_list":{}}"#,
        r#"{"set_finalizer":{}}"#,
        r#"{"set_finalizer":{"finaliser":"a"}}"#,
        r#"{"set_finalizer":{"finalizer":"a","other":1}}"#,
        r#"{"accept_ownership":null}"#,
        r#""accept_ownership""#,
        r#"{}"#,
        "",
    ] {
        assert!(from_json::<ExecuteMsg>(text).is_err(), "{text}");
    }
    for text in [r#"{"x":{}}"#, r#"{"get_scores":{"stage":1}}"#] {
        assert!(from_json::<QueryMsg>(text).is_err(), "{text}");
    }
}
