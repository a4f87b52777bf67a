//! The result of the functions that the entry points call.

use cosmwasm_std::Event;

use crate::ContractError;

/// What a call that changes something emits.
pub(crate) type Events = Result<Vec<Event>, ContractError>;
