//! Screening of customers against lists. Names are compared outside of the decision, which sees the verdict and the versions
//! of the lists. The candidates are personal data: who is like a listed person is known from them.
//!
//! A customer in review has a candidate that is not decided, or that was found to be the same person. What is sold from or to
//! such a customer is held ([`crate::remittance::hold`]). No screening ends the review of a confirmed match, whatever became of
//! the customer's name, the list or the threshold: only a reviewer does, with a reason.

use super::{Customer, CustomerEvent};
use crate::{
    attachment,
    decision::{Actor, Context, Decision},
    ids::CustomerId,
    personal::Personal,
    refusal::{Refusal, require},
    text,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Least threshold of a list: below, most names are like some listed one.
pub const MIN_THRESHOLD: u8 = 70;
/// In percent: the same words.
pub const MAX_THRESHOLD: u8 = 100;
/// Of the screening crate's measured settings.
pub const DEFAULT_THRESHOLD: u8 = 86;
/// Lists of a tenant: each is searched at every sale.
pub const MAX_LISTS: usize = 20;
/// Of a list's name, in characters.
pub const MAX_LIST_NAME_LENGTH: usize = 40;
/// Own lists of a tenant.
pub const MAX_OWN_LISTS: usize = 20;
/// Hexadecimal digits of a list's version.
const VERSION_DIGITS: usize = 64;
/// Candidates of one customer that are shown at a time: more can't be reviewed, and the best come first. The next ones take the
/// places of those that are decided.
pub const MAX_CANDIDATES: usize = 50;
/// Texts of each kind that are kept of a listed person with a decision: a published entry may have hundreds of aliases.
pub const MAX_LISTED_TEXTS: usize = 40;
/// Of each of these texts, in characters.
pub const MAX_LISTED_TEXT_LENGTH: usize = 200;

/// Lists that a tenant screens its customers against, each with its threshold. None unless the tenant sets some.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreeningRule {
    pub lists: BTreeMap<String, u8>,
}

impl ScreeningRule {
    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        require(self.lists.len() <= MAX_LISTS, || {
            Refusal::invalid_with("lists", "too_many", [("max", MAX_LISTS.to_string())])
        })?;
        for (name, threshold) in &self.lists {
            require(is_list_name(name), || Refusal::invalid("lists", "list_name_invalid"))?;
            require((MIN_THRESHOLD..=MAX_THRESHOLD).contains(threshold), || {
                let bounds = [("min", MIN_THRESHOLD.to_string()), ("max", MAX_THRESHOLD.to_string())];
                Refusal::invalid_with("lists", "threshold_out_of_range", bounds)
            })?;
        }
        Ok(())
    }
}

/// A version of a tenant's own list. The entries stand beside the log, under the version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnList {
    pub name: String,
    /// Digest of the entries: 64 hexadecimal digits.
    pub version: String,
    pub entries: u32,
    pub names: u32,
}

impl OwnList {
    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        require(is_list_name(&self.name), || {
            Refusal::invalid("name", "list_name_invalid")
        })?;
        let is_digest = self.version.len() == VERSION_DIGITS
            && self
                .version
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        require(is_digest && self.entries > 0, || Refusal::invalid("file", "required"))
    }
}

/// Lower-case letters, digits and inner hyphens.
#[must_use]
pub fn is_list_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty()
        && name.len() <= MAX_LIST_NAME_LENGTH
        && name.chars().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

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

/// What a reviewer decided of a pair: personal data of the customer.
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

crate::personal::personal_data!(ScreeningFindings, ScreeningPair);

/// Outcome of a review of one pair of customer and listed entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairOutcome {
    /// Once for good: later screenings leave the pair out.
    Different,
    /// What is sold from or to the customer stays held.
    Same,
}

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

/// Records the candidates; a customer without any before and after is not written to.
pub(super) fn record(
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

pub(super) fn decide_pair(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command, RefusalKind,
        customer::CustomerCommand,
        forgetting::Forget,
        remittance::{EditAmount, HoldReason, RemittanceCommand, RemittanceEvent},
        tenant::{TenantCommand, TenantEvent},
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };
    use RefusalKind::{Forbidden, Invalid, NotFound};

    fn found(entries: &[&str]) -> CustomerCommand {
        CustomerCommand::RecordScreening(RecordScreening {
            lists: [("ofac-sdn".to_owned(), "0a1b2c".to_owned())].into(),
            candidates: entries
                .iter()
                .map(|entry| ScreeningCandidate {
                    list: "ofac-sdn".into(),
                    entry: (*entry).into(),
                    name: "PÉREZ, Berta".into(),
                    score: 97,
                })
                .collect(),
            is_confirmed: false,
        })
    }

    /// A screening of a customer who was found to be a listed person.
    fn found_of_confirmed(entries: &[&str]) -> CustomerCommand {
        match found(entries) {
            CustomerCommand::RecordScreening(found) => CustomerCommand::RecordScreening(RecordScreening {
                is_confirmed: true,
                ..found
            }),
            other => other,
        }
    }

    fn pair(outcome: PairOutcome, others_remain: bool, reason: &str) -> CustomerCommand {
        CustomerCommand::DecidePair(DecidePair {
            list: "ofac-sdn".into(),
            entry: "7".into(),
            outcome,
            reason: reason.into(),
            files: Vec::new(),
            others_remain,
            listed: None,
        })
    }

    fn act(business: &Business, caller: impl Caller, id: CustomerId, command: CustomerCommand) -> Tried<Customer> {
        business
            .world
            .given::<Customer>(id)
            .when(business.world.by(caller, command))
    }

    fn run(business: &mut Business, actor: impl Caller, id: CustomerId, command: CustomerCommand) {
        business
            .world
            .run(actor.actor(), Command::Customer(id, command))
            .unwrap();
    }

    #[test]
    fn only_the_system_records_a_screening_and_one_without_candidates_before_and_after_writes_nothing() {
        let mut business = Business::new();
        let berta = business.berta;
        act(&business, Actor::System, berta, found(&[])).then_expect_events(vec![]);
        let manager = business.manager;
        act(&business, manager, berta, found(&["7"])).then_refused(Forbidden, "role_not_allowed");
        let event = act(&business, Actor::System, berta, found(&["7", "8", "7"])).then_event();
        let CustomerEvent::CustomerScreened(screened) = event else {
            panic!("{event:?}")
        };
        assert!(screened.in_review);
        assert_eq!(screened.personal.get().unwrap().candidates.len(), 2);
        run(&mut business, Actor::System, berta, found(&["7"]));
        let event = act(&business, Actor::System, berta, found(&[])).then_event();
        assert!(matches!(event, CustomerEvent::CustomerScreened(screened) if !screened.in_review));
    }

    #[test]
    fn managers_decide_pairs_with_a_reason_and_others_do_not() {
        let mut business = Business::new();
        let (berta, manager, agency) = (business.berta, business.manager, business.agency);
        run(&mut business, Actor::System, berta, found(&["7"]));
        let different = |reason| pair(PairOutcome::Different, false, reason);
        act(&business, agency, berta, different("otra")).then_refused(Forbidden, "role_not_allowed");
        act(&business, Actor::System, berta, different("otra")).then_refused(Forbidden, "role_not_allowed");
        act(&business, manager, berta, different(" ")).then_refused(Invalid, "invalid reason:required");
        act(&business, manager, CustomerId::generate(), different("otra")).then_refused(NotFound, "customer_not_found");
        for (outcome, others_remain, in_review) in [
            (PairOutcome::Different, false, false),
            (PairOutcome::Different, true, true),
            (PairOutcome::Same, false, true),
        ] {
            let event = act(&business, manager, berta, pair(outcome, others_remain, "otra")).then_event();
            let CustomerEvent::ScreeningPairDecided(decided) = event else {
                panic!("{event:?}")
            };
            assert_eq!(decided.in_review, in_review, "{outcome:?}");
        }
    }

    #[test]
    fn no_screening_ends_the_review_of_a_confirmed_match_and_a_reviewer_does() {
        let mut business = Business::funded();
        let (berta, manager) = (business.berta, business.manager);
        run(&mut business, Actor::System, berta, found(&["7"]));
        run(
            &mut business,
            manager,
            berta,
            pair(PairOutcome::Same, false, "es la misma"),
        );
        for entries in [&[][..], &["8"]] {
            let event = act(&business, Actor::System, berta, found_of_confirmed(entries)).then_event();
            let CustomerEvent::CustomerScreened(screened) = event else {
                panic!("{event:?}")
            };
            assert!(screened.in_review, "{entries:?}");
        }
        run(&mut business, Actor::System, berta, found_of_confirmed(&[]));
        assert_eq!(holds(&business), [berta.0]);
        run(
            &mut business,
            manager,
            berta,
            pair(PairOutcome::Different, false, "otra cédula"),
        );
        assert!(holds(&business).is_empty());
        // A review that a screening of before had ended begins again.
        run(&mut business, Actor::System, berta, found_of_confirmed(&[]));
        assert_eq!(holds(&business), [berta.0]);
    }

    #[test]
    fn a_decision_keeps_the_listed_person_as_it_was_within_bounds() {
        let mut business = Business::new();
        let (berta, manager) = (business.berta, business.manager);
        run(&mut business, Actor::System, berta, found(&["7"]));
        let published = ListedPerson {
            names: vec!["PÉREZ, Berta".into(), "é".repeat(MAX_LISTED_TEXT_LENGTH + 1)],
            programs: vec!["SDGT".into(); MAX_LISTED_TEXTS + 1],
            ..ListedPerson::default()
        };
        let decided = match pair(PairOutcome::Same, false, "es la misma") {
            CustomerCommand::DecidePair(decided) => CustomerCommand::DecidePair(DecidePair {
                listed: Some(published),
                ..decided
            }),
            other => other,
        };
        let event = act(&business, manager, berta, decided).then_event();
        let CustomerEvent::ScreeningPairDecided(decided) = event else {
            panic!("{event:?}")
        };
        let kept = decided.personal.get().unwrap().listed.clone().unwrap();
        assert_eq!(kept.names[0], "PÉREZ, Berta");
        assert_eq!(kept.names[1].chars().count(), MAX_LISTED_TEXT_LENGTH);
        assert_eq!(kept.programs.len(), MAX_LISTED_TEXTS);
    }

    #[test]
    fn a_decided_pair_names_its_files_and_wrong_ones_are_refused() {
        let mut business = Business::new();
        let (berta, manager) = (business.berta, business.manager);
        run(&mut business, Actor::System, berta, found(&["7"]));
        let with = |files: &[&str]| match pair(PairOutcome::Different, false, "otra fecha de nacimiento") {
            CustomerCommand::DecidePair(decided) => CustomerCommand::DecidePair(DecidePair {
                files: files.iter().map(|hash| (*hash).to_owned()).collect(),
                ..decided
            }),
            other => other,
        };
        let (one, two) = ("1a".repeat(32), "2b".repeat(32));
        let event = act(&business, manager, berta, with(&[&one, &two])).then_event();
        let CustomerEvent::ScreeningPairDecided(decided) = event else {
            panic!("{event:?}")
        };
        assert_eq!(decided.files, [one.clone(), two]);
        act(&business, manager, berta, with(&[&one, &one])).then_refused(Invalid, "invalid files:duplicate");
        act(&business, manager, berta, with(&["pasaporte.pdf"])).then_refused(Invalid, "invalid files:file_not_found");
    }

    fn holds(business: &Business) -> Vec<uuid::Uuid> {
        let sale = business.sale(business.cup, 100_00);
        let id = sale.id;
        let act = business.world.by(business.agency, RemittanceCommand::Create(sale));
        let decided = business.world.given::<crate::remittance::Remittance>(id).when(act);
        let events = decided.inspect_result().unwrap();
        let held = events.iter().filter_map(|event| match event {
            RemittanceEvent::RemittanceHeld(held) if held.reason == HoldReason::Screening => held.reference,
            _ => None,
        });
        held.collect()
    }

    #[test]
    fn a_sale_from_or_to_a_customer_in_review_is_held_from_its_first_moment() {
        let mut business = Business::funded();
        let (ana, berta, manager) = (business.ana, business.berta, business.manager);
        assert!(holds(&business).is_empty());
        run(&mut business, Actor::System, berta, found(&["7"]));
        assert_eq!(holds(&business), [berta.0]);
        run(&mut business, Actor::System, ana, found(&["9"]));
        assert_eq!(holds(&business), [ana.0, berta.0]);
        run(
            &mut business,
            manager,
            ana,
            pair(PairOutcome::Different, false, "otra persona"),
        );
        run(
            &mut business,
            manager,
            berta,
            pair(PairOutcome::Same, false, "es la misma"),
        );
        assert_eq!(holds(&business), [berta.0]);
    }

    #[test]
    fn an_edit_of_the_amount_of_a_sale_to_a_customer_in_review_is_held() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agency, sale);
        let (ana, berta) = (business.ana, business.berta);
        run(&mut business, Actor::System, berta, found(&["7"]));
        let edit = EditAmount {
            customers: vec![ana, berta],
            ..EditAmount::new(crate::testing::amount("90"), business.cup)
        };
        let act = business.world.by(business.agency, RemittanceCommand::EditAmount(edit));
        let decided = business.world.given::<crate::remittance::Remittance>(id).when(act);
        let events = decided.inspect_result().unwrap();
        let Some(RemittanceEvent::RemittanceHeld(held)) = events.last() else {
            panic!("{events:?}")
        };
        assert_eq!((held.reason, held.reference), (HoldReason::Screening, Some(berta.0)));
    }

    #[test]
    fn an_erased_customer_is_in_no_review_and_gets_no_candidates() {
        let mut business = Business::new();
        let (berta, manager) = (business.berta, business.manager);
        run(&mut business, Actor::System, berta, found(&["7"]));
        let forget = CustomerCommand::Forget(Forget {
            retention_days: 0,
            last_business: None,
        });
        run(&mut business, manager, berta, forget);
        act(&business, Actor::System, berta, found(&["8"])).then_expect_events(vec![]);
        act(&business, manager, berta, pair(PairOutcome::Same, false, "otra"))
            .then_refused(NotFound, "customer_not_found");
    }

    #[test]
    fn a_manager_sets_lists_and_thresholds_and_the_same_again_writes_nothing() {
        let business = Business::new();
        let set = |caller: Actor, lists: &[(&str, u8)]| {
            let lists = lists.iter().map(|(name, threshold)| ((*name).to_owned(), *threshold));
            let rule = ScreeningRule { lists: lists.collect() };
            let act = business.world.by(caller, TenantCommand::SetScreening(rule));
            business
                .world
                .given::<crate::tenant::Tenant>(crate::StreamId::TENANT.id)
                .when(act)
        };
        let manager = business.manager.actor();
        set(manager, &[]).then_expect_events(vec![]);
        let rule = ScreeningRule {
            lists: [("ofac-sdn".to_owned(), 90)].into(),
        };
        set(manager, &[("ofac-sdn", 90)]).then_expect_events(vec![TenantEvent::ScreeningSet(rule)]);
        set(business.agency.actor(), &[]).then_refused(Forbidden, "role_not_allowed");
        set(manager, &[("OFAC", 90)]).then_refused(Invalid, "invalid lists:list_name_invalid");
        set(manager, &[("ofac-sdn", 69)]).then_refused(Invalid, "invalid lists:threshold_out_of_range");
        set(manager, &[("ofac-sdn", 101)]).then_refused(Invalid, "invalid lists:threshold_out_of_range");
    }
}
