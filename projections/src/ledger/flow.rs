//! Flows: running totals of an account's transfers by code and side, from which figures of any period are computed.
//!
//! Every line of an entry belongs to one flow: an account's balance is the sum of its debit flows less that of its
//! credit flows, and the flow between two positions is the difference of two running totals. A reversal is subtracted
//! from the original transfer's side, at the time of the reversal.
//!
//! The total at a position is that at the end of the last [`BLOCK`] of positions before it, and the account's postings
//! since. A total at each posting would need an index of all postings by flow.

use crate::{
    batch::{Batch, RowCache},
    error::ReadError,
    read_transaction::ReadTransaction,
    rows::{FlowBlockRow, FlowRow},
    sql::Sql,
    table::get,
};
use caudal_domain::{
    AccountKind, TransferCode,
    ids::TenantId,
    money::{Amount, CurrencyCode},
};
use serde::Deserialize as _;
use serde::de::{IntoDeserializer as _, value};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Sub,
};
use uuid::Uuid;

/// Positions in a block. A reader sums the postings of an account in a part of a block, at most some hundred for a seller;
/// twice as many blocks would take 100 bytes more on disk for each remittance. Stored in the read models.
const BLOCK: i64 = 2048;

/// Number of the block of a position; saturates.
fn block(position: i64) -> i32 {
    i32::try_from(position / BLOCK).unwrap_or(i32::MAX)
}

/// Loads the flows of the loaded accounts, except those in `known`.
pub(super) async fn load(
    batch: &mut Batch,
    connection: &mut PgConnection,
    tenant: &TenantId,
    known: &BTreeSet<i32>,
) -> Result<(), sqlx::Error> {
    let accounts = batch.kept.accounts.iter().map(|account| account.number);
    let accounts: Vec<i32> = accounts.filter(|number| !known.contains(number)).collect();
    batch.kept.flows.load(&mut *connection, tenant, accounts).await?;
    if batch.kept.flow_count.is_some() {
        return Ok(());
    }
    let last = sqlx::query("SELECT coalesce(max(number), 0) AS last FROM flows WHERE tenant = $1")
        .bind(tenant.as_str())
        .fetch_one(connection)
        .await?;
    batch.kept.flow_count = last.try_get("last")?;
    Ok(())
}

/// One side of a transfer.
pub(super) struct Adds {
    pub(super) position: i64,
    pub(super) account: i32,
    pub(super) code: String,
    /// Whether the account was debited by the original transfer.
    pub(super) debited: bool,
    pub(super) amount: Amount,
    pub(super) reversal: bool,
}

impl Adds {
    /// Adds it to its flow, and keeps the flow's figures at the end of the block that it leaves. Returns the flow's number;
    /// `None` on overflow of 64 bits.
    pub(super) fn to(self, kept: &mut RowCache, blocks: &mut Vec<FlowBlockRow>) -> Option<i32> {
        let count = kept.flow_count.get_or_insert(0);
        let now = block(self.position);
        let key = (self.account, self.code, self.debited);
        let flow = kept.flows.get_or_put(key, |(account, code, debited)| {
            *count += 1;
            FlowRow {
                account: *account,
                code: code.clone(),
                debited: *debited,
                number: *count,
                total: Amount::ZERO,
                times: 0,
                block: now,
            }
        });
        if flow.block != now {
            blocks.push(FlowBlockRow {
                total: flow.total,
                times: flow.times,
                flow: flow.number,
                block: flow.block,
            });
            flow.block = now;
        }
        if self.reversal {
            flow.total = flow.total.minus(self.amount)?;
            flow.times -= 1;
        } else {
            flow.total = flow.total.plus(self.amount)?;
            flow.times += 1;
        }
        Some(flow.number)
    }
}

/// A party's period as positions: after `after`, through `through`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) owner: Uuid,
    pub(crate) after: i64,
    pub(crate) through: i64,
}

impl Window {
    /// The same period for several parties.
    pub(crate) fn each(owners: &[Uuid], after: i64, through: i64) -> Vec<Self> {
        let window = |owner: &Uuid| Self {
            owner: *owner,
            after,
            through,
        };
        owners.iter().map(window).collect()
    }

    /// Adds the windows as a table `w (owner, after, through)`.
    pub(crate) fn push(windows: &[Self], sql: &mut Sql) {
        let of = |pick: fn(&Self) -> i64| windows.iter().map(pick).collect::<Vec<_>>();
        sql.push("unnest(")
            .bind(windows.iter().map(|window| window.owner).collect::<Vec<_>>());
        sql.push("::uuid[], ").bind(of(|window| window.after));
        sql.push("::bigint[], ").bind(of(|window| window.through));
        sql.push("::bigint[]) AS w (owner, after, through)");
    }
}

/// Total amount and number of transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) amount: Amount,
    pub(crate) times: i64,
}

impl Sub for Sum {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            amount: self.amount - other.amount,
            times: self.times - other.times,
        }
    }
}

/// One flow at both ends of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Flow {
    code: TransferCode,
    debited: bool,
    /// Before the window.
    before: Sum,
    /// Through the window's end.
    through: Sum,
}

/// Side of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Debit,
    Credit,
}

/// Flows of one account, at both ends of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AccountFlows(Vec<Flow>);

impl AccountFlows {
    fn sum(&self, codes: &[TransferCode], side: Side, pick: impl Fn(&Flow) -> Sum) -> Sum {
        let flows = self
            .0
            .iter()
            .filter(|flow| flow.debited == (side == Side::Debit) && codes.contains(&flow.code));
        flows.map(pick).fold(Sum::default(), |sum, flow| Sum {
            amount: sum.amount + flow.amount,
            times: sum.times + flow.times,
        })
    }

    fn balance(&self, pick: impl Fn(&Flow) -> Sum) -> Amount {
        let signed = |flow: &Flow| {
            let amount = pick(flow).amount;
            if flow.debited { amount } else { -amount }
        };
        self.0.iter().map(signed).sum()
    }

    /// Flow within the window for these codes on one side.
    pub(crate) fn within(&self, codes: &[TransferCode], side: Side) -> Sum {
        self.sum(codes, side, |flow| flow.through - flow.before)
    }

    /// Flow before the window.
    pub(crate) fn before(&self, codes: &[TransferCode], side: Side) -> Amount {
        self.sum(codes, side, |flow| flow.before).amount
    }

    /// Flow through the window's end.
    pub(crate) fn through(&self, codes: &[TransferCode], side: Side) -> Amount {
        self.sum(codes, side, |flow| flow.through).amount
    }

    /// Balance at the window's beginning: debits less credits.
    pub(crate) fn opening(&self) -> Amount {
        self.balance(|flow| flow.before)
    }

    /// Balance at the window's end: debits less credits.
    pub(crate) fn closing(&self) -> Amount {
        self.balance(|flow| flow.through)
    }
}

/// An account of a window's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OwnedAccount {
    pub(crate) owner: Uuid,
    pub(crate) kind: AccountKind,
    pub(crate) group: Option<Uuid>,
    pub(crate) currency: CurrencyCode,
}

/// Flows of the accounts of some parties.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flows(BTreeMap<OwnedAccount, AccountFlows>);

impl Flows {
    /// Flows of the windows' owners, on accounts of these kinds with postings by the windows' ends.
    pub(crate) async fn of(
        transaction: &mut ReadTransaction,
        windows: &[Window],
        kinds: &[AccountKind],
    ) -> Result<Self, ReadError> {
        let (before, through) = (End::new("before", "w.after"), End::new("through", "w.through"));
        let mut sql = Sql::new(
            "SELECT w.owner, a.kind, a.group_id, a.currency, f.code, f.debited, f.total_before, f.times_before,
                    f.total_through, f.times_through
               FROM ",
        );
        Window::push(windows, &mut sql);
        sql.push(" JOIN accounts AS a ON a.tenant = ")
            .bind(transaction.tenant());
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
        sql.push(" AND a.owner = w.owner AND a.kind = ANY (").bind(kinds);
        sql.push(&format!(
            ") CROSS JOIN LATERAL (
                WITH {}, {}
                SELECT f.code, f.debited, {}, {} FROM flows AS f {} {}
                 WHERE f.tenant = a.tenant AND f.account = a.number AND {}) AS f",
            before.postings(),
            through.postings(),
            before.figures(),
            through.figures(),
            before.joins(),
            through.joins(),
            through.has_any(),
        ));
        let mut flows = Self::default();
        for row in transaction.fetch(&sql).await? {
            let (account, flow) = read(&row)?;
            flows.0.entry(account).or_default().0.push(flow);
        }
        Ok(flows)
    }

    /// Flows of one account; empty for an account without postings.
    pub(crate) fn account(
        &self,
        owner: Uuid,
        kind: AccountKind,
        group: Option<Uuid>,
        currency: CurrencyCode,
    ) -> AccountFlows {
        let account = OwnedAccount {
            owner,
            kind,
            group,
            currency,
        };
        self.0.get(&account).cloned().unwrap_or_default()
    }

    /// Accounts of an owner of one kind, in order.
    pub(crate) fn accounts(
        &self,
        owner: Uuid,
        kind: AccountKind,
    ) -> impl Iterator<Item = (&OwnedAccount, &AccountFlows)> {
        let of = move |account: &OwnedAccount| account.owner == owner && account.kind == kind;
        self.0.iter().filter(move |(account, _)| of(account))
    }
}

/// SQL for the figures of the flows `f` of an account `a` at one end of a window.
struct End {
    name: &'static str,
    /// Expression of the position.
    position: &'static str,
}

impl End {
    const fn new(name: &'static str, position: &'static str) -> Self {
        Self { name, position }
    }

    /// The block of the position.
    fn block(&self) -> String {
        format!("({} / {BLOCK})", self.position)
    }

    /// The account's postings in that block, through the position, by flow. Read once for all flows of the account.
    fn postings(&self) -> String {
        let Self { name, position } = self;
        format!(
            "{name} AS MATERIALIZED (
                SELECT l.flow, sum(l.amount * (1 - 2 * (l.line % 2)))::bigint AS amount,
                       sum(1 - 2 * (l.line % 2))::bigint AS times
                  FROM postings AS l
                 WHERE l.tenant = a.tenant AND l.account = a.number
                   AND l.position >= {block} * {BLOCK} AND l.position <= {position}
                 GROUP BY l.flow)",
            block = self.block()
        )
    }

    /// Joins these, and the end of the last block before.
    fn joins(&self) -> String {
        let Self { name, .. } = self;
        let block = self.block();
        format!(
            "LEFT JOIN {name} ON {name}.flow = f.number
             LEFT JOIN LATERAL (
                SELECT k.total, k.times FROM flow_blocks AS k
                 WHERE k.tenant = f.tenant AND k.flow = f.number AND k.block < {block} AND f.block >= {block}
                 ORDER BY k.block DESC LIMIT 1) AS {name}_block ON true"
        )
    }

    /// Total and count. The flow's own are those of its last posting.
    fn figures(&self) -> String {
        let Self { name, .. } = self;
        let block = self.block();
        let figure = |figure: &str, since: &str| {
            format!(
                "CASE WHEN f.block < {block} THEN f.{figure}
                      ELSE coalesce({name}_block.{figure}, 0)
                           + coalesce(CASE WHEN f.debited THEN {name}.{since} ELSE -{name}.{since} END, 0)
                  END AS {figure}_{name}"
            )
        };
        format!("{}, {}", figure("total", "amount"), figure("times", "times"))
    }

    /// Whether the flow has a posting through the position.
    fn has_any(&self) -> String {
        let Self { name, .. } = self;
        format!(
            "(f.block < {} OR {name}_block.times IS NOT NULL OR {name}.flow IS NOT NULL)",
            self.block()
        )
    }
}

fn read(row: &PgRow) -> Result<(OwnedAccount, Flow), sqlx::Error> {
    let unknown = |name: &str| sqlx::Error::Decode(format!("unknown name: {name}").into());
    let kind: &str = row.try_get("kind")?;
    let code: &str = row.try_get("code")?;
    let named: value::StrDeserializer<'_, value::Error> = code.into_deserializer();
    let account = OwnedAccount {
        owner: row.try_get("owner")?,
        kind: kind.parse().map_err(|_| unknown(kind))?,
        group: row.try_get("group_id")?,
        currency: get(row, "currency")?,
    };
    let sum = |end: &str| {
        Ok::<_, sqlx::Error>(Sum {
            amount: get(row, &format!("total_{end}"))?,
            times: row.try_get(&*format!("times_{end}"))?,
        })
    };
    let flow = Flow {
        code: TransferCode::deserialize(named).map_err(|_| unknown(code))?,
        debited: row.try_get("debited")?,
        before: sum("before")?,
        through: sum("through")?,
    };
    Ok((account, flow))
}
