//! Limits on a real PostgreSQL: concurrent sales on several nodes, who is the same person, and erasure.

use crate::common::{Office, elsewhere, refused, register, submission};
use caudal_domain::{
    Actor, Command, Commission, Event, TenantCommand, TenantState,
    customer::{
        ChangeCustomer, CustomerCommand, CustomerDetails, CustomerEvent, CustomerKind, IdentificationType, Place,
        RegisterCustomer,
    },
    erasure::Forget,
    ids::{CustomerId, LimitRuleId, PartyId, PaymentGroupId, PersonId, RemittanceId},
    limits::{IdentityDocument, LimitOutcome, LimitRule, LimitWindow, SaleChecks, Side},
    money::{Amount, CurrencyCode, Rate},
    party::{Registration, TermsChange},
    reference_data::{
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::provinces,
    },
    remittance::{CreateRemittance, RemittanceCommand},
};
use caudal_journal::{ArchiveReader, Committed, Journal, People, Submission, SubmitError};
use futures::future::join_all;
use sqlx::Row as _;
use std::collections::BTreeSet;

const CARD: &str = "80010112345";
const OTHER_CARD: &str = "75010112345";

/// A seller with a sender and a recipient of its own.
#[derive(Clone, Copy)]
struct Counter {
    seller: PartyId,
    sender: CustomerId,
    recipient: CustomerId,
}

struct Shops {
    office: Office,
    group: PaymentGroupId,
    counters: Vec<Counter>,
}

fn details(number: Option<&str>) -> CustomerDetails {
    CustomerDetails {
        name: "Ana".into(),
        personal_identification_number: number.map(str::to_owned),
        personal_identification_type: number.map(|_| IdentificationType::Ci),
        ..CustomerDetails::default()
    }
}

fn passport(country: Option<&str>) -> CustomerDetails {
    CustomerDetails {
        personal_identification_type: Some(IdentificationType::Passport),
        personal_identification_country: country.map(str::to_owned),
        ..details(Some("X123456"))
    }
}

fn customer(sender: Option<CustomerId>, number: Option<&str>) -> (CustomerId, Command) {
    registered(sender, details(number))
}

fn registered(sender: Option<CustomerId>, details: CustomerDetails) -> (CustomerId, Command) {
    let id = CustomerId::generate();
    let (province, municipality) = {
        let province = provinces().first().unwrap();
        (province.id, province.municipalities.first().unwrap().id)
    };
    let register = RegisterCustomer {
        id,
        kind: sender.map_or(CustomerKind::Issuer, |_| CustomerKind::Recipient),
        details,
        is_active: true,
        owner: None,
        sender,
        place: Place {
            province: Some(province),
            municipality: Some(municipality),
        },
    };
    (id, Command::Customer(id, CustomerCommand::Register(register)))
}

impl Shops {
    /// Agencies that sell in USD on credit, each with a sender with one document.
    async fn open(agencies: usize, rule: Option<LimitRule>) -> Self {
        let office = Office::open().await;
        let group = PaymentGroupId::generate();
        let create = PaymentGroup {
            id: group,
            name: "USD".into(),
            currency_to: CurrencyCode::USD,
            exchange_rate: Rate::ONE,
            manager_commission: Commission::default(),
            agency_commission: Commission::default(),
            agent_commission: Commission::default(),
            is_active: true,
        };
        let create = Command::PaymentGroup(group, PaymentGroupCommand::Create(create));
        office.manage(create).await.unwrap();
        if let Some(rule) = rule {
            set(&office, &rule).await;
        }
        let mut counters = Vec::new();
        for at in 0..agencies {
            let terms = TermsChange {
                group,
                exchange_rate: Some(Rate::ONE),
                commission: Some(Commission::default()),
                name: None,
                is_active: None,
                credit_limit: Some(Amount::from_minor(10_000_000)),
            };
            let registration = Registration::Agency { terms: vec![terms] };
            let seller = PartyId::generate();
            let name = format!("Agencia {at}");
            let command = register(seller, registration, &name, &format!("agency{at}@example.com"));
            office.manage(command).await.unwrap();
            let (sender, command) = customer(None, Some(CARD));
            office.submit(Actor::Party(seller), command).await.unwrap();
            let (recipient, command) = customer(Some(sender), None);
            office.submit(Actor::Party(seller), command).await.unwrap();
            counters.push(Counter {
                seller,
                sender,
                recipient,
            });
        }
        Self {
            office,
            group,
            counters,
        }
    }

    /// A sale as the API submits it.
    fn sale(&self, counter: Counter, cents: i64) -> Command {
        let id = RemittanceId::generate();
        let amount = Amount::from_minor(cents);
        let checks = SaleChecks {
            documents: [
                (counter.sender, IdentityDocument::of(&details(Some(CARD)))),
                (counter.recipient, None),
            ]
            .into(),
            valid: BTreeSet::new(),
        };
        let create = CreateRemittance {
            checks,
            ..CreateRemittance::new(id, counter.sender, counter.recipient, self.group, amount)
        };
        Command::Remittance(id, RemittanceCommand::Create(create))
    }

    async fn sell(&self, node: &Journal, counter: Counter, cents: i64) -> Result<Committed, SubmitError> {
        let sale = submission(Actor::Party(counter.seller), self.sale(counter, cents));
        node.submit(&self.office.tenant, sale).await
    }

    async fn persons(&self) -> BTreeSet<PersonId> {
        let state = self.office.state().await;
        let senders = self.counters.iter().map(|counter| counter.sender);
        senders.map(|sender| state.limits().person(sender)).collect()
    }

    /// Number of digests of documents.
    async fn documents(&self) -> i64 {
        let mut owner = self.office.owner().await;
        let row = sqlx::query("SELECT count(*) AS count FROM journal.claims WHERE kind = 'person_document'");
        row.fetch_one(&mut owner).await.unwrap().get("count")
    }

    async fn rows_are_right(&self) {
        let verified = self.office.journal.verify_rows(&self.office.tenant).await.unwrap();
        assert_eq!(
            (verified.wrong, verified.not_compared),
            (0, None),
            "{:?}",
            verified.faults
        );
    }
}

async fn set(office: &Office, rule: &LimitRule) {
    let command = Command::Tenant(TenantCommand::SetLimitRule(rule.clone()));
    office.manage(command).await.unwrap();
}

fn fifty() -> LimitRule {
    LimitRule {
        id: LimitRuleId::generate(),
        side: Side::Sender,
        window: LimitWindow::Days30,
        groups: BTreeSet::new(),
        amount: Some(Amount::from_minor(50_00)),
        count: None,
        outcome: LimitOutcome::Refuse,
        needs: BTreeSet::new(),
    }
}

fn count(results: &[Result<Committed, SubmitError>]) -> usize {
    let mut sold = 0;
    for result in results {
        match result {
            Ok(_) => sold += 1,
            Err(SubmitError::Refused(refusal)) => assert_eq!(refusal.code, "sale_beyond_limits"),
            Err(error) => panic!("{error}"),
        }
    }
    sold
}

#[tokio::test(flavor = "multi_thread")]
async fn agencies_that_sell_to_one_sender_at_once_on_two_nodes_do_not_exceed_the_limit_together() {
    let shops = Shops::open(2, Some(fifty())).await;
    assert_eq!(shops.persons().await.len(), 1);
    let node = shops.office.another_node().await;
    let sales = (0..24).map(|at| {
        let journal = if at % 2 == 0 { &shops.office.journal } else { &node };
        shops.sell(journal, shops.counters[at / 2 % 2], 10_00)
    });
    let sold = count(&join_all(sales).await);
    assert_eq!(sold, 5, "50.00 in sales of 10.00");
    shops.office.check().await;
    shops.rows_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_made_without_documents_is_refused_as_changed_where_a_rule_asks_for_them_and_its_repetition_is_answered()
{
    let shops = Shops::open(1, None).await;
    let counter = shops.counters[0];
    let (journal, tenant) = (&shops.office.journal, &shops.office.tenant);
    let unchecked = |command: Command, key: &str| Submission {
        presumes_no_checks: true,
        key: Some(key.to_owned()),
        ..submission(Actor::Party(counter.seller), command)
    };
    let (first, second) = (shops.sale(counter, 1_00), shops.sale(counter, 2_00));
    assert_eq!(journal.known_state(tenant, TenantState::checks_customers), Some(false));
    let sold = journal.submit(tenant, unchecked(first.clone(), "first")).await.unwrap();
    set(&shops.office, &fifty()).await;
    let refused = journal.submit(tenant, unchecked(second, "second")).await.unwrap_err();
    assert!(matches!(refused, SubmitError::Changed), "{refused}");
    let again = journal.submit(tenant, unchecked(first, "first")).await.unwrap();
    assert_eq!((again.replayed, again.answer), (true, sold.answer));
    assert_eq!(journal.known_state(tenant, TenantState::checks_customers), Some(true));
}

/// Two agencies with the last 10.00 of a limit between them, many times over.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_sales_that_fit_alone_one_is_refused() {
    let shops = Shops::open(2, Some(fifty())).await;
    let node = shops.office.another_node().await;
    shops
        .sell(&shops.office.journal, shops.counters[0], 40_00)
        .await
        .unwrap();
    let [here, there] = [shops.counters[0], shops.counters[1]];
    for cents in [6_00, 3_00, 60] {
        let (a, b) = tokio::join!(
            shops.sell(&shops.office.journal, here, cents),
            shops.sell(&node, there, cents)
        );
        assert_eq!(count(&[a, b]), 1, "{cents}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn customers_with_one_document_become_one_person_whoever_registers_or_sells_first() {
    // Registered before the first rule: the first sales identify them, all at once.
    let shops = Shops::open(4, None).await;
    assert_eq!(shops.documents().await, 0, "without rules no digest");
    set(&shops.office, &fifty()).await;
    let node = shops.office.another_node().await;
    let unread = CreateRemittance::new(
        RemittanceId::generate(),
        shops.counters[0].sender,
        shops.counters[0].recipient,
        shops.group,
        Amount::from_minor(1_00),
    );
    let unread = Command::Remittance(unread.id, RemittanceCommand::Create(unread));
    let seller = Actor::Party(shops.counters[0].seller);
    assert_eq!(
        refused(shops.office.submit(seller, unread).await),
        "customer_not_identified"
    );
    let sales = (0..16).map(|at| {
        let journal = if at % 2 == 0 { &shops.office.journal } else { &node };
        shops.sell(journal, shops.counters[at / 2 % 4], 10_00)
    });
    let sold = count(&join_all(sales).await);
    assert_eq!(sold, 5);
    assert_eq!((shops.persons().await.len(), shops.documents().await), (1, 1));

    // Registered at once on two nodes, with another document.
    let registrations = (0..8).map(|at| {
        let journal = if at % 2 == 0 { &shops.office.journal } else { &node };
        let (id, command) = customer(None, Some(OTHER_CARD));
        let register = submission(Actor::Party(shops.counters[at % 4].seller), command);
        let tenant = &shops.office.tenant;
        async move {
            journal.submit(tenant, register).await.unwrap();
            id
        }
    });
    let registered = join_all(registrations).await;
    let state = shops.office.state().await;
    let persons: BTreeSet<_> = registered.iter().map(|id| state.limits().person(*id)).collect();
    assert_eq!((persons.len(), shops.documents().await), (1, 2));
    shops.office.check().await;
    shops.rows_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn erasure_leaves_no_digest_of_a_document_behind() {
    let shops = Shops::open(2, Some(fifty())).await;
    let [here, there] = [shops.counters[0], shops.counters[1]];
    let change = |id, details| {
        let change = ChangeCustomer {
            details,
            known: None,
            is_active: None,
            place: None,
        };
        Command::Customer(id, CustomerCommand::Change(change))
    };
    shops
        .office
        .manage(change(there.sender, details(Some(OTHER_CARD))))
        .await
        .unwrap();
    assert_eq!(shops.documents().await, 2);
    let forget = |id| {
        let order = Forget {
            retention_days: 0,
            last_business: None,
        };
        Command::Customer(id, CustomerCommand::Forget(order))
    };
    shops.office.manage(forget(here.sender)).await.unwrap();
    assert_eq!(shops.documents().await, 2, "the other customer had it once");
    shops.rows_are_right().await;
    shops.office.manage(forget(there.sender)).await.unwrap();
    assert_eq!(shops.documents().await, 0);
    shops.rows_are_right().await;
    shops.office.check().await;
    let log = shops.office.log().await;
    let documents = log.iter().filter_map(|recorded| match &recorded.event {
        Event::Customer(CustomerEvent::PersonIdentified(identified)) => identified.personal.get(),
        _ => None,
    });
    assert!(documents.count() <= 2, "those of the recipients, who have none");
    // The document is free for another person.
    let (_, again) = customer(None, Some(CARD));
    shops.office.submit(Actor::Party(here.seller), again).await.unwrap();
    assert_eq!(shops.documents().await, 1);
    // A passport that got its country later was two documents: none is left.
    let (traveller, command) = registered(None, passport(None));
    shops.office.submit(Actor::Party(here.seller), command).await.unwrap();
    shops
        .office
        .manage(change(traveller, passport(Some("ES"))))
        .await
        .unwrap();
    assert_eq!(shops.documents().await, 3);
    shops.office.manage(forget(traveller)).await.unwrap();
    assert_eq!(shops.documents().await, 1);
    shops.rows_are_right().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_tenant_knows_who_has_a_document() {
    let shops = Shops::open(1, Some(fifty())).await;
    let counter = shops.counters[0];
    shops.sell(&shops.office.journal, counter, 40_00).await.unwrap();
    let mut file = Vec::new();
    let tenant = &shops.office.tenant;
    let exported = shops.office.journal.export(tenant, &mut file, |_, _| {}).await.unwrap();
    let (sealed, secret) = exported.people.encrypt(tenant, &exported.end).unwrap();
    let reader = ArchiveReader::open(file.as_slice()).unwrap();
    let people = People::open(&sealed, &secret, reader.tenant(), reader.end()).unwrap();
    let (_database, journal) = elsewhere().await;
    journal.import(reader, Some(&people), |_, _| {}).await.unwrap();
    let seller = Actor::Party(counter.seller);
    let (sender, command) = customer(None, Some(CARD));
    journal.submit(tenant, submission(seller, command)).await.unwrap();
    let (recipient, command) = customer(Some(sender), None);
    journal.submit(tenant, submission(seller, command)).await.unwrap();
    let twin = Counter {
        sender,
        recipient,
        ..counter
    };
    assert_eq!(refused(shops.sell(&journal, twin, 10_01).await), "sale_beyond_limits");
    shops.sell(&journal, twin, 10_00).await.unwrap();
    let verified = journal.verify_rows(tenant).await.unwrap();
    assert_eq!((verified.wrong, verified.not_compared), (0, None));
}
