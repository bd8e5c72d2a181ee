//! Request bodies of screening.

use super::field::{Faults, Field, FromJson, fault};
use caudal_domain::{
    FieldError, Refusal,
    attachment::MAX_REVIEW_FILES,
    customer::{PairOutcome, ScreeningRule},
};
use caudal_projections::screening::PublicPairOutcome;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
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
        let given: BTreeMap<String, u8> = serde_json::from_str(raw.get()).map_err(|_| fault("number_invalid"))?;
        Ok(Self(given))
    }
}

/// Lists that customers are screened against.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ScreeningRuleInput {
    /// All of them: the threshold of each in percent, 70 to 100, by its name. Empty for no screening.
    #[serde(default)]
    #[schema(value_type = std::collections::BTreeMap<String, u8>, required, example = json!({ "ofac-sdn": 86 }))]
    lists: Field<Thresholds>,
}

impl ScreeningRuleInput {
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
    /// Reason of the decision.
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
