//! Printed labels in both languages, equal to the interface's.

use crate::{
    debit::{DebitSource, DebitStatus},
    remittance::{AttemptReason, DeliveryMethod, DisputeStatus, RemittanceChange},
    scalar::{AgentType, DealerType, RangeSelector, RemittanceStatus, UserType},
};
use caudal_domain::{AccountKind, customer::card::Brand, remittance::AttemptReason as Reason};
use caudal_export::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    es: &'static str,
    en: &'static str,
}

impl Words {
    #[must_use]
    pub const fn new(es: &'static str, en: &'static str) -> Self {
        Self { es, en }
    }

    #[must_use]
    pub const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::Spanish => self.es,
            Language::English => self.en,
        }
    }
}

/// Before a currency.
pub(crate) const TOTAL: Words = Words::new("Total", "Total");
/// Replaces an erased name.
pub(crate) const ERASED: Words = Words::new("(borrado)", "(erased)");
/// The tenant's side of a movement.
pub(crate) const TREASURY: Words = Words::new("Caja", "Treasury");

/// Label of a status; for some it depends on the delivery method.
pub(crate) const fn status(status: RemittanceStatus, method: Option<DeliveryMethod>) -> Words {
    match (status, method) {
        (RemittanceStatus::Pending, _) => Words::new("Pendiente", "Pending"),
        (RemittanceStatus::Canceled, _) => Words::new("Cancelada", "Canceled"),
        (RemittanceStatus::Shipping, Some(DeliveryMethod::Card)) => Words::new("Enviada", "Sent"),
        (RemittanceStatus::Shipping, _) => Words::new("En distribución", "Shipping"),
        (RemittanceStatus::Completed, Some(DeliveryMethod::Card)) => Words::new("Transferida", "Transferred"),
        (RemittanceStatus::Completed, Some(DeliveryMethod::Home)) => Words::new("Entregada", "Delivered"),
        (RemittanceStatus::Completed, None) => Words::new("Completada", "Completed"),
        (RemittanceStatus::Error, _) => Words::new("Error", "Error"),
    }
}

/// Label of a delivery method.
pub(crate) const fn method(method: DeliveryMethod) -> Words {
    match method {
        DeliveryMethod::Home => Words::new("Domicilio", "Home"),
        DeliveryMethod::Card => Words::new("Tarjeta", "Card"),
    }
}

/// A delivery method by API name.
pub(crate) fn method_named(name: &str) -> Option<DeliveryMethod> {
    match name {
        "home" => Some(DeliveryMethod::Home),
        "card" => Some(DeliveryMethod::Card),
        _ => None,
    }
}

/// Label of a remittance change.
pub(crate) const fn change(change: RemittanceChange) -> Words {
    match change {
        RemittanceChange::Created => Words::new("Remesa creada", "Created"),
        RemittanceChange::DetailsEdited => Words::new("Datos editados", "Details edited"),
        RemittanceChange::AmountEdited => Words::new("Importe editado", "Amount edited"),
        RemittanceChange::Assigned => Words::new("Asignada", "Assigned"),
        RemittanceChange::Error => Words::new("Marcada como error", "Marked as error"),
        RemittanceChange::Canceled => Words::new("Cancelada", "Canceled"),
        RemittanceChange::Completed => Words::new("Entregada", "Delivered"),
        RemittanceChange::Attempted => Words::new("Intento de entrega", "Attempt to deliver"),
        RemittanceChange::Disputed => Words::new("Entrega en disputa", "Delivery disputed"),
        RemittanceChange::DisputeSettled => Words::new("Disputa resuelta", "Dispute settled"),
    }
}

/// Label of a failed attempt's reason.
pub(crate) const fn attempt(AttemptReason(reason): AttemptReason) -> Words {
    match reason {
        Reason::NobodyHome => Words::new("Nadie en casa", "Nobody home"),
        Reason::NoAnswer => Words::new("No contesta el teléfono", "No answer to calls"),
        Reason::WrongAddress => Words::new("Dirección equivocada", "Wrong address"),
        Reason::NoDocument => Words::new("Sin documento", "No document"),
        Reason::Postponed => Words::new("Pide otro día", "Asks for another day"),
        Reason::Refused => Words::new("No la quiso", "Did not want it"),
        Reason::Unreachable => Words::new("No se pudo llegar", "Could not get there"),
    }
}

/// Label of a disputed delivery's refusal code.
pub(crate) fn refused(code: &str) -> Words {
    match code {
        "remittance_is_canceled" => Words::new("Estaba cancelada", "It was canceled"),
        "remittance_is_completed" => Words::new("Ya estaba entregada", "It was delivered already"),
        "remittance_is_in_error" => Words::new("Estaba en error", "It was in error"),
        "remittance_is_pending" => Words::new("Había vuelto a pendiente", "It was pending again"),
        "remittance_of_another" => Words::new("Era de otro repartidor", "It was another delivery man's"),
        _ => Words::new("No se pudo registrar", "It could not be recorded"),
    }
}

/// Label of a dispute's status.
pub(crate) const fn dispute(status: DisputeStatus) -> Words {
    match status {
        DisputeStatus::Open => Words::new("Por resolver", "To be settled"),
        DisputeStatus::Settled => Words::new("Resuelta", "Settled"),
    }
}

/// Where a debit stands.
pub(crate) const fn debit(status: DebitStatus) -> Words {
    match status {
        DebitStatus::Open => Words::new("Abierta", "Open"),
        DebitStatus::Settled => Words::new("Saldada", "Settled"),
        DebitStatus::Void => Words::new("Anulada", "Void"),
    }
}

/// Label of a debit's cause.
pub(crate) const fn origin(source: DebitSource) -> Words {
    match source {
        DebitSource::Assignment => Words::new("Asignación a crédito", "Assignment on credit"),
        DebitSource::Closure => Words::new("Cierre", "Closure"),
    }
}

pub(crate) const fn agent(kind: AgentType) -> Words {
    match kind {
        AgentType::Internal => Words::new("Interno", "Internal"),
        AgentType::External => Words::new("Externo", "External"),
    }
}

/// Label of a distributor kind.
pub(crate) const fn dealer(kind: DealerType) -> Words {
    match kind {
        DealerType::Dealer => Words::new("Distribuidor", "Dealer"),
        DealerType::DeliveryMan => Words::new("Repartidor", "Delivery man"),
    }
}

/// Label of a role.
pub(crate) const fn user(kind: UserType) -> Words {
    match kind {
        UserType::Dealer => Words::new("Distribuidor", "Dealer"),
        UserType::Agent => Words::new("Agente", "Agent"),
        UserType::Agency => Words::new("Agencia", "Agency"),
        UserType::Manager => Words::new("Gerente", "Manager"),
        UserType::DeliveryMan => Words::new("Repartidor", "Delivery man"),
    }
}

/// Label of a calendar range.
pub(crate) const fn range(range: RangeSelector) -> Words {
    match range {
        RangeSelector::Daily => Words::new("Hoy", "Today"),
        RangeSelector::Weekly => Words::new("Esta semana", "This week"),
        RangeSelector::Monthly => Words::new("Este mes", "This month"),
        RangeSelector::Yearly => Words::new("Este año", "This year"),
    }
}

/// Label of a card brand.
pub(crate) const fn brand(brand: Brand) -> Words {
    match brand {
        Brand::BandecMlc => Words::new("BANDEC MLC", "BANDEC MLC"),
        Brand::BmMlc => Words::new("Metropolitano MLC", "Metropolitano MLC"),
        Brand::BpaMlc => Words::new("BPA MLC", "BPA MLC"),
        Brand::BandecCup => Words::new("BANDEC CUP", "BANDEC CUP"),
        Brand::BmCup => Words::new("Metropolitano CUP", "Metropolitano CUP"),
        Brand::BpaCup => Words::new("BPA CUP", "BPA CUP"),
    }
}

pub(crate) const fn account(kind: AccountKind) -> Words {
    match kind {
        AccountKind::Treasury => Words::new("Caja", "Treasury"),
        AccountKind::FieldCash => Words::new("Efectivo en la calle", "Field cash"),
        AccountKind::Debits => Words::new("Deudas", "Debits"),
        AccountKind::CommissionReceivable => Words::new("Comisión por cobrar", "Commission receivable"),
        AccountKind::AgencyReceivable => Words::new("Por cobrar de la agencia", "Agency receivable"),
        AccountKind::Balance => Words::new("Saldo", "Balance"),
        AccountKind::RemittancesPending => Words::new("Remesas pendientes", "Remittances pending"),
        AccountKind::RemittancesShipping => Words::new("Remesas en distribución", "Remittances in shipping"),
        AccountKind::RemittancesError => Words::new("Remesas en error", "Remittances in error"),
        AccountKind::DeferredCommission => Words::new("Comisión diferida", "Deferred commission"),
        AccountKind::AgencyMemo => Words::new("Cuenta de orden de la agencia", "Agency memorandum"),
        AccountKind::Capital => Words::new("Capital", "Capital"),
        AccountKind::FxPosition => Words::new("Posición de cambio", "Exchange position"),
        AccountKind::CommissionIncome => Words::new("Ingresos por comisión", "Commission income"),
        AccountKind::DistributionFees => Words::new("Costos de distribución", "Distribution fees"),
        AccountKind::DealerExpenses => Words::new("Gastos de distribuidores", "Dealer expenses"),
    }
}
