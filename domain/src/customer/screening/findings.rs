//! Result of screening a customer.

use crate::{
    customer::{Customer, CustomerEvent},
    decision::{Actor, Context, Decision},
    ids::CustomerId,
    personal::Personal,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Candidates of one customer that are shown at a time: more can't be reviewed, and the best come first. The next ones take the
/// places of those that are decided.
pub const MAX_CANDIDATES: usize = 50;

/// An entry of a list that a customer is like.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreeningCandidate {
    pub list: String,
    /// The entry's identifier within the list.
    pub entry: String,
    /// The listed name that is most similar.
    pub name: String,
    /// 0 to 100.
    pub score: u8,
}

crate::personal::untold!(ScreeningCandidate);

/// All candidates of a customer: personal data.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreeningFindings {
    pub candidates: Vec<ScreeningCandidate>,
}

crate::personal::personal_data!(ScreeningFindings);

/// Records what a screening found. System only.
#[derive(Clone, PartialEq)]
pub struct RecordScreening {
    /// Version of each list that was searched.
    pub lists: BTreeMap<String, String>,
    /// All candidates but those that are decided.
    pub candidates: Vec<ScreeningCandidate>,
    /// Whether a pair is decided to be the same person: the customer stays in review, whatever was found. Decisions do not hold
    /// the pairs, so the command is conditional on the record being unchanged.
    pub is_confirmed: bool,
}

crate::personal::untold!(RecordScreening);

/// Candidates of a customer as of a screening. They replace those of earlier ones that are not decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomerScreened {
    pub id: CustomerId,
    /// State after the screening.
    pub in_review: bool,
    pub lists: BTreeMap<String, String>,
    pub personal: Personal<ScreeningFindings>,
}

/// Records the candidates; a customer without any before and after is not written to.
pub(in crate::customer) fn record(
    own: Option<&Customer>,
    screening: &RecordScreening,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    let own = own.ok_or_else(|| Refusal::not_found("customer_not_found"))?;
    let in_review = screening.is_confirmed || !screening.candidates.is_empty();
    if own.forgotten || (!in_review && !own.in_review) {
        return Ok(Decision::nothing(own.id));
    }
    let mut pairs = BTreeSet::new();
    let mut candidates = screening.candidates.clone();
    candidates.retain(|candidate| pairs.insert((candidate.list.clone(), candidate.entry.clone())));
    candidates.truncate(MAX_CANDIDATES);
    let event = CustomerScreened {
        id: own.id,
        in_review,
        lists: screening.lists.clone(),
        personal: Personal::clear(own.id, ScreeningFindings { candidates }),
    };
    Ok(Decision::of(CustomerEvent::CustomerScreened(event), own.id))
}
