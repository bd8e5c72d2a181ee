//! Information flow: no answer to a role depends on others' business. Each tenant gets the same parties and the same
//! business of one branch; all tenants but one also get others' business. Every query of the policy table, with every
//! filter of the OpenAPI document, must give a role of the branch the same answer in both, apart from positions,
//! human numbers, times, ids and hashes.

mod delivery_man;
mod masked;
mod queries;
mod world;

use crate::support::{Call, Server};
use caudal_domain::party::Role;
use queries::Contract;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use world::{World, ahead};

/// Business of others in one of the worlds.
type Business = fn(&World, &Server);

/// Others' business, and the branch's roles to which it must be invisible.
const OTHERS: &[(&str, Business, &[Role])] = &[
    (
        "strangers",
        World::strangers_trade,
        &[
            Role::Agency,
            Role::ExternalAgent,
            Role::InternalAgent,
            Role::Dealer,
            Role::DeliveryMan,
        ],
    ),
    // An agency and its second agent; invisible to the first agent and to those who deliver.
    (
        "agency",
        World::own_agency_trades,
        &[Role::ExternalAgent, Role::Dealer, Role::DeliveryMan],
    ),
    // A dealer and his second delivery man with the strangers' remittances; invisible to sellers and to the first
    // delivery man.
    (
        "dealer",
        World::own_dealer_delivers,
        &[
            Role::Agency,
            Role::ExternalAgent,
            Role::InternalAgent,
            Role::DeliveryMan,
        ],
    ),
];

#[test]
fn no_answer_to_a_role_changes_when_only_others_business_changes() {
    let nobody: Business = |_, _| ();
    let worlds = || {
        [("alone", nobody)]
            .into_iter()
            .chain(OTHERS.iter().map(|(tenant, trade, _)| (*tenant, *trade)))
    };
    let tenants: Vec<&str> = worlds().map(|(tenant, _)| tenant).collect();
    let server = Server::start(&tenants);
    server.pass(ahead());
    let worlds: BTreeMap<&str, World> = thread::scope(|scope| {
        let server = &server;
        let opened: Vec<_> = worlds()
            .map(|(tenant, trade)| (tenant, scope.spawn(move || World::open(server, tenant, trade))))
            .collect();
        opened
            .into_iter()
            .map(|(tenant, world)| (tenant, world.join().unwrap()))
            .collect()
    });
    let alone = &worlds["alone"];
    let document = alone.client.send(Call::new("GET", "/openapi.json")).body;
    let contract = Contract(document);
    let asked = AtomicUsize::new(0);
    let told: Vec<String> = thread::scope(|scope| {
        let compared: Vec<_> = OTHERS
            .iter()
            .flat_map(|(tenant, _, roles)| roles.iter().map(move |role| (*tenant, *role)))
            .map(|(tenant, role)| {
                let (worlds, contract, asked, server) = (&worlds, &contract, &asked, &server);
                scope.spawn(move || {
                    let (alone, busy) = (&worlds["alone"], &worlds[tenant]);
                    let heads = (server.head("alone"), server.head(tenant));
                    assert!(heads.0 < heads.1, "others did something in {tenant}");
                    let mut told = Vec::new();
                    for query in contract.queries(role) {
                        asked.fetch_add(1, Ordering::Relaxed);
                        match (query.ask(alone, role, heads.0), query.ask(busy, role, heads.1)) {
                            (Ok(one), Ok(other)) if one == other => {}
                            (Ok(one), Ok(other)) => {
                                let (name, role) = (query.name(), role.as_str());
                                let difference = masked::difference(&one, &other);
                                told.push(format!("{name} by {role} ({tenant}): {difference}"));
                            }
                            (Err(wrong), _) | (_, Err(wrong)) => told.push(wrong),
                        }
                    }
                    told
                })
            })
            .collect();
        compared.into_iter().flat_map(|told| told.join().unwrap()).collect()
    });
    let asked = asked.into_inner();
    assert!(
        told.is_empty(),
        "{} of {asked} tell of others' business: {told:#?}",
        told.len()
    );
    assert!(asked > 1_000, "only {asked} queries were asked");
}
