//! The query parameters of the lists, for the OpenAPI document: paging, then what each list sorts and filters by. The
//! lists themselves check what they are asked (`caudal_projections`); here it is told.

use crate::listing::FORMAT;
use caudal_export::Format;
use caudal_projections::page::{
    DEFAULT_RECORDS_PER_PAGE, MAX_ALL_RECORDS, MAX_PAGE, MAX_QUERY_LENGTH, MAX_RECORDS_PER_PAGE,
};
use serde_json::Value;
use utoipa::{
    IntoParams,
    openapi::{
        KnownFormat, ObjectBuilder, Ref, RefOr, Required, SchemaFormat,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::{Schema, Type},
    },
};

/// A day, `YYYYMMDD`, as far as a pattern can say it.
const DAY: &str = "^[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])$";

/// A text without control characters.
const TEXT: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";

/// What a filter takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Takes {
    /// An id.
    Id,
    /// A local day, `YYYYMMDD`.
    Day,
    /// An RFC 3339 time.
    Time,
    /// A currency's code.
    Currency,
    /// A position of the log.
    Position,
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A schema of the answers.
    Known(&'static str),
}

impl Takes {
    fn schema(self) -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let formatted = |format| text().format(Some(SchemaFormat::KnownFormat(format)));
        match self {
            Self::Id => formatted(KnownFormat::Uuid).into(),
            Self::Day => text().pattern(Some(DAY)).into(),
            Self::Time => formatted(KnownFormat::DateTime).into(),
            Self::Currency => text().pattern(Some("^[A-Z]{3}$")).into(),
            Self::Position => ObjectBuilder::new()
                .schema_type(Type::Integer)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
                .minimum(Some(0))
                .into(),
            Self::Text => text().max_length(Some(MAX_QUERY_LENGTH)).pattern(Some(TEXT)).into(),
            Self::Flag => ObjectBuilder::new().schema_type(Type::Boolean).into(),
            Self::Known(name) => Ref::from_schema_name(name).into(),
        }
    }
}

fn parameter(name: &str, description: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

pub(super) fn list(sorts: &[&str], filters: &[(&str, Takes, &str)]) -> Vec<Parameter> {
    let number = |minimum: i64, maximum: i64, default: i64| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(minimum))
            .maximum(Some(maximum))
            .default(Some(default.into()))
    };
    let size = format!("Rows of a page: 1 to {MAX_RECORDS_PER_PAGE}; 0 means all, up to {MAX_ALL_RECORDS} rows.");
    let sizes = number(0, MAX_RECORDS_PER_PAGE, DEFAULT_RECORDS_PER_PAGE);
    let ways = sorts.iter().flat_map(|sort| [(*sort).to_owned(), format!("-{sort}")]);
    let order = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(ways.map(Value::from)));
    let formats = Format::ALL.map(|format| Value::from(format.extension()));
    let format = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(formats));
    let mut parameters = vec![
        parameter("CurrentPage", "The page, from 1.", number(1, MAX_PAGE, 1)),
        parameter("RecordsPerPage", &size, sizes),
        parameter("sort", "A column; - in front: descending.", order),
        parameter(FORMAT, "All rows as a file, in place of a page.", format),
    ];
    parameters.extend(
        filters
            .iter()
            .map(|(name, takes, text)| parameter(name, text, takes.schema())),
    );
    parameters
}

/// In which form the whole ledger is wanted.
pub(super) struct LedgerExport;

impl IntoParams for LedgerExport {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let formats = ["hledger", "beancount", "csv", "xlsx"].map(Value::from);
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(formats));
        let mut parameter = parameter(FORMAT, "A program's journal, or a table.", schema);
        parameter.required = Required::True;
        vec![parameter]
    }
}

/// Declares what each list sorts and filters by.
macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident: sorts [$($sort:literal),*], filters { $($filter:literal: $takes:expr, $text:literal;)* })*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl IntoParams for $name {
            fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
                list(&[$($sort),*], &[$(($filter, $takes, $text)),*])
            }
        }
    )*};
}

lists! {
    /// Currencies.
    Currencies: sorts ["code"], filters {
        "query": Takes::Text, "A text to search for.";
    }
    /// Payment groups.
    PaymentGroups: sorts ["name"], filters {
        "query": Takes::Text, "A text to search for.";
        "Type": Takes::Known("PaymentGroupType"), "The catalogue, or the caller's own terms.";
    }
    /// Users.
    Users: sorts ["name", "email", "lastAccess", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "userType": Takes::Known("UserType"), "Of this role.";
        "isActive": Takes::Flag, "Whether they may log in.";
        "deleted": Takes::Flag, "The deleted alone, or all others, as where absent.";
    }
    /// Agencies.
    Agencies: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "isActive": Takes::Flag, "Whether they may be used.";
        "deleted": Takes::Flag, "The deleted alone, or all others, as where absent.";
    }
    /// Agents.
    Agents: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "AgentType": Takes::Known("AgentType"), "Of this kind.";
        "AgencyId": Takes::Id, "Of this agency.";
        "isActive": Takes::Flag, "Whether they may be used.";
        "deleted": Takes::Flag, "The deleted alone, or all others, as where absent.";
    }
    /// Dealers and delivery men.
    Dealers: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "ReceiverId": Takes::Id, "This one alone; the answer is it and no page.";
        "type": Takes::Known("DealerType"), "Of this kind.";
        "dealerId": Takes::Id, "This dealer's delivery men.";
        "provinceId": Takes::Id, "Distributing in this province.";
        "isActive": Takes::Flag, "Whether they may be used.";
        "deleted": Takes::Flag, "The deleted alone, or all others, as where absent.";
    }
    /// The dealers of the dealer list report.
    DealerReport: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "type": Takes::Known("DealerType"), "Of this kind.";
        "dealerId": Takes::Id, "This dealer's delivery men.";
        "provinceId": Takes::Id, "Distributing in this province.";
        "isActive": Takes::Flag, "Whether they may be used.";
        "deleted": Takes::Flag, "The deleted alone, or all others, as where absent.";
    }
    /// Names of dealers.
    Directory: sorts ["name"], filters {
        "query": Takes::Text, "A text to search for.";
    }
    /// Senders or recipients.
    Customers: sorts ["name", "created"], filters {
        "name": Takes::Text, "A text to search for.";
        "senderId": Takes::Id, "Of this sender.";
        "agencyId": Takes::Id, "Of this agency, or agent with none.";
        "isActive": Takes::Flag, "Whether they may be used.";
    }
    /// Cards.
    Cards: sorts ["created"], filters {}
    /// Remittances.
    Remittances: sorts ["created", "updated", "code", "amount", "payout", "status"], filters {
        "query": Takes::Text, "A text to search for.";
        "status": Takes::Known("RemittanceStatus"), "In this state.";
        "initDate": Takes::Day, "Sold on this day or later.";
        "finalDate": Takes::Day, "Sold on this day or before.";
        "currency": Takes::Currency, "Paid out in this currency.";
        "agencyId": Takes::Id, "Sold with this agency.";
        "agentId": Takes::Id, "Sold by this agent.";
        "dealerId": Takes::Id, "With this dealer.";
        "deliveryManId": Takes::Id, "With this delivery man.";
        "senderId": Takes::Id, "Of this sender.";
        "recipientId": Takes::Id, "For this recipient.";
        "provinceId": Takes::Id, "Brought to this province.";
        "municipalityId": Takes::Id, "Brought to this municipality.";
        "paymentGroupId": Takes::Id, "Of this payment group.";
        "deliveryMethod": Takes::Known("DeliveryMethod"), "Paid this way.";
    }
    /// The dealer desk.
    DealerDesk: sorts ["place", "created", "updated", "payout", "status"], filters {
        "query": Takes::Text, "A text to search for.";
        "status": Takes::Known("RemittanceStatus"), "In this state.";
        "currency": Takes::Currency, "Paid out in this currency.";
        "dealerId": Takes::Id, "With this dealer.";
        "deliveryManId": Takes::Id, "With this delivery man.";
        "provinceId": Takes::Id, "Brought to this province.";
        "municipalityId": Takes::Id, "Brought to this municipality.";
        "deliveryMethod": Takes::Known("DeliveryMethod"), "Paid this way.";
    }
    /// What happened to a remittance.
    History: sorts ["at"], filters {}
    /// Movements.
    Movements: sorts ["created", "number", "amount"], filters {
        "query": Takes::Text, "A text to search for.";
        "partyId": Takes::Id, "Given or received by this party.";
        "kind": Takes::Known("MovementKind"), "Of this kind.";
        "currency": Takes::Currency, "Of this currency.";
        "initDate": Takes::Day, "Made on this day or later.";
        "finalDate": Takes::Day, "Made on this day or before.";
    }
    /// What was assigned to agencies.
    AgencyAssignments: sorts ["created", "number", "amount"], filters {
        "query": Takes::Text, "A text to search for.";
        "AgencyId": Takes::Id, "To this agency.";
        "currency": Takes::Currency, "Of this currency.";
        "initDate": Takes::Day, "Made on this day or later.";
        "finalDate": Takes::Day, "Made on this day or before.";
    }
    /// What was assigned to agents.
    AgentAssignments: sorts ["created", "number", "amount"], filters {
        "query": Takes::Text, "A text to search for.";
        "AgentId": Takes::Id, "To this agent.";
        "currency": Takes::Currency, "Of this currency.";
        "initDate": Takes::Day, "Made on this day or later.";
        "finalDate": Takes::Day, "Made on this day or before.";
    }
    /// What was assigned to dealers and delivery men.
    DealerAssignments: sorts ["created", "number", "amount"], filters {
        "query": Takes::Text, "A text to search for.";
        "dealerId": Takes::Id, "To this dealer or delivery man.";
        "currency": Takes::Currency, "Of this currency.";
        "initDate": Takes::Day, "Made on this day or later.";
        "finalDate": Takes::Day, "Made on this day or before.";
    }
    /// Disputed deliveries.
    Disputes: sorts ["sent"], filters {
        "status": Takes::Known("DisputeStatus"), "In this state.";
        "remittanceId": Takes::Id, "Of this remittance.";
        "initDate": Takes::Day, "Sent on this day or later.";
        "finalDate": Takes::Day, "Sent on this day or before.";
    }
    /// Debits.
    Debits: sorts ["created", "amount", "outstanding"], filters {
        "query": Takes::Text, "A text to search for.";
        "status": Takes::Known("DebitStatus"), "In this state.";
        "partyId": Takes::Id, "Of this debtor.";
    }
    /// Closures.
    Closures: sorts ["created", "number"], filters {
        "query": Takes::Text, "A text to search for.";
        "partyId": Takes::Id, "Of this seller.";
        "initDate": Takes::Day, "Cut on this day or later.";
        "finalDate": Takes::Day, "Cut on this day or before.";
        "at": Takes::Time, "Those that there were at this moment.";
        "position": Takes::Position, "Those that there were after the event at this position.";
    }
    /// Changes of exchange rates.
    RateChanges: sorts ["created"], filters {}
    /// Accounts with their balances.
    Balances: sorts ["code", "currency", "owner"], filters {
        "from": Takes::Day, "The period's first day; the beginning where absent.";
        "to": Takes::Day, "The period's last day; now where absent.";
        "at": Takes::Time, "As of this moment, in place of a period.";
        "position": Takes::Position, "As of the event at this position, in place of a period.";
        "kind": Takes::Known("AccountKind"), "Accounts of this kind.";
        "code": Takes::Text, "Accounts of this code.";
        "ownerId": Takes::Id, "Accounts of this party.";
        "paymentGroupId": Takes::Id, "Balances of this group.";
        "currency": Takes::Currency, "Accounts in this currency.";
    }
    /// The journal.
    Entries: sorts ["created"], filters {
        "account": Takes::Text, "Touching this account, by its key.";
        "kind": Takes::Known("AccountKind"), "Touching accounts of this kind.";
        "ownerId": Takes::Id, "Touching accounts of this party.";
        "currency": Takes::Currency, "In this currency.";
        "from": Takes::Day, "On this day or later.";
        "to": Takes::Day, "On this day or before.";
        "at": Takes::Time, "Through this moment.";
        "position": Takes::Position, "Through the event at this position.";
        "cause": Takes::Id, "Caused by this remittance, movement or closure.";
        "eventType": Takes::Text, "Caused by events of this type.";
    }
    /// Events of the log.
    AuditEvents: sorts ["position"], filters {
        "query": Takes::Text, "The number or name of the record that they changed.";
        "eventType": Takes::Text, "Of this type.";
        "recordType": Takes::Known("StreamKind"), "Of this sort of record.";
        "recordId": Takes::Id, "Of this record.";
        "actorId": Takes::Id, "Done by this party.";
        "requestId": Takes::Id, "Done by this request.";
        "from": Takes::Day, "On this day or later.";
        "to": Takes::Day, "On this day or before.";
        "hash": Takes::Text, "With this hash.";
    }
    /// What sellers sold.
    Sales: sorts ["name", "currency", "remittances", "amount", "payout", "margin"], filters {
        "query": Takes::Text, "A text to search for.";
        "initDate": Takes::Day, "The first day; with a last one alone the beginning.";
        "finalDate": Takes::Day, "The last day; with a first one alone until now.";
        "rangeSelector": Takes::Known("RangeSelector"), "A span around today where no day is named; today where absent.";
        "agencyId": Takes::Id, "Of this agency and its agents.";
        "agentId": Takes::Id, "Of this agent.";
        "partyId": Takes::Id, "Of this seller.";
        "currency": Takes::Currency, "Paid out in this currency.";
    }
    /// The dashboard's table.
    SellersTable: sorts ["name", "amount", "totalRemittance"], filters {
        "query": Takes::Text, "A text to search for.";
        "initDate": Takes::Day, "The first day; with a last one alone the beginning.";
        "finalDate": Takes::Day, "The last day; with a first one alone until now.";
        "rangeSelector": Takes::Known("RangeSelector"), "A span around today where no day is named; today where absent.";
    }
    /// Dealers over a period.
    DealerPeriods: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "initDate": Takes::Day, "The first day; with a last one alone the beginning.";
        "finalDate": Takes::Day, "The last day; with a first one alone until now.";
        "rangeSelector": Takes::Known("RangeSelector"), "A span around today where no day is named; today where absent.";
        "dealerId": Takes::Id, "This dealer alone.";
    }
    /// Dealers on a day.
    DealerDays: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "dateTime": Takes::Day, "The day; today where absent.";
        "dealerId": Takes::Id, "This dealer alone.";
    }
    /// Previews of closures.
    Previews: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
    }
    /// What parties have and owe.
    PartyBalances: sorts ["name", "created"], filters {
        "query": Takes::Text, "A text to search for.";
        "at": Takes::Time, "As of this moment; now where absent.";
        "position": Takes::Position, "As of the event at this position; now where absent.";
        "userType": Takes::Known("UserType"), "Agencies, external agents, dealers or delivery men.";
        "partyId": Takes::Id, "Of this party.";
        "agencyId": Takes::Id, "Of this agency and its agents.";
        "dealerId": Takes::Id, "Of this dealer and its delivery men.";
    }
    /// Real balances.
    RealBalances: sorts ["currency"], filters {
        "at": Takes::Time, "As of this moment; now where absent.";
        "position": Takes::Position, "As of the event at this position; now where absent.";
        "currency": Takes::Currency, "Of this currency.";
    }
}

/// What the figures above the list of remittances are narrowed by: all that the list is.
pub(super) struct RemittanceFilters;

impl IntoParams for RemittanceFilters {
    fn into_params(parameter_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        const OF_LISTS: &[&str] = &["CurrentPage", "RecordsPerPage", "sort", FORMAT];
        let mut parameters = Remittances::into_params(parameter_in);
        parameters.retain(|parameter| !OF_LISTS.contains(&parameter.name.as_str()));
        parameters
    }
}
