//! The tenants of a schedule, and what clients ask for.

use super::{model::Model, node::SimulatedNode, random::Random, runtime, stored::Stored};
use crate::{keys::Keyring, submission::Submission};
use caudal_domain::{
    Actor, Command, Tenant, TenantCommand,
    ids::{CurrencyId, MovementId, ObligationId, PartyId, TenantId},
    money::{Amount, CurrencyCode, Rate},
    movement::{Deposit, DepositTo, ExpectedParty, Funds, MovementCommand},
    party::{ChangeParty, PartyCommand, PartyDetails, RegisterParty, Registration, Territory},
    reference_data::currency::{Currency, CurrencyCommand},
};
use tokio::time::Instant;
use uuid::Uuid;

/// Two tenants, each with a manager, a dealer, USD and some cash, where all schedules begin.
pub(super) struct World {
    pub(super) keyring: Keyring,
    pub(super) tenants: Vec<TenantId>,
    manager: PartyId,
    dealer: PartyId,
    /// What the database keeps of each tenant.
    pub(super) start: Vec<Stored>,
}

impl World {
    pub(super) fn begin() -> Self {
        let tenants: Vec<TenantId> = vec!["worked".parse().unwrap(), "beside".parse().unwrap()];
        let mut world = Self {
            keyring: Keyring::generate().unwrap(),
            manager: PartyId(Uuid::from_u128(1)),
            dealer: PartyId(Uuid::from_u128(2)),
            start: tenants.iter().map(Stored::empty).collect(),
            tenants,
        };
        runtime().block_on(async {
            let model = Model::new(&world, 0, Instant::now());
            let node = SimulatedNode::new(&world, &model, 0, Instant::now());
            for tenant in 0..world.tenants.len() {
                world.found(&node, tenant).await;
            }
            world.start = model.server().logs.iter().map(|log| log.stored.clone()).collect();
        });
        world
    }

    /// Gives a tenant what all schedules begin with.
    async fn found(&self, node: &SimulatedNode, tenant: usize) {
        let zone = caudal_domain::DEFAULT_ZONE;
        let commands = [
            Command::Tenant(TenantCommand::Open(Tenant {
                name: "Worked".into(),
                time_zone: zone,
            })),
            Command::Currency(
                CurrencyId(Uuid::from_u128(3)),
                CurrencyCommand::Add(Currency {
                    id: CurrencyId(Uuid::from_u128(3)),
                    code: CurrencyCode::USD,
                    symbol: "$".into(),
                    exchange_rate: Rate::ONE,
                    distribution_rate: Amount::ZERO,
                    accounted: true,
                    enabled: true,
                }),
            ),
            register(self.manager, Registration::Manager, "manager@example.com"),
        ];
        for command in commands {
            node.submit(tenant, submission(Actor::System, command, Uuid::from_u128(4)))
                .await
                .unwrap();
        }
        let manager = Actor::Party(self.manager);
        let commands = [
            register(self.dealer, dealing(), "dealer@example.com"),
            deposit(Uuid::from_u128(5), DepositTo::Treasury, 10_000),
        ];
        for command in commands {
            node.submit(tenant, submission(manager, command, Uuid::from_u128(4)))
                .await
                .unwrap();
        }
    }
}

fn dealing() -> Registration {
    Registration::Dealer {
        territory: Territory::default(),
    }
}

fn register(id: PartyId, registration: Registration, email: &str) -> Command {
    let details = PartyDetails {
        name: "Ana".into(),
        email: email.into(),
        ..PartyDetails::default()
    };
    Command::Party(
        id,
        PartyCommand::Register(RegisterParty {
            id,
            registration,
            details,
            is_active: true,
        }),
    )
}

fn deposit(id: Uuid, to: DepositTo, cents: i64) -> Command {
    let deposit = Deposit {
        to,
        funds: Funds::Currency(CurrencyCode::USD),
        amount: Amount::from_minor(cents),
        on_credit: false,
        note: None,
        debit: ObligationId(id),
    };
    Command::Movement(MovementId(id), MovementCommand::Deposit(deposit))
}

fn submission(actor: Actor, command: Command, request_id: Uuid) -> Submission {
    Submission {
        request_id,
        ..Submission::of(actor, command)
    }
}

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    Deposit,
    /// Cash for the dealer, in cents: refused where the treasury has less.
    CashOut(i64),
    /// A new dealer with one of a few e-mails: refused where another has it.
    Register(u64),
    /// Another name for the dealer.
    Change,
}

impl World {
    pub(super) fn ask(&self, random: &mut Random) -> (RequestKind, Submission) {
        let id = Uuid::from_u64_pair(random.next(), random.next());
        let (request_kind, command) = match random.below(10) {
            0..=3 => {
                let cents = 1 + i64::try_from(random.below(3_000)).unwrap();
                (RequestKind::Deposit, deposit(id, DepositTo::Treasury, cents))
            }
            4..=6 => {
                let cents = 1_000 + i64::try_from(random.below(7_000)).unwrap();
                let to = DepositTo::Party(self.dealer, ExpectedParty::Dealer);
                (RequestKind::CashOut(cents), deposit(id, to, cents))
            }
            7 => {
                let email = random.below(4);
                let command = register(PartyId(id), dealing(), &format!("dealer{email}@example.com"));
                (RequestKind::Register(email), command)
            }
            _ => {
                let details = PartyDetails {
                    name: format!("Dora {id}"),
                    email: "dealer@example.com".into(),
                    ..PartyDetails::default()
                };
                let change = ChangeParty {
                    details,
                    is_active: None,
                    territory: None,
                    known: None,
                    sets_password: false,
                };
                (
                    RequestKind::Change,
                    Command::Party(self.dealer, PartyCommand::Change(change)),
                )
            }
        };
        let mut submission = submission(Actor::Party(self.manager), command, id);
        if random.below(3) > 0 {
            submission.key = Some(id.to_string());
        }
        (request_kind, submission)
    }

    /// A deposit under an idempotency key: nothing refuses it.
    pub(super) fn deposit(&self, random: &mut Random) -> Submission {
        let id = Uuid::from_u64_pair(random.next(), random.next());
        let mut submission = submission(Actor::Party(self.manager), deposit(id, DepositTo::Treasury, 100), id);
        submission.key = Some(id.to_string());
        submission
    }
}
