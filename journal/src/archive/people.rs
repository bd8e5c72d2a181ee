//! The people file beside a log file: data keys and password hashes, encrypted under a one-time transfer secret. The
//! log alone shows nothing personal; the people file alone is useless.

use crate::{
    beside::{authenticity::RowMacs, credentials::StoredCredential},
    error::JournalError,
    keys::{KeyError, Keyring, Secret},
    log::chain,
    people::{
        encryption,
        subjects::{StoredKey, SubjectKey},
    },
    proof::verify::LogEnd,
};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use caudal_domain::ids::{PartyId, SubjectId, TenantId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use std::collections::HashMap;
use uuid::Uuid;
use zeroize::{Zeroize as _, Zeroizing};

const KIND: &str = "people";
const FORMAT: u32 = 1;

/// Maximum file size in bytes: some two million people.
pub const MAX_PEOPLE_BYTES: usize = 512 * 1024 * 1024;

/// Transfer secret of one people file. It must travel on another channel than the file.
#[derive(Clone, Debug)]
pub struct TransferSecret(Secret);

impl TransferSecret {
    /// Text form, to be shown once.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(BASE64.encode(self.0.0))
    }

    /// Parses [`Self::to_text`].
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Secret::parse(text.trim()).map(Self)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    #[error("not a file of people: {0}")]
    Format(String),
    #[error("the file of people does not open: another secret, or it was changed")]
    DoesNotOpen,
    #[error("the file of people belongs to another export: {0}")]
    OtherLog(String),
    #[error(transparent)]
    Keys(#[from] KeyError),
}

#[derive(Debug, Default)]
pub struct People {
    pub(super) keys: HashMap<SubjectId, Secret>,
    pub(super) forgotten: HashMap<SubjectId, DateTime<Utc>>,
    pub(super) credentials: Vec<(PartyId, String, DateTime<Utc>)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    caudal: String,
    format: u32,
    tenant: TenantId,
    position: i64,
    hash: String,
    sealed: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Content {
    people: Vec<Person>,
    credentials: Vec<Credential>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Person {
    id: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forgotten_at: Option<DateTime<Utc>>,
}

impl Drop for Person {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Credential {
    party: PartyId,
    hash: String,
    set_at: DateTime<Utc>,
}

/// Associated data of the encryption: the tenant and the log's end.
fn associated_data(tenant: &TenantId, end: &LogEnd) -> Vec<u8> {
    [
        b"caudal.people.1".as_slice(),
        tenant.as_str().as_bytes(),
        &end.position.to_be_bytes(),
        &end.hash,
    ]
    .concat()
}

impl People {
    /// Reads the people of a tenant, on a connection whose transaction has set the tenant.
    pub(super) async fn load(
        connection: &mut PgConnection,
        keyring: &Keyring,
        macs: &RowMacs,
        tenant: &TenantId,
    ) -> Result<Self, JournalError> {
        let mut people = Self::default();
        let rows = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.subject_keys WHERE tenant = $1",
            StoredKey::COLUMNS
        ))
        .bind(tenant.as_str())
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            let stored = StoredKey::from_row(&row)?.authentic(macs, tenant)?;
            let subject = stored.subject;
            match stored.unwrapped(keyring, tenant) {
                SubjectKey::Known(key) => {
                    people.keys.insert(subject, key);
                }
                SubjectKey::Locked => return Err(JournalError::LockedKey(subject)),
                SubjectKey::Forgotten => {
                    people
                        .forgotten
                        .insert(subject, stored.forgotten_at.unwrap_or_default());
                }
            }
        }
        let rows = sqlx::query(
            "SELECT party, hash, journal.micros(set_at) AS set_at, mac
               FROM journal.credentials WHERE tenant = $1 ORDER BY party",
        )
        .bind(tenant.as_str())
        .fetch_all(connection)
        .await?;
        for row in rows {
            let stored = StoredCredential::authentic(&row, macs, tenant)?;
            people.credentials.push((stored.party, stored.hash, stored.set_at));
        }
        Ok(people)
    }

    /// Number of people with a key.
    #[must_use]
    pub fn count(&self) -> usize {
        self.keys.len()
    }

    /// Encrypts under a new secret. Returns the file's text and the secret.
    pub fn encrypt(&self, tenant: &TenantId, end: &LogEnd) -> Result<(String, TransferSecret), PeopleError> {
        let secret = TransferSecret(Secret::generate()?);
        let mut people: Vec<Person> = self
            .keys
            .iter()
            .map(|(id, key)| Person {
                id: id.0,
                key: Some(BASE64.encode(key.0)),
                forgotten_at: None,
            })
            .chain(self.forgotten.iter().map(|(id, at)| Person {
                id: id.0,
                key: None,
                forgotten_at: Some(*at),
            }))
            .collect();
        people.sort_by_key(|person| person.id);
        let credentials = self.credentials.iter().map(|(party, hash, set_at)| Credential {
            party: *party,
            hash: hash.clone(),
            set_at: *set_at,
        });
        let content = Content {
            people,
            credentials: credentials.collect(),
        };
        let format = |error: serde_json::Error| PeopleError::Format(error.to_string());
        let clear = Zeroizing::new(serde_json::to_vec(&content).map_err(format)?);
        let sealed = encryption::encrypt_bytes(&secret.0, &associated_data(tenant, end), &clear)?;
        let file = File {
            caudal: KIND.to_owned(),
            format: FORMAT,
            tenant: tenant.clone(),
            position: end.position,
            hash: chain::to_hex(&end.hash),
            sealed: BASE64.encode(sealed),
        };
        Ok((serde_json::to_string(&file).map_err(format)?, secret))
    }

    /// Decrypts the file of the log that ends at `end`.
    ///
    /// # Errors
    /// When the format is wrong, the log is another one, or decryption fails.
    pub fn open(text: &str, secret: &TransferSecret, tenant: &TenantId, end: &LogEnd) -> Result<Self, PeopleError> {
        if text.len() > MAX_PEOPLE_BYTES {
            return Err(PeopleError::Format("too large".to_owned()));
        }
        let format = |error: serde_json::Error| PeopleError::Format(error.to_string());
        let file: File = serde_json::from_str(text).map_err(format)?;
        if file.caudal != KIND || file.format != FORMAT {
            return Err(PeopleError::Format("of another kind or format".to_owned()));
        }
        if (&file.tenant, file.position) != (tenant, end.position) || file.hash != chain::to_hex(&end.hash) {
            return Err(PeopleError::OtherLog(format!("{} at {}", file.tenant, file.position)));
        }
        let sealed = BASE64.decode(&file.sealed).map_err(|_| PeopleError::DoesNotOpen)?;
        let clear = encryption::decrypt_bytes(&secret.0, &associated_data(tenant, end), &sealed)
            .map(Zeroizing::new)
            .map_err(|_| PeopleError::DoesNotOpen)?;
        let content: Content = serde_json::from_slice(&clear).map_err(format)?;
        let mut people = Self::default();
        for person in content.people {
            let id = SubjectId(person.id);
            match (person.key.as_deref(), person.forgotten_at) {
                (Some(key), None) => {
                    let key = Secret::parse(key).ok_or_else(|| PeopleError::Format("a key that is none".to_owned()))?;
                    people.keys.insert(id, key);
                }
                (None, Some(at)) => {
                    people.forgotten.insert(id, at);
                }
                _ => {
                    return Err(PeopleError::Format(
                        "a person with neither key nor tombstone".to_owned(),
                    ));
                }
            }
        }
        let credentials = content.credentials.into_iter();
        people.credentials = credentials
            .map(|credential| (credential.party, credential.hash, credential.set_at))
            .collect();
        Ok(people)
    }
}
