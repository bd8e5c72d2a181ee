//! Lists of remittances.

use super::{
    CARD, HOME,
    views::{Remittance, RemittancePerson, counted_by, sees_price, views, visible},
};
use crate::{
    codes::status,
    customer::{RECIPIENTS_SAMPLE, SENDERS_SAMPLE},
    error::ReadError,
    list::{Common, List, MatchedBy, Sample, SearchSpec, currency, filter, sum, text, time, unprinted, values},
    page::{ListQuery, Page},
    print::{Printing, Words, joined, name, word, words},
    read_transaction::ReadTransaction,
    scalar::DeliveryMethod,
    scope::Scope,
    sql::Sql,
    tally::{Narrows, TallySpec},
};
use caudal_domain::ids::PartyId;
use uuid::Uuid;

fn person(person: &RemittancePerson, printing: &Printing) -> Option<String> {
    Some(printing.name_or_erased(person.name.as_deref()))
}

fn place(remittance: &Remittance) -> Option<String> {
    let address = remittance.address.as_ref()?;
    joined([address.municipality.as_deref(), address.province.as_deref()], ", ")
}

/// Folded name of a party, by a column of the remittance `r`.
macro_rules! party {
    ($column:literal) => {
        concat!(
            "(SELECT x.search FROM parties AS x WHERE x.tenant = r.tenant AND x.id = r.",
            $column,
            ")"
        )
    };
}

const PLACE: &str = "(SELECT p.code || m.code FROM municipalities AS m JOIN provinces AS p
                           ON p.tenant = m.tenant AND p.id = m.province
                         WHERE m.tenant = r.tenant AND m.id = r.municipality)";
const SENDER: &str = "(SELECT c.search FROM customers AS c WHERE c.tenant = r.tenant AND c.id = r.sender)";
const RECIPIENT: &str = "(SELECT c.search FROM customers AS c WHERE c.tenant = r.tenant AND c.id = r.recipient)";
const PHONE: &str = "(SELECT c.phone FROM customers AS c WHERE c.tenant = r.tenant AND c.id = r.recipient)";

/// List of remittances.
pub const REMITTANCES: List<Remittance> = List {
    title: word::REMITTANCES,
    columns: &[
        // Codes increase in order of creation; sorted as texts, they would be wrong after R-999999.
        text("code", word::CODE, |r: &Remittance, _| Some(r.code.clone())).in_order("r.position"),
        time("created", word::DATE, |r: &Remittance| Some(r.created)).in_order("r.position"),
        unprinted("updated").in_order("r.updated_at"),
        text("status", word::STATUS, |r: &Remittance, p| {
            Some(p.say(words::status(r.status, Some(r.delivery_method))).to_owned())
        })
        .in_order("r.status"),
        text("held", word::REVIEW, |r: &Remittance, p| {
            r.held.then(|| p.say(word::IN_REVIEW).to_owned())
        })
        .bounded("r.held"),
        text("sender", word::SENDER, |r: &Remittance, p| person(&r.sender, p))
            .bounded(SENDER)
            .of_prices(),
        text("recipient", word::RECIPIENT, |r: &Remittance, p| {
            person(&r.recipient, p)
        })
        .bounded(RECIPIENT),
        text("phoneNumber", word::PHONE, |r: &Remittance, _| {
            r.recipient.phone_number.clone()
        })
        .bounded(PHONE),
        text("deliveryMethod", word::DELIVERY, |r: &Remittance, p| {
            Some(p.say(words::method(r.delivery_method)).to_owned())
        })
        .bounded("r.method"),
        text("place", word::PLACE, |r: &Remittance, _| place(r)).bounded(PLACE),
        text("groupName", Words::new("Grupo", "Group"), |r: &Remittance, _| {
            Some(r.group_name.clone())
        })
        .bounded("(SELECT g.search FROM payment_groups AS g WHERE g.tenant = r.tenant AND g.id = r.group_id)"),
        sum("amount", word::SENT_USD, |r: &Remittance| r.amount)
            .in_order("r.amount")
            .of_prices(),
        sum(
            "totalFee",
            Words::new("Comisiones USD", "Fees USD"),
            |r: &Remittance| r.total_fee,
        )
        .bounded("r.total_fee")
        .of_prices(),
        sum(
            "totalToPay",
            Words::new("Total a pagar USD", "Total to pay USD"),
            |r: &Remittance| r.total_to_pay,
        )
        .bounded("r.total_to_pay")
        .of_prices(),
        sum("payout", word::PAYOUT, |r: &Remittance| Some(r.payout)).in_order("r.payout"),
        currency("currencyTo", word::CURRENCY, |r: &Remittance| Some(r.currency_to)).bounded("r.currency"),
        text("agency", word::AGENCY, |r: &Remittance, p| name(r.agency.as_ref(), p)).bounded(party!("agency")),
        text("agent", word::AGENT, |r: &Remittance, p| name(r.agent.as_ref(), p)).bounded(party!("agent")),
        text("dealer", word::DEALER, |r: &Remittance, p| name(r.dealer.as_ref(), p)).bounded(party!("dealer")),
        text("deliveryMan", word::DELIVERY_MAN, |r: &Remittance, p| {
            name(r.delivery_man.as_ref(), p)
        })
        .bounded(party!("delivery_man")),
        text("reference", word::REFERENCE, |r: &Remittance, _| r.reference.clone()).bounded("lower(r.reference)"),
        text("reason", word::REASON, |r: &Remittance, _| r.reason.clone()).bounded("lower(r.reason)"),
    ],
    filters: &[
        filter::one_of(
            "status",
            word::STATUS,
            "In this state.",
            values::REMITTANCE_STATUS,
            status!(each "r.status"),
        )
        .counted(Narrows::Part(|status| status.parse().ok())),
        filter::first_day("initDate", "Sold on this day or later.", "r.created_at").counted(Narrows::Days),
        filter::last_day("finalDate", "Sold on this day or before.", "r.created_at").counted(Narrows::Days),
        filter::in_currency("Paid out in this currency.", "r.currency").counted(Narrows::Currency),
        filter::id("agencyId", word::AGENCY, "Sold with this agency.", "r.agency").counted(Narrows::Id("agency")),
        filter::id("agentId", word::AGENT, "Sold by this agent.", "r.agent").counted(Narrows::Id("agent")),
        filter::id("dealerId", word::DEALER, "With this dealer.", "r.dealer").counted(Narrows::Id("dealer")),
        filter::id(
            "deliveryManId",
            word::DELIVERY_MAN,
            "With this delivery man.",
            "r.delivery_man",
        )
        .counted(Narrows::Id("delivery_man")),
        filter::flagged(
            "held",
            word::IN_REVIEW,
            "Whether it waits for a review.",
            &[("true", "r.held"), ("false", "NOT r.held")],
        ),
        filter::id("senderId", word::SENDER, "Of this sender.", "r.sender"),
        filter::id("recipientId", word::RECIPIENT, "For this recipient.", "r.recipient"),
        filter::id("provinceId", word::PROVINCE, "Brought to this province.", "r.province")
            .counted(Narrows::Id("province")),
        filter::id(
            "municipalityId",
            word::MUNICIPALITY,
            "Brought to this municipality.",
            "r.municipality",
        )
        .counted(Narrows::Id("municipality")),
        filter::id(
            "paymentGroupId",
            word::PAYMENT_GROUP,
            "Of this payment group.",
            "r.group_id",
        )
        .counted(Narrows::Id("group")),
        filter::one_of(
            "deliveryMethod",
            word::DELIVERY,
            "Paid this way.",
            values::DELIVERY_METHOD,
            &[(HOME, "r.method = 'home'"), (CARD, "r.method = 'card'")],
        )
        .counted(Narrows::Value("method")),
    ],
    search: Some(&SearchSpec {
        function: Some(("search_remittances", MatchedBy::Ids("r.id"))),
        common: Some(Common {
            samples: &[
                SENDERS_SAMPLE,
                RECIPIENTS_SAMPLE,
                Sample {
                    table: "remittances",
                    alias: "r",
                    only: "TRUE",
                    position: "r.position",
                    text: "r.search",
                },
            ],
            alias: "r",
            position: "r.position",
        }),
        ..SearchSpec::of(&["r.search", SENDER, RECIPIENT])
    }),
    default_sort: "-created",
    tie: "r.position",
    counted: Some(&COUNTED),
    hides_prices: false,
};

/// Search for delivery men: only by what their rows show.
const DELIVERED_SEARCH: SearchSpec = SearchSpec::of(&["r.search", RECIPIENT]);

/// The list for delivery men.
const DELIVERED: List<Remittance> = List {
    search: Some(&DELIVERED_SEARCH),
    hides_prices: true,
    ..REMITTANCES
};

/// The list that the caller may query.
pub(super) fn list_for(scope: &Scope) -> &'static List<Remittance> {
    if sees_price(scope) { &REMITTANCES } else { &DELIVERED }
}

/// Tallies of the list.
pub(crate) const COUNTED: TallySpec = TallySpec {
    list: "remittances",
    alias: "r",
    position: "r.position",
    time: "r.created_at",
    has_index_of_time: true,
};

/// Dealer desk: remittances for dispatch.
pub const DISPATCH: List<Remittance> = List {
    title: Words::new("Remesas para despacho", "Remittances for dispatch"),
    columns: &[
        text("code", word::CODE, |r: &Remittance, _| Some(r.code.clone())).in_order("r.position"),
        time("created", word::DATE, |r: &Remittance| Some(r.created)).in_order("r.position"),
        unprinted("updated").in_order("r.updated_at"),
        text("status", word::STATUS, |r: &Remittance, p| {
            Some(p.say(words::status(r.status, Some(r.delivery_method))).to_owned())
        })
        .in_order("r.status"),
        text("recipient", word::RECIPIENT, |r: &Remittance, p| {
            person(&r.recipient, p)
        })
        .bounded(RECIPIENT),
        text("phoneNumber", word::PHONE, |r: &Remittance, _| {
            r.recipient.phone_number.clone()
        })
        .bounded(PHONE),
        text("identificationNumber", word::ID, |r: &Remittance, _| {
            r.recipient.identification_number.clone()
        })
        .bounded("(SELECT c.identification FROM customers AS c WHERE c.tenant = r.tenant AND c.id = r.recipient)"),
        text("addressLine", word::ADDRESS, |r: &Remittance, _| {
            r.address.as_ref().and_then(|address| address.address_line.clone())
        })
        .bounded(
            "CASE WHEN r.method = 'home' THEN lower(coalesce(r.address, (SELECT c.details ->> 'addressLine'
               FROM customers AS c WHERE c.tenant = r.tenant AND c.id = r.recipient))) END",
        ),
        text("place", word::PLACE, |r: &Remittance, _| place(r)).sort(PLACE),
        text("card", word::CARD, |r: &Remittance, _| {
            let card = r.card.as_ref().filter(|_| r.delivery_method == DeliveryMethod::Card)?;
            card.card_number.clone()
        })
        // By the visible digits.
        .bounded("(SELECT right(k.number, 4) FROM cards AS k WHERE k.tenant = r.tenant AND k.id = r.card)"),
        sum("payout", word::PAYOUT, |r: &Remittance| Some(r.payout)).in_order("r.payout"),
        currency("currencyTo", word::CURRENCY, |r: &Remittance| Some(r.currency_to)).bounded("r.currency"),
        text("agency", word::AGENCY, |r: &Remittance, p| name(r.agency.as_ref(), p)).bounded(party!("agency")),
        text("dealer", word::DEALER, |r: &Remittance, p| name(r.dealer.as_ref(), p)).bounded(party!("dealer")),
        text("deliveryMan", word::DELIVERY_MAN, |r: &Remittance, p| {
            name(r.delivery_man.as_ref(), p)
        })
        .bounded(party!("delivery_man")),
        text("notes", word::NOTES, |r: &Remittance, _| r.notes.clone()).bounded("lower(r.notes)"),
    ],
    default_sort: "place",
    ..REMITTANCES
};

/// Dealer desk for delivery men.
const DELIVERED_DISPATCH: List<Remittance> = List {
    search: Some(&DELIVERED_SEARCH),
    hides_prices: true,
    ..DISPATCH
};

/// Remittances in the caller's scope.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Remittance>, ReadError> {
    let from = visible(transaction, scope);
    page(transaction, scope, query, from).await
}

/// Dealer desk: remittances in the caller's scope sold by the given agencies (all by default), sorted by province,
/// municipality and age unless another sort is requested.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn dispatch(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    agencies: &[PartyId],
    query: &ListQuery,
) -> Result<Page<Remittance>, ReadError> {
    let list = if sees_price(scope) {
        &DISPATCH
    } else {
        &DELIVERED_DISPATCH
    };
    let mut from = visible(transaction, scope);
    if !agencies.is_empty() {
        let agencies: Vec<Uuid> = agencies.iter().copied().map(Uuid::from).collect();
        from.push(" AND r.agency = ANY (").bind(agencies).push(")");
    }
    let counted = counted_by(scope).map(|column| (column, scope.principal().to_string()));
    let keys = if agencies.is_empty() {
        list.counted_keys::<Uuid>(transaction, counted, query, from, "r.id")
            .await?
    } else {
        list.keys::<Uuid>(transaction, query, from, "r.id").await?
    };
    let rows = views(transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

async fn page(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    from: Sql,
) -> Result<Page<Remittance>, ReadError> {
    let counted = counted_by(scope).map(|column| (column, scope.principal().to_string()));
    let keys = list_for(scope)
        .counted_keys::<Uuid>(transaction, counted, query, from, "r.id")
        .await?;
    let rows = views(transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}
