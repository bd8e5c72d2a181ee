//! Request bodies of screening.

use super::{
    field::{Faults, Field, FromJson, fault},
    merge::{Merge, Parts, mergeable},
};
use caudal_domain::{
    FieldError, Refusal,
    attachment::MAX_REVIEW_FILES,
    customer::{PairOutcome, ScreeningRule},
};
use caudal_projections::screening::PublicPairOutcome;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;

impl FromJson for PairOutcome {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        match String::from_json(raw)?.as_str() {
            "different" => Ok(Self::Different),
            "same" => Ok(Self::Same),
            _ => Err(fault("value_unknown")),
        }
    }
}

/// Thresholds in percent, by the names of lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Thresholds(BTreeMap<String, u8>);

impl FromJson for Thresholds {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let given: BTreeMap<String, Option<u8>> =
            serde_json::from_str(raw.get()).map_err(|_| fault("number_invalid"))?;
        // A form that was told of a conflict sends null for a list that is not chosen.
        let chosen = given.into_iter().filter_map(|(list, least)| Some((list, least?)));
        Ok(Self(chosen.collect()))
    }
}

impl Parts for Thresholds {
    fn merged(self, was: &Self, stands: &Self, name: &'static str, merge: &mut Merge) -> Self {
        let lists: BTreeSet<&String> = [&self, was, stands].iter().flat_map(|one| one.0.keys()).collect();
        let merged = lists.into_iter().filter_map(|list| {
            let of = |one: &Self| one.0.get(list).copied();
            let least = merge.entry((name, list), of(&self), of(was), of(stands), Value::from)?;
            Some((list.clone(), least))
        });
        Self(merged.collect())
    }
}

/// Lists that customers are screened against.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ScreeningRuleInput {
    /// All of them: the threshold of each in percent, 70 to 100, by its name. Empty for no screening.
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, u8>, required, example = json!({ "ofac-sdn": 86 }))]
    lists: Field<Thresholds>,
    /// The value of `lists` as the client read it. Lists that are in both with the same threshold, and lists that are in
    /// neither, stay as they are now. A list that someone else has changed since is refused: 409 `changed_since_read`.
    /// Absent, the choice is replaced as a whole.
    #[serde(default)]
    #[schema(value_type = Option<Object>, example = json!({ "lists": { "ofac-sdn": 85 } }))]
    was: Option<Box<Self>>,
}

mergeable!(ScreeningRuleInput {} parts { lists: "lists" });

impl ScreeningRuleInput {
    /// The current choice.
    #[must_use]
    pub fn standing(rule: &ScreeningRule) -> Self {
        Self {
            lists: Field::Given(Thresholds(rule.lists.clone())),
            was: None,
        }
    }

    /// # Errors
    /// All field errors.
    pub fn rule(self) -> Result<ScreeningRule, Refusal> {
        let mut faults = Faults::default();
        let lists = faults.required("lists", self.lists);
        faults.finish(|| Some(ScreeningRule { lists: lists?.0 }))
    }
}

/// A decision of one pair of customer and listed entry.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PairDecisionInput {
    /// Name of the list.
    #[serde(default)]
    #[schema(value_type = String, required, example = "ofac-sdn")]
    list: Field<String>,
    /// The entry's identifier within the list.
    #[serde(default)]
    #[schema(value_type = String, required, example = "18001")]
    entry: Field<String>,
    /// `different`: later screenings leave the pair out. `same`: remittances from and to the customer stay held, until the pair
    /// is decided otherwise.
    #[serde(default)]
    #[schema(value_type = PublicPairOutcome, required, example = "different")]
    outcome: Field<PairOutcome>,
    /// Reason of the decision in the reviewer's words; stored encrypted, and shown in the case and in dossiers.
    #[serde(default)]
    #[schema(value_type = String, required, example = "Another date of birth, by the identity card.")]
    reason: Field<String>,
    /// Ids of files that were uploaded for this review; absent or empty for none.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, max_items = 10)]
    files: Field<Vec<String>>,
}

/// A decision with all fields.
#[derive(Debug)]
pub struct PairDecision {
    pub list: String,
    pub entry: String,
    pub outcome: PairOutcome,
    pub reason: String,
    pub files: Vec<String>,
}

impl PairDecisionInput {
    /// # Errors
    /// All field errors.
    pub fn decision(self) -> Result<PairDecision, Refusal> {
        const _: () = assert!(MAX_REVIEW_FILES == 10, "the contract says so");
        let mut faults = Faults::default();
        let list = faults.required_text("list", self.list);
        let entry = faults.required_text("entry", self.entry);
        let outcome = faults.required("outcome", self.outcome);
        let reason = faults.required_note("reason", self.reason);
        let files = faults.optional("files", self.files).unwrap_or_default();
        faults.finish(|| {
            Some(PairDecision {
                list: list?,
                entry: entry?,
                outcome: outcome?,
                reason: reason?,
                files,
            })
        })
    }
}
