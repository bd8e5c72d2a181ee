//! Shared set-up of the journal's tests: a tenant on a real PostgreSQL, and commands for it.

pub mod proxy;

use caudal_domain::{
    Actor, Command, StreamId, StreamKind, Tenant, TenantCommand, TenantState,
    ids::{CurrencyId, MovementId, ObligationId, PartyId, TenantId},
    money::{Amount, CurrencyCode, Rate},
    movement::{Deposit, DepositTo, ExpectedParty, Funds, MovementCommand},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, Territory},
    reference_data::currency::{Currency, CurrencyCommand},
};
use caudal_journal::{
    Clock, Committed, Credential, Journal, Keyring, LogPoint, Recorded, RequestDigest, Submission, SubmitError,
    SystemClock, to_hex,
};
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, PgConnection};
use std::{collections::BTreeMap, sync::Arc};

/// A tenant with a manager, USD and a dealer, on a database of its own.
pub struct Office {
    pub database: TestDatabase,
    pub keyring: Keyring,
    pub journal: Journal,
    pub tenant: TenantId,
    pub manager: PartyId,
    pub dealer: PartyId,
}

impl Office {
    pub async fn open() -> Self {
        Self::open_with(Arc::new(SystemClock)).await
    }

    pub async fn open_with(clock: Arc<dyn Clock>) -> Self {
        let database = TestDatabase::new().await;
        let keyring = Keyring::generate().unwrap();
        let journal = Journal::open(database.connect().await, keyring.clone(), clock)
            .await
            .unwrap();
        let tenant = tenant("worked");
        journal.create_tenant(&tenant).await.unwrap();
        let (manager, dealer) = (PartyId::generate(), PartyId::generate());
        let office = Self {
            database,
            keyring,
            journal,
            tenant,
            manager,
            dealer,
        };
        for command in [
            Command::Tenant(TenantCommand::Open(Tenant {
                name: "Worked".into(),
                time_zone: caudal_domain::DEFAULT_ZONE,
            })),
            currency(CurrencyId::generate(), CurrencyCode::USD),
            register(manager, Registration::Manager, "Ana Manager", "ana@example.com"),
        ] {
            office.submit(Actor::System, command).await.unwrap();
        }
        let registration = Registration::Dealer {
            territory: Territory::default(),
        };
        office
            .manage(register(dealer, registration, "Dora Dealer", "dora@example.com"))
            .await
            .unwrap();
        office
    }

    /// Another node over the same database.
    pub async fn another_node(&self) -> Journal {
        self.node_on(self.database.connect().await).await
    }

    /// Another node with its own connection to the database.
    pub async fn node_on(&self, database: Database) -> Journal {
        Journal::open(database, self.keyring.clone(), Arc::new(SystemClock))
            .await
            .unwrap()
    }

    pub async fn submit(&self, actor: Actor, command: Command) -> Result<Committed, SubmitError> {
        self.journal.submit(&self.tenant, submission(actor, command)).await
    }

    /// Submits a command as the manager.
    pub async fn manage(&self, command: Command) -> Result<Committed, SubmitError> {
        self.submit(Actor::Party(self.manager), command).await
    }

    /// Deposits cash of the manager, in cents.
    pub async fn deposit(&self, cents: i64) -> Result<Committed, SubmitError> {
        self.manage(deposit(DepositTo::Treasury, cents)).await
    }

    /// Cash for the dealer, in cents.
    pub fn cash_out(&self, cents: i64) -> Command {
        deposit(DepositTo::Party(self.dealer, ExpectedParty::Dealer), cents)
    }

    pub async fn state(&self) -> TenantState {
        self.journal.state(&self.tenant).await.unwrap().0
    }

    /// All events of the log.
    pub async fn log(&self) -> Vec<Recorded> {
        let mut log: Vec<Recorded> = Vec::new();
        loop {
            let last = log.last().map_or(0, |recorded| recorded.position);
            let page = self.journal.events_after(&self.tenant, last, 7).await.unwrap();
            if page.is_empty() {
                return log;
            }
            log.extend(page);
        }
    }

    /// A connection as the owner of the tables, with the tenant set.
    pub async fn owner(&self) -> PgConnection {
        owner_of(self.database.url(), &self.tenant).await
    }

    /// MAC of a head at a position, as SQL: what a copy of the database from that time has.
    pub async fn head_mac_at(&self, position: i64) -> String {
        let (_, event) = self.journal.stored(&self.tenant, position).await.unwrap().unwrap();
        let hash = event.hash.unwrap();
        let macs = self.journal.row_macs();
        let mac = macs.head(&self.tenant, LogPoint { position, hash }, event.recorded_at.unwrap());
        format!("'\\x{}'::bytea", to_hex(&mac))
    }

    /// Appends an event as the database's owner does, who has no keys: with a right chain, and a head that fits. It is a copy of the
    /// last one without a personal part, since such a part is readable at its own event alone. Returns its position.
    pub async fn forge_event(&self) -> i64 {
        let head = self.journal.head(&self.tenant).await.unwrap();
        let mut owner = self.owner().await;
        let copied: i64 =
            sqlx::query_scalar("SELECT max(position) FROM journal.events WHERE payload->'personal' IS NULL")
                .fetch_one(&mut owner)
                .await
                .unwrap();
        let (_, mut event) = self.journal.stored(&self.tenant, copied).await.unwrap().unwrap();
        event.position = head.position + 1;
        event.sequence += 1;
        event.recorded_at = Some(head.recorded_at);
        let hash = event.expected_hash(&self.tenant, &head.hash).unwrap();
        let mut transaction = owner.begin().await.unwrap();
        sqlx::query(
            "INSERT INTO journal.events
             SELECT tenant, $1, aggregate_type, aggregate_id, $2, event_type, event_version, payload, metadata, $3, $4
               FROM journal.events WHERE position = $5",
        )
        .bind(event.position)
        .bind(event.sequence)
        .bind(head.recorded_at)
        .bind(hash)
        .bind(copied)
        .execute(&mut *transaction)
        .await
        .unwrap();
        sqlx::query("UPDATE journal.heads SET position = $1, hash = $2")
            .bind(event.position)
            .bind(hash)
            .execute(&mut *transaction)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        event.position
    }

    /// Checks the invariants of a log: no gap, no fork, non-decreasing times, the books of a replay, and equal debits
    /// and credits in every currency.
    pub async fn check(&self) {
        let log = self.log().await;
        let head = self.journal.head(&self.tenant).await.unwrap();
        let positions: Vec<_> = log.iter().map(|recorded| recorded.position).collect();
        assert_eq!(positions, (1..=head.position).collect::<Vec<_>>());
        assert!(log.windows(2).all(|pair| pair[0].recorded_at <= pair[1].recorded_at));
        let mut sequences: BTreeMap<StreamId, i64> = BTreeMap::new();
        for recorded in &log {
            let sequence = sequences.entry(recorded.stream).or_default();
            *sequence += 1;
            assert_eq!(recorded.sequence, *sequence, "{recorded:?}");
        }
        let verification = self.journal.verify(&self.tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!(verification.fault, None);
        assert_eq!((verification.events, verification.hash), (head.position, head.hash));
        let replayed = replay(&log);
        assert_eq!(self.state().await, replayed);
        let mut sums: BTreeMap<CurrencyCode, i64> = BTreeMap::new();
        for (account, balance) in replayed.accounts() {
            *sums.entry(account.currency).or_default() += balance.minor();
        }
        assert!(sums.values().all(|sum| *sum == 0), "{sums:?}");
    }
}

/// Another installation with its own database and keys.
pub async fn elsewhere() -> (TestDatabase, Journal) {
    let database = TestDatabase::new().await;
    let node = database.connect().await;
    let journal = Journal::open(node, Keyring::generate().unwrap(), Arc::new(SystemClock));
    (database, journal.await.unwrap())
}

/// A connection as the owner of the tables, with the tenant set.
pub async fn owner_of(url: &str, tenant: &TenantId) -> PgConnection {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(tenant.as_str())
        .execute(&mut connection)
        .await
        .unwrap();
    connection
}

/// The books folded from a whole log.
pub fn replay(log: &[Recorded]) -> TenantState {
    let mut state = TenantState::default();
    for recorded in log {
        state.apply(&recorded.event, recorded.recorded_at);
    }
    state
}

pub fn tenant(id: &str) -> TenantId {
    id.parse().unwrap()
}

/// A submission without an idempotency key.
pub fn submission(actor: Actor, command: Command) -> Submission {
    Submission::of(actor, command)
}

/// A submission under an idempotency key, for a request.
pub fn keyed(actor: Actor, command: Command, key: &str, request: &str) -> Submission {
    let request_digest = RequestDigest::of([request.as_bytes()]);
    Submission {
        key: Some(key.into()),
        request_digest,
        ..Submission::of(actor, command)
    }
}

pub fn with_credential(mut submission: Submission, party: PartyId, hash: &str) -> Submission {
    submission.credential = Some(Credential {
        party,
        hash: hash.into(),
    });
    submission
}

pub fn register(id: PartyId, registration: Registration, name: &str, email: &str) -> Command {
    let details = PartyDetails {
        name: name.into(),
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

pub fn currency(id: CurrencyId, code: CurrencyCode) -> Command {
    Command::Currency(
        id,
        CurrencyCommand::Add(Currency {
            id,
            code,
            symbol: "$".into(),
            exchange_rate: Rate::ONE,
            distribution_rate: Amount::ZERO,
            accounted: true,
            enabled: true,
        }),
    )
}

/// A movement of USD from the caller, in cents.
pub fn deposit(to: DepositTo, cents: i64) -> Command {
    let funds = Funds::Currency(CurrencyCode::USD);
    let amount = Amount::from_minor(cents);
    let deposit = Deposit {
        to,
        funds,
        amount,
        on_credit: false,
        note: None,
        debit: ObligationId::generate(),
    };
    Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit))
}

pub fn party_stream(id: PartyId) -> StreamId {
    StreamId::new(StreamKind::Party, id)
}

/// The code of a refusal.
pub fn refused(result: Result<Committed, SubmitError>) -> &'static str {
    match result {
        Err(SubmitError::Refused(refusal)) => refusal.code,
        other => panic!("expected a refusal, got {other:?}"),
    }
}
