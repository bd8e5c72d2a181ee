//! Context of a print: reader, time and issuer.

use super::{Words, word};
use crate::{error::ReadError, read_transaction::ReadTransaction, refs::Ref};
use caudal_export::{Cell, Language};
use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use sqlx::Row as _;

/// Decimals of every currency.
pub(crate) const DECIMALS: u8 = 2;
/// Amounts of money.
pub(crate) const MONEY: caudal_export::Kind = caudal_export::Kind::Money { decimals: DECIMALS };

/// Context shared by all parts of a print.
#[derive(Clone, Debug)]
pub struct Printing {
    /// The reader's language.
    pub language: Language,
    /// The tenant's time zone.
    pub zone: Tz,
    /// Issuer: the tenant's name.
    pub issuer: String,
    /// Time of printing.
    pub at: DateTime<Utc>,
}

impl Printing {
    pub async fn of(
        transaction: &mut ReadTransaction,
        language: Language,
        at: DateTime<Utc>,
    ) -> Result<Self, ReadError> {
        let sql = transaction.rows("tenants", "t").after("SELECT t.name");
        let rows = transaction.fetch(&sql).await?;
        let issuer = rows.first().map(|row| row.try_get("name")).transpose()?;
        Ok(Self {
            language,
            zone: transaction.zone(),
            issuer: issuer.unwrap_or_default(),
            at,
        })
    }

    /// Lines below a title: the issuer, and what is shown.
    pub(crate) fn subtitle(&self, said: Vec<String>) -> Vec<String> {
        let issuer = Some(self.issuer.clone()).filter(|issuer| !issuer.is_empty());
        issuer.into_iter().chain(said).collect()
    }

    /// A text in the reader's language.
    pub(crate) const fn say(&self, words: Words) -> &'static str {
        words.in_language(self.language)
    }

    /// A time in the tenant's zone.
    pub(crate) fn local(&self, time: DateTime<Utc>) -> NaiveDateTime {
        time.with_timezone(&self.zone).naive_local()
    }

    pub(crate) fn time(&self, time: DateTime<Utc>) -> Cell {
        Cell::DateTime(self.local(time))
    }

    /// A cell formatted for people.
    pub(crate) fn shown(&self, cell: &Cell) -> String {
        cell.shown(MONEY, self.language)
    }

    /// A current name.
    pub(crate) fn name(&self, of: &Ref) -> String {
        self.name_or_erased(of.name.as_deref())
    }

    /// A name, or the mark of an erased one.
    pub(crate) fn name_or_erased(&self, name: Option<&str>) -> String {
        name.unwrap_or_else(|| self.say(word::ERASED)).to_owned()
    }
}
