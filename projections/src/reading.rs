//! Who read personal data: opened records, files and dossiers (docs/decisions/audit-of-reading.md).

use crate::{
    error::ReadError,
    list::{
        self, Filter, List, Takes,
        filter::{self, Narrow},
        text, time, values,
    },
    page::{ListQuery, Page},
    print::{Printing, Words, name, word},
    read_transaction::ReadTransaction,
    refs::Ref,
};
use caudal_domain::Refusal;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadingKind {
    /// Data or cards of a sender or recipient.
    Customer,
    /// A remittance, with its sender and recipient.
    Remittance,
    /// Data of a login.
    User,
    /// An event of the log, or a record through time.
    Log,
    /// A dossier for an authority.
    Dossier,
    /// Rows of an uploaded file, with the people in them.
    Import,
    /// A file of a list or report.
    File,
    /// Any page, while seeing as another party.
    Page,
    /// The begin of seeing as another party.
    Viewing,
}

const KINDS: values::Known = values::Known::new("ReadingKind", ReadingKind::label);

impl ReadingKind {
    pub const ALL: [Self; 9] = [
        Self::Customer,
        Self::Remittance,
        Self::User,
        Self::Log,
        Self::Dossier,
        Self::Import,
        Self::File,
        Self::Page,
        Self::Viewing,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Customer => "customer",
            Self::Remittance => "remittance",
            Self::User => "user",
            Self::Log => "log",
            Self::Dossier => "dossier",
            Self::Import => "import",
            Self::File => "file",
            Self::Page => "page",
            Self::Viewing => "viewing",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    const fn words(self) -> Words {
        match self {
            Self::Customer => word::READ_CUSTOMER,
            Self::Remittance => word::REMITTANCE,
            Self::User => word::READ_USER,
            Self::Log => word::EVENT_LOG,
            Self::Dossier => word::READ_DOSSIER,
            Self::Import => word::READ_IMPORT,
            Self::File => word::READ_FILE,
            Self::Page => word::READ_PAGE,
            Self::Viewing => word::READ_VIEWING,
        }
    }

    /// Label of a value in files.
    pub(crate) fn label(value: &str) -> Option<Words> {
        Self::named(value).map(Self::words)
    }
}

/// A read of personal data.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalRead {
    /// UUID.
    pub id: Uuid,
    /// Time, RFC 3339 in UTC. The same record read again by the same session within ten minutes is not listed again.
    pub at: DateTime<Utc>,
    /// Party that read.
    pub reader: Ref,
    /// Party as which the reader was logged in to see; null when it read as itself.
    pub seen_as: Option<Ref>,
    pub kind: ReadingKind,
    /// Record of which data was read, with its present name or number; null for files and pages of lists.
    pub record: Option<Ref>,
    /// Path of the call.
    #[schema(example = "/api/customer/{id}/details")]
    pub call: String,
    /// Format of a file; null otherwise.
    #[schema(example = "xlsx")]
    pub format: Option<String>,
}

fn what(read: &PersonalRead, printing: &Printing) -> String {
    printing.say(read.kind.words()).to_owned()
}

pub const READINGS: List<PersonalRead> = List {
    title: word::READINGS,
    columns: &[
        time("at", word::DATE, |r: &PersonalRead| Some(r.at)).in_order("v.read_at"),
        text("reader", word::WHO, |r: &PersonalRead, p| name(Some(&r.reader), p))
            .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = v.tenant AND p.id = v.party)"),
        text("seenAs", word::SEEN_AS, |r: &PersonalRead, p| {
            r.seen_as.as_ref().and_then(|party| name(Some(party), p))
        })
        .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = v.tenant AND p.id = v.viewed_as)"),
        text("kind", word::WHAT_WAS_READ, |r: &PersonalRead, p| Some(what(r, p))).bounded("v.kind"),
        // Names are in many tables: records have no sort.
        text("record", word::RECORD, |r: &PersonalRead, _| {
            r.record.as_ref().and_then(|record| record.name.clone())
        }),
        text("call", word::CALL_OF_THE_API, |r: &PersonalRead, _| {
            Some(r.call.clone())
        })
        .bounded("v.call"),
        text("format", word::FILE_FORMAT, |r: &PersonalRead, _| r.format.clone()).bounded("v.format"),
    ],
    filters: &[
        filter::id("partyId", word::WHO, "Read by this party.", "v.party"),
        filter::id("recordId", word::RECORD, "Of this record.", "v.subject"),
        Filter::new(
            "kind",
            word::WHAT_WAS_READ,
            "Of this kind.",
            Takes::Known(KINDS),
            Narrow::Is("v.kind"),
        ),
        filter::first_day("from", "On this day or later.", "v.read_at"),
        filter::last_day("to", "On this day or before.", "v.read_at"),
    ],
    search: None,
    default_sort: "-at",
    tie: "v.id",
    counted: None,
    hides_prices: false,
};

/// Reads, newest first.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(transaction: &mut ReadTransaction, query: &ListQuery) -> Result<Page<PersonalRead>, ReadError> {
    if query.get("kind").is_some_and(|kind| ReadingKind::named(kind).is_none()) {
        return Err(Refusal::invalid("kind", "value_unknown").into());
    }
    let from = transaction.joined("journal.readings AS v", "v");
    let keys = READINGS.keys::<Uuid>(transaction, query, from, "v.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<PersonalRead>, ReadError> {
    let tables = "journal.readings AS v
        LEFT JOIN parties AS p ON p.tenant = v.tenant AND p.id = v.party
        LEFT JOIN parties AS s ON s.tenant = v.tenant AND s.id = v.viewed_as";
    // One lookup by key per row of the page.
    let mut sql = transaction.joined(tables, "v").after(
        "SELECT v.id, v.read_at, v.party, p.name AS party_name, v.viewed_as, s.name AS viewed_as_name, v.kind, v.subject,
                v.call, v.format,
                CASE WHEN v.subject IS NOT NULL THEN coalesce(
                    (SELECT x.name FROM customers AS x WHERE x.tenant = v.tenant AND x.id = v.subject),
                    (SELECT x.code FROM remittances AS x WHERE x.tenant = v.tenant AND x.id = v.subject),
                    (SELECT x.name FROM parties AS x WHERE x.tenant = v.tenant AND x.id = v.subject),
                    (SELECT x.number FROM movements AS x WHERE x.tenant = v.tenant AND x.id = v.subject),
                    (SELECT x.number FROM closures AS x WHERE x.tenant = v.tenant AND x.id = v.subject))
                END AS subject_name",
    );
    sql.push(" AND v.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let views = found.iter().map(view).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(ids, views, |read: &PersonalRead| read.id))
}

fn view(row: &PgRow) -> Result<PersonalRead, sqlx::Error> {
    let kind: String = row.try_get("kind")?;
    Ok(PersonalRead {
        id: row.try_get("id")?,
        at: row.try_get("read_at")?,
        reader: Ref::named(row.try_get("party")?, row, "party_name")?,
        seen_as: Ref::maybe(row.try_get("viewed_as")?, row, "viewed_as_name")?,
        // A kind of a later version.
        kind: ReadingKind::named(&kind).unwrap_or(ReadingKind::Page),
        record: Ref::maybe(row.try_get("subject")?, row, "subject_name")?,
        call: row.try_get("call")?,
        format: row.try_get("format")?,
    })
}
