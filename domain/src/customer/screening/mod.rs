//! Screening of customers against lists. Names are compared outside of the decision, which sees the verdict and the versions
//! of the lists. The candidates are personal data: who is like a listed person is known from them.
//!
//! A customer in review has a candidate that is not decided, or that was found to be the same person. What is sold from or to
//! such a customer is held ([`crate::remittance::hold`]). No screening ends the review of a confirmed match, whatever became of
//! the customer's name, the list or the threshold: only a reviewer does, with a reason.
//!
//! | File | Content |
//! |---|---|
//! | [`lists`] | lists and thresholds of a tenant |
//! | [`findings`] | what a screening found |
//! | [`pairs`] | what reviewers decide |

mod findings;
mod lists;
mod pairs;

pub(super) use findings::record;
pub use findings::{CustomerScreened, MAX_CANDIDATES, RecordScreening, ScreeningCandidate, ScreeningFindings};
pub use lists::{
    DEFAULT_THRESHOLD, MAX_LIST_NAME_LENGTH, MAX_LISTS, MAX_OWN_LISTS, MAX_THRESHOLD, MIN_THRESHOLD, OwnList,
    ScreeningRule, is_list_name,
};
pub(super) use pairs::decide_pair;
pub use pairs::{
    ClearedPair, DecidePair, ListedPerson, MAX_LISTED_TEXT_LENGTH, MAX_LISTED_TEXTS, PairOutcome, ScreeningPair,
    ScreeningPairDecided,
};

#[cfg(test)]
mod tests;
