//! Stored API answers by idempotency key: a repeated key gets the same answer although the data has changed since.
//!
//! An answer is stored after the commit of its command and before it is sent, with asynchronous commit: if a crash
//! loses the row, the next repetition composes and stores the answer again. The body may contain personal data, so it
//! is encrypted under a key derived from its people's data keys: after the erasure of any of them it cannot be read.

use super::{
    authenticity::{RowMac, RowMacs, Table, moment},
    idempotency_records::{self, IdempotencyRecordKey, RequestDigest},
};
use crate::{
    error::JournalError,
    journal::Journal,
    keys::Secret,
    people::{encryption, subjects::SubjectKey},
};
use caudal_domain::{
    Actor,
    ids::{SubjectId, TenantId},
};
use chrono::{DateTime, SubsecRound as _, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Key of a stored answer.
#[derive(Clone, Debug)]
pub struct AnswerKey {
    /// The caller.
    pub actor: Actor,
    /// The idempotency key.
    pub key: String,
    /// Digest of the request; a different request under the same key does not get the answer.
    pub request_digest: RequestDigest,
}

/// An API answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The HTTP status.
    pub status: u16,
    /// Log position that the answer reflects.
    pub position: i64,
    /// Empty for an answer without body.
    pub body: Vec<u8>,
}

/// Data keys of the people mentioned in an answer, by id.
type PeoplesKeys = BTreeMap<Uuid, Secret>;

impl Journal {
    /// Stores an answer unless one exists. `mentioned` are all ids in the answer, of people or not. Returns the answer
    /// stored first.
    ///
    /// # Errors
    /// When the database fails, or the existing row does not match its MAC.
    pub async fn keep_answer(
        &self,
        tenant: &TenantId,
        under: &AnswerKey,
        answer: KeptAnswer,
        mentioned: &BTreeSet<Uuid>,
    ) -> Result<KeptAnswer, JournalError> {
        let Some(key) = IdempotencyRecordKey::new(under.actor, &under.key) else {
            return Ok(answer);
        };
        let shared = &self.shared;
        let mut transaction = shared.database.begin_write(tenant.as_str()).await?;
        let Some(people) = self.keys_of_people(&mut transaction, tenant, mentioned).await? else {
            return Ok(answer);
        };
        let ids: Vec<u8> = people.keys().flat_map(|id| *id.as_bytes()).collect();
        let secret = self.key_of_answer(tenant, &people);
        let body = encryption::encrypt_bytes(&secret, &associated(tenant, &key), &answer.body)?;
        let digest = idempotency_records::digest(&shared.keyring, tenant, &under.request_digest);
        let recorded_at = shared.clock.now().trunc_subsecs(6);
        let row = AnswerRow {
            digest: &digest,
            status: i16::try_from(answer.status).unwrap_or(i16::MAX),
            position: answer.position,
            people: &ids,
            body: &body,
            recorded_at,
        };
        let inserted = sqlx::query(
            "INSERT INTO journal.answers
                    (tenant, actor, key, digest, status, position, people, body, recorded_at, mac)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
               FROM (SELECT set_config('synchronous_commit', 'off', true)) AS unsynchronized
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(&key.actor)
        .bind(&key.key)
        .bind(row.digest)
        .bind(row.status)
        .bind(row.position)
        .bind(row.people)
        .bind(row.body)
        .bind(row.recorded_at)
        .bind(row.mac(&shared.macs, tenant, &key).finish())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        if inserted.rows_affected() > 0 {
            return Ok(answer);
        }
        Ok(self.kept_answer(tenant, under).await?.unwrap_or(answer))
    }

    /// The stored answer of a request; `None` when there is none, the digest differs, or a person in it was erased.
    ///
    /// # Errors
    /// When the database fails, or the row does not match its MAC.
    pub async fn kept_answer(&self, tenant: &TenantId, under: &AnswerKey) -> Result<Option<KeptAnswer>, JournalError> {
        let Some(key) = IdempotencyRecordKey::new(under.actor, &under.key) else {
            return Ok(None);
        };
        let shared = &self.shared;
        let mut transaction = shared.database.begin_read(tenant.as_str()).await?;
        let found = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.answers WHERE tenant = $1 AND actor = $2 AND key = $3",
            AnswerRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(&key.actor)
        .bind(&key.key)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(found) = found else { return Ok(None) };
        let row = AnswerRow::from_row(&found)?;
        row.mac(&shared.macs, tenant, &key).check(found.try_get("mac")?)?;
        if row.digest != idempotency_records::digest(&shared.keyring, tenant, &under.request_digest) {
            return Ok(None);
        }
        let ids = row.people.chunks_exact(16).filter_map(|id| Uuid::from_slice(id).ok());
        let ids: BTreeSet<Uuid> = ids.collect();
        let Some(people) = self.keys_of_people(&mut transaction, tenant, &ids).await? else {
            return Ok(None);
        };
        transaction.commit().await?;
        let secret = self.key_of_answer(tenant, &people);
        // A person who got a data key since yields another encryption key.
        let body = encryption::decrypt_bytes(&secret, &associated(tenant, &key), row.body).ok();
        Ok(body.map(|body| KeptAnswer {
            status: row.status.unsigned_abs(),
            position: row.position,
            body,
        }))
    }

    /// Data keys of those ids that are people; `None` when one of them was erased or can't be unwrapped.
    async fn keys_of_people(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        ids: &BTreeSet<Uuid>,
    ) -> Result<Option<PeoplesKeys>, JournalError> {
        let shared = &self.shared;
        let ids = ids.iter().copied().map(SubjectId);
        let keys = shared
            .subjects
            .load(connection, &shared.keyring, &shared.macs, tenant, ids);
        let known = keys.await?.into_iter().map(|(SubjectId(id), key)| match key {
            SubjectKey::Known(key) => Some((id, key)),
            SubjectKey::Forgotten | SubjectKey::Locked => None,
        });
        Ok(known.collect())
    }

    fn key_of_answer(&self, tenant: &TenantId, people: &PeoplesKeys) -> Secret {
        let mut parts = vec![tenant.as_str().as_bytes()];
        for (id, key) in people {
            parts.extend([id.as_bytes().as_slice(), key.0.as_slice()]);
        }
        Secret(self.shared.keyring.lookup("answer", &parts))
    }
}

/// Associated data of an encrypted body.
fn associated(tenant: &TenantId, key: &IdempotencyRecordKey) -> Vec<u8> {
    let mut data = b"caudal.answer.1".to_vec();
    for text in [tenant.as_str(), &key.actor, &key.key] {
        data.extend((text.len() as u64).to_be_bytes());
        data.extend(text.as_bytes());
    }
    data
}

/// A row of `journal.answers` without its key columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerRow<'r> {
    digest: &'r [u8],
    status: i16,
    position: i64,
    people: &'r [u8],
    body: &'r [u8],
    recorded_at: DateTime<Utc>,
}

impl<'r> AnswerRow<'r> {
    /// The columns to read.
    pub(crate) const COLUMNS: &'static str =
        "actor, key, digest, status, position, people, body, journal.micros(recorded_at) AS recorded_at";

    pub(crate) fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            digest: row.try_get("digest")?,
            status: row.try_get("status")?,
            position: row.try_get("position")?,
            people: row.try_get("people")?,
            body: row.try_get("body")?,
            recorded_at: moment(row, "recorded_at")?,
        })
    }

    pub(crate) fn mac(&self, macs: &RowMacs, tenant: &TenantId, key: &IdempotencyRecordKey) -> RowMac {
        macs.row(Table::Answers, tenant)
            .key_text(&key.actor)
            .key_text(&key.key)
            .bytes(self.digest)
            .number(self.status.into())
            .number(self.position)
            .bytes(self.people)
            .bytes(self.body)
            .time(self.recorded_at)
    }
}
