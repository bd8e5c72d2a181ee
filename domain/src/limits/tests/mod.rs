//! Given, when, then for limits, over the business in memory.
//!
//! | File | Content |
//! |---|---|
//! | [`rules`] | which rules can be |
//! | [`people`] | which customers are one person |
//! | [`sales`] | what a rule adds up, and sales beyond it |
//! | [`edits`] | edits of what was sold, and deliveries without a network |
//! | [`sums`] | random days |

mod edits;
mod people;
mod rules;
mod sales;
mod sums;

use crate::{
    Actor, Answer, Command, Refusal, TenantCommand,
    customer::{
        ChangeCustomer, CustomerCommand, CustomerDetails, CustomerKind, IdentificationType, Place, RegisterCustomer,
    },
    ids::{CustomerId, LimitRuleId, PartyId, PersonId, RemittanceId},
    limits::{IdentityDocument, LimitOutcome, LimitRule, LimitWindow, Need, PersonSum, SaleChecks, Side},
    money::Amount,
    remittance::{CreateRemittance, EditAmount, RemittanceCommand},
    testing::{Business, amount},
};
use chrono::{Days, Duration, NaiveDate};
use std::collections::{BTreeMap, BTreeSet};

const CARD: &str = "80010112345";
const OTHER_CARD: &str = "75010112345";

type Pair = (CustomerId, CustomerId);

/// The business, and the documents of its customers as the API reads them.
struct Shop {
    business: Business,
    documents: BTreeMap<CustomerId, Option<IdentityDocument>>,
}

fn rule(side: Side, window: LimitWindow, limit: &str, outcome: LimitOutcome) -> LimitRule {
    LimitRule {
        id: LimitRuleId::generate(),
        side,
        window,
        groups: BTreeSet::new(),
        amount: Some(amount(limit)),
        count: None,
        outcome,
        needs: BTreeSet::new(),
    }
}

fn refuse(window: LimitWindow, limit: &str) -> LimitRule {
    rule(Side::Sender, window, limit, LimitOutcome::Refuse)
}

fn needs(limit: &str, needs: &[Need]) -> LimitRule {
    LimitRule {
        needs: needs.iter().copied().collect(),
        ..rule(Side::Sender, LimitWindow::Days30, limit, LimitOutcome::Needs)
    }
}

/// A customer with an identity card, or with a passport, which is written `COUNTRY:NUMBER`, or `:NUMBER` without a country.
fn details(number: Option<&str>) -> CustomerDetails {
    let passport = number.and_then(|number| number.split_once(':'));
    let country = passport.map(|(country, _)| country.to_owned());
    let number = passport.map(|(_, number)| number).or(number);
    let kind = if passport.is_some() {
        IdentificationType::Passport
    } else {
        IdentificationType::Ci
    };
    CustomerDetails {
        name: "Ana".into(),
        personal_identification_number: number.map(str::to_owned),
        personal_identification_type: number.map(|_| kind),
        personal_identification_country: country.filter(|country| !country.is_empty()),
        ..CustomerDetails::default()
    }
}

impl Shop {
    fn new() -> Self {
        let business = Business::funded();
        let known = [
            business.ana,
            business.berta,
            business.carla,
            business.delia,
            business.elisa,
        ];
        Self {
            documents: known.into_iter().map(|id| (id, None)).collect(),
            business,
        }
    }

    fn set(&mut self, rule: &LimitRule) {
        let command = Command::Tenant(TenantCommand::SetLimitRule(rule.clone()));
        self.business.world.run(self.business.manager, command).unwrap();
    }

    fn remove(&mut self, rule: &LimitRule) {
        let command = Command::Tenant(TenantCommand::RemoveLimitRule(rule.id));
        self.business.world.run(self.business.manager, command).unwrap();
    }

    fn register(&mut self, seller: PartyId, sender: Option<CustomerId>, number: Option<&str>) -> CustomerId {
        let id = CustomerId::generate();
        let register = RegisterCustomer {
            id,
            kind: sender.map_or(CustomerKind::Issuer, |_| CustomerKind::Recipient),
            details: details(number),
            is_active: true,
            owner: None,
            sender,
            place: sender.map_or(Place::default(), |_| self.business.playa),
        };
        let command = Command::Customer(id, CustomerCommand::Register(register));
        self.business.world.run(Actor::Party(seller), command).unwrap();
        self.documents.insert(id, IdentityDocument::of(&details(number)));
        id
    }

    /// A sender of a seller with a document, and a recipient without one.
    fn pair(&mut self, seller: PartyId, number: Option<&str>) -> Pair {
        let sender = self.register(seller, None, number);
        (sender, self.register(seller, Some(sender), None))
    }

    fn change(&mut self, customer: CustomerId, number: Option<&str>) {
        let change = ChangeCustomer {
            details: details(number),
            known: None,
            is_active: None,
            place: None,
        };
        let command = Command::Customer(customer, CustomerCommand::Change(change));
        self.business.world.run(self.business.manager, command).unwrap();
        self.documents.insert(customer, IdentityDocument::of(&details(number)));
    }

    fn checks(&self, customers: &[CustomerId]) -> SaleChecks {
        let read = |id: &CustomerId| (*id, self.documents.get(id).cloned().unwrap());
        SaleChecks {
            documents: customers.iter().map(read).collect(),
            valid: customers.iter().copied().collect(),
        }
    }

    fn sale(&self, (sender, recipient): Pair, minor: i64) -> CreateRemittance {
        CreateRemittance {
            checks: self.checks(&[sender, recipient]),
            ..CreateRemittance::new(
                RemittanceId::generate(),
                sender,
                recipient,
                self.business.cup,
                Amount::from_minor(minor),
            )
        }
    }

    fn run(&mut self, seller: PartyId, sale: CreateRemittance) -> Result<Answer, Refusal> {
        let id = sale.id;
        self.business
            .act(Actor::Party(seller), id, RemittanceCommand::Create(sale))
    }

    fn try_sell(&mut self, seller: PartyId, pair: Pair, minor: i64) -> Result<RemittanceId, String> {
        let sale = self.sale(pair, minor);
        let id = sale.id;
        self.run(seller, sale)
            .map(|_| id)
            .map_err(|refusal| refusal.to_string())
    }

    fn edit_amount(&mut self, id: RemittanceId, minor: i64) -> Result<Answer, Refusal> {
        let sale = &self.business.world.remittance(id).sale;
        let edit = EditAmount {
            checks: self.checks(&[sale.sender, sale.recipient]),
            ..EditAmount::new(Amount::from_minor(minor), self.business.cup)
        };
        let manager = self.business.manager;
        self.business.act(manager, id, RemittanceCommand::EditAmount(edit))
    }

    fn cancel(&mut self, id: RemittanceId) {
        let reason = "equivocada".to_owned();
        let manager = self.business.manager;
        self.business
            .act(manager, id, RemittanceCommand::Cancel { reason })
            .unwrap();
    }

    fn pass(&mut self, days: i64) {
        self.business.world.now += Duration::days(days);
    }

    fn today(&self) -> NaiveDate {
        let zone = self.business.world.tenant_state.zone();
        self.business.world.now.with_timezone(&zone).date_naive()
    }

    /// What a person sent in the kept days.
    fn sent(&self, person: PersonId) -> (String, u32) {
        let first = self.today() - Days::new(364);
        let limits = self.business.world.tenant_state.limits();
        let PersonSum { amount, count } = limits.sum(person, Side::Sender, first, self.today());
        (amount.to_string(), count)
    }

    fn person(&self, customer: CustomerId) -> PersonId {
        self.business.world.tenant_state.limits().person(customer)
    }

    /// Types of the events since a length of the log.
    fn written(&self, since: usize) -> Vec<&'static str> {
        let events = self.business.world.log.iter().skip(since);
        events.map(|(event, _)| event.event_type()).collect()
    }

    fn held(&self, id: RemittanceId) -> bool {
        self.business.world.remittance(id).is_held()
    }
}
