//! Closure previews: a seller's figures of any period, computed like those that a closure freezes.

use super::{
    period::Period,
    sold::{self, Sold},
};
use crate::{
    closure::ClosureFigures,
    error::ReadError,
    ledger::{AccountFlows, Flows, Side, Window, position_before},
    list::{BY_NAME, List, count, filter, sum, text, time, unprinted},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Words, name, word},
    read_transaction::{ReadTransaction, only},
    refs::{Ref, named},
    scalar::Money,
    scope::Scope,
    table::get,
};
use caudal_domain::{
    AccountKind, TransferCode,
    ids::{PartyId, PaymentGroupId},
    money::{Amount, CurrencyCode},
    party::Role,
    tenant_state::activity::{GroupFigures, PeriodTotals},
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use utoipa::ToSchema;
use uuid::Uuid;

/// Sellers whose closures are previewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sellers {
    Agencies,
    /// External agents.
    Agents,
}

/// Parameters of a preview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreviewQuery {
    /// Restricts to this seller.
    pub party: Option<PartyId>,
    /// Restricts to the agents of this agency.
    pub agency: Option<PartyId>,
    /// First day; `None` for the time since the last closure.
    pub first: Option<NaiveDate>,
    /// Last day; `None` for until now.
    pub last: Option<NaiveDate>,
}

/// Figures that a closure of the period would have.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosurePreview {
    /// The seller.
    pub party: Ref,
    /// Start of the period: the last closure's cut, or the first day requested; null for the beginning.
    pub from: Option<DateTime<Utc>>,
    /// End of the period, exclusive.
    pub to: DateTime<Utc>,
    /// Figures of the period.
    pub figures: ClosureFigures,
    /// Outstanding debits at the start, in USD, including those billed by earlier closures.
    pub debits_opening: Money,
    /// Billed by closures within the period, in USD: opening + opened + billed − paid = outstanding.
    pub debits_billed: Money,
    /// Amount that an agent's agency would bill, in USD.
    pub agency_fee_accrued: Money,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

/// List of closure previews, with their USD figures, which are computed for the page's sellers only: not sortable by
/// them.
pub const CLOSURE_PREVIEWS: List<ClosurePreview> = List {
    title: Words::new("Cierres previstos", "Closures before they are made"),
    columns: &[
        text("name", word::SELLER, |c: &ClosurePreview, p| name(Some(&c.party), p)).sort("p.search"),
        unprinted("created").sort("p.created_at"),
        time("from", word::FROM_DAY, |c: &ClosurePreview| c.from),
        time("to", Words::new("Hasta", "To"), |c: &ClosurePreview| Some(c.to)),
        count("remittances", word::REMITTANCES, |c: &ClosurePreview| {
            c.figures.remittances
        }),
        sum("amount", word::SENT_USD, |c: &ClosurePreview| Some(c.figures.amount)),
        sum(
            "managerCommission",
            word::MANAGER_COMMISSION_USD,
            |c: &ClosurePreview| Some(c.figures.manager_commission),
        ),
        sum("agencyCommission", word::AGENCY_COMMISSION_USD, |c: &ClosurePreview| {
            Some(c.figures.agency_commission)
        }),
        sum("agentCommission", word::AGENT_COMMISSION_USD, |c: &ClosurePreview| {
            Some(c.figures.agent_commission)
        }),
        sum(
            "commissionAccrued",
            Words::new("Comisión acumulada USD", "Commission accrued USD"),
            |c: &ClosurePreview| Some(c.figures.commission_accrued),
        ),
        sum(
            "debitsOpening",
            Words::new("Deudas al principio USD", "Debits at the beginning USD"),
            |c: &ClosurePreview| Some(c.debits_opening),
        ),
        sum(
            "debitsOpened",
            Words::new("Deudas abiertas USD", "Debits opened USD"),
            |c: &ClosurePreview| Some(c.figures.debits_opened),
        ),
        sum(
            "debitsBilled",
            Words::new("Facturado USD", "Billed USD"),
            |c: &ClosurePreview| Some(c.debits_billed),
        ),
        sum(
            "debitsPaid",
            Words::new("Deudas pagadas USD", "Debits paid USD"),
            |c: &ClosurePreview| Some(c.figures.debits_paid),
        ),
        sum(
            "debitsOutstanding",
            Words::new("Deuda pendiente USD", "Debits outstanding USD"),
            |c: &ClosurePreview| Some(c.figures.debits_outstanding),
        ),
        sum(
            "agencyFeeAccrued",
            word::AGENCY_COMMISSION_TO_BILL_USD,
            |c: &ClosurePreview| Some(c.agency_fee_accrued),
        ),
    ],
    filters: &[
        filter::id("partyId", word::USER, "Of this seller.", "p.id"),
        filter::id("agencyId", word::AGENCY, "Of this agency's agents.", "p.agency"),
    ],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// Previews for the sellers in the caller's scope.
///
/// # Errors
/// Not found for a seller outside the scope; invalid or contradictory days; undeclared sorts and pages.
pub async fn previews(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    sellers: Sellers,
    asked: &PreviewQuery,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<ClosurePreview>, ReadError> {
    let mut from = transaction.rows("parties", "p");
    from.push(" AND p.role = ").bind(match sellers {
        Sellers::Agencies => Role::Agency.as_str(),
        Sellers::Agents => Role::ExternalAgent.as_str(),
    });
    // Internal agents see no closures.
    if scope.role == Role::InternalAgent {
        from.push(" AND FALSE");
    }
    scope.and_party(&mut from, transaction.tenant(), &["p.id"]);
    let mut query = query.clone();
    if let Some(party) = asked.party {
        let mut one = from.after("SELECT p.id");
        one.push(" AND p.id = ").bind(party.0);
        only(transaction.fetch(&one).await?, "party_not_found")?;
        query = query.filter("partyId", party);
    }
    if let Some(agency) = asked.agency {
        query = query.filter("agencyId", agency);
    }
    let period = Period::named(asked.first, asked.last)?;
    let (begins, ends) = (period.begins(transaction)?, period.ends(transaction)?);
    let keys = CLOSURE_PREVIEWS.keys::<Uuid>(transaction, &query, from, "p.id").await?;
    let rows = views(transaction, &keys.keys, begins, ends, now).await?;
    Ok(keys.page(rows))
}

/// Parts of a closure that later figures depend on.
struct Closed {
    cut: DateTime<Utc>,
    /// Last position before the cut.
    position: i64,
    /// Obligation to the manager opened, in USD.
    billed: Amount,
    /// Obligation to the agency opened, in USD.
    agency_billed: Amount,
}

/// One party's period.
struct Cut {
    window: Window,
    from: Option<DateTime<Utc>>,
    to: DateTime<Utc>,
    /// Amounts billed before the start: to the manager, to the agency.
    billed_before: [Amount; 2],
    /// Amounts billed through the end.
    billed_through: [Amount; 2],
}

async fn views(
    transaction: &mut ReadTransaction,
    parties: &[Uuid],
    begins: Option<DateTime<Utc>>,
    ends: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<Vec<ClosurePreview>, ReadError> {
    let after = match begins {
        Some(begins) => position_before(transaction, begins).await?,
        None => 0,
    };
    let through = match ends {
        Some(ends) => position_before(transaction, ends).await?,
        None => i64::MAX,
    };
    let closed = closed(transaction, parties).await?;
    let cuts: Vec<Cut> = parties
        .iter()
        .map(|party| {
            let closed = closed.get(party).map_or(&[][..], Vec::as_slice);
            let last = closed.last();
            let (from, after) = match begins {
                Some(begins) => (Some(begins), after),
                None => (last.map(|last| last.cut), last.map_or(0, |last| last.position)),
            };
            let to = ends.unwrap_or(now).max(from.unwrap_or(DateTime::UNIX_EPOCH));
            let billed = |counts: &dyn Fn(&Closed) -> bool| {
                let of = |pick: fn(&Closed) -> Amount| closed.iter().filter(|one| counts(one)).map(pick).sum();
                [of(|one| one.billed), of(|one| one.agency_billed)]
            };
            let begun = |one: &Closed| from.is_some_and(|from| one.cut <= from);
            Cut {
                window: Window {
                    owner: *party,
                    after,
                    through: through.max(after),
                },
                from,
                to,
                billed_before: billed(&begun),
                // The amount that a closure bills at its cut belongs to the next period.
                billed_through: billed(&|one| begun(one) || ends.is_none_or(|_| one.cut < to)),
            }
        })
        .collect();
    let windows: Vec<Window> = cuts.iter().map(|cut| cut.window).collect();
    let kinds = [
        AccountKind::Balance,
        AccountKind::Debits,
        AccountKind::CommissionReceivable,
        AccountKind::AgencyReceivable,
    ];
    let flows = Flows::of(transaction, &windows, &kinds).await?;
    let sold = sold::of(transaction, &windows).await?;
    let (names, groups) = groups(transaction, parties).await?;
    let parties = named(transaction, parties.iter().copied()).await?;
    let preview = |cut: &Cut| {
        let owner = cut.window.owner;
        let figures = group_figures(owner, &groups, &flows, &sold);
        let totals = Totals::of(cut, &flows);
        ClosurePreview {
            party: parties.get(&owner).cloned().unwrap_or(Ref { id: owner, name: None }),
            actions: Vec::new(),
            from: cut.from,
            to: cut.to,
            figures: ClosureFigures::new(&figures, &totals.period, &names),
            debits_opening: totals.debits_opening.into(),
            debits_billed: totals.debits_billed.into(),
            agency_fee_accrued: totals.period.agency_fee_accrued.into(),
        }
    };
    Ok(cuts.iter().map(preview).collect())
}

/// Closures of parties, in order.
async fn closed(transaction: &mut ReadTransaction, parties: &[Uuid]) -> Result<HashMap<Uuid, Vec<Closed>>, ReadError> {
    // A closure cut at the time of closing covers everything before it; one cut at the end of a past day only events
    // before that end.
    let mut sql = transaction.joined(
        "closures AS c
            LEFT JOIN debits AS d ON d.tenant = c.tenant AND d.id = c.debit
            LEFT JOIN debits AS g ON g.tenant = c.tenant AND g.id = c.agency_debit",
        "c",
    );
    sql = sql.after(
        "SELECT c.party, c.cut_at, coalesce(d.amount, 0) AS billed, coalesce(g.amount, 0) AS agency_billed,
                CASE WHEN c.cut_at = c.created_at THEN c.position
                     ELSE coalesce((SELECT e.position FROM entries AS e WHERE e.tenant = c.tenant AND e.at < c.cut_at
                                     ORDER BY e.at DESC, e.position DESC LIMIT 1), 0) END AS position",
    );
    sql.push(" AND c.party = ANY (")
        .bind(parties.to_vec())
        .push(") ORDER BY c.party, c.position");
    let mut closed: HashMap<Uuid, Vec<Closed>> = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        closed.entry(row.try_get("party")?).or_default().push(Closed {
            cut: row.try_get("cut_at")?,
            position: row.try_get("position")?,
            billed: get(&row, "billed")?,
            agency_billed: get(&row, "agency_billed")?,
        });
    }
    Ok(closed)
}

type Groups = BTreeMap<Uuid, BTreeMap<Uuid, CurrencyCode>>;

/// Names of all groups, and the groups in each party's terms or balances with their currencies.
async fn groups(
    transaction: &mut ReadTransaction,
    parties: &[Uuid],
) -> Result<(HashMap<Uuid, String>, Groups), ReadError> {
    let all = transaction
        .rows("payment_groups", "g")
        .after("SELECT g.id, g.name, g.currency");
    let mut names = HashMap::new();
    let mut currencies: HashMap<Uuid, CurrencyCode> = HashMap::new();
    for row in transaction.fetch(&all).await? {
        let id: Uuid = row.try_get("id")?;
        names.insert(id, row.try_get("name")?);
        currencies.insert(id, get(&row, "currency")?);
    }
    let mut held: BTreeSet<(Uuid, Uuid)> = BTreeSet::new();
    for (table, alias, party) in [("party_terms", "h", "party"), ("accounts", "h", "owner")] {
        let mut sql = transaction
            .rows(table, alias)
            .after(&format!("SELECT DISTINCT h.{party} AS party, h.group_id"));
        sql.push(&format!(" AND h.group_id IS NOT NULL AND h.{party} = ANY ("))
            .bind(parties.to_vec())
            .push(")");
        for row in transaction.fetch(&sql).await? {
            held.insert((row.try_get("party")?, row.try_get("group_id")?));
        }
    }
    let mut groups = Groups::new();
    for (party, group) in held {
        if let Some(currency) = currencies.get(&group) {
            groups.entry(party).or_default().insert(group, *currency);
        }
    }
    Ok((names, groups))
}

fn group_figures(owner: Uuid, groups: &Groups, flows: &Flows, sold: &[(Uuid, Uuid, Sold)]) -> Vec<GroupFigures> {
    let figures = |(group, currency): (&Uuid, &CurrencyCode)| {
        let account = flows.account(owner, AccountKind::Balance, Some(*group), *currency);
        let within = |code, side| account.within(&[code], side).amount;
        let (opened, taken_back) = opened_within(&account, Side::Credit);
        let mut sales = sold.iter().filter(|(seller, of, _)| *seller == owner && of == group);
        let sold = sales.next().map(|(_, _, sold)| *sold).unwrap_or_default();
        GroupFigures {
            group: PaymentGroupId(*group),
            currency: *currency,
            // A balance is on the credit side; people read the amount left to sell.
            opening: opened - account.opening(),
            assigned: within(TransferCode::Assignment, Side::Credit)
                + within(TransferCode::Given, Side::Credit)
                + taken_back,
            given: within(TransferCode::Given, Side::Debit),
            sold: within(TransferCode::Sale, Side::Debit),
            returned: within(TransferCode::SaleReturn, Side::Credit),
            closing: -account.closing(),
            count: sold.sold,
            canceled_count: sold.canceled,
            usd: sold.amount,
            returned_usd: sold.returned,
            manager_fee: sold.manager_fee,
            agency_fee: sold.agency_fee,
            agent_fee: sold.agent_fee,
        }
    };
    groups.get(&owner).into_iter().flatten().map(figures).collect()
}

/// The opening balance that an account begins the window with, and one of an earlier window that is taken back in it: 0 or
/// below.
pub(super) fn opened_within(account: &AccountFlows, side: Side) -> (Amount, Amount) {
    let opened = account.within(&[TransferCode::Opening], side).amount;
    if opened < Amount::ZERO {
        (Amount::ZERO, opened)
    } else {
        (opened, Amount::ZERO)
    }
}

/// Figures of a period that belong to no group, in USD.
struct Totals {
    period: PeriodTotals,
    debits_opening: Amount,
    debits_billed: Amount,
}

impl Totals {
    fn of(cut: &Cut, flows: &Flows) -> Self {
        let account = |kind| flows.account(cut.window.owner, kind, None, CurrencyCode::USD);
        let (debits, agency) = (account(AccountKind::Debits), account(AccountKind::AgencyReceivable));
        // Assignments on credit: an obligation to the manager has its own account, one to an agency is among its fees.
        const ASSIGNED: &[TransferCode] = &[TransferCode::Assignment, TransferCode::AssignmentValue];
        const GIVEN: &[TransferCode] = &[TransferCode::GivenOnCredit];
        const PAID: &[TransferCode] = &[TransferCode::ObligationPayment];
        const AGENCY_PAID: &[TransferCode] = &[TransferCode::AgencyDebitPayment];
        let opened = |pick: fn(&AccountFlows, &[TransferCode], Side) -> Amount| {
            pick(&debits, ASSIGNED, Side::Debit) + pick(&agency, GIVEN, Side::Debit)
        };
        let paid = |pick: fn(&AccountFlows, &[TransferCode], Side) -> Amount| {
            pick(&debits, PAID, Side::Credit) + pick(&agency, AGENCY_PAID, Side::Credit)
        };
        let accrued = |account: &AccountFlows, codes: &[TransferCode]| {
            account.through(codes, Side::Debit) - account.through(codes, Side::Credit)
        };
        let commission = accrued(
            &account(AccountKind::CommissionReceivable),
            &[TransferCode::Commission, TransferCode::CommissionReturn],
        );
        let agency_fee = accrued(&agency, &[TransferCode::AgencyFee, TransferCode::AgencyFeeReturn]);
        let [billed, agency_billed] = cut.billed_through;
        let billed_before: Amount = cut.billed_before.into_iter().sum();
        let (opened_before, opened_through) = (opened(AccountFlows::before), opened(AccountFlows::through));
        let (paid_before, paid_through) = (paid(AccountFlows::before), paid(AccountFlows::through));
        Self {
            period: PeriodTotals {
                commission_accrued: commission - billed,
                agency_fee_accrued: agency_fee - agency_billed,
                debits_opened: opened_through - opened_before,
                debits_paid: paid_through - paid_before,
                debits_outstanding: opened_through - paid_through + billed + agency_billed,
            },
            debits_opening: opened_before - paid_before + billed_before,
            debits_billed: billed + agency_billed - billed_before,
        }
    }
}
