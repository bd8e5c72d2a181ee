//! What there is with each party, and figures of periods: sales, dealers' cash, closures before they are made.

use super::{
    super::table::{Column, Table, count, currency, flag, money, rate, sum, text, time},
    name,
};
use crate::{
    accounting::{
        CashFigures, ClosurePreview, DealerClosing, DealerSales, Deliveries, Holding, PartyBalance, RealBalance,
        RealBalances, SalesPage, SellerRemittances, SellerSales,
    },
    print::{Paged, Words, words},
    refs::Ref,
    scalar::{CurrencyCode, Money, UserType},
};
use caudal_export::Cell;
use std::sync::Arc;

impl Paged for SalesPage {
    type Row = SellerSales;

    fn into_rows(self) -> Vec<SellerSales> {
        self.page.data
    }
}

impl Paged for RealBalances {
    type Row = RealBalance;

    fn into_rows(self) -> Vec<RealBalance> {
        self.page.data
    }
}

/// One of the things that a party has; what it owes stands on its first line alone.
#[derive(Debug)]
pub struct HoldingLine {
    party: Arc<PartyBalance>,
    holding: Option<Holding>,
    is_first: bool,
}

/// A party's lines: one a group or currency.
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

/// What parties have and owe.
pub const PARTY_BALANCES: Table<HoldingLine> = Table::new(
    Words::new("Saldos", "Balances"),
    &[
        text("Usuario", "User", |l, p| name(Some(&l.party.party), p)),
        text("Tipo", "Type", |l, p| {
            l.party.user_type.map(|kind| p.say(words::user(kind)).to_owned())
        }),
        text("Agencia", "Agency", |l, p| name(l.party.agency.as_ref(), p)),
        text("Distribuidor", "Dealer", |l, p| name(l.party.dealer.as_ref(), p)),
        text("Grupo", "Group", |l, _| {
            l.holding.as_ref().map(|holding| holding.group_name.clone())
        }),
        currency("Moneda", "Currency", |l| {
            l.holding.as_ref().map(|holding| holding.currency)
        }),
        sum("Asignado o recibido", "Assigned or received", |l| {
            held(l, |holding| holding.assigned)
        }),
        sum("Devuelto por repartidores", "Handed back by delivery men", |l| {
            held(l, |holding| holding.handed_back)
        }),
        sum("Transferencias recibidas", "Transferred in", |l| {
            held(l, |holding| holding.transferred_in)
        }),
        sum("Cambios recibidos", "Exchanged in", |l| {
            held(l, |holding| holding.exchanged_in)
        }),
        sum(
            "Cedido a agentes o repartidores",
            "Given to agents or delivery men",
            |l| held(l, |holding| holding.given),
        ),
        sum("Devuelto al distribuidor", "Handed back to the dealer", |l| {
            held(l, |holding| holding.handed_back_to_dealer)
        }),
        sum("Transferencias entregadas", "Transferred out", |l| {
            held(l, |holding| holding.transferred_out)
        }),
        sum("Cambios entregados", "Exchanged out", |l| {
            held(l, |holding| holding.exchanged_out)
        }),
        sum("Vendido o entregado", "Sold or delivered", |l| {
            held(l, |holding| holding.spent)
        }),
        sum("Costos de distribución", "Distribution fees", |l| {
            held(l, |holding| holding.distribution_fees)
        }),
        sum("Gastos", "Expenses", |l| held(l, |holding| holding.expenses)),
        sum("Devuelto a la caja", "Returned to the manager", |l| {
            held(l, |holding| holding.returned_to_manager)
        }),
        sum("Saldo", "Balance", |l| held(l, |holding| holding.balance)),
        money("Deuda pendiente USD", "Debits outstanding USD", |l| {
            owed(l, |party| party.debits_outstanding)
        }),
        money("Deuda con la agencia USD", "Owed to the agency USD", |l| {
            owed(l, |party| party.agency_debits_outstanding)
        }),
        money("Comisión por pagar USD", "Commission owed USD", |l| {
            owed(l, |party| party.commission_owed)
        }),
        money("Comisión de la agencia USD", "Agency's commission USD", |l| {
            owed(l, |party| party.agency_fee_owed)
        }),
        time("Último movimiento", "Last movement", |l| l.party.last_movement),
    ],
);

/// What would be left if everything owed were paid.
pub const REAL_BALANCES: Table<RealBalance> = Table::new(
    Words::new("Saldos reales", "Real balances"),
    &[
        text("Moneda", "Currency", |b, _| Some(b.currency.0.to_string())),
        money("Caja", "Treasury", |b| Some(b.treasury)),
        money("Efectivo en la calle", "Field cash", |b| Some(b.field_cash)),
        money("Pendientes", "Pending", |b| Some(b.pending)),
        money("En distribución", "Shipping", |b| Some(b.shipping)),
        money("En error", "In error", |b| Some(b.error)),
        money("Saldos prepagados", "Prepaid balances", |b| Some(b.prepaid)),
        money("Deudas", "Debits", |b| Some(b.debits)),
        money("Saldo real", "Real balance", |b| Some(b.real)),
        flag("Contabilizada", "Accounted", |b| b.accounted),
        rate("Tasa de cambio", "Exchange rate", |b| Some(b.exchange_rate)),
        sum("Equivalente USD", "Equivalent USD", |b| b.usd),
    ],
);

/// What sellers sold in a period.
pub const SALES: Table<SellerSales> = Table::new(
    Words::new("Ventas", "Sales"),
    &[
        text("Vendedor", "Seller", |s, p| name(Some(&s.seller), p)),
        text("Agencia", "Agency", |s, p| name(s.agency.as_ref(), p)),
        count("Remesas", "Remittances", |s| s.sales.remittances),
        sum("Enviado USD", "Sent USD", |s| Some(s.sales.amount)),
        sum("A entregar", "Payout", |s| Some(s.sales.payout)),
        currency("Moneda", "Currency", |s| Some(s.sales.currency)),
        sum("Comisión del gerente USD", "Manager fee USD", |s| {
            Some(s.sales.manager_fee)
        }),
        sum("Comisión de la agencia USD", "Agency fee USD", |s| {
            Some(s.sales.agency_fee)
        }),
        sum("Comisión del agente USD", "Agent fee USD", |s| Some(s.sales.agent_fee)),
        sum("Comisiones USD", "Fees USD", |s| Some(s.sales.total_fee)),
        sum("Margen USD", "Margin USD", |s| Some(s.sales.margin)),
    ],
);

/// What sellers sold in a period, and have.
pub const SELLER_REMITTANCES: Table<SellerRemittances> = Table::new(
    Words::new("Remesas por vendedor", "Remittances by seller"),
    &[
        text("Vendedor", "Seller", |s, _| Some(s.name.clone())),
        count("Remesas", "Remittances", |s| s.total_remittance),
        sum("Enviado USD", "Sent USD", |s| Some(s.amount)),
        text("Saldos", "Balances", |s, p| {
            let balance = s.balance.iter();
            let balance = balance.map(|held| {
                let amount = p.shown(&Cell::Money(held.amount.0.minor()));
                format!("{amount} {}", held.currency.0)
            });
            Some(balance.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
        }),
    ],
);

/// Who carried cash, of one currency, in a period.
#[derive(Debug)]
pub struct CashLine {
    dealer: Arc<Ref>,
    party: Ref,
    user_type: UserType,
    currency: CurrencyCode,
    cash: CashFigures,
    /// The team's, on the dealer's own line.
    team: Option<(Money, Money)>,
}

/// A dealer's lines: one a party and currency. What is the team's stands on the dealer's own line, so that sums count
/// it once.
#[must_use]
pub fn cash_lines(closing: DealerClosing) -> Vec<CashLine> {
    let dealer = Arc::new(closing.dealer);
    let mut teams = closing.currencies;
    let mut lines = Vec::new();
    for party in closing.parties {
        let is_dealer = party.party.id == dealer.id;
        for cash in party.currencies {
            let team = teams
                .iter()
                .position(|team| is_dealer && team.currency == cash.currency)
                .map(|place| teams.remove(place));
            lines.push(CashLine {
                dealer: Arc::clone(&dealer),
                party: party.party.clone(),
                user_type: party.user_type,
                currency: cash.currency,
                cash: cash.cash,
                team: team.map(|team| (team.shipping, team.credit)),
            });
        }
    }
    // Currencies that the dealer has nothing of itself.
    lines.extend(teams.into_iter().map(|team| CashLine {
        dealer: Arc::clone(&dealer),
        party: (*dealer).clone(),
        user_type: UserType::Dealer,
        currency: team.currency,
        cash: CashFigures::default(),
        team: Some((team.shipping, team.credit)),
    }));
    lines
}

const CASH_COLUMNS: &[Column<CashLine>] = &[
    text("Distribuidor", "Dealer", |l, p| name(Some(&l.dealer), p)),
    text("Usuario", "User", |l, p| name(Some(&l.party), p)),
    text("Tipo", "Type", |l, p| Some(p.say(words::user(l.user_type)).to_owned())),
    currency("Moneda", "Currency", |l| Some(l.currency)),
    sum("Apertura", "Opening", |l| Some(l.cash.opening)),
    sum("Recibido", "Received", |l| Some(l.cash.received)),
    sum("Devuelto por repartidores", "Handed back by delivery men", |l| {
        Some(l.cash.handed_back)
    }),
    sum("Transferencias recibidas", "Transferred in", |l| {
        Some(l.cash.transferred_in)
    }),
    sum("Cambios recibidos", "Exchanged in", |l| Some(l.cash.exchanged_in)),
    sum("Transferencias entregadas", "Transferred out", |l| {
        Some(l.cash.transferred_out)
    }),
    sum("Cambios entregados", "Exchanged out", |l| Some(l.cash.exchanged_out)),
    sum("A repartidores", "To delivery men", |l| {
        Some(l.cash.handed_to_delivery_men)
    }),
    sum("Devuelto al distribuidor", "Handed back to the dealer", |l| {
        Some(l.cash.handed_back_to_dealer)
    }),
    sum("Entregado", "Delivered", |l| Some(l.cash.delivered)),
    count("Entregas", "Deliveries", |l| l.cash.deliveries),
    sum("Costos de distribución", "Distribution fees", |l| {
        Some(l.cash.distribution_fees)
    }),
    sum("Gastos", "Expenses", |l| Some(l.cash.expenses)),
    sum("Devuelto a la caja", "Returned to the manager", |l| {
        Some(l.cash.returned_to_manager)
    }),
    sum("Cierre", "Closing", |l| Some(l.cash.closing)),
    sum("En distribución", "Shipping", |l| l.team.map(|(shipping, _)| shipping)),
    sum("Crédito", "Credit", |l| l.team.map(|(_, credit)| credit)),
];

/// Dealers' cash of a period.
pub const DEALER_CLOSINGS: Table<CashLine> =
    Table::new(Words::new("Cierres de distribuidores", "Dealer closings"), CASH_COLUMNS);

/// Dealers' cash of a day.
pub const DAILY_CREDIT: Table<CashLine> = Table::new(Words::new("Crédito diario", "Daily credit"), CASH_COLUMNS);

/// Who delivered, of one currency, in a period.
#[derive(Debug)]
pub struct DeliveryLine {
    dealer: Arc<Ref>,
    party: Ref,
    user_type: UserType,
    deliveries: Deliveries,
}

/// A dealer's lines: one a party and currency.
#[must_use]
pub fn delivery_lines(sales: DealerSales) -> Vec<DeliveryLine> {
    let dealer = Arc::new(sales.dealer);
    let mut lines = Vec::new();
    for party in sales.parties {
        lines.extend(party.currencies.into_iter().map(|deliveries| DeliveryLine {
            dealer: Arc::clone(&dealer),
            party: party.party.clone(),
            user_type: party.user_type,
            deliveries,
        }));
    }
    lines
}

/// What dealers delivered in a period.
pub const DEALER_SALES: Table<DeliveryLine> = Table::new(
    Words::new("Ventas de distribuidores", "Dealer sales"),
    &[
        text("Distribuidor", "Dealer", |l, p| name(Some(&l.dealer), p)),
        text("Usuario", "User", |l, p| name(Some(&l.party), p)),
        text("Tipo", "Type", |l, p| Some(p.say(words::user(l.user_type)).to_owned())),
        count("Entregas", "Deliveries", |l| l.deliveries.deliveries),
        sum("Entregado", "Delivered", |l| Some(l.deliveries.delivered)),
        sum("Costos de distribución", "Distribution fees", |l| {
            Some(l.deliveries.distribution_fees)
        }),
        currency("Moneda", "Currency", |l| Some(l.deliveries.currency)),
    ],
);

/// What closures would say, as far as it is in USD.
pub const CLOSURE_PREVIEWS: Table<ClosurePreview> = Table::new(
    Words::new("Cierres previstos", "Closures before they are made"),
    &[
        text("Vendedor", "Seller", |c, p| name(Some(&c.party), p)),
        time("Desde", "From", |c| c.from),
        time("Hasta", "To", |c| Some(c.to)),
        count("Remesas", "Remittances", |c| c.figures.remittances),
        sum("Enviado USD", "Sent USD", |c| Some(c.figures.amount)),
        sum("Comisión del gerente USD", "Manager commission USD", |c| {
            Some(c.figures.manager_commission)
        }),
        sum("Comisión de la agencia USD", "Agency commission USD", |c| {
            Some(c.figures.agency_commission)
        }),
        sum("Comisión del agente USD", "Agent commission USD", |c| {
            Some(c.figures.agent_commission)
        }),
        sum("Comisión acumulada USD", "Commission accrued USD", |c| {
            Some(c.figures.commission_accrued)
        }),
        sum("Deudas al principio USD", "Debits at the beginning USD", |c| {
            Some(c.debits_opening)
        }),
        sum("Deudas abiertas USD", "Debits opened USD", |c| {
            Some(c.figures.debits_opened)
        }),
        sum("Facturado USD", "Billed USD", |c| Some(c.debits_billed)),
        sum("Deudas pagadas USD", "Debits paid USD", |c| Some(c.figures.debits_paid)),
        sum("Deuda pendiente USD", "Debits outstanding USD", |c| {
            Some(c.figures.debits_outstanding)
        }),
        sum(
            "Comisión de la agencia por facturar USD",
            "Agency's commission to bill USD",
            |c| Some(c.agency_fee_accrued),
        ),
    ],
);
