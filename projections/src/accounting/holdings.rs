//! Holdings and obligations of agencies, external agents, dealers and delivery men, now or at any past moment.

use super::cash::CashFigures;
use crate::{
    error::ReadError,
    ledger::{AccountFlows, Flows, Side, Window, until},
    list::{self, BY_NAME, List, currency, filter, money, sum, text, time, unprinted, values},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Words, name, word, words},
    read_transaction::ReadTransaction,
    refs::{Ref, named},
    scalar::{AgentType, CurrencyCode, Money, UserType},
    scope::Scope,
    sql::Sql,
    table::{get, role_named},
};
use caudal_domain::{
    AccountKind, TransferCode as Code,
    money::{Amount, CurrencyCode as Currency},
    party::Role,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// Holding of a party in one payment group or, for dealers and delivery men, in one currency: balance = assigned +
/// handed back + transferred in + exchanged in − given − handed back to the dealer − transferred out − exchanged out −
/// spent − distribution fees − expenses − returned to the manager. All figures but the balance are totals since the
/// beginning, without reversed movements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holding {
    /// Catalogue payment group; null for cash.
    pub payment_group_id: Option<Uuid>,
    /// Name of the payment group, or the currency for cash.
    pub group_name: String,
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Prepaid balance or cash, in `currency`.
    pub balance: Money,
    /// Total received from the manager or agency, with the opening balance.
    pub assigned: Money,
    /// Total given by an agency to its agents, or by a dealer to its delivery men.
    pub given: Money,
    /// Payouts of remittances sold and not canceled; for cash, paid out to recipients.
    pub spent: Money,
    /// Cash that delivery men handed back to the dealer.
    pub handed_back: Money,
    /// Cash that the delivery man handed back to his dealer.
    pub handed_back_to_dealer: Money,
    /// Cash received from other field parties.
    pub transferred_in: Money,
    /// Cash given to other field parties.
    pub transferred_out: Money,
    /// Cash received for cash of another currency.
    pub exchanged_in: Money,
    /// Cash given for cash of another currency.
    pub exchanged_out: Money,
    /// Delivery fees earned, taken from the cash.
    pub distribution_fees: Money,
    /// Expenses of a dealer or delivery man.
    pub expenses: Money,
    /// Cash returned to the manager.
    pub returned_to_manager: Money,
}

impl Holding {
    fn none(group: Option<Uuid>, group_name: String, currency: Currency) -> Self {
        let none = Money::default();
        Self {
            payment_group_id: group,
            group_name,
            currency: currency.into(),
            balance: none,
            assigned: none,
            given: none,
            spent: none,
            handed_back: none,
            handed_back_to_dealer: none,
            transferred_in: none,
            transferred_out: none,
            exchanged_in: none,
            exchanged_out: none,
            distribution_fees: none,
            expenses: none,
            returned_to_manager: none,
        }
    }
}

/// Holdings and obligations of a party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyBalance {
    /// The party.
    pub party: Ref,
    /// Role of the party.
    pub user_type: Option<UserType>,
    /// Kind of an agent; null for other roles.
    pub agent_type: Option<AgentType>,
    /// Agency of an agent; null for an agent of the manager and for other roles.
    pub agency: Option<Ref>,
    /// Dealer of a delivery man; null for other roles.
    pub dealer: Option<Ref>,
    /// One element per payment group or, for cash, per currency.
    pub balances: Vec<Holding>,
    /// Outstanding debits owed to the manager, in USD.
    pub debits_outstanding: Money,
    /// Outstanding debits owed to the agency, in USD.
    pub agency_debits_outstanding: Money,
    /// The manager's commission accrued and not billed yet, in USD.
    pub commission_owed: Money,
    /// The agency's fees accrued and not billed yet, in USD.
    pub agency_fee_owed: Money,
    /// Time of the last change of its balances or obligations; null before the first.
    pub last_movement: Option<DateTime<Utc>>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

/// A line of the file: one holding. Obligations are on the party's first line only.
#[derive(Debug)]
pub struct HoldingLine {
    party: Arc<PartyBalance>,
    holding: Option<Holding>,
    is_first: bool,
}

/// A party's lines: one per payment group or currency.
#[must_use]
pub fn holding_lines(mut party: PartyBalance) -> Vec<HoldingLine> {
    let holdings = std::mem::take(&mut party.balances);
    let party = Arc::new(party);
    let holdings: Vec<_> = if holdings.is_empty() {
        vec![None]
    } else {
        holdings.into_iter().map(Some).collect()
    };
    let line = |(place, holding)| HoldingLine {
        party: Arc::clone(&party),
        holding,
        is_first: place == 0,
    };
    holdings.into_iter().enumerate().map(line).collect()
}

fn held(line: &HoldingLine, of: fn(&Holding) -> Money) -> Option<Money> {
    line.holding.as_ref().map(of)
}

fn owed(line: &HoldingLine, of: fn(&PartyBalance) -> Money) -> Option<Money> {
    Some(of(&line.party)).filter(|_| line.is_first)
}

/// List of parties' holdings and obligations. A party has a line per holding, and figures are computed for the page's
/// parties only: not sortable by them.
pub const PARTY_BALANCES: List<HoldingLine> = List {
    title: word::BALANCES,
    columns: &[
        text("name", word::USER, |l: &HoldingLine, p| name(Some(&l.party.party), p)).sort("p.search"),
        text("userType", word::TYPE, |l: &HoldingLine, p| {
            l.party.user_type.map(|kind| p.say(words::user(kind)).to_owned())
        })
        .sort("p.role"),
        text("agency", word::AGENCY, |l: &HoldingLine, p| {
            name(l.party.agency.as_ref(), p)
        })
        .sort("(SELECT a.search FROM parties AS a WHERE a.tenant = p.tenant AND a.id = p.agency)"),
        text("dealer", word::DEALER, |l: &HoldingLine, p| {
            name(l.party.dealer.as_ref(), p)
        })
        .sort("(SELECT d.search FROM parties AS d WHERE d.tenant = p.tenant AND d.id = p.dealer)"),
        text("groupName", Words::new("Grupo", "Group"), |l: &HoldingLine, _| {
            l.holding.as_ref().map(|holding| holding.group_name.clone())
        }),
        currency("currency", word::CURRENCY, |l: &HoldingLine| {
            l.holding.as_ref().map(|holding| holding.currency)
        }),
        sum(
            "assigned",
            Words::new("Asignado o recibido", "Assigned or received"),
            |l: &HoldingLine| held(l, |holding| holding.assigned),
        ),
        sum("handedBack", word::HANDED_BACK_BY_DELIVERY_MEN, |l: &HoldingLine| {
            held(l, |holding| holding.handed_back)
        }),
        sum("transferredIn", word::TRANSFERRED_IN, |l: &HoldingLine| {
            held(l, |holding| holding.transferred_in)
        }),
        sum(
            "exchangedIn",
            Words::new("Cambios recibidos", "Exchanged in"),
            |l: &HoldingLine| held(l, |holding| holding.exchanged_in),
        ),
        sum("given", word::GIVEN_TO_AGENTS_OR_DELIVERY_MEN, |l: &HoldingLine| {
            held(l, |holding| holding.given)
        }),
        sum(
            "handedBackToDealer",
            word::HANDED_BACK_TO_THE_DEALER,
            |l: &HoldingLine| held(l, |holding| holding.handed_back_to_dealer),
        ),
        sum(
            "transferredOut",
            Words::new("Transferencias entregadas", "Transferred out"),
            |l: &HoldingLine| held(l, |holding| holding.transferred_out),
        ),
        sum(
            "exchangedOut",
            Words::new("Cambios entregados", "Exchanged out"),
            |l: &HoldingLine| held(l, |holding| holding.exchanged_out),
        ),
        sum(
            "spent",
            Words::new("Vendido o entregado", "Sold or delivered"),
            |l: &HoldingLine| held(l, |holding| holding.spent),
        ),
        sum("distributionFees", word::DISTRIBUTION_FEES, |l: &HoldingLine| {
            held(l, |holding| holding.distribution_fees)
        }),
        sum("expenses", word::EXPENSES, |l: &HoldingLine| {
            held(l, |holding| holding.expenses)
        }),
        sum("returnedToManager", word::RETURNED_TO_THE_MANAGER, |l: &HoldingLine| {
            held(l, |holding| holding.returned_to_manager)
        }),
        sum("balance", word::BALANCE, |l: &HoldingLine| {
            held(l, |holding| holding.balance)
        }),
        money(
            "debitsOutstanding",
            Words::new("Deuda pendiente USD", "Debits outstanding USD"),
            |l: &HoldingLine| owed(l, |party| party.debits_outstanding),
        ),
        money(
            "agencyDebitsOutstanding",
            word::OWED_TO_THE_AGENCY_USD,
            |l: &HoldingLine| owed(l, |party| party.agency_debits_outstanding),
        ),
        money(
            "commissionOwed",
            Words::new("Comisión por pagar USD", "Commission owed USD"),
            |l: &HoldingLine| owed(l, |party| party.commission_owed),
        ),
        money("agencyFeeOwed", word::AGENCY_COMMISSION_USD, |l: &HoldingLine| {
            owed(l, |party| party.agency_fee_owed)
        }),
        time(
            "lastMovement",
            Words::new("Último movimiento", "Last movement"),
            |l: &HoldingLine| l.party.last_movement,
        ),
        unprinted("created").sort("p.created_at"),
    ],
    filters: &[
        filter::at("As of this moment; now where absent."),
        filter::at_position("As of the event at this position; now where absent."),
        filter::one_of(
            "userType",
            word::TYPE,
            "Agencies, external agents, dealers or delivery men.",
            values::USER_TYPE,
            &[
                ("2", "p.role = 'dealer'"),
                ("3", "p.role = 'external_agent'"),
                ("4", "p.role = 'agency'"),
                ("6", "p.role = 'delivery_man'"),
            ],
        ),
        filter::id("partyId", word::USER, "Of this party.", "p.id"),
        filter::any_id(
            "agencyId",
            word::AGENCY,
            "Of this agency and its agents.",
            &["p.id", "p.agency"],
        ),
        filter::any_id(
            "dealerId",
            word::DEALER,
            "Of this dealer and its delivery men.",
            &["p.id", "p.dealer"],
        ),
    ],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

const SELLERS: &[AccountKind] = &[
    AccountKind::Balance,
    AccountKind::Debits,
    AccountKind::CommissionReceivable,
    AccountKind::AgencyReceivable,
    AccountKind::FieldCash,
    AccountKind::DealerExpenses,
];

/// Balances of the parties in the caller's scope, now, at a moment (`at`) or after an event (`position`).
///
/// # Errors
/// An invalid moment or position; undeclared sorts, filters and pages.
pub async fn party_balances(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<PartyBalance>, ReadError> {
    let through = until(transaction, query).await?.unwrap_or(i64::MAX);
    let mut from = transaction.rows("parties", "p");
    let roles = [Role::Agency, Role::ExternalAgent, Role::Dealer, Role::DeliveryMan];
    let roles: Vec<String> = roles.iter().map(|role| role.as_str().to_owned()).collect();
    from.push(" AND p.role = ANY (").bind(roles).push(")");
    scope.and_party(&mut from, transaction.tenant(), &["p.id"]);
    let keys = PARTY_BALANCES.keys::<Uuid>(transaction, query, from, "p.id").await?;
    let flows = Flows::of(transaction, &Window::each(&keys.keys, 0, through), SELLERS).await?;
    let owed = billed_by_agencies(transaction, &keys.keys, through).await?;
    let last = last_movements(transaction, &keys.keys, through).await?;
    let groups = held_groups(transaction, &keys.keys).await?;
    let currencies = currencies(transaction).await?;
    let mut sql = transaction
        .rows("parties", "p")
        .after("SELECT p.id, p.name, p.role, p.agency, p.dealer");
    sql.push(" AND p.id = ANY (").bind(keys.keys.clone()).push(")");
    let found = transaction.fetch(&sql).await?;
    let above = found
        .iter()
        .map(|row| Ok([row.try_get("agency")?, row.try_get("dealer")?]));
    let above = above.collect::<Result<Vec<[Option<Uuid>; 2]>, sqlx::Error>>()?;
    let above: Vec<Uuid> = above.into_iter().flatten().flatten().collect();
    let above = named(transaction, above).await?;
    let mut rows = Vec::new();
    for row in &found {
        let party = Ref::named(row.try_get("id")?, row, "name")?;
        let role = role_named(row.try_get("role")?);
        let of = |column| {
            Ok::<_, sqlx::Error>(
                row.try_get::<Option<Uuid>, _>(column)?
                    .and_then(|id| above.get(&id).cloned()),
            )
        };
        let usd = |kind| flows.account(party.id, kind, None, Currency::USD);
        let agency = usd(AccountKind::AgencyReceivable);
        let agency_debits = given_on_credit(&agency) + owed.get(&party.id).copied().unwrap_or(Amount::ZERO);
        let balances = if role.is_some_and(Role::holds_cash) {
            cash(party.id, &flows, &currencies)
        } else {
            prepaid(party.id, &flows, groups.get(&party.id))
        };
        rows.push(PartyBalance {
            user_type: role.map(UserType::from),
            agent_type: role.and_then(AgentType::of),
            agency: of("agency")?,
            dealer: of("dealer")?,
            balances,
            debits_outstanding: Money(usd(AccountKind::Debits).closing()),
            agency_debits_outstanding: Money(agency_debits),
            commission_owed: Money(usd(AccountKind::CommissionReceivable).closing()),
            // The agency's receivable that is not billed yet.
            agency_fee_owed: Money(agency.closing() - agency_debits),
            last_movement: last.get(&party.id).copied(),
            actions: Vec::new(),
            party,
        });
    }
    Ok(keys.page(list::in_order(&keys.keys, rows, |row| row.party.id)))
}

fn given_on_credit(agency: &AccountFlows) -> Amount {
    agency.through(&[Code::GivenOnCredit], Side::Debit) - agency.through(&[Code::AgencyDebitPayment], Side::Credit)
}

/// Amounts billed by closures for agencies, per debtor. They have no postings, so the ledger alone does not show them.
async fn billed_by_agencies(
    transaction: &mut ReadTransaction,
    parties: &[Uuid],
    through: i64,
) -> Result<HashMap<Uuid, Amount>, ReadError> {
    let mut sql = transaction
        .rows("debits", "d")
        .after("SELECT d.debtor, sum(d.amount)::bigint AS billed");
    sql.push(" AND d.creditor IS NOT NULL AND d.origin = 'closure' AND d.position <= ")
        .bind(through);
    sql.push(" AND d.debtor = ANY (")
        .bind(parties.to_vec())
        .push(") GROUP BY d.debtor");
    let mut billed = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        billed.insert(row.try_get("debtor")?, get(&row, "billed")?);
    }
    Ok(billed)
}

/// Time of the last change of each party's accounts.
async fn last_movements(
    transaction: &mut ReadTransaction,
    parties: &[Uuid],
    through: i64,
) -> Result<HashMap<Uuid, DateTime<Utc>>, ReadError> {
    let mut sql = Sql::new(
        "SELECT a.owner, max(e.at) AS at FROM accounts AS a
           JOIN LATERAL (SELECT l.position FROM postings AS l
                          WHERE l.tenant = a.tenant AND l.account = a.number AND l.position <= ",
    );
    sql.bind(through).push(
        " ORDER BY l.position DESC, l.line DESC LIMIT 1) AS l ON true
           JOIN entries AS e ON e.tenant = a.tenant AND e.position = l.position
          WHERE a.tenant = ",
    );
    sql.bind(transaction.tenant());
    let kinds: Vec<String> = SELLERS.iter().map(|kind| kind.as_str().to_owned()).collect();
    sql.push(" AND a.kind = ANY (")
        .bind(kinds)
        .push(") AND a.owner = ANY (")
        .bind(parties.to_vec());
    sql.push(") GROUP BY a.owner");
    let mut last = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        last.insert(row.try_get("owner")?, row.try_get("at")?);
    }
    Ok(last)
}

type HeldGroups = HashMap<Uuid, BTreeSet<(Currency, String, Uuid)>>;

/// Payment groups in each party's terms, by currency and name.
async fn held_groups(transaction: &mut ReadTransaction, parties: &[Uuid]) -> Result<HeldGroups, ReadError> {
    let tables = "party_terms AS t JOIN payment_groups AS g ON g.tenant = t.tenant AND g.id = t.group_id";
    let mut sql = transaction
        .joined(tables, "t")
        .after("SELECT t.party, g.id, coalesce(t.name, g.name) AS name, g.currency");
    sql.push(" AND t.party = ANY (").bind(parties.to_vec()).push(")");
    let mut groups = HeldGroups::new();
    for row in transaction.fetch(&sql).await? {
        let group = (get(&row, "currency")?, row.try_get("name")?, row.try_get("id")?);
        groups.entry(row.try_get("party")?).or_default().insert(group);
    }
    Ok(groups)
}

/// Enabled currencies.
async fn currencies(transaction: &mut ReadTransaction) -> Result<BTreeSet<Currency>, ReadError> {
    let mut sql = transaction.rows("currencies", "c").after("SELECT c.code");
    sql.push(" AND NOT c.removed AND c.enabled");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.iter().map(|row| get(row, "code")).collect::<Result<_, _>>()?)
}

fn prepaid(owner: Uuid, flows: &Flows, groups: Option<&BTreeSet<(Currency, String, Uuid)>>) -> Vec<Holding> {
    let holding = |(currency, name, group): &(Currency, String, Uuid)| {
        let account = flows.account(owner, AccountKind::Balance, Some(*group), *currency);
        let sold = account.through(&[Code::Sale], Side::Debit) - account.through(&[Code::SaleReturn], Side::Credit);
        Holding {
            balance: Money(-account.closing()),
            assigned: Money(account.through(&[Code::Assignment, Code::Given, Code::Opening], Side::Credit)),
            given: Money(account.through(&[Code::Given], Side::Debit)),
            spent: Money(sold),
            ..Holding::none(Some(*group), name.clone(), *currency)
        }
    };
    groups.into_iter().flatten().map(holding).collect()
}

fn cash(owner: Uuid, flows: &Flows, currencies: &BTreeSet<Currency>) -> Vec<Holding> {
    let touched = flows
        .accounts(owner, AccountKind::FieldCash)
        .map(|(account, _)| account.currency);
    let currencies: BTreeSet<Currency> = currencies.iter().copied().chain(touched).collect();
    let holding = |currency: Currency| {
        // The window opens before the first event: what it opens with is an opening balance.
        let cash = CashFigures::of(&flows.account(owner, AccountKind::FieldCash, None, currency));
        Holding {
            balance: cash.closing,
            assigned: Money(cash.opening.0 + cash.received.0),
            given: cash.handed_to_delivery_men,
            spent: cash.delivered,
            handed_back: cash.handed_back,
            handed_back_to_dealer: cash.handed_back_to_dealer,
            transferred_in: cash.transferred_in,
            transferred_out: cash.transferred_out,
            exchanged_in: cash.exchanged_in,
            exchanged_out: cash.exchanged_out,
            distribution_fees: cash.distribution_fees,
            expenses: cash.expenses,
            returned_to_manager: cash.returned_to_manager,
            ..Holding::none(None, currency.to_string(), currency)
        }
    };
    currencies.into_iter().map(holding).collect()
}
