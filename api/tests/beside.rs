//! Sessions, reset codes, files and file owners that were changed in the database by its owner: a running node
//! refuses each row on every path that reads it.

use actix_web::web::Bytes;
use caudal_api::{
    auth::{
        callers::Callers,
        origins::Origin,
        recovery::{Account, Recovery},
        sessions::Sessions,
        tokens::TokenClaims,
    },
    files::{Files, Owner},
    problem::ApiError,
};
use caudal_domain::{
    Actor, Command, Tenant, TenantCommand,
    ids::{PartyId, TenantId},
    party::{ChangeParty, PartyCommand, PartyDetails, RegisterParty, Registration, Role},
};
use caudal_journal::{Divergence, DivergenceKind, Journal, Keyring, LogPoint, Submission, SystemClock, Table};
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use chrono::{DateTime, SubsecRound as _, Utc};
use object_store::memory::InMemory;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::sync::Arc;

const IMAGE: &[u8] = include_bytes!("worked_day/id.png");

struct Node {
    _test: TestDatabase,
    database: Database,
    keyring: Keyring,
    journal: Journal,
    tenant: TenantId,
    party: PartyId,
    owner: PgConnection,
    now: DateTime<Utc>,
}

impl Node {
    /// A tenant with a party that has a password.
    async fn start() -> Self {
        let test = TestDatabase::new().await;
        let database = test.connect().await;
        let keyring = Keyring::generate().unwrap();
        let journal = Journal::open(database.clone(), keyring.clone(), Arc::new(SystemClock)).await;
        let journal = journal.unwrap();
        let tenant: TenantId = "acme".parse().unwrap();
        journal.create_tenant(&tenant).await.unwrap();
        let party = PartyId::generate();
        journal.replace_credential(&tenant, party, "a-hash").await.unwrap();
        let mut owner = PgConnection::connect(test.url()).await.unwrap();
        owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
        for table in ["credentials", "sessions", "reset_codes"] {
            let disable = format!("ALTER TABLE journal.{table} DISABLE TRIGGER drop_stale_mac");
            owner.execute(disable.as_str()).await.unwrap();
        }
        Self {
            database,
            keyring,
            journal,
            tenant,
            party,
            owner,
            now: Utc::now().trunc_subsecs(6),
            _test: test,
        }
    }

    fn sessions(&self) -> Sessions {
        Sessions::new(
            self.database.clone(),
            self.journal.row_macs().clone(),
            self.keyring.clone(),
        )
    }

    async fn set_at(&self) -> DateTime<Utc> {
        let credential = self.journal.credential(&self.tenant, self.party).await.unwrap();
        credential.unwrap().set_at
    }

    async fn take_aside(&mut self, table: Table) {
        let save = format!(
            "CREATE TEMP TABLE saved_{0} AS SELECT * FROM journal.{0}",
            table.as_str()
        );
        self.owner.execute(save.as_str()).await.unwrap();
    }

    async fn put_back(&mut self, table: Table) {
        let restore = format!(
            "DELETE FROM journal.{0}; INSERT INTO journal.{0} SELECT * FROM saved_{0}",
            table.as_str()
        );
        self.owner.execute(restore.as_str()).await.unwrap();
    }

    async fn change(&mut self, table: Table, assignment: &str) {
        let sql = format!("UPDATE journal.{} SET {assignment}", table.as_str());
        assert_eq!(
            self.owner.execute(sql.as_str()).await.unwrap().rows_affected(),
            1,
            "{sql}"
        );
    }

    /// Registers the party as the manager.
    async fn register(&self) {
        let zoned = Tenant {
            name: "Acme".into(),
            time_zone: caudal_domain::DEFAULT_ZONE,
        };
        let registration = RegisterParty {
            id: self.party,
            registration: Registration::Manager,
            details: details("ana@example.com"),
            is_active: true,
        };
        self.submit(Actor::System, Command::Tenant(TenantCommand::Open(zoned)))
            .await;
        self.submit(
            Actor::System,
            Command::Party(self.party, PartyCommand::Register(registration)),
        )
        .await;
    }

    async fn submit(&self, actor: Actor, command: Command) {
        let submission = Submission::of(actor, command);
        self.journal.submit(&self.tenant, submission).await.unwrap();
    }

    /// Whether verification names the table.
    async fn is_named(&self, table: Table) -> bool {
        let verified = self.journal.verify_rows(&self.tenant).await.unwrap();
        verified.faults.iter().any(|fault| fault.table == table.as_str())
    }
}

fn details(email: &str) -> PartyDetails {
    PartyDetails {
        name: "Ana".into(),
        email: email.into(),
        ..PartyDetails::default()
    }
}

fn origin() -> Origin {
    Origin::described("", [10, 0, 0, 1].into())
}

fn code<T>(result: Result<T, ApiError>) -> String {
    result.err().map(|error| error.code().to_owned()).unwrap_or_default()
}

/// Changes to a session that the database's owner could make.
const SESSION_CHANGES: &[&str] = &[
    "token_hash = sha256(token_hash)",
    "created_at = created_at + interval '1 microsecond'",
    "renewed_at = renewed_at + interval '1 day'",
    "expires_at = expires_at + interval '1 year'",
    "expires_at = 'infinity'",
    "password_of = password_of + interval '1 year'",
    "password_of = NULL",
    "address = sha256('x')",
    "id = gen_random_uuid()",
    "previous_hash = sha256('x'), rotation_salt = sha256('y'), rotated_at = now()",
    "mac = NULL",
    "mac = sha256(mac)",
];

#[actix_web::test]
async fn a_session_changed_in_place_is_neither_accepted_nor_renewed() {
    let mut node = Node::start().await;
    let (sessions, now, set_at) = (node.sessions(), node.now, node.set_at().await);
    let opened = sessions
        .open(&node.tenant, node.party, set_at, None, &origin(), now)
        .await
        .unwrap();
    assert!(sessions.is_open(&node.tenant, opened.id, now).await.unwrap());
    node.take_aside(Table::Sessions).await;
    for change in SESSION_CHANGES {
        node.change(Table::Sessions, change).await;
        assert!(
            !sessions.is_open(&node.tenant, opened.id, now).await.unwrap(),
            "{change}"
        );
        let renewed = sessions.renew(&node.tenant, &opened.token, &origin(), now).await;
        assert_eq!(code(renewed), "session_ended", "{change}");
        assert!(node.is_named(Table::Sessions).await, "{change}");
        node.put_back(Table::Sessions).await;
    }
    let renewed = sessions.renew(&node.tenant, &opened.token, &origin(), now).await;
    assert!(renewed.is_ok(), "all is as it was");

    // The columns of a rotation.
    node.owner.execute("DROP TABLE saved_sessions").await.unwrap();
    node.take_aside(Table::Sessions).await;
    for change in [
        "previous_hash = sha256(previous_hash)",
        "rotation_salt = sha256(rotation_salt)",
        "rotated_at = rotated_at + interval '1 microsecond'",
    ] {
        node.change(Table::Sessions, change).await;
        assert!(
            !sessions.is_open(&node.tenant, opened.id, now).await.unwrap(),
            "{change}"
        );
        assert!(node.is_named(Table::Sessions).await, "{change}");
        node.put_back(Table::Sessions).await;
    }
    assert!(sessions.is_open(&node.tenant, opened.id, now).await.unwrap());
}

#[actix_web::test]
async fn the_commit_of_another_address_ends_the_sessions_of_the_former_one() {
    let node = Node::start().await;
    node.register().await;
    let (sessions, now, set_at) = (node.sessions(), node.now, node.set_at().await);
    let open = async || {
        let opened = sessions
            .open(&node.tenant, node.party, set_at, None, &origin(), now)
            .await;
        opened.unwrap()
    };
    let (own, other) = (open().await, open().await);
    let to = |email: &str| {
        let change = ChangeParty {
            details: details(email),
            known: None,
            sets_password: false,
            is_active: None,
            territory: None,
        };
        Command::Party(node.party, PartyCommand::Change(change))
    };
    node.submit(Actor::Party(node.party), to("ANA@example.com")).await;
    assert!(
        sessions.is_open(&node.tenant, own.id, now).await.unwrap(),
        "the same address, written differently"
    );

    node.submit(Actor::Party(node.party), to("otra@example.com")).await;
    for session in [&own, &other] {
        assert!(!sessions.is_open(&node.tenant, session.id, now).await.unwrap());
        let renewed = sessions.renew(&node.tenant, &session.token, &origin(), now).await;
        assert_eq!(code(renewed), "session_ended");
    }
    assert!(sessions.list(&node.tenant, node.party, now).await.unwrap().is_empty());

    // The one who changed the address goes on.
    sessions
        .end_others(&node.tenant, node.party, own.id, now)
        .await
        .unwrap();
    let open_now = sessions.list(&node.tenant, node.party, now).await.unwrap();
    assert_eq!(
        open_now.iter().map(|open| open.session.id).collect::<Vec<_>>(),
        [own.id]
    );
    assert!(sessions.renew(&node.tenant, &own.token, &origin(), now).await.is_ok());
    node.submit(Actor::Party(node.party), to("ana@example.com")).await;
    assert!(
        !sessions.is_open(&node.tenant, other.id, now).await.unwrap(),
        "an ended one stays ended under the former address"
    );
}

#[actix_web::test]
async fn an_ended_session_cannot_be_revived_or_reassigned() {
    let mut node = Node::start().await;
    let (sessions, now, set_at) = (node.sessions(), node.now, node.set_at().await);
    let other = PartyId::generate();
    let opened = sessions
        .open(&node.tenant, node.party, set_at, None, &origin(), now)
        .await
        .unwrap();
    node.take_aside(Table::Sessions).await;
    node.journal
        .replace_credential(&node.tenant, other, "another-hash")
        .await
        .unwrap();
    node.change(
        Table::Sessions,
        &format!("party = '{}', password_of = now() + interval '1 day'", other.0),
    )
    .await;
    assert!(
        !sessions.is_open(&node.tenant, opened.id, now).await.unwrap(),
        "another party's"
    );
    node.put_back(Table::Sessions).await;
    sessions.end(&node.tenant, opened.id, now).await.unwrap();
    node.change(Table::Sessions, "ended_at = NULL, ended_by = NULL").await;
    assert!(
        !sessions.is_open(&node.tenant, opened.id, now).await.unwrap(),
        "revived"
    );
    assert_eq!(
        code(sessions.renew(&node.tenant, &opened.token, &origin(), now).await),
        "session_ended"
    );
}

#[actix_web::test]
async fn a_credential_with_a_wrong_mac_opens_no_session_and_is_reported() {
    let mut node = Node::start().await;
    let (sessions, now, set_at) = (node.sessions(), node.now, node.set_at().await);
    let opened = sessions
        .open(&node.tenant, node.party, set_at, None, &origin(), now)
        .await
        .unwrap();
    node.take_aside(Table::Credentials).await;
    for change in [
        "hash = 'mine'",
        "set_at = set_at - interval '1 day'",
        "set_at = '-infinity'",
        "mac = NULL",
    ] {
        node.change(Table::Credentials, change).await;
        let is_open = sessions.is_open(&node.tenant, opened.id, now).await;
        assert_eq!(code(is_open), "record_not_authentic", "{change}");
        let read = node.journal.credential(&node.tenant, node.party).await;
        assert_eq!(code(read.map_err(ApiError::from)), "record_not_authentic", "{change}");
        assert!(node.is_named(Table::Credentials).await, "{change}");
        node.put_back(Table::Credentials).await;
    }
}

#[actix_web::test]
async fn a_reset_code_changed_in_place_sets_no_password() {
    let mut node = Node::start().await;
    let recovery = Recovery::new(
        node.database.clone(),
        node.journal.row_macs().clone(),
        node.keyring.clone(),
    );
    let now = node.now;
    let of = |party| Account {
        party,
        email: "ana@example.test",
        password_of: now,
    };
    let own = of(node.party);
    let sent = recovery.issue(&node.tenant, own, now).await.unwrap();
    node.take_aside(Table::ResetCodes).await;
    for change in [
        "code_hash = sha256(code_hash)",
        "tries = tries + 1",
        "expires_at = expires_at + interval '1 year'",
        "expires_at = 'infinity'",
        "mac = NULL",
        "mac = sha256(mac)",
    ] {
        node.change(Table::ResetCodes, change).await;
        let redeemed = recovery.redeem(&node.tenant, own, &sent, true, now).await;
        assert_eq!(code(redeemed), "record_not_authentic", "{change}");
        assert!(node.is_named(Table::ResetCodes).await, "{change}");
        node.put_back(Table::ResetCodes).await;
    }
    let other = PartyId::generate();
    node.change(Table::ResetCodes, &format!("party = '{}'", other.0)).await;
    let redeemed = recovery.redeem(&node.tenant, of(other), &sent, true, now).await;
    assert_eq!(code(redeemed), "record_not_authentic", "another party's");
    assert!(node.is_named(Table::ResetCodes).await, "another party's");
    node.put_back(Table::ResetCodes).await;
    let wrong = recovery.redeem(&node.tenant, own, "00000000", true, now).await.unwrap();
    assert!(
        !wrong || sent == "00000000",
        "a wrong code counts as a try, under a MAC of its own"
    );
    assert!(recovery.redeem(&node.tenant, own, &sent, true, now).await.unwrap() || wrong);
}

#[actix_web::test]
async fn file_rows_with_a_wrong_mac_grant_no_access() {
    let mut node = Node::start().await;
    let files = Files::in_store(
        Arc::new(InMemory::new()),
        node.database.clone(),
        node.journal.row_macs().clone(),
    );
    let (mine, stranger) = (Owner::Party(node.party), PartyId::generate());
    let kept = files
        .keep(&node.tenant, None, "file", Bytes::from_static(IMAGE), &[mine], node.now)
        .await
        .unwrap();
    let found = files.find(&node.tenant, &kept.hash).await.unwrap().unwrap();
    assert_eq!(found.1, [mine]);

    node.owner
        .execute(
            "ALTER TABLE journal.file_owners DROP CONSTRAINT file_owners_tenant_hash_fkey;
             ALTER TABLE journal.files DISABLE TRIGGER sum_files",
        )
        .await
        .unwrap();
    node.take_aside(Table::Files).await;
    node.change(Table::Files, "hash = repeat('1', 64)").await;
    assert_eq!(files.find(&node.tenant, &kept.hash).await.unwrap(), None);
    let renamed = files.find(&node.tenant, &"1".repeat(64)).await;
    assert_eq!(renamed.unwrap(), None, "no owner reaches it");
    assert!(node.is_named(Table::Files).await, "the hash");
    node.put_back(Table::Files).await;
    for change in [
        "media_type = 'text/html'",
        "size = size + 1",
        "stored_at = 'infinity'",
        "mac = NULL",
    ] {
        node.change(Table::Files, change).await;
        let found = files.find(&node.tenant, &kept.hash).await;
        assert_eq!(code(found), "record_not_authentic", "{change}");
        assert!(node.is_named(Table::Files).await, "{change}");
        node.put_back(Table::Files).await;
    }
    node.take_aside(Table::FileOwners).await;
    for change in [
        format!("owner = '{}'", stranger.0),
        "kind = 'remittance'".to_owned(),
        "hash = repeat('1', 64)".to_owned(),
        "mac = NULL".to_owned(),
    ] {
        node.change(Table::FileOwners, &change).await;
        assert_eq!(files.find(&node.tenant, &kept.hash).await.unwrap(), None, "{change}");
        assert!(node.is_named(Table::FileOwners).await, "{change}");
        node.put_back(Table::FileOwners).await;
    }
    // An inserted row, without a MAC, and with another row's MAC.
    for mac in ["NULL", "(SELECT mac FROM journal.file_owners LIMIT 1)"] {
        let insert = format!(
            "INSERT INTO journal.file_owners (tenant, hash, kind, owner, mac)
             VALUES ('acme', '{}', 'party', '{}', {mac})",
            kept.hash, stranger.0
        );
        node.owner.execute(insert.as_str()).await.unwrap();
        let found = files.find(&node.tenant, &kept.hash).await.unwrap().unwrap();
        assert_eq!(found.1, [mine], "{mac}");
        let removed = files.remove_of(&node.tenant, &[mine]).await;
        assert_eq!(code(removed), "record_not_authentic", "{mac}");
        node.put_back(Table::FileOwners).await;
    }
    assert_eq!(files.find(&node.tenant, &kept.hash).await.unwrap().unwrap().1, [mine]);
}

#[actix_web::test]
async fn a_cached_caller_is_looked_up_again_after_a_change_of_the_history() {
    let mut node = Node::start().await;
    node.register().await;
    let (sessions, now, set_at) = (node.sessions(), node.now, node.set_at().await);
    let opened = sessions
        .open(&node.tenant, node.party, set_at, None, &origin(), now)
        .await
        .unwrap();
    let callers = Callers::new(node.journal.clone(), sessions, Arc::new(SystemClock));
    let claims = TokenClaims {
        sub: node.party,
        tenant: node.tenant.clone(),
        role: Role::Manager,
        sid: opened.id,
        iat: 0,
        exp: i64::MAX,
        viewer: None,
    };
    assert_eq!(callers.identify(&claims).await.unwrap().party, node.party);
    // The database that takes over lacks the login.
    node.owner.execute("DELETE FROM journal.sessions").await.unwrap();
    assert!(callers.identify(&claims).await.is_ok(), "the cache is in use");
    let divergence = Divergence {
        kind: DivergenceKind::Shortened,
        known: LogPoint::genesis("acme"),
        found: None,
    };
    node.journal.quarantine(&node.tenant, divergence);
    assert_eq!(code(callers.identify(&claims).await), "session_ended");
}
