//! A tenant that sells: an agency with a group that pays out CUP, and its customers.

use caudal_domain::{
    Actor, Command, Commission, DEFAULT_ZONE,
    customer::{CustomerCommand, CustomerDetails, CustomerKind, Place, RegisterCustomer},
    ids::{CustomerId, PartyId, PaymentGroupId, RemittanceId, TenantId},
    money::{Amount, CurrencyCode, Rate},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, TermsChange},
    reference_data::{
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::provinces,
    },
    remittance::{CreateRemittance, RemittanceCommand},
};
use caudal_journal::{Credential, Journal, Manager, Opening, RequestDigest, Submission};
use std::sync::Arc;
use uuid::Uuid;

/// The agency's login.
pub const AGENCY: &str = "agency@example.test";
/// The manager's login.
pub const MANAGER: &str = "manager@example.test";

/// Customers that are registered at a time.
const REGISTERING: usize = 64;

/// How many issuers an agency has, with one recipient each.
const ISSUERS: usize = 200;

/// What is sent each time, in USD cents: every commission of it is above 0.
const SENT: Amount = Amount::from_minor(10_000);

/// A tenant with all that its sales name.
#[derive(Clone, Debug)]
pub struct Office {
    pub tenant: TenantId,
    manager: PartyId,
    /// Who sells.
    pub agency: PartyId,
    /// What is sold.
    pub group: PaymentGroupId,
    /// Issuers with their recipients.
    pub customers: Arc<[(CustomerId, CustomerId)]>,
}

impl Office {
    /// Opens a tenant; the agency signs in with the password of this hash.
    pub async fn open(journal: &Journal, name: &str, password_hash: &str) -> Self {
        let tenant: TenantId = name.parse().expect("a tenant's name");
        let opening = Opening {
            tenant: tenant.clone(),
            name: name.to_owned(),
            time_zone: DEFAULT_ZONE,
            manager: Manager {
                name: "Manager".to_owned(),
                email: MANAGER.to_owned(),
                password_hash: password_hash.to_owned(),
            },
        };
        let manager = opening.run(journal).await.expect("a new tenant opens");
        let group = PaymentGroupId::generate();
        let percent = |text: &str| Commission::percentage(text.parse().expect("a rate"));
        let create = PaymentGroupCommand::Create(PaymentGroup {
            id: group,
            name: "CUP at home".to_owned(),
            currency_to: CurrencyCode::CUP,
            exchange_rate: "320".parse::<Rate>().expect("a rate"),
            manager_commission: percent("2"),
            agency_commission: percent("1"),
            agent_commission: percent("1"),
            is_active: true,
        });
        let create = Submission::of(Actor::Party(manager), Command::PaymentGroup(group, create));
        journal.submit(&tenant, create).await.expect("the manager may do so");
        let office = Self {
            tenant,
            manager,
            agency: manager,
            group,
            customers: Arc::default(),
        };
        office.branch(journal, AGENCY, password_hash, ISSUERS).await
    }

    /// Adds an agency with a number of issuers. Returns the office with that agency as its seller.
    pub async fn branch(&self, journal: &Journal, email: &str, password_hash: &str, issuers: usize) -> Self {
        let agency = PartyId::generate();
        let register = PartyCommand::Register(RegisterParty {
            id: agency,
            registration: Registration::Agency {
                terms: vec![TermsChange {
                    group: self.group,
                    exchange_rate: None,
                    commission: None,
                    name: None,
                    is_active: None,
                    credit_limit: Some(Amount::LARGEST),
                }],
            },
            details: PartyDetails {
                name: "Agency".to_owned(),
                email: email.to_owned(),
                ..PartyDetails::default()
            },
            is_active: true,
        });
        let credential = Credential {
            party: agency,
            hash: password_hash.to_owned(),
        };
        let register = Submission {
            credential: Some(credential),
            ..Submission::of(Actor::Party(self.manager), Command::Party(agency, register))
        };
        let registered = journal.submit(&self.tenant, register).await;
        registered.expect("the manager may register an agency");
        let mut branch = Self { agency, ..self.clone() };
        let mut customers = Vec::with_capacity(issuers);
        for number in 0..issuers {
            let issuer = customer(number, CustomerKind::Issuer, None);
            let (issuer, _) = branch.register(journal, issuer).await;
            let recipient = customer(number, CustomerKind::Recipient, Some(issuer));
            customers.push((issuer, branch.register(journal, recipient).await.0));
        }
        branch.customers = customers.into();
        branch
    }

    /// Registers these people by twos, an issuer and a recipient, and sells to them alone from now on. Returns the position of
    /// the last registration.
    pub async fn populate(&mut self, journal: &Journal, people: Vec<CustomerDetails>) -> i64 {
        let pairs: Arc<[_]> = people
            .chunks_exact(2)
            .map(|pair| [pair[0].clone(), pair[1].clone()])
            .collect();
        let workers = (0..REGISTERING).map(|worker| {
            let (journal, office, pairs) = (journal.clone(), self.clone(), pairs.clone());
            tokio::spawn(async move {
                let mut registered = Vec::new();
                let mut last = 0;
                for number in (worker..pairs.len()).step_by(REGISTERING) {
                    let [issuer, recipient] = pairs[number].clone();
                    let issuer = registration(number, CustomerKind::Issuer, None, issuer);
                    let (issuer, _) = office.register(&journal, issuer).await;
                    let recipient = registration(number, CustomerKind::Recipient, Some(issuer), recipient);
                    let (recipient, position) = office.register(&journal, recipient).await;
                    last = last.max(position);
                    registered.push((issuer, recipient));
                }
                (registered, last)
            })
        });
        let workers: Vec<_> = workers.collect();
        let (mut customers, mut last) = (Vec::with_capacity(pairs.len()), 0);
        for worker in workers {
            let (registered, position) = worker.await.expect("all are registered");
            customers.extend(registered);
            last = last.max(position);
        }
        self.customers = customers.into();
        last
    }

    async fn register(&self, journal: &Journal, command: Command) -> (CustomerId, i64) {
        let committed = journal
            .submit(&self.tenant, Submission::of(Actor::Party(self.agency), command))
            .await;
        let committed = committed.expect("the agency may do so");
        (CustomerId(committed.answer.id), committed.position)
    }

    /// A sale to the customer of a number, under an idempotency key of its own.
    pub fn sale(&self, number: usize) -> Submission {
        let id = RemittanceId::generate();
        let (sender, recipient) = self.customers[number % self.customers.len()];
        let create = RemittanceCommand::Create(CreateRemittance {
            notes: Some("Call before noon, please".to_owned()),
            ..CreateRemittance::new(id, sender, recipient, self.group, SENT)
        });
        Submission {
            key: Some(Uuid::now_v7().to_string()),
            request_digest: RequestDigest::of([id.0.as_bytes().as_slice()]),
            ..Submission::of(Actor::Party(self.agency), Command::Remittance(id, create))
        }
    }
}

fn customer(number: usize, kind: CustomerKind, sender: Option<CustomerId>) -> Command {
    let details = CustomerDetails {
        name: format!("Person {number}"),
        last_name: Some("Pérez".to_owned()),
        phone_number: Some(format!("+535{number:07}")),
        address_line: Some(format!("Calle 23 No. {number}")),
        ..CustomerDetails::default()
    };
    registration(number, kind, sender, details)
}

fn registration(number: usize, kind: CustomerKind, sender: Option<CustomerId>, details: CustomerDetails) -> Command {
    let province = &provinces()[number % provinces().len()];
    let place = match kind {
        CustomerKind::Issuer => Place::default(),
        CustomerKind::Recipient => Place {
            province: Some(province.id),
            municipality: province.municipalities.first().map(|place| place.id),
        },
    };
    let id = CustomerId::generate();
    let register = RegisterCustomer {
        id,
        kind,
        details,
        is_active: true,
        owner: None,
        sender,
        place,
    };
    Command::Customer(id, CustomerCommand::Register(register))
}
