//! Proposals: commands that wait, or waited, for an approval.

mod figures;
mod visible;

pub use figures::{ProposedAccount, ProposedFigures, ProposedTransfer};

use crate::{
    batch::{Batch, existing},
    error::{ProjectError, ReadError},
    from_log,
    list::{self, List, Takes, filter, money, text, time},
    names::names,
    page::{ListQuery, Page},
    print::{Words, name, word},
    read_transaction::{ReadTransaction, only},
    refs::{Ref, named},
    rows::ProposalRow,
    scalar::{Money, UserType},
    scope::Scope,
    sql::Sql,
    table::{Json, Row as _, get, role_named, select_list},
};
use caudal_domain::{
    Account, Event, Refusal, StreamKind, Transfer,
    approval::{ApprovalKind, ProposalEvent},
    ids::ProposalId,
    office::Right,
    party::Role,
};
use caudal_journal::{Journal, Recorded};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use figures::{Names, concerned, owner};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::{BTreeSet, HashMap};
use utoipa::ToSchema;
use uuid::Uuid;
use visible::{CHANGED_ROLE, decidable, within};

const WAITING: &str = "waiting";
const EXPIRED: &str = "expired";
/// Filter: what the caller may decide now.
const MAY_DECIDE: &str = "mayDecide";

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &ProposalEvent) -> Result<(), ProjectError> {
    let at = recorded.recorded_at;
    match event {
        ProposalEvent::CommandProposed(proposed) => batch.proposals.put(ProposalRow {
            id: proposed.id.0,
            position: recorded.position,
            kind: proposed.kind.as_str().to_owned(),
            rule: proposed.rule.0,
            maker: proposed.maker.0,
            approvers: proposed.approvers.as_str().to_owned(),
            stream_kind: proposed.stream.kind.as_str().to_owned(),
            stream_id: proposed.stream.id,
            subject: proposed.personal.subject().0,
            person: proposed.person.map(|person| person.0),
            amount: proposed.amount,
            figures: Json(proposed.figures),
            transfers: Json(proposed.transfers.clone()),
            created_at: at,
            expires_at: proposed.expires_at,
            status: WAITING.to_owned(),
            decided_at: None,
            decided_by: None,
            record: None,
            number: None,
            reason: None,
        }),
        ProposalEvent::ProposalApproved(approved) => {
            let row = existing(&mut batch.proposals, recorded, approved.id)?;
            row.status = "approved".to_owned();
            row.decided_at = Some(at);
            row.decided_by = Some(approved.by.0);
            row.record = Some(approved.record);
            row.number.clone_from(&approved.number);
        }
        ProposalEvent::ProposalRejected(rejected) => {
            let row = existing(&mut batch.proposals, recorded, rejected.id)?;
            row.status = "rejected".to_owned();
            row.decided_at = Some(at);
            row.decided_by = Some(rejected.by.0);
            row.reason = rejected.personal.get().map(|reason| reason.reason.clone());
        }
        ProposalEvent::ProposalWithdrawn { id } => {
            let row = existing(&mut batch.proposals, recorded, *id)?;
            row.status = "withdrawn".to_owned();
            row.decided_at = Some(at);
            row.decided_by = Some(row.maker);
        }
        ProposalEvent::ProposedPersonForgotten { proposal, .. } => {
            let row = existing(&mut batch.proposals, recorded, *proposal)?;
            row.person = None;
            if row.status == WAITING {
                row.status = EXPIRED.to_owned();
            }
        }
    }
    Ok(())
}

names! {
    /// Kind of commands that an approval rule covers.
    PublicApprovalKind(ApprovalKind) {
        /// Prepaid balance or cash for a party, paid at once.
        AssignmentOnCash,
        /// Prepaid balance that its receiver owes.
        AssignmentOnCredit,
        /// Another credit limit.
        CreditLimit,
        /// Rates and commissions.
        TermsAndRates,
        /// Reversal of a movement.
        Reversal,
        /// An expense paid from field cash.
        Expense,
        /// Cash converted from one currency to another.
        DealerExchange,
        /// Cancel of a remittance that a dealer has.
        CancelShipping,
        /// Edit of a remittance's amount more than 24 hours after the sale.
        LateAmountEdit,
        /// A new user, one who may log in again, or a member of the office who may do more.
        User,
        /// Another card of a recipient.
        CardNumber,
        /// Closing of a period.
        Closing,
        /// Release of a remittance in review.
        HoldRelease,
        /// Change of a limit rule.
        LimitRules,
        /// Another choice of lists for screening or of a threshold, or a change of an own list.
        ScreeningRules,
        /// Change of an approval rule.
        ApprovalRules,
    }
}

/// Name of the proposed command's kind in files.
pub(crate) const fn kind_words(kind: PublicApprovalKind) -> Words {
    match kind {
        PublicApprovalKind::AssignmentOnCash => word::APPROVAL_ASSIGNMENT_ON_CASH,
        PublicApprovalKind::AssignmentOnCredit => word::APPROVAL_ASSIGNMENT_ON_CREDIT,
        PublicApprovalKind::CreditLimit => word::APPROVAL_CREDIT_LIMIT,
        PublicApprovalKind::TermsAndRates => word::APPROVAL_TERMS_AND_RATES,
        PublicApprovalKind::Reversal => word::APPROVAL_REVERSAL,
        PublicApprovalKind::Expense => word::APPROVAL_EXPENSE,
        PublicApprovalKind::DealerExchange => word::EXCHANGE,
        PublicApprovalKind::CancelShipping => word::APPROVAL_CANCEL_SHIPPING,
        PublicApprovalKind::LateAmountEdit => word::APPROVAL_LATE_AMOUNT_EDIT,
        PublicApprovalKind::User => word::APPROVAL_USER,
        PublicApprovalKind::CardNumber => word::APPROVAL_CARD_NUMBER,
        PublicApprovalKind::Closing => word::APPROVAL_CLOSING,
        PublicApprovalKind::HoldRelease => word::APPROVAL_HOLD_RELEASE,
        PublicApprovalKind::ApprovalRules => word::APPROVAL_RULES_CHANGE,
        PublicApprovalKind::LimitRules => word::LIMIT_RULES_CHANGE,
        PublicApprovalKind::ScreeningRules => word::SCREENING_RULES_CHANGE,
    }
}

/// A status by its name, in files.
fn status_words(status: &str) -> Words {
    match status {
        WAITING => word::WAITING,
        EXPIRED => word::EXPIRED,
        "approved" => word::PROPOSAL_APPROVED,
        "rejected" => word::PROPOSAL_REJECTED,
        "withdrawn" => word::PROPOSAL_WITHDRAWN,
        _ => word::PROPOSAL_ERASED,
    }
}

/// A command that waits, or waited, for an approval.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// UUID.
    pub id: Uuid,
    /// Kind of the rule that covered the command.
    #[schema(example = "assignment_on_credit")]
    pub kind: PublicApprovalKind,
    /// Party that gave the command.
    pub maker: Ref,
    /// Role of the maker.
    pub maker_type: Option<UserType>,
    /// Whom or what it concerns: who receives what it moves, who gives where the maker receives, or the changed party,
    /// customer, remittance, currency or payment group by its name or code. Of a reversal it is who had received. Null when
    /// there is none yet, as for a new user, and for rules.
    pub concerns: Option<Ref>,
    /// Role that approves; managers always may.
    #[schema(example = "manager")]
    pub approvers: String,
    /// Type of the record that the command writes.
    #[schema(example = "movement")]
    pub record_type: String,
    /// Record that the command writes.
    pub record_id: Uuid,
    /// Amount in USD; null for commands without one.
    pub amount: Option<Money>,
    /// Figures that the maker confirmed; null when nothing is priced.
    pub figures: Option<ProposedFigures>,
    /// Postings that the command would have made when it was given, as far as the caller sees their accounts.
    pub transfers: Vec<ProposedTransfer>,
    /// Time of the command, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time from which on it can't be approved.
    pub expires_at: DateTime<Utc>,
    /// `waiting`, `expired`, `approved`, `rejected`, `withdrawn`, or `erased` with the person that it was about.
    #[schema(example = "waiting")]
    pub status: String,
    /// Time of the decision; null before.
    pub decided_at: Option<DateTime<Utc>>,
    /// Party that decided; null before.
    pub decided_by: Option<Ref>,
    /// Number of the record that the approval created or changed, if it has one.
    #[schema(example = "M-000012")]
    pub number: Option<String>,
    /// Reason of the rejection; null otherwise, and after the maker's erasure.
    pub reason: Option<String>,
    /// Whether the caller may approve and reject it now.
    pub may_decide: bool,
    /// Whether the caller may withdraw it now.
    pub may_withdraw: bool,
}

pub const PROPOSALS: List<Proposal> = List {
    title: word::APPROVALS,
    columns: &[
        time("created", word::PROPOSED_ON, |p: &Proposal| Some(p.created)).in_order("x.position"),
        text("kind", Words::new("Qué", "What"), |p: &Proposal, w| {
            Some(w.say(kind_words(p.kind)).to_owned())
        })
        .bounded("x.kind"),
        // Names are in many tables: no order.
        text("concerns", word::CONCERNS, |p: &Proposal, w| {
            name(p.concerns.as_ref(), w)
        }),
        text(
            "maker",
            Words::new("Quién la propuso", "Proposed by"),
            |p: &Proposal, w| name(Some(&p.maker), w),
        )
        .bounded("(SELECT m.search FROM parties AS m WHERE m.tenant = x.tenant AND m.id = x.maker)"),
        money("amount", word::AMOUNT_IN_USD, |p: &Proposal| p.amount).bounded("x.amount"),
        text(
            "status",
            Words::new("Estado de la aprobación", "State of the approval"),
            |p: &Proposal, w| Some(w.say(status_words(&p.status)).to_owned()),
        )
        .bounded("x.status"),
        time("expires", word::EXPIRES, |p: &Proposal| Some(p.expires_at)).bounded("x.expires_at"),
        text("decidedBy", word::DECIDED_BY, |p: &Proposal, w| {
            name(p.decided_by.as_ref(), w)
        })
        .bounded("(SELECT d.search FROM parties AS d WHERE d.tenant = x.tenant AND d.id = x.decided_by)"),
        text(
            "number",
            Words::new("Número del efecto", "Number of the effect"),
            |p: &Proposal, _| p.number.clone(),
        )
        .bounded("x.number"),
    ],
    filters: &[
        // By the node's clock, which also decides approvals.
        filter::own(WAITING, word::WAITING, "Whether they can be approved now.", Takes::Flag),
        filter::own(
            MAY_DECIDE,
            word::WAITING,
            "Whether the caller may approve and reject them now.",
            Takes::Flag,
        ),
        filter::exactly(
            "kind",
            Words::new("Tipo de regla", "Kind of rule"),
            "Of this kind of rule, such as `expense`.",
            "x.kind",
        ),
        filter::id("makerId", word::WHOSE, "Proposed by this party.", "x.maker"),
        filter::first_day("dateFrom", "Proposed on this day or later.", "x.created_at"),
        filter::last_day("dateTo", "Proposed on this day or earlier.", "x.created_at"),
    ],
    search: None,
    default_sort: "-created",
    tie: "x.id",
    counted: None,
    hides_prices: false,
};

fn flag(query: &ListQuery, name: &'static str) -> Result<Option<bool>, ReadError> {
    match query.get(name) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err(Refusal::invalid_with(name, "value_unknown", [("allowed", "true, false".to_owned())]).into()),
    }
}

fn is_waiting(sql: &mut Sql, now: DateTime<Utc>) {
    sql.push("(x.status = 'waiting' AND x.expires_at > ")
        .bind(now)
        .push(")");
}

/// Proposals that the caller made or may decide.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<Proposal>, ReadError> {
    let mut from = read_transaction.rows("proposals", "x");
    within(&mut from, scope);
    if let Some(waits) = flag(query, WAITING)? {
        from.push(if waits { " AND " } else { " AND NOT " });
        is_waiting(&mut from, now);
    }
    if let Some(may) = flag(query, MAY_DECIDE)? {
        from.push(if may { " AND (" } else { " AND NOT (" });
        is_waiting(&mut from, now);
        decidable(&mut from, scope);
        from.push(")");
    }
    let keys = PROPOSALS.keys::<Uuid>(read_transaction, query, from, "x.id").await?;
    let rows = views(read_transaction, scope, &keys.keys, now).await?;
    Ok(keys.page(rows))
}

/// Maximum proposals per call of [`expired`].
pub const EXPIRED_AT_ONCE: usize = 100;

/// An expired proposal whose person is to be erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredProposal {
    /// Name of the tenant, as the database has it.
    pub tenant: String,
    /// Position of the proposal in the tenant's log.
    pub position: i64,
    pub id: ProposalId,
}

/// The next [`EXPIRED_AT_ONCE`] expired proposals of all tenants whose persons are to be erased, by tenant and position, after
/// the given one.
///
/// # Errors
/// A failure of the database.
pub async fn expired(
    database: &Database,
    now: DateTime<Utc>,
    after: Option<&ExpiredProposal>,
) -> Result<Vec<ExpiredProposal>, ReadError> {
    let mut transaction = database.begin_directory().await?;
    let rows = sqlx::query(
        "SELECT x.tenant, x.position, x.id FROM proposals AS x
          WHERE x.status = 'waiting' AND x.person IS NOT NULL AND x.expires_at <= $1
            AND (x.tenant, x.position) > ($2, $3)
          ORDER BY x.tenant, x.position LIMIT $4",
    )
    .bind(now)
    .bind(after.map_or("", |last| last.tenant.as_str()))
    .bind(after.map_or(0, |last| last.position))
    .bind(i64::try_from(EXPIRED_AT_ONCE).unwrap_or(i64::MAX))
    .fetch_all(&mut *transaction)
    .await?;
    let proposal = |row: PgRow| -> Result<ExpiredProposal, ReadError> {
        Ok(ExpiredProposal {
            tenant: row.try_get("tenant")?,
            position: row.try_get("position")?,
            id: ProposalId(row.try_get("id")?),
        })
    };
    rows.into_iter().map(proposal).collect()
}

/// How a proposal ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposalEnd {
    /// With the created or changed record, and its number if it has one.
    Approved {
        record: Uuid,
        number: Option<String>,
    },
    Rejected,
    Withdrawn,
    /// Its time is over, or the person that it was about is erased.
    Expired,
}

/// Ends of those of some proposals that have ended, by their checked streams; at most [`from_log::RECORDS_AT_ONCE`]. One that expires
/// after `expiry` waits.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn ends(
    journal: &Journal,
    read_transaction: &mut ReadTransaction,
    ids: &[Uuid],
    expiry: DateTime<Utc>,
) -> Result<Vec<(Uuid, ProposalEnd)>, ReadError> {
    let streams = from_log::streams(journal, read_transaction, StreamKind::Proposal, ids).await?;
    let ends = streams
        .into_iter()
        .filter_map(|(id, events)| Some((id, end(&events, expiry)?)));
    Ok(ends.collect())
}

fn end(events: &[Recorded], expiry: DateTime<Utc>) -> Option<ProposalEnd> {
    let mut end = None;
    for recorded in events {
        let Event::Proposal(event) = &recorded.event else {
            continue;
        };
        match event {
            ProposalEvent::CommandProposed(proposed) => {
                let is_over = proposed.expires_at <= expiry || proposed.personal.get().is_none();
                end = is_over.then_some(ProposalEnd::Expired);
            }
            ProposalEvent::ProposalApproved(approved) => {
                return Some(ProposalEnd::Approved {
                    record: approved.record,
                    number: approved.number.clone(),
                });
            }
            ProposalEvent::ProposalRejected(_) => return Some(ProposalEnd::Rejected),
            ProposalEvent::ProposalWithdrawn { .. } => return Some(ProposalEnd::Withdrawn),
            ProposalEvent::ProposedPersonForgotten { .. } => end = Some(ProposalEnd::Expired),
        }
    }
    end
}

/// One proposal.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get_proposal(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    id: ProposalId,
    now: DateTime<Utc>,
) -> Result<Proposal, ReadError> {
    only(
        views(read_transaction, scope, &[id.0], now).await?,
        "proposal_not_found",
    )
}

/// What proposals are and whom they concern, by their ids, as far as the caller sees them.
pub(crate) async fn about(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, (PublicApprovalKind, Option<String>)>, ReadError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    // The time decides only what may be done with them.
    let found = views(read_transaction, scope, ids, DateTime::<Utc>::MIN_UTC).await?;
    let about = found.into_iter().map(|proposal| {
        let concerns = proposal.concerns.and_then(|of| of.name);
        (proposal.id, (proposal.kind, concerns))
    });
    Ok(about.collect())
}

async fn views(
    read_transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<Proposal>, ReadError> {
    let tables = "proposals AS x
        JOIN parties AS m ON m.tenant = x.tenant AND m.id = x.maker
        LEFT JOIN parties AS d ON d.tenant = x.tenant AND d.id = x.decided_by
        LEFT JOIN LATERAL (
            SELECT p.id, p.name FROM parties AS p
             WHERE x.stream_kind = 'party' AND p.tenant = x.tenant AND p.id = x.stream_id
            UNION ALL
            SELECT c.id, c.name FROM customers AS c
             WHERE x.stream_kind = 'customer' AND c.tenant = x.tenant AND c.id = x.stream_id
            UNION ALL
            SELECT r.id, r.code FROM remittances AS r
             WHERE x.stream_kind = 'remittance' AND r.tenant = x.tenant AND r.id = x.stream_id
            UNION ALL
            SELECT f.id, f.code FROM currencies AS f
             WHERE x.stream_kind = 'currency' AND f.tenant = x.tenant AND f.id = x.stream_id
            UNION ALL
            SELECT g.id, g.name FROM payment_groups AS g
             WHERE x.stream_kind = 'payment_group' AND g.tenant = x.tenant AND g.id = x.stream_id
        ) AS a ON true";
    let mut sql = read_transaction.joined(tables, "x").after(&format!(
        "SELECT {}, m.name AS maker_name, m.role AS maker_role, m.agency AS maker_agency, d.name AS decided_by_name,
                a.id AS about, a.name AS about_name, {CHANGED_ROLE} AS changed_role",
        select_list::<ProposalRow>("x", "")
    ));
    sql.push(" AND x.id = ANY (").bind(ids.to_vec()).push(")");
    within(&mut sql, scope);
    let found = read_transaction.fetch(&sql).await?;
    let read = found.iter().map(|row| ProposalRow::read(row, ""));
    let rows: Vec<ProposalRow> = read.collect::<Result<_, sqlx::Error>>()?;
    let names = owners(read_transaction, &rows).await?;
    let views: Vec<Proposal> = found
        .iter()
        .zip(rows)
        .map(|(row, proposal)| view(row, proposal, &names, scope, now))
        .collect::<Result<_, sqlx::Error>>()?;
    Ok(list::in_order(ids, views, |view: &Proposal| view.id))
}

/// Names of the owners of all accounts that the proposals move.
async fn owners(read_transaction: &mut ReadTransaction, proposals: &[ProposalRow]) -> Result<Names, ReadError> {
    let transfers = proposals.iter().flat_map(|proposal| &proposal.transfers.0);
    let accounts = transfers.flat_map(|transfer| [transfer.debit, transfer.credit]);
    let ids: BTreeSet<Uuid> = accounts.filter_map(|account| account.owner).map(|id| id.0).collect();
    named(read_transaction, ids).await
}

fn view(
    row: &PgRow,
    proposal: ProposalRow,
    names: &Names,
    scope: &Scope,
    now: DateTime<Utc>,
) -> Result<Proposal, sqlx::Error> {
    let role: Role = get(row, "maker_role")?;
    let agency: Option<Uuid> = row.try_get("maker_agency")?;
    let is_over = proposal.expires_at <= now;
    let waits = proposal.status == WAITING;
    let own = proposal.maker == scope.party.0;
    let kind = ApprovalKind::ALL.iter().find(|kind| kind.as_str() == proposal.kind);
    let kind = *kind.ok_or_else(|| sqlx::Error::Decode(format!("kind of proposal {}", proposal.kind).into()))?;
    let record: StreamKind = proposal
        .stream_kind
        .parse()
        .map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    let changed: Option<&str> = row.try_get("changed_role")?;
    let areas = kind.areas_of(record, changed.and_then(role_named));
    let writes = scope.permissions.may_in_one(areas, Right::Write);
    let oversees = (scope.role == Role::Manager && writes)
        || (role_named(&proposal.approvers) == Some(scope.role) && agency == Some(scope.party.0));
    let of_agent = agency == Some(scope.party.0);
    let sees = |account: &Account| {
        let owner = account.owner.map(|id| id.0);
        scope.role == Role::Manager || owner == Some(scope.principal().0) || (of_agent && owner == Some(proposal.maker))
    };
    let transfers = proposal.transfers.0.iter();
    let transfers: Vec<&Transfer> = transfers
        .filter(|transfer| sees(&transfer.debit) || sees(&transfer.credit))
        .collect();
    let concerns = match Ref::maybe(row.try_get("about")?, row, "about_name")? {
        None => concerned(&transfers, proposal.maker, kind == ApprovalKind::Reversal)
            .and_then(|account| owner(account, names)),
        named => named,
    };
    Ok(Proposal {
        id: proposal.id,
        kind: kind.into(),
        maker: Ref::named(proposal.maker, row, "maker_name")?,
        maker_type: Some(role.into()),
        concerns,
        approvers: proposal.approvers,
        record_type: proposal.stream_kind,
        record_id: proposal.record.unwrap_or(proposal.stream_id),
        amount: proposal.amount.map(Into::into),
        figures: proposal.figures.0.map(Into::into),
        transfers: transfers
            .into_iter()
            .map(|transfer| ProposedTransfer::of(transfer, names))
            .collect(),
        created: proposal.created_at,
        expires_at: proposal.expires_at,
        status: if waits && is_over {
            EXPIRED.to_owned()
        } else {
            proposal.status
        },
        decided_at: proposal.decided_at,
        decided_by: Ref::maybe(proposal.decided_by, row, "decided_by_name")?,
        number: proposal.number,
        reason: proposal.reason,
        may_decide: waits && !is_over && !own && oversees,
        may_withdraw: waits && own,
    })
}
