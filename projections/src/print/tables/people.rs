//! Agencies, agents, dealers, customers and their cards; users.

use super::{
    super::table::{Table, count, flag, text, time},
    joined,
};
use crate::{
    customer::{Card, Customer},
    party::{
        ProfilePaymentGroup,
        agency::Agency,
        agent::Agent,
        dealer::{Dealer, DirectoryDealer},
        user::User,
    },
    print::{Printing, Words, words},
};
use caudal_export::Cell;

/// What a seller holds, in short: `CUP a domicilio 1.234,50 CUP; MLC 20,00 MLC`.
fn balances(groups: &[ProfilePaymentGroup], printing: &Printing) -> Option<String> {
    let groups: Vec<String> = groups
        .iter()
        .map(|group| {
            let amount = printing.shown(&Cell::Money(group.amount.0.minor()));
            format!("{} {amount} {}", group.group_name, group.currency_to.0)
        })
        .collect();
    Some(groups.join("; ")).filter(|text| !text.is_empty())
}

fn lines(address: [&Option<String>; 3]) -> Option<String> {
    joined(address.map(|line| line.as_deref()), ", ")
}

/// Agencies.
pub const AGENCIES: Table<Agency> = Table::new(
    Words::new("Agencias", "Agencies"),
    &[
        text("Nombre", "Name", |a, _| Some(a.name.clone())),
        text("Correo", "E-mail", |a, _| Some(a.email.clone())),
        text("Teléfono", "Phone", |a, _| a.phone.clone()),
        text("Dirección", "Address", |a, _| {
            lines([&a.address_line1, &a.address_line2, &a.address_line3])
        }),
        text("Ciudad", "City", |a, _| a.city.clone()),
        text("Provincia", "Province", |a, _| a.province.clone()),
        text("País", "Country", |a, _| a.country.clone()),
        flag("Activa", "Active", |a| a.is_active),
        text("Saldos", "Balances", |a, p| balances(&a.payment_groups, p)),
        time("Creada", "Created", |a| Some(a.created)),
    ],
);

/// Agents.
pub const AGENTS: Table<Agent> = Table::new(
    Words::new("Agentes", "Agents"),
    &[
        text("Nombre", "Name", |a, _| Some(a.name.clone())),
        text("Tipo", "Type", |a, p| {
            Some(p.say(words::agent(a.agent_type)).to_owned())
        }),
        text("Agencia", "Agency", |a, _| a.agency_name.clone()),
        text("Correo", "E-mail", |a, _| Some(a.email.clone())),
        text("Teléfono", "Phone", |a, _| a.phone.clone()),
        text("Dirección", "Address", |a, _| {
            lines([&a.address_line1, &a.address_line2, &a.address_line3])
        }),
        text("Ciudad", "City", |a, _| a.city.clone()),
        text("Provincia", "Province", |a, _| a.province.clone()),
        text("País", "Country", |a, _| a.country.clone()),
        flag("Activo", "Active", |a| a.is_active),
        text("Saldos", "Balances", |a, p| balances(&a.payment_groups, p)),
        time("Creado", "Created", |a| Some(a.created)),
    ],
);

/// Dealers and delivery men.
pub const DEALERS: Table<Dealer> = Table::new(
    Words::new("Distribuidores", "Dealers"),
    &[
        text("Nombre", "Name", |d, _| Some(d.name.clone())),
        text("Tipo", "Type", |d, p| Some(p.say(words::dealer(d.kind)).to_owned())),
        text("Distribuidor", "Dealer", |d, _| d.dealer_name.clone()),
        text("CI", "ID", |d, _| d.identification_number.clone()),
        text("Correo", "E-mail", |d, _| Some(d.email.clone())),
        text("Teléfono", "Phone", |d, _| {
            joined([d.phone_number.as_deref(), d.phone2.as_deref()], ", ")
        }),
        text("Dirección", "Address", |d, _| {
            lines([&d.address_line1, &d.address_line2, &d.address_line3])
        }),
        text("Municipio", "Municipality", |d, _| d.municipality.clone()),
        text("Provincia", "Province", |d, _| d.province.clone()),
        text("Zonas", "Zones", |d, _| {
            joined(d.zones.iter().map(|zone| zone.name.as_deref()), ", ")
        }),
        text("Licencia", "Licence", |d, _| d.license.clone()),
        flag("Transfiere MLC", "Transfers MLC", |d| d.handle_mlc),
        flag("Activo", "Active", |d| d.is_active),
        time("Creado", "Created", |d| Some(d.created)),
    ],
);

/// The specification's report of the dealers.
pub const DEALER_LIST_REPORT: Table<Dealer> = Table::new(
    Words::new("Listado de distribuidores", "Dealer List Report"),
    &[
        text("Nombre", "Name", |d, _| Some(d.name.clone())),
        text("Teléfono", "Phone", |d, _| d.phone_number.clone()),
        flag("Activo", "Active", |d| d.is_active),
        text("Municipio", "Municipality", |d, _| d.municipality.clone()),
        text("Provincia", "Province", |d, _| d.province.clone()),
    ],
);

/// Dealers by name alone.
pub const DEALER_DIRECTORY: Table<DirectoryDealer> = Table::new(
    Words::new("Directorio de distribuidores", "Dealer directory"),
    &[text("Nombre", "Name", |d, _| Some(d.name.clone()))],
);

/// Users.
pub const USERS: Table<User> = Table::new(
    Words::new("Usuarios", "Users"),
    &[
        text("Nombre", "Name", |u, _| Some(u.name.clone())),
        text("Tipo", "Type", |u, p| {
            let kinds = [Some(words::user(u.user_type)), u.agent_type.map(words::agent)];
            joined(kinds.map(|kind| kind.map(|kind| p.say(kind))), ", ")
        }),
        text("Pertenece a", "Belongs to", |u, _| u.owner_name.clone()),
        text("Correo", "E-mail", |u, _| Some(u.email.clone())),
        text("Teléfono", "Phone", |u, _| u.phone.clone()),
        flag("Activo", "Active", |u| u.is_active),
        time("Último acceso", "Last access", |u| u.last_access),
        time("Creado", "Created", |u| Some(u.created)),
    ],
);

fn full_name(customer: &Customer, printing: &Printing) -> Option<String> {
    Some(printing.name_or_erased(customer.full_name.as_deref()))
}

/// Issuers.
pub const SENDERS: Table<Customer> = Table::new(
    Words::new("Emisores", "Issuers"),
    &[
        text("Nombre", "Name", full_name),
        text("Teléfono", "Phone", |c, _| c.phone_number.clone()),
        text("Identificación", "Identification", |c, _| {
            c.personal_identification_number.clone()
        }),
        text("Correo", "E-mail", |c, _| c.email.clone()),
        text("Dirección", "Address", |c, _| c.address_line.clone()),
        text("Ciudad", "City", |c, _| c.municipality.clone()),
        text("Provincia", "Province", |c, _| c.province.clone()),
        text("País", "Country", |c, _| c.country.clone()),
        text("Código postal", "Zip code", |c, _| c.zip_code.clone()),
        flag("Activo", "Active", |c| c.is_active),
        count("Destinatarios", "Recipients", |c| c.total_receivers),
        time("Creado", "Created", |c| Some(c.created)),
    ],
);

/// Recipients.
pub const RECIPIENTS: Table<Customer> = Table::new(
    Words::new("Destinatarios", "Recipients"),
    &[
        text("Nombre", "Name", full_name),
        text("CI", "ID", |c, _| c.personal_identification_number.clone()),
        text("Teléfono", "Phone", |c, _| c.phone_number.clone()),
        text("Dirección", "Address", |c, _| c.address_line.clone()),
        text("Reparto", "Neighbourhood", |c, _| c.repart.clone()),
        text("Municipio", "Municipality", |c, _| c.municipality.clone()),
        text("Provincia", "Province", |c, _| c.province.clone()),
        text("Apoderado", "Representative", |c, _| {
            joined([c.alternative_name.as_deref(), c.alternative_last_name.as_deref()], " ")
        }),
        text("CI del apoderado", "Representative's ID", |c, _| {
            c.alternative_personal_identification_number.clone()
        }),
        text("Teléfono del apoderado", "Representative's phone", |c, _| {
            c.alternative_phone_number.clone()
        }),
        flag("Activo", "Active", |c| c.is_active),
        time("Creado", "Created", |c| Some(c.created)),
    ],
);

/// A recipient's cards.
pub const CARDS: Table<Card> = Table::new(
    Words::new("Tarjetas", "Cards"),
    &[
        text("Tarjeta", "Card", |k, _| k.card_number.clone()),
        text("Banco", "Bank", |k, p| Some(p.say(words::brand(k.brand.0)).to_owned())),
        text("Moneda", "Currency", |k, _| Some(k.currency.0.to_string())),
    ],
);
