//! Where tenants live, of several cells: databases with one key file, each with its own logs.
//!
//! Each cell keeps a row for every tenant that has moved (`journal.placements`). No cell has the whole truth: a tenant lives
//! where its highest epoch is, and a tenant without a row lives in the home cell (docs/decisions/cells.md).

mod own_lists;
mod relocation;
mod tables;

pub use relocation::{Copied, MoveError, Relocation};

use crate::{error::JournalError, journal::Journal, keys::Keyring};
use caudal_domain::ids::TenantId;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    str::FromStr,
};
use uuid::Uuid;

/// Purpose string of the key derivation.
const KEY_PURPOSE: &str = "placements of tenants";
/// Maximum length of a cell's name, in bytes.
const MAX_NAME: usize = 40;
/// A row with what it is read with: an announcement counts for 15 s, longer than the steps after it take.
const COLUMNS: &str = "tenant, state, epoch, peer, move, mac,
    CASE state WHEN 'closing' THEN since < clock_timestamp() - interval '15 s'
               WHEN 'held' THEN until <= clock_timestamp()
               ELSE false END AS has_lapsed";

/// Name of a cell: 1 to 40 lower-case letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellName(String);

impl CellName {
    /// The cell of `DATABASE_URL`, where tenants are made.
    #[must_use]
    pub fn home() -> Self {
        Self("home".to_owned())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn is_home(&self) -> bool {
        *self == Self::home()
    }
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Not the name of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cell's name has 1 to {MAX_NAME} lower-case letters, digits and hyphens")]
pub struct CellNameError;

impl FromStr for CellName {
    type Err = CellNameError;

    fn from_str(text: &str) -> Result<Self, CellNameError> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if text.is_empty() || text.len() > MAX_NAME || !text.chars().all(plain) {
            return Err(CellNameError);
        }
        Ok(Self(text.to_owned()))
    }
}

/// A cell's placement row of a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementState {
    Here,
    /// Lives here and is being copied.
    Copying,
    /// The same; nodes keep new writes waiting.
    Closing,
    /// Nothing is written, for a time.
    Held,
    Left,
    Arriving,
}

impl PlacementState {
    const ALL: [Self; 6] = [
        Self::Here,
        Self::Copying,
        Self::Closing,
        Self::Held,
        Self::Left,
        Self::Arriving,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Copying => "copying",
            Self::Closing => "closing",
            Self::Held => "held",
            Self::Left => "left",
            Self::Arriving => "arriving",
        }
    }

    /// Whether the tenant lives in the cell whose row this is.
    const fn is_residence(self) -> bool {
        !matches!(self, Self::Left | Self::Arriving)
    }
}

/// A cell's row about a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub state: PlacementState,
    /// Number of the residence here, or of the one that a move prepares.
    pub epoch: i64,
    /// The other cell of the last move.
    pub peer: CellName,
    /// Id of the last move.
    pub moved_by: Uuid,
    /// Whether the announcement or hold is over, so that the cell takes writes again: its move ended early.
    pub has_lapsed: bool,
}

impl Placement {
    const fn takes_writes(&self) -> bool {
        self.has_lapsed || matches!(self.state, PlacementState::Here | PlacementState::Copying)
    }
}

/// Where a tenant is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// It lives in this cell. Without `takes_writes`, new writes wait for a moment.
    Lives { cell: CellName, takes_writes: bool },
    /// It has left one cell, and the other has not opened it yet, or could not be asked.
    Between,
}

/// The placements of all cells.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    cells: BTreeMap<CellName, HashMap<TenantId, Placement>>,
}

impl Directory {
    /// Takes over what a cell says.
    pub fn update(&mut self, cell: CellName, placements: HashMap<TenantId, Placement>) {
        self.cells.insert(cell, placements);
    }

    #[must_use]
    pub fn of(&self, cell: &CellName, tenant: &TenantId) -> Option<&Placement> {
        self.cells.get(cell)?.get(tenant)
    }

    #[must_use]
    pub fn locate(&self, tenant: &TenantId) -> Whereabouts {
        let home = CellName::home();
        let unmoved = self.of(&home, tenant).is_none().then_some((0, home, true));
        let residences = self.cells.iter().filter_map(|(cell, tenants)| {
            let placement = tenants.get(tenant).filter(|placement| placement.state.is_residence())?;
            Some((placement.epoch, cell.clone(), placement.takes_writes()))
        });
        match residences.chain(unmoved).max_by_key(|(epoch, ..)| *epoch) {
            Some((_, cell, takes_writes)) => Whereabouts::Lives { cell, takes_writes },
            None => Whereabouts::Between,
        }
    }

    /// Whether no tenant is moving.
    #[must_use]
    pub fn is_still(&self) -> bool {
        let mut states = self.cells.values().flat_map(HashMap::values).map(|row| row.state);
        let moves = |state| {
            !matches!(
                state,
                PlacementState::Here | PlacementState::Left | PlacementState::Arriving
            )
        };
        !states.any(moves) && self.unopened().is_empty()
    }

    /// Moves that left one cell and were not opened in the other: tenant, the cell left and the new one.
    #[must_use]
    pub fn unopened(&self) -> Vec<(TenantId, CellName, CellName)> {
        let mut found = Vec::new();
        for (cell, tenants) in &self.cells {
            for (tenant, arriving) in tenants {
                if arriving.state == PlacementState::Arriving
                    && let Some(left) = self.of(&arriving.peer, tenant)
                    && is_decided(left, arriving)
                {
                    found.push((tenant.clone(), arriving.peer.clone(), cell.clone()));
                }
            }
        }
        found
    }
}

/// Whether the row of the cell that was left decides the move that the other row waits for.
fn is_decided(left: &Placement, arriving: &Placement) -> bool {
    left.state == PlacementState::Left
        && arriving.state == PlacementState::Arriving
        && left.moved_by == arriving.moved_by
        && left.epoch < arriving.epoch
}

impl Journal {
    /// What this cell says of all tenants. A row that was not written with this installation's key file counts as none, and is
    /// logged as an error.
    pub async fn placements(&self) -> Result<HashMap<TenantId, Placement>, JournalError> {
        let mut transaction = self.shared.database.begin_directory().await?;
        let rows = sqlx::query(&format!("SELECT {COLUMNS} FROM journal.placements"))
            .fetch_all(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let mut placements = HashMap::new();
        for row in &rows {
            if let Some((tenant, placement)) = read(&self.shared.keyring, row)? {
                placements.insert(tenant, placement);
            }
        }
        Ok(placements)
    }

    /// This cell's placement row of a tenant.
    pub async fn placement(&self, tenant: &TenantId) -> Result<Option<Placement>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(&format!("SELECT {COLUMNS} FROM journal.placements WHERE tenant = $1"))
            .bind(tenant.as_str())
            .fetch_optional(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let Some(row) = row else { return Ok(None) };
        let read = read(&self.shared.keyring, &row)?;
        match read {
            Some((_, placement)) => Ok(Some(placement)),
            None => Err(JournalError::Unexpected(format!(
                "journal.placements, tenant {tenant}: the row was not written with this installation's key file"
            ))),
        }
    }

    /// Opens a tenant here that has left `from` for this cell: completes a move whose command ended early. Returns whether
    /// there was something to do.
    pub async fn open_arrived(&self, from: &Self, tenant: &TenantId) -> Result<bool, JournalError> {
        let (Some(left), Some(arriving)) = (from.placement(tenant).await?, self.placement(tenant).await?) else {
            return Ok(false);
        };
        if !is_decided(&left, &arriving) {
            return Ok(false);
        }
        relocation::open(self, tenant, &arriving).await
    }

    /// Replaces this cell's row if it is as expected. Waits for the transactions that write for the tenant.
    async fn place(
        &self,
        tenant: &TenantId,
        expected: Option<&Placement>,
        next: &Placement,
        milliseconds: Option<i64>,
    ) -> Result<bool, JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        let placed: bool = sqlx::query_scalar("SELECT journal.place_tenant($1, $2, $3, $4, $5, $6, $7, $8, $9)")
            .bind(tenant.as_str())
            .bind(expected.map(|placement| placement.state.as_str()))
            .bind(expected.map(|placement| placement.moved_by))
            .bind(next.state.as_str())
            .bind(next.epoch)
            .bind(next.peer.as_str())
            .bind(next.moved_by)
            .bind(mac(&self.shared.keyring, tenant, next).finalize().into_bytes().to_vec())
            .bind(milliseconds)
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(placed)
    }
}

/// Whether a tenant's placement was written with this installation's key file; `None` where it has none. On a connection whose
/// transaction has set the tenant.
pub(crate) async fn is_authentic(
    connection: &mut PgConnection,
    keyring: &Keyring,
    tenant: &TenantId,
) -> Result<Option<bool>, JournalError> {
    let row = sqlx::query(&format!("SELECT {COLUMNS} FROM journal.placements WHERE tenant = $1"))
        .bind(tenant.as_str())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    match read(keyring, &row) {
        Ok(read) => Ok(Some(read.is_some())),
        // Values that no node writes.
        Err(JournalError::Unexpected(_)) => Ok(Some(false)),
        Err(error) => Err(error),
    }
}

fn read(keyring: &Keyring, row: &PgRow) -> Result<Option<(TenantId, Placement)>, JournalError> {
    let unknown = |what: &str| JournalError::Unexpected(format!("journal.placements: {what:?}"));
    let (tenant, state, peer): (&str, &str, &str) =
        (row.try_get("tenant")?, row.try_get("state")?, row.try_get("peer")?);
    let tenant: TenantId = tenant.parse().map_err(|_| unknown(tenant))?;
    let found = PlacementState::ALL.into_iter().find(|known| known.as_str() == state);
    let placement = Placement {
        state: found.ok_or_else(|| unknown(state))?,
        epoch: row.try_get("epoch")?,
        peer: peer.parse().map_err(|_| unknown(peer))?,
        moved_by: row.try_get("move")?,
        has_lapsed: row.try_get("has_lapsed")?,
    };
    if mac(keyring, &tenant, &placement)
        .verify_slice(row.try_get("mac")?)
        .is_err()
    {
        tracing::error!(%tenant, "journal.placements: a row was not written with this installation's key file");
        return Ok(None);
    }
    Ok(Some((tenant, placement)))
}

fn mac(keyring: &Keyring, tenant: &TenantId, placement: &Placement) -> Hmac<Sha256> {
    let key = keyring.derive(KEY_PURPOSE);
    // Block-size key: this constructor cannot fail.
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    for (to, from) in block.iter_mut().zip(key.iter()) {
        *to = *from;
    }
    let mut mac = Hmac::<Sha256>::new(&block);
    for part in [
        tenant.as_str().as_bytes(),
        placement.state.as_str().as_bytes(),
        &placement.epoch.to_be_bytes(),
        placement.peer.as_str().as_bytes(),
        placement.moved_by.as_bytes(),
    ] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}

#[cfg(test)]
mod tests;
