//! Flows: running totals of an account's transfers by code and side, from which figures of any period are computed.
//!
//! Every line of an entry belongs to one flow: an account's balance is the sum of its debit flows less that of its
//! credit flows, and the flow between two positions is the difference of two running totals. A reversal is subtracted
//! from the original transfer's side, at the time of the reversal.

use crate::{batch::Batch, error::ReadError, rows::FlowRow, snapshot::Snapshot, sql::Sql, table::get};
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

/// Adds one side of a transfer to its flow; `None` on overflow of 64 bits. `debited` is the side of the original
/// transfer.
pub(super) fn add(
    batch: &mut Batch,
    account: i32,
    code: &str,
    debited: bool,
    amount: Amount,
    reversal: bool,
) -> Option<FlowRow> {
    let count = batch.kept.flow_count.get_or_insert(0);
    let key = (account, code.to_owned(), debited);
    let flow = batch.kept.flows.get_or_put(key, |(account, code, debited)| {
        *count += 1;
        FlowRow {
            account: *account,
            code: code.clone(),
            debited: *debited,
            number: *count,
            total: Amount::ZERO,
            times: 0,
        }
    });
    if reversal {
        flow.total = flow.total.minus(amount)?;
        flow.times -= 1;
    } else {
        flow.total = flow.total.plus(amount)?;
        flow.times += 1;
    }
    Some(flow.clone())
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
        snapshot: &mut Snapshot,
        windows: &[Window],
        kinds: &[AccountKind],
    ) -> Result<Self, ReadError> {
        let mut sql = Sql::new(
            "SELECT w.owner, a.kind, a.group_id, a.currency, f.code, f.debited,
                    coalesce(b.flow_total, 0) AS total_before, coalesce(b.flow_times, 0) AS times_before,
                    t.flow_total AS total_through, t.flow_times AS times_through
               FROM ",
        );
        Window::push(windows, &mut sql);
        sql.push(" JOIN accounts AS a ON a.tenant = ").bind(snapshot.tenant());
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
        sql.push(" AND a.owner = w.owner AND a.kind = ANY (").bind(kinds);
        sql.push(") JOIN flows AS f ON f.tenant = a.tenant AND f.account = a.number");
        for (join, alias, bound) in [("JOIN", "t", "w.through"), ("LEFT JOIN", "b", "w.after")] {
            sql.push(&format!(
                " {join} LATERAL (SELECT l.flow_total, l.flow_times FROM entry_lines AS l
                                   WHERE l.tenant = a.tenant AND l.flow = f.number AND l.position <= {bound}
                                   ORDER BY l.position DESC, l.line DESC LIMIT 1) AS {alias} ON true"
            ));
        }
        let mut flows = Self::default();
        for row in snapshot.fetch(&sql).await? {
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
