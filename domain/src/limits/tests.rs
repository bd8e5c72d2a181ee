//! Given, when, then for limits, over the business in memory.

use super::{
    IN_REVIEW, IdentityDocument, LimitOutcome, LimitRule, LimitWindow, Need, PersonSum, SaleChecks, SaleDeclaration,
    Side,
};
use crate::{
    Actor, Answer, Command, Event, Refusal, RefusalKind,
    customer::{
        ChangeCustomer, CustomerCommand, CustomerDetails, CustomerEvent, CustomerKind, IdentificationType, Place,
        RegisterCustomer,
    },
    forgetting::{DEFAULT_RETENTION_DAYS, Forget},
    ids::{CustomerId, LimitRuleId, PartyId, PersonId, RemittanceId},
    money::Amount,
    remittance::{
        AssignDealer, CompleteRemittance, CreateRemittance, EditAmount, EditDetails, HoldOutcome, MAX_HOLDS,
        RemittanceCommand, RemittanceEvent, ReviewHold,
    },
    tenant::TenantCommand,
    testing::{Business, amount, delivered},
};
use chrono::{Days, Duration, NaiveDate};
use proptest::prelude::*;
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
        let zone = self.business.world.books.zone();
        self.business.world.now.with_timezone(&zone).date_naive()
    }

    /// What a person sent in the kept days.
    fn sent(&self, person: PersonId) -> (String, u32) {
        let first = self.today() - Days::new(364);
        let limits = self.business.world.books.limits();
        let PersonSum { amount, count } = limits.sum(person, Side::Sender, first, self.today());
        (amount.to_string(), count)
    }

    fn person(&self, customer: CustomerId) -> PersonId {
        self.business.world.books.limits().person(customer)
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

#[test]
fn a_tenant_without_rules_writes_no_event_of_limits() {
    let mut shop = Shop::new();
    let before = shop.business.world.log.len();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let twin = shop.register(shop.business.other_agency, None, Some(CARD));
    shop.change(twin, Some(OTHER_CARD));
    let sale = CreateRemittance {
        checks: SaleChecks::default(),
        ..shop.sale(pair, 20_00)
    };
    shop.run(agency, sale).unwrap();
    let expected = [
        "CustomerRegistered",
        "CustomerRegistered",
        "CustomerRegistered",
        "CustomerChanged",
        "RemittanceCreated",
    ];
    assert_eq!(shop.written(before), expected);
    assert!(!shop.business.world.books.limits().is_identified(pair.0));
}

#[test]
fn customers_of_two_agencies_with_one_document_are_one_person_and_share_a_limit() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some("800101-12345"));
    let stranger = shop.pair(other, Some(OTHER_CARD));
    assert_eq!(shop.person(here.0), shop.person(there.0));
    assert_ne!(shop.person(here.0), shop.person(stranger.0));
    shop.try_sell(agency, here, 30_00).unwrap();
    assert_eq!(
        shop.try_sell(other, there, 20_01).unwrap_err(),
        "sale_beyond_limits",
        "the refusal says nothing of what is left"
    );
    shop.try_sell(other, there, 20_00).unwrap();
    assert_eq!(shop.try_sell(agency, here, 1).unwrap_err(), "sale_beyond_limits");
    shop.try_sell(other, stranger, 20_00).unwrap();
    assert_eq!(shop.sent(shop.person(here.0)), ("50.00".into(), 2));
}

#[test]
fn one_passport_number_of_two_countries_is_of_two_people_and_of_one_country_of_one() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let spanish = shop.pair(agency, Some("ES:X123456"));
    let italian = shop.pair(other, Some("IT:X123456"));
    let same = shop.pair(other, Some("es:x-123456"));
    assert_ne!(shop.person(spanish.0), shop.person(italian.0));
    assert_eq!(shop.person(spanish.0), shop.person(same.0));
    shop.try_sell(agency, spanish, 40_00).unwrap();
    shop.try_sell(other, italian, 50_00).unwrap();
    assert_eq!(shop.try_sell(other, same, 10_01).unwrap_err(), "sale_beyond_limits");
}

#[test]
fn a_passport_recorded_without_its_country_is_a_document_of_its_own_and_the_country_makes_it_another() {
    let mut shop = Shop::new();
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let before = shop.pair(agency, Some(":X123456"));
    let person = shop.person(before.0);
    let also_before = shop.pair(other, Some(":X123456"));
    assert_eq!(shop.person(also_before.0), person, "as it was");
    let spanish = shop.pair(other, Some("ES:X123456"));
    assert_ne!(shop.person(spanish.0), person);
    shop.try_sell(agency, before, 50_00).unwrap();
    shop.change(before.0, Some("ES:X123456"));
    assert_eq!(shop.person(before.0), shop.person(spanish.0));
    assert_eq!(shop.sent(person), ("50.00".into(), 1), "what was stays");
    shop.try_sell(agency, before, 50_00).unwrap();
    assert_eq!(shop.try_sell(other, spanish, 1).unwrap_err(), "sale_beyond_limits");
}

#[test]
fn the_first_sale_under_rules_identifies_customers_with_what_they_sent_before() {
    let mut shop = Shop::new();
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some(CARD));
    shop.try_sell(agency, here, 30_00).unwrap();
    shop.try_sell(other, there, 10_00).unwrap();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let unread = CreateRemittance {
        checks: SaleChecks::default(),
        ..shop.sale(there, 5_00)
    };
    let refusal = shop.run(other, unread).unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.code),
        (RefusalKind::Conflict, "customer_not_identified")
    );

    let before = shop.business.world.log.len();
    shop.try_sell(other, there, 5_00).unwrap();
    assert_eq!(
        shop.written(before),
        ["PersonIdentified", "PersonIdentified", "RemittanceCreated"]
    );
    assert_eq!(shop.sent(shop.person(there.0)), ("15.00".into(), 2));
    // The other customer's sale joins at their own next sale, which is judged with it.
    assert_eq!(shop.try_sell(agency, here, 5_01).unwrap_err(), "sale_beyond_limits");
    let before = shop.business.world.log.len();
    shop.try_sell(agency, here, 5_00).unwrap();
    assert_eq!(shop.person(here.0), shop.person(there.0));
    assert_eq!(shop.sent(shop.person(here.0)), ("50.00".into(), 4));
    shop.set(&refuse(LimitWindow::Days30, "70.00"));
    let sold = shop.business.world.log.len() - before;
    assert_eq!(sold, 4, "two identifications, the sale, the rule");
    assert_eq!(shop.try_sell(agency, here, 1).unwrap_err(), "sale_beyond_limits");
}

#[test]
fn the_system_identifies_customers_of_before_the_first_rule_once() {
    let mut shop = Shop::new();
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some(CARD));
    shop.try_sell(agency, here, 30_00).unwrap();
    let identify = |shop: &mut Shop, actor: Actor, id| {
        let before = shop.business.world.log.len();
        let document = shop.documents[&id].clone();
        let command = Command::Customer(id, CustomerCommand::Identify(document));
        let outcome = shop.business.world.run(actor, command);
        outcome.map(|_| shop.written(before)).map_err(|refusal| refusal.code)
    };
    assert_eq!(identify(&mut shop, Actor::System, here.0).unwrap(), [""; 0], "no rule");
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let manager = shop.business.manager;
    assert_eq!(identify(&mut shop, manager, here.0).unwrap_err(), "role_not_allowed");
    for id in [there.0, here.0, here.1] {
        assert_eq!(identify(&mut shop, Actor::System, id).unwrap(), ["PersonIdentified"]);
        assert_eq!(identify(&mut shop, Actor::System, id).unwrap(), [""; 0], "once");
    }
    assert_eq!(shop.person(here.0), shop.person(there.0));
    assert_eq!(shop.try_sell(other, there, 20_01).unwrap_err(), "sale_beyond_limits");
    shop.try_sell(other, there, 20_00).unwrap();
}

#[test]
fn another_document_moves_what_comes_after_and_the_first_one_what_was() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, None);
    let alone = shop.person(pair.0);
    shop.try_sell(agency, pair, 40_00).unwrap();
    shop.change(pair.0, Some(CARD));
    assert_eq!(
        shop.person(pair.0),
        alone,
        "the first document keeps the sales without one"
    );
    assert_eq!(shop.try_sell(agency, pair, 10_01).unwrap_err(), "sale_beyond_limits");

    shop.change(pair.0, Some(OTHER_CARD));
    let second = shop.person(pair.0);
    assert_ne!(second, alone);
    shop.try_sell(agency, pair, 45_00).unwrap();
    assert_eq!(shop.sent(alone), ("40.00".into(), 1), "what was stays");
    assert_eq!(shop.sent(second), ("45.00".into(), 1));
    shop.change(pair.0, None);
    assert_eq!(shop.person(pair.0), second, "without a document nothing moves");
    shop.change(pair.0, Some(CARD));
    assert_eq!(shop.person(pair.0), alone, "the document has its person for good");
    assert_eq!(shop.try_sell(agency, pair, 10_01).unwrap_err(), "sale_beyond_limits");

    // A change that leaves the document alone says nothing of the person.
    let before = shop.business.world.log.len();
    shop.change(pair.0, Some(CARD));
    assert_eq!(shop.written(before), ["CustomerChanged"]);
}

#[test]
fn changes_identify_who_was_identified_also_after_the_last_rule() {
    let mut shop = Shop::new();
    let limit = refuse(LimitWindow::Days30, "50.00");
    shop.set(&limit);
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let pair = shop.pair(agency, Some(CARD));
    let twin = shop.pair(other, Some(OTHER_CARD));
    shop.remove(&limit);
    shop.change(pair.0, Some(OTHER_CARD));
    shop.set(&limit);
    assert_eq!(shop.person(pair.0), shop.person(twin.0));
}

#[test]
fn windows_roll_by_the_days_of_the_tenants_zone() {
    for (window, days) in [
        (LimitWindow::Day, 1),
        (LimitWindow::Days7, 7),
        (LimitWindow::Days30, 30),
        (LimitWindow::Days365, 365),
    ] {
        let mut shop = Shop::new();
        shop.set(&refuse(window, "50.00"));
        let agency = shop.business.agency;
        let pair = shop.pair(agency, Some(CARD));
        shop.try_sell(agency, pair, 30_00).unwrap();
        shop.pass(days - 1);
        assert_eq!(
            shop.try_sell(agency, pair, 20_01).unwrap_err(),
            "sale_beyond_limits",
            "{window:?}"
        );
        shop.pass(1);
        shop.try_sell(agency, pair, 50_00).unwrap();
    }
    // 03:59 UTC is still the day before in Havana.
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Day, "50.00"));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    shop.try_sell(agency, pair, 30_00).unwrap();
    let midnight = (shop.today() + Days::new(1)).and_hms_opt(4, 0, 0).unwrap().and_utc();
    shop.business.world.now = midnight - Duration::minutes(1);
    assert_eq!(shop.try_sell(agency, pair, 30_00).unwrap_err(), "sale_beyond_limits");
    shop.business.world.now = midnight;
    shop.try_sell(agency, pair, 30_00).unwrap();
}

#[test]
fn a_rule_is_about_a_sale_a_count_a_payment_group_or_a_recipient() {
    let mut shop = Shop::new();
    let per_sale = refuse(LimitWindow::Sale, "20.00");
    shop.set(&per_sale);
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    shop.try_sell(agency, pair, 20_00).unwrap();
    shop.try_sell(agency, pair, 20_00).unwrap();
    assert_eq!(shop.try_sell(agency, pair, 20_01).unwrap_err(), "sale_beyond_limits");
    shop.remove(&per_sale);

    let thrice = LimitRule {
        amount: None,
        count: Some(3),
        ..refuse(LimitWindow::Days7, "0")
    };
    shop.set(&thrice);
    shop.try_sell(agency, pair, 1_00).unwrap();
    assert_eq!(shop.try_sell(agency, pair, 1_00).unwrap_err(), "sale_beyond_limits");
    shop.remove(&thrice);

    let in_usd = LimitRule {
        groups: [shop.business.usd].into(),
        ..refuse(LimitWindow::Days30, "30.00")
    };
    shop.set(&in_usd);
    let by_usd = |shop: &Shop, minor| CreateRemittance {
        group: shop.business.usd,
        ..shop.sale(pair, minor)
    };
    let sale = by_usd(&shop, 30_00);
    shop.run(agency, sale).unwrap();
    let sale = by_usd(&shop, 1);
    assert_eq!(shop.run(agency, sale).unwrap_err().code, "sale_beyond_limits");
    shop.try_sell(agency, pair, 5_00).unwrap();
    shop.remove(&in_usd);

    shop.set(&rule(
        Side::Recipient,
        LimitWindow::Days30,
        "100.00",
        LimitOutcome::Refuse,
    ));
    assert_eq!(
        shop.try_sell(agency, pair, 24_01).unwrap_err(),
        "sale_beyond_limits",
        "76.00 were received"
    );
    shop.try_sell(agency, pair, 24_00).unwrap();
}

#[test]
fn a_sale_beyond_a_limit_tells_all_that_it_needs_and_is_sold_with_it() {
    let mut shop = Shop::new();
    shop.set(&needs("30.00", &[Need::Document, Need::Purpose]));
    shop.set(&needs("30.00", &[Need::SourceOfFunds, Need::Purpose]));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, None);
    shop.try_sell(agency, pair, 30_00).unwrap();
    assert_eq!(
        shop.try_sell(agency, pair, 1_00).unwrap_err(),
        "invalid senderId:needs_document purpose:needs_purpose sourceOfFunds:needs_source_of_funds"
    );
    shop.change(pair.0, Some(CARD));
    let declaration = SaleDeclaration {
        purpose: Some(" Ayuda familiar ".into()),
        source_of_funds: Some("Salario".into()),
    };
    let expired = CreateRemittance {
        declaration: declaration.clone(),
        checks: SaleChecks::default(),
        ..shop.sale(pair, 1_00)
    };
    let refusal = shop.run(agency, expired).unwrap_err();
    assert_eq!(refusal.to_string(), "invalid senderId:needs_document");
    let blank = CreateRemittance {
        declaration: SaleDeclaration {
            purpose: Some("  ".into()),
            ..declaration.clone()
        },
        ..shop.sale(pair, 1_00)
    };
    let refusal = shop.run(agency, blank).unwrap_err();
    assert_eq!(refusal.to_string(), "invalid purpose:needs_purpose");

    let before = shop.business.world.log.len();
    let sale = CreateRemittance {
        declaration: declaration.clone(),
        ..shop.sale(pair, 1_00)
    };
    let id = sale.id;
    shop.run(agency, sale).unwrap();
    assert_eq!(shop.written(before), ["RemittanceCreated", "SaleDeclared"]);
    let (event, _) = shop.business.world.log.last().unwrap();
    let Event::Remittance(RemittanceEvent::SaleDeclared(declared)) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        declared.personal.get().unwrap().purpose.as_deref(),
        Some("Ayuda familiar")
    );
    assert_eq!(declared.personal.subject(), pair.0.into());
    // What was declared holds for a later edit.
    shop.edit_amount(id, 2_00).unwrap();
    assert!(!shop.held(id));
}

#[test]
fn a_declaration_is_recorded_without_rules_too_and_an_edit_without_one_waits_for_a_review() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let declared = CreateRemittance {
        declaration: SaleDeclaration {
            purpose: Some("Ayuda familiar".into()),
            source_of_funds: None,
        },
        ..shop.sale(pair, 20_00)
    };
    let before = shop.business.world.log.len();
    shop.run(agency, declared).unwrap();
    assert_eq!(shop.written(before), ["RemittanceCreated", "SaleDeclared"]);
    let undeclared = shop.try_sell(agency, pair, 20_00).unwrap();
    shop.set(&needs("40.00", &[Need::Purpose]));
    let answer = shop.edit_amount(undeclared, 20_01).unwrap();
    assert_eq!(answer.warnings, [IN_REVIEW]);
    assert!(shop.held(undeclared));
}

#[test]
fn a_rule_that_holds_sells_and_waits_for_a_review() {
    let mut shop = Shop::new();
    let limit = rule(Side::Sender, LimitWindow::Day, "30.00", LimitOutcome::Hold);
    shop.set(&limit);
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let free = shop.try_sell(agency, pair, 30_00).unwrap();
    let sale = shop.sale(pair, 1_00);
    let id = sale.id;
    let answer = shop.run(agency, sale).unwrap();
    assert_eq!(answer.warnings, [IN_REVIEW]);
    assert!(shop.held(id) && !shop.held(free));
    let hold = shop.business.world.remittance(id).holds[0];
    assert_eq!(hold.reference, Some(limit.id.0));
    let (manager, dealer) = (shop.business.manager, shop.business.dealer);
    let assign = AssignDealer {
        dealer,
        delivery_man: None,
    };
    let refused = shop
        .business
        .act(manager, id, RemittanceCommand::Assign(assign))
        .unwrap_err();
    assert_eq!(refused.code, "remittance_is_held");
    let release = ReviewHold {
        number: 1,
        outcome: HoldOutcome::Release,
        reason: "La conocemos".into(),
        files: Vec::new(),
    };
    shop.business
        .act(manager, id, RemittanceCommand::ReviewHold(release))
        .unwrap();
    shop.business
        .act(manager, id, RemittanceCommand::Assign(assign))
        .unwrap();
}

#[test]
fn an_edit_that_would_be_held_once_too_often_is_refused_and_changes_nothing() {
    let mut shop = Shop::new();
    shop.set(&rule(Side::Sender, LimitWindow::Sale, "10.00", LimitOutcome::Hold));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let id = shop.try_sell(agency, pair, 10_01).unwrap();
    let most = u32::try_from(MAX_HOLDS).unwrap();
    for number in 1..=most {
        assert!(shop.held(id));
        let release = ReviewHold {
            number,
            outcome: HoldOutcome::Release,
            reason: "La conocemos".into(),
            files: Vec::new(),
        };
        let manager = shop.business.manager;
        shop.business
            .act(manager, id, RemittanceCommand::ReviewHold(release))
            .unwrap();
        if number < most {
            shop.edit_amount(id, 10_01 + i64::from(number)).unwrap();
        }
    }
    let before = shop.business.world.remittance(id).sale.clone();
    assert_eq!(shop.edit_amount(id, 20_00).unwrap_err().code, "too_many_holds");
    assert_eq!(shop.business.world.remittance(id).sale, before);
    shop.edit_amount(id, 10_00).unwrap();
}

#[test]
fn a_refusal_comes_before_needs_and_needs_before_a_hold() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Sale, "40.00"));
    shop.set(&needs("20.00", &[Need::Purpose]));
    shop.set(&rule(Side::Sender, LimitWindow::Sale, "10.00", LimitOutcome::Hold));
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    assert_eq!(shop.try_sell(agency, pair, 40_01).unwrap_err(), "sale_beyond_limits");
    assert_eq!(
        shop.try_sell(agency, pair, 20_01).unwrap_err(),
        "invalid purpose:needs_purpose"
    );
    let id = shop.try_sell(agency, pair, 10_01).unwrap();
    assert!(shop.held(id));
}

#[test]
fn an_edit_counts_on_the_day_of_the_sale_and_less_is_always_allowed() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let first = shop.try_sell(agency, pair, 40_00).unwrap();
    shop.pass(8);
    let second = shop.try_sell(agency, pair, 40_00).unwrap();
    shop.set(&refuse(LimitWindow::Days7, "30.00"));
    assert_eq!(shop.edit_amount(second, 40_01).unwrap_err().code, "sale_beyond_limits");
    shop.edit_amount(second, 35_00).unwrap();
    // The first sale is in no window that ends today, but in those that ended a week ago.
    assert_eq!(shop.edit_amount(first, 40_01).unwrap_err().code, "sale_beyond_limits");
    shop.edit_amount(first, 20_00).unwrap();
    shop.edit_amount(first, 30_00).unwrap();
    shop.cancel(second);
    shop.try_sell(agency, pair, 30_00).unwrap();
    let alone = shop.person(pair.0);
    assert_eq!(shop.sent(alone), ("60.00".into(), 2), "the canceled one does not count");
}

#[test]
fn an_edit_of_the_amount_needs_a_document_that_has_not_expired_as_a_sale_does() {
    let mut shop = Shop::new();
    shop.set(&needs("30.00", &[Need::Document]));
    let (manager, agency, cup) = (shop.business.manager, shop.business.agency, shop.business.cup);
    let pair = shop.pair(agency, Some(CARD));
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    let expired = EditAmount {
        checks: SaleChecks {
            valid: BTreeSet::new(),
            ..shop.checks(&[pair.0, pair.1])
        },
        ..EditAmount::new(Amount::from_minor(30_01), cup)
    };
    let answer = shop.business.act(manager, id, RemittanceCommand::EditAmount(expired));
    assert_eq!(answer.unwrap().warnings, [IN_REVIEW]);
    assert!(shop.held(id));

    let pair = shop.pair(agency, Some(OTHER_CARD));
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    shop.edit_amount(id, 30_01).unwrap();
    assert!(!shop.held(id), "the document is valid");
}

#[test]
fn another_recipient_is_judged_by_the_limits_of_recipients() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let other = shop.register(agency, Some(pair.0), Some(OTHER_CARD));
    shop.try_sell(agency, (pair.0, other), 30_00).unwrap();
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    let limit = rule(Side::Recipient, LimitWindow::Days30, "40.00", LimitOutcome::Refuse);
    shop.set(&limit);
    let manager = shop.business.manager;
    let edit = |shop: &Shop| EditDetails {
        checks: shop.checks(&[other]),
        ..EditDetails::new(other)
    };
    let unread = EditDetails::new(other);
    let refused = shop.business.act(manager, id, RemittanceCommand::EditDetails(unread));
    assert_eq!(refused.unwrap_err().code, "customer_not_identified");
    let command = RemittanceCommand::EditDetails(edit(&shop));
    let refused = shop.business.act(manager, id, command.clone()).unwrap_err();
    assert_eq!(refused.code, "sale_beyond_limits");
    shop.remove(&limit);
    shop.set(&rule(Side::Recipient, LimitWindow::Days30, "40.00", LimitOutcome::Hold));
    let answer = shop.business.act(manager, id, command).unwrap();
    assert_eq!(answer.warnings, [IN_REVIEW]);
    assert!(shop.held(id));
    let received =
        shop.business
            .world
            .books
            .limits()
            .sum(shop.person(other), Side::Recipient, shop.today(), shop.today());
    assert_eq!((received.amount, received.count), (amount("50.00"), 2));
}

#[test]
fn a_delivery_without_a_network_is_judged_when_it_arrives() {
    let mut shop = Shop::new();
    let agency = shop.business.agency;
    let pair = shop.pair(agency, Some(CARD));
    let other = shop.register(agency, Some(pair.0), Some(OTHER_CARD));
    let id = shop.try_sell(agency, pair, 20_00).unwrap();
    let (manager, dealer) = (shop.business.manager, shop.business.dealer);
    let assign = AssignDealer {
        dealer,
        delivery_man: None,
    };
    shop.business
        .act(manager, id, RemittanceCommand::Assign(assign))
        .unwrap();
    shop.set(&rule(Side::Recipient, LimitWindow::Days30, "10.00", LimitOutcome::Hold));
    let edit = EditDetails {
        checks: shop.checks(&[other]),
        ..EditDetails::new(other)
    };
    shop.business
        .act(manager, id, RemittanceCommand::EditDetails(edit))
        .unwrap();
    assert!(shop.held(id));
    let refused = shop
        .business
        .act(Actor::Party(dealer), id, RemittanceCommand::Complete(delivered()));
    assert_eq!(refused.unwrap_err().code, "remittance_is_held");
    let offline = CompleteRemittance {
        or_dispute: true,
        delivered_at: Some(shop.business.world.now),
        ..delivered()
    };
    let answer = shop
        .business
        .act(Actor::Party(dealer), id, RemittanceCommand::Complete(offline))
        .unwrap();
    assert_eq!(answer.warnings, ["delivered_while_held"]);
    assert!(shop.business.world.remittance(id).breach.is_some());
}

#[test]
fn the_digest_of_a_document_goes_with_the_last_customer_who_has_it() {
    let mut shop = Shop::new();
    shop.set(&refuse(LimitWindow::Days30, "50.00"));
    let (agency, other) = (shop.business.agency, shop.business.other_agency);
    let here = shop.pair(agency, Some(CARD));
    let there = shop.pair(other, Some(CARD));
    shop.change(there.0, Some(OTHER_CARD));
    let person = shop.person(here.0);
    let second = shop.person(there.0);
    let forget = |shop: &mut Shop, id| {
        let before = shop.business.world.log.len();
        let forget = Forget {
            retention_days: DEFAULT_RETENTION_DAYS,
            last_business: None,
        };
        let command = Command::Customer(id, CustomerCommand::Forget(forget));
        shop.business.world.run(Actor::System, command).unwrap();
        let events = shop.business.world.log.iter().skip(before);
        let released = events.filter_map(|(event, _)| match event {
            Event::Customer(CustomerEvent::PersonDocumentReleased(released)) => Some(released.person),
            _ => None,
        });
        released.collect::<Vec<_>>()
    };
    assert_eq!(
        forget(&mut shop, here.0),
        [],
        "the other customer had the document once"
    );
    assert_eq!(forget(&mut shop, there.0), [person, second]);
    assert_eq!(forget(&mut shop, here.1), [], "no document, no digest");
    assert_eq!(
        shop.written(shop.business.world.log.len() - 4),
        [
            "PersonDocumentReleased",
            "PersonDocumentReleased",
            "PersonForgotten",
            "PersonForgotten"
        ]
    );
    // The document is free for another person.
    let again = shop.pair(agency, Some(CARD));
    assert_ne!(shop.person(again.0), person);
}

#[test]
fn rules_have_a_limit_an_outcome_and_known_groups_and_belong_to_managers() {
    let mut shop = Shop::new();
    let run = |shop: &mut Shop, actor, rule: LimitRule| {
        let command = Command::Tenant(TenantCommand::SetLimitRule(rule));
        let outcome = shop.business.world.run(actor, command);
        outcome.map_err(|refusal| refusal.to_string())
    };
    let valid = refuse(LimitWindow::Days30, "50.00");
    let manager = shop.business.manager;
    for (wrong, expected) in [
        (
            LimitRule {
                amount: None,
                ..valid.clone()
            },
            "invalid amount:required",
        ),
        (
            LimitRule {
                amount: Some(amount("-0.01")),
                ..valid.clone()
            },
            "invalid amount:amount_negative",
        ),
        (
            LimitRule {
                count: Some(super::MAX_LIMIT_COUNT + 1),
                ..valid.clone()
            },
            "invalid count:number_out_of_range",
        ),
        (
            LimitRule {
                count: Some(1),
                window: LimitWindow::Sale,
                ..valid.clone()
            },
            "invalid count:count_of_one_sale",
        ),
        (
            LimitRule {
                outcome: LimitOutcome::Needs,
                ..valid.clone()
            },
            "invalid needs:required",
        ),
        (
            LimitRule {
                needs: [Need::Purpose].into(),
                ..valid.clone()
            },
            "invalid needs:value_unknown",
        ),
        (
            LimitRule {
                groups: [crate::ids::PaymentGroupId::generate()].into(),
                ..valid.clone()
            },
            "invalid groups:payment_group_unknown",
        ),
    ] {
        assert_eq!(run(&mut shop, manager, wrong).unwrap_err(), expected);
    }
    let agency = Actor::Party(shop.business.agency);
    assert_eq!(run(&mut shop, agency, valid.clone()).unwrap_err(), "role_not_allowed");
    run(&mut shop, manager, valid.clone()).unwrap();
    let before = shop.business.world.log.len();
    run(&mut shop, manager, valid.clone()).unwrap();
    assert_eq!(
        shop.business.world.log.len(),
        before,
        "the same rule again writes nothing"
    );
    for _ in 1..super::MAX_LIMIT_RULES {
        run(&mut shop, manager, refuse(LimitWindow::Days30, "50.00")).unwrap();
    }
    let one_more = refuse(LimitWindow::Days30, "50.00");
    assert_eq!(run(&mut shop, manager, one_more).unwrap_err(), "too_many_limit_rules");
    run(&mut shop, manager, refuse_as(&valid)).unwrap();
    shop.remove(&valid);
    let command = Command::Tenant(TenantCommand::RemoveLimitRule(valid.id));
    let refusal = shop.business.world.run(manager, command).unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.code),
        (RefusalKind::NotFound, "limit_rule_not_found")
    );
}

/// The rule with another limit.
fn refuse_as(rule: &LimitRule) -> LimitRule {
    LimitRule {
        amount: Some(amount("60.00")),
        ..rule.clone()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Sell { pair: usize, minor: i64 },
    Edit { pick: usize, minor: i64 },
    Cancel { pick: usize },
    Document { pair: usize, card: usize },
    Pass { days: i64 },
}

fn steps() -> impl Strategy<Value = Step> {
    let minor = || 1_i64..2_000;
    prop_oneof![
        8 => (0_usize..4, minor()).prop_map(|(pair, minor)| Step::Sell { pair, minor }),
        3 => (any::<usize>(), minor()).prop_map(|(pick, minor)| Step::Edit { pick, minor }),
        2 => any::<usize>().prop_map(|pick| Step::Cancel { pick }),
        1 => (0_usize..4, 0_usize..3).prop_map(|(pair, card)| Step::Document { pair, card }),
        2 => (0_i64..40).prop_map(|days| Step::Pass { days }),
    ]
}

/// A sale as the test counts it by itself.
#[derive(Clone, Debug)]
struct Counted {
    id: RemittanceId,
    sender: PersonId,
    recipient: PersonId,
    day: NaiveDate,
    minor: i64,
    canceled: bool,
}

fn total(sales: &[Counted], first: NaiveDate, last: NaiveDate, of: impl Fn(&Counted) -> bool) -> i64 {
    let counted = sales.iter().filter(|sale| !sale.canceled && of(sale));
    let within = counted.filter(|sale| first <= sale.day && sale.day <= last);
    within.map(|sale| sale.minor).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn sums_equal_those_of_the_sales_and_no_window_is_ever_beyond_its_limit(
        steps in prop::collection::vec(steps(), 20..80),
        documents_first in any::<bool>(),
    ) {
        const LIMIT: i64 = 60_00;
        const CARDS: [&str; 3] = [CARD, OTHER_CARD, "85020291531"];
        let mut shop = Shop::new();
        let limit = refuse(LimitWindow::Days30, "60.00");
        if documents_first {
            shop.set(&limit);
        }
        let sellers = [shop.business.agency, shop.business.other_agency];
        let pairs: Vec<_> = (0..4).map(|at| (sellers[at % 2], shop.pair(sellers[at % 2], Some(CARDS[at % 2])))).collect();
        shop.set(&limit);
        let mut sales: Vec<Counted> = Vec::new();
        for step in steps {
            let today = shop.today();
            match step {
                Step::Sell { pair, minor } => {
                    let (seller, pair) = pairs[pair];
                    let sold = shop.try_sell(seller, pair, minor);
                    let (sender, recipient) = (shop.person(pair.0), shop.person(pair.1));
                    let before = total(&sales, today - Days::new(29), today, |sale| sale.sender == sender);
                    match sold {
                        Ok(id) => {
                            prop_assert!(before + minor <= LIMIT, "{before} + {minor}");
                            sales.push(Counted { id, sender, recipient, day: today, minor, canceled: false });
                        }
                        Err(refusal) if refusal == "sale_beyond_limits" => {
                            if shop.business.world.books.limits().is_identified(pair.0) {
                                prop_assert!(before + minor > LIMIT, "{before} + {minor}");
                            }
                        }
                        // The seller's balance.
                        Err(refusal) => prop_assert_eq!(refusal, "balance_insufficient"),
                    }
                }
                Step::Edit { pick, minor } if !sales.is_empty() => {
                    let at = pick % sales.len();
                    let (id, was) = (sales[at].id, sales[at].minor);
                    if let Ok(_answer) = shop.edit_amount(id, minor) {
                        sales[at].minor = minor;
                        let Counted { sender, day, .. } = sales[at].clone();
                        if minor > was {
                            for end in day.iter_days().take_while(|end| *end <= today).take(30) {
                                let sum = total(&sales, end - Days::new(29), end, |sale| sale.sender == sender);
                                prop_assert!(sum <= LIMIT, "{sum} on {end}");
                            }
                        }
                    }
                }
                Step::Cancel { pick } if !sales.is_empty() => {
                    let at = pick % sales.len();
                    if !sales[at].canceled {
                        shop.cancel(sales[at].id);
                        sales[at].canceled = true;
                    }
                }
                Step::Document { pair, card } => {
                    let customer = pairs[pair].1.0;
                    shop.change(customer, Some(CARDS[card]));
                }
                Step::Pass { days } => shop.pass(days),
                _ => {}
            }
            let limits = shop.business.world.books.limits();
            let (first, last) = (shop.today() - Days::new(364), shop.today());
            for side in Side::ALL {
                let mut whole = 0;
                for person in limits.persons().collect::<Vec<_>>() {
                    let sum = limits.sum(person, *side, first, last);
                    whole += sum.amount.minor();
                    let own = |sale: &Counted| match side {
                        Side::Sender => sale.sender == person,
                        Side::Recipient => sale.recipient == person,
                    };
                    prop_assert_eq!(sum.amount.minor(), total(&sales, first, last, own));
                }
                prop_assert_eq!(whole, total(&sales, first, last, |_| true), "over persons as over remittances");
            }
        }
        let mut replayed = crate::Books::default();
        for (event, at) in &shop.business.world.log {
            replayed.apply(event, *at);
        }
        prop_assert_eq!(&replayed, &shop.business.world.books, "a replay gives the same books");
        let snapshot = serde_json::to_string(&shop.business.world.books).unwrap();
        prop_assert_eq!(&serde_json::from_str::<crate::Books>(&snapshot).unwrap(), &shop.business.world.books);
    }
}
