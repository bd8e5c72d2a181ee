//! Currencies and payment groups.

use super::{
    super::table::{Table, flag, money, rate, text},
    commission,
};
use crate::{
    nomenclator::{currency::Currency, payment_group::PaymentGroup},
    print::Words,
};

/// Currencies.
pub const CURRENCIES: Table<Currency> = Table::new(
    Words::new("Monedas", "Currencies"),
    &[
        text("Código", "Code", |c, _| Some(c.code.0.to_string())),
        text("Símbolo", "Symbol", |c, _| Some(c.symbol.clone())),
        rate("Tasa de cambio", "Exchange rate", |c| Some(c.exchange_rate)),
        money("Costo de distribución", "Distribution rate", |c| {
            Some(c.distribution_rate)
        }),
        flag("Contabilizada", "Accounted", |c| c.accounted),
        flag("Habilitada", "Enabled", |c| c.enabled),
    ],
);

/// Payment groups.
pub const PAYMENT_GROUPS: Table<PaymentGroup> = Table {
    title: Words::new("Grupos de pago", "Payment groups"),
    columns: &[
        text("Nombre", "Name", |g, _| Some(g.name.clone())),
        text("Vende", "Sells", |g, _| Some(g.currency_from.0.to_string())),
        text("Paga", "Pays", |g, _| Some(g.currency_to.0.to_string())),
        rate("Tasa de cambio", "Exchange rate", |g| Some(g.exchange_rate)),
        rate("Comisión del gerente %", "Manager commission %", |g| {
            Some(g.manager_commission.rate)
        }),
        text("Comisión de la agencia", "Agency commission", |g, p| {
            Some(commission(&g.agency_commission, p))
        }),
        text("Comisión del agente", "Agent commission", |g, p| {
            Some(commission(&g.agent_commission, p))
        }),
        flag("Activo", "Active", |g| g.is_active),
    ],
    values: &[
        ("Type", "0", Words::new("Catálogo", "Catalogue")),
        ("Type", "1", Words::new("Condiciones propias", "Own terms")),
    ],
};
