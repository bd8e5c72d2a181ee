//! Dealers' cash over a period: dealer closing, daily credit, and deliveries.
//!
//! | File | Content |
//! |---|---|
//! | [`figures`] | the cash flow of one party in one currency |
//! | [`closing`] | dealer closing and daily credit: the cash of dealers and their delivery men |
//! | [`deliveries`] | their deliveries, with the fees earned |

mod closing;
mod deliveries;
mod figures;

pub use closing::{
    CashLine, CurrencyCash, DAILY_CREDIT, DEALER_CLOSINGS, DealerCash, DealerClosing, PartyCash, cash_lines,
    daily_credit, dealer_closing,
};
pub use deliveries::{
    DEALER_SALES, DealerSales, Deliveries, DeliveryLine, PartyDeliveries, dealer_sales, delivery_lines,
};
pub use figures::CashFigures;

use super::period::{PERIOD, Period};
use crate::{
    error::ReadError,
    ledger::{Flows, Window},
    list::{self, Filter, Keys, List, filter},
    page::ListQuery,
    print::word,
    read_transaction::ReadTransaction,
    refs::Ref,
    scope::Scope,
    sql::Sql,
};
use caudal_domain::{AccountKind, party::Role};
use sqlx::Row as _;
use uuid::Uuid;

const PERIODS: &[Filter] = &[PERIOD[0], PERIOD[1], PERIOD[2], DEALER];
const DEALER: Filter = filter::id("dealerId", word::DEALER, "This dealer alone.", "p.id");

/// Dealers in the caller's scope.
async fn dealers<L>(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    list: &List<L>,
    query: &ListQuery,
) -> Result<Keys<Uuid>, ReadError> {
    let mut from = transaction.rows("parties", "p");
    from.push(" AND p.role = ").bind(Role::Dealer.as_str());
    scope.and_party(&mut from, transaction.tenant(), &["p.id"]);
    list.keys(transaction, query, from, "p.id").await
}

async fn flows(
    transaction: &mut ReadTransaction,
    teams: &[Team],
    period: Period,
    kinds: &[AccountKind],
) -> Result<Flows, ReadError> {
    let (after, through) = period.positions(transaction).await?;
    let members = teams.iter().flat_map(|team| &team.members);
    let members: Vec<Uuid> = members.map(|member| member.party.id).collect();
    Flows::of(transaction, &Window::each(&members, after, through.max(after)), kinds).await
}

/// A dealer and its delivery men.
struct Team {
    dealer: Ref,
    members: Vec<Member>,
}

struct Member {
    party: Ref,
    role: Role,
}

impl Team {
    /// Teams of dealers, in their order; the dealer first, then the delivery men by name.
    async fn of(transaction: &mut ReadTransaction, dealers: &[Uuid]) -> Result<Vec<Self>, ReadError> {
        let mut sql: Sql = transaction
            .rows("parties", "p")
            .after("SELECT p.id, p.name, p.dealer, coalesce(p.dealer, p.id) AS team");
        sql.push(" AND (p.id = ANY (").bind(dealers.to_vec());
        sql.push(") OR p.dealer = ANY (").bind(dealers.to_vec());
        sql.push(")) ORDER BY p.dealer IS NOT NULL, p.search, p.id");
        let mut teams: Vec<Self> = Vec::new();
        for row in transaction.fetch(&sql).await? {
            let party = Ref::named(row.try_get("id")?, &row, "name")?;
            let team: Uuid = row.try_get("team")?;
            if party.id == team {
                teams.push(Self {
                    dealer: party.clone(),
                    members: Vec::new(),
                });
            }
            let role = if party.id == team {
                Role::Dealer
            } else {
                Role::DeliveryMan
            };
            if let Some(of) = teams.iter_mut().find(|of| of.dealer.id == team) {
                of.members.push(Member { party, role });
            }
        }
        Ok(list::in_order(dealers, teams, |team| team.dealer.id))
    }
}
