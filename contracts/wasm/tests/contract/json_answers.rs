//! The bytes of every answer. The published ones are frozen: they come from the interface of the reference contract, and those
//! marked as recorded were recorded from a real miniwasm.

use crate::suite::*;
use cosmwasm_std::{from_json, to_json_string};
use vip_score::msg::QueryMsg;

const A: &str = "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq";
const B: &str = "init1lf0swvvhy3vqautdemmvunfmp0grfrjgzznx9s";

#[test]
fn answers_are_frozen() {
    let mut suite = Suite::without_contract();
    let (owner, member) = (suite.owner.clone(), suite.member.clone());
    let created = suite.instantiate(&[member.as_str()], 1, &[]);
    assert_eq!(
        to_json_string(&created.unwrap().events).unwrap(),
        format!(
            r#"[{{"type":"create-stage","attributes":[{{"key":"stage","value":"1"}}]}},{{"type":"add-allow-list","attributes":[{{"key":"addr","value":"{member}"}}]}}]"#
        )
    );
    for text in [
        format!(r#"{{"update_scores":{{"stage":1,"scores":[["{B}",100],["{A}",250]]}}}}"#),
        r#"{"finalize_stage":{"stage":1}}"#.to_string(),
        format!(r#"{{"update_score":{{"addr":"{A}","stage":2,"amount":18446744073709551615}}}}"#),
    ] {
        suite.write(&from_json(text).unwrap()).unwrap();
    }
    let version = env!("CARGO_PKG_VERSION");
    for (question, answer) in [
        // Recorded:
        (
            r#"{"get_stage_info":{"stage":1}}"#.to_string(),
            r#"{"stage":1,"total_score":350,"is_finalized":true}"#.to_string(),
        ),
        (
            r#"{"get_scores":{"stage":1,"limit":10}}"#.to_string(),
            format!(r#"{{"scores":[{{"stage":1,"addr":"{A}","score":250}},{{"stage":1,"addr":"{B}","score":100}}]}}"#),
        ),
        (
            format!(r#"{{"get_score":{{"stage":1,"addr":"{B}"}}}}"#),
            format!(r#"{{"stage":1,"addr":"{B}","score":100}}"#),
        ),
        // Ours:
        (
            r#"{"get_stage":{"stage":2}}"#.to_string(),
            r#"{"stage":2,"exists":true,"total_score":18446744073709551615,"is_finalized":false,"count":1,"revision":1}"#.to_string(),
        ),
        (
            r#"{"get_stage":{"stage":9}}"#.to_string(),
            r#"{"stage":9,"exists":false,"total_score":0,"is_finalized":false,"count":0,"revision":0}"#.to_string(),
        ),
        (
            format!(r#"{{"get_scores_of":{{"stage":2,"addrs":["{B}","{A}"]}}}}"#),
            r#"{"scores":[null,18446744073709551615]}"#.to_string(),
        ),
        (
            r#"{"get_scores_from":{"stage":1,"limit":1}}"#.to_string(),
            format!(r#"{{"scores":[{{"addr":"{A}","score":250}}],"next":"{B}"}}"#),
        ),
        (
            format!(r#"{{"get_scores_from":{{"stage":1,"limit":1,"from":"{B}"}}}}"#),
            format!(r#"{{"scores":[{{"addr":"{B}","score":100}}],"next":null}}"#),
        ),
        (
            r#"{"get_contract_version":{}}"#.to_string(),
            format!(r#"{{"contract":"vipscore:vip-score","version":"{version}"}}"#),
        ),
        (
            r#"{"get_init_stage":{}}"#.to_string(),
            r#"{"init_stage":1}"#.to_string(),
        ),
        (
            r#"{"get_members":{}}"#.to_string(),
            format!(r#"{{"members":["{member}"]}}"#),
        ),
        (
            r#"{"get_member_count":{}}"#.to_string(),
            r#"{"count":1}"#.to_string(),
        ),
        (
            format!(r#"{{"is_member":{{"addr":"{member}"}}}}"#),
            r#"{"is_member":true}"#.to_string(),
        ),
        (
            r#"{"get_ownership":{}}"#.to_string(),
            format!(r#"{{"owner":"{owner}","pending_owner":null,"members_can_manage":true,"finalizer":null}}"#),
        ),
    ] {
        let msg: QueryMsg = from_json(&question).unwrap();
        let bytes = suite.answer(&msg).unwrap();
        assert_eq!(String::from_utf8(bytes.into()).unwrap(), answer, "{question}");
    }
}
