//! Pairs of a customer and a listed person, as reviewers decide them.

use crate::{
    attachment,
    customer::{Customer, CustomerEvent},
    decision::{Context, Decision},
    ids::CustomerId,
    personal::Personal,
    refusal::Refusal,
    text,
};
use serde::{Deserialize, Serialize};

/// Texts of each kind that are kept of a listed person with a decision: a published entry may have hundreds of aliases.
pub const MAX_LISTED_TEXTS: usize = 40;
/// Of each of these texts, in characters.
pub const MAX_LISTED_TEXT_LENGTH: usize = 200;

/// A listed person as published, in the words that a reviewer reads.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListedPerson {
    pub names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub born: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
}

crate::personal::untold!(ListedPerson);

impl ListedPerson {
    /// What a decision keeps of it: [`MAX_LISTED_TEXTS`] and [`MAX_LISTED_TEXT_LENGTH`].
    fn kept(&self) -> Self {
        let cut = |text: &String| -> String { text.chars().take(MAX_LISTED_TEXT_LENGTH).collect() };
        let kept = |texts: &[String]| -> Vec<String> { texts.iter().take(MAX_LISTED_TEXTS).map(cut).collect() };
        Self {
            names: kept(&self.names),
            documents: kept(&self.documents),
            born: kept(&self.born),
            countries: kept(&self.countries),
            programs: kept(&self.programs),
        }
    }
}

/// A reviewer's decision on a pair: personal data of the customer.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreeningPair {
    pub list: String,
    pub entry: String,
    pub reason: String,
    /// The listed person as it was when decided; none in events of versions 1 and 2, and where the list had no such entry any
    /// more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<ListedPerson>,
}

crate::personal::personal_data!(ScreeningPair);

/// Outcome of a review of one pair of customer and listed entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairOutcome {
    /// Once for good: later screenings leave the pair out.
    Different,
    /// What is sold from or to the customer stays held.
    Same,
}

/// Decides one pair. Managers only.
#[derive(Clone, PartialEq)]
pub struct DecidePair {
    pub list: String,
    pub entry: String,
    pub outcome: PairOutcome,
    pub reason: String,
    /// Hashes of attached files.
    pub files: Vec<String>,
    /// Whether another candidate keeps the customer in review. Decisions do not hold the candidates, so the command is
    /// conditional on the record being unchanged.
    pub others_remain: bool,
    /// The listed person as it is now.
    pub listed: Option<ListedPerson>,
}

crate::personal::untold!(DecidePair);

/// A pair that is decided to be two persons, as it waits for its approval. Whether other candidates remain is read again for
/// the approval.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClearedPair {
    pub list: String,
    pub entry: String,
    pub reason: String,
    /// Hashes of attached files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The listed person as it was when proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<ListedPerson>,
}

crate::personal::untold!(ClearedPair);

impl DecidePair {
    /// What is stored of a decision that the pair is two persons.
    pub(crate) fn cleared(&self) -> ClearedPair {
        ClearedPair {
            list: self.list.clone(),
            entry: self.entry.clone(),
            reason: self.reason.clone(),
            files: self.files.clone(),
            listed: self.listed.as_ref().map(ListedPerson::kept),
        }
    }
}

impl From<ClearedPair> for DecidePair {
    /// The customer stays in review unless the caller read that nobody else remains.
    fn from(pair: ClearedPair) -> Self {
        Self {
            list: pair.list,
            entry: pair.entry,
            outcome: PairOutcome::Different,
            reason: pair.reason,
            files: pair.files,
            others_remain: true,
            listed: pair.listed,
        }
    }
}

/// A reviewer decided a pair of the customer and a listed entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreeningPairDecided {
    pub id: CustomerId,
    pub outcome: PairOutcome,
    /// State after the decision.
    pub in_review: bool,
    /// Hashes of attached files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    pub personal: Personal<ScreeningPair>,
}

pub(in crate::customer) fn decide_pair(
    own: Option<&Customer>,
    pair: &DecidePair,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    ctx.caller()?;
    ctx.require_manager()?;
    let own = own.filter(|own| !own.forgotten);
    let own = own.ok_or_else(|| Refusal::not_found("customer_not_found"))?;
    text::required_note("reason", &pair.reason, text::MAX_REASON_LENGTH)?;
    attachment::validate(&pair.files, attachment::MAX_REVIEW_FILES)?;
    let event = ScreeningPairDecided {
        id: own.id,
        outcome: pair.outcome,
        in_review: pair.others_remain || pair.outcome == PairOutcome::Same,
        files: pair.files.clone(),
        personal: Personal::clear(
            own.id,
            ScreeningPair {
                list: pair.list.clone(),
                entry: pair.entry.clone(),
                reason: pair.reason.trim().to_owned(),
                listed: pair.listed.as_ref().map(ListedPerson::kept),
            },
        ),
    };
    Ok(Decision::of(CustomerEvent::ScreeningPairDecided(event), own.id))
}
