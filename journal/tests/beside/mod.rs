//! Rows beside the log, changed in each column in turn by the database's owner: verification names each row, and a
//! running node refuses it before use.
//!
//! | File | Content |
//! |---|---|
//! | [`guards`] | every table has row MACs, or is listed with what else guards it |
//! | [`changed`] | rows changed, exchanged, deleted or restored |
//! | [`events`] | events and heads changed in place |
//! | [`api_rows`] | a row for each table that the API writes |

mod api_rows;
mod changed;
mod events;
mod guards;

use crate::common::{Office, deposit, keyed, register, submission, with_credential};
use api_rows::insert_rows_of_the_api;
use caudal_domain::{
    Actor, Command,
    erasure::Forget,
    ids::PartyId,
    movement::DepositTo,
    party::{PartyCommand, Registration, Territory},
};
use caudal_journal::{AnswerKey, KeptAnswer, RequestDigest, RowProblem, Table};
use futures::future::join_all;
use sqlx::{Executor as _, PgConnection};

/// Idempotency key of the stored record.
const KEY: &str = "a-key";
/// The request under that key.
const REQUEST: &str = "a request";
/// E-mail address of the party that logs in.
const EMAIL: &str = "eva@example.com";
/// Number of events that makes a snapshot due.
const DEPOSITS: i64 = 1_000;

/// An office with rows in every table beside the log.
struct Full {
    office: Office,
    owner: PgConnection,
    /// The party that logs in.
    eva: PartyId,
    /// The person who was forgotten.
    gone: PartyId,
}

impl Full {
    async fn open() -> Self {
        let office = Office::open().await;
        let (tenant, manager) = (&office.tenant, Actor::Party(office.manager));
        let (eva, gone) = (PartyId::generate(), PartyId::generate());
        let registration = || Registration::Dealer {
            territory: Territory::default(),
        };
        let with_login = with_credential(
            submission(manager, register(eva, registration(), "Eva", EMAIL)),
            eva,
            "hash-1",
        );
        office.journal.submit(tenant, with_login).await.unwrap();
        office
            .manage(register(gone, registration(), "Gone", "gone@example.com"))
            .await
            .unwrap();
        office.manage(forget(gone)).await.unwrap();
        let asked = keyed(manager, deposit(DepositTo::Treasury, 7), KEY, REQUEST);
        office.journal.submit(tenant, asked).await.unwrap();
        let deposits = (1..=DEPOSITS).map(|cents| office.deposit(cents));
        for done in join_all(deposits).await {
            done.unwrap();
        }
        let answer = KeptAnswer {
            status: 201,
            position: 1,
            body: b"{}".to_vec(),
        };
        let (under, about) = (answer_key(manager, KEY), [eva.0].into());
        office
            .journal
            .keep_answer(tenant, &under, answer, &about)
            .await
            .unwrap();
        office.journal.close().await;
        let mut owner = office.owner().await;
        insert_rows_of_the_api(&office.journal, &mut owner, tenant, eva).await;
        // The database's owner can disable triggers and drop constraints.
        for table in ["snapshots", "subject_keys", "credentials", "sessions", "reset_codes"] {
            let disable = format!("ALTER TABLE journal.{table} DISABLE TRIGGER drop_stale_mac");
            owner.execute(disable.as_str()).await.unwrap();
        }
        // The total stays right while this test deletes and restores rows.
        owner
            .execute("ALTER TABLE journal.files DISABLE TRIGGER sum_files")
            .await
            .unwrap();
        owner
            .execute("ALTER TABLE journal.file_owners DROP CONSTRAINT file_owners_tenant_hash_fkey")
            .await
            .unwrap();
        Self {
            office,
            owner,
            eva,
            gone,
        }
    }

    async fn faults(&self) -> Vec<(&'static str, RowProblem)> {
        let node = self.office.another_node().await;
        let verified = node.verify_rows(&self.office.tenant).await.unwrap();
        assert_eq!(verified.is_whole(), verified.faults.is_empty(), "{verified:?}");
        verified
            .faults
            .iter()
            .map(|fault| (fault.table, fault.problem))
            .collect()
    }

    /// Saves the rows of a table, to restore them after a change.
    async fn save(&mut self, table: Table) {
        let name = table.as_str();
        self.owner
            .execute(format!("CREATE TEMP TABLE saved_{name} AS SELECT * FROM journal.{name}").as_str())
            .await
            .unwrap();
    }

    async fn restore(&mut self, table: Table) {
        let name = table.as_str();
        self.owner
            .execute(
                format!("DELETE FROM journal.{name}; INSERT INTO journal.{name} SELECT * FROM saved_{name}").as_str(),
            )
            .await
            .unwrap();
    }
}

fn answer_key(actor: Actor, key: &str) -> AnswerKey {
    AnswerKey {
        actor,
        key: key.to_owned(),
        request_digest: RequestDigest::of([REQUEST.as_bytes()]),
    }
}

fn forget(id: PartyId) -> Command {
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    Command::Party(id, PartyCommand::Forget(order))
}
