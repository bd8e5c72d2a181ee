//! Opening balances: what another system says of the treasury, of dealers' cash and of sellers' balances. An account stands
//! in a file once. One that was opened with the same balance is there already.

use super::{FieldSpec, Kind, Plan, Setting, Shape, Step, group, invalid};
use crate::imports::{known::FoundParty, mapping::Values, values};
use caudal_domain::{
    Command, Refusal,
    ids::MovementId,
    money::{Amount, CurrencyCode},
    movement::{MovementCommand, OpenBalance, Opened},
    office::Area,
    party::Role,
};

pub struct Openings;

const FIELDS: &[FieldSpec] = &[
    FieldSpec::new(
        "account",
        Shape::Text,
        &[
            "cuenta",
            "nombre",
            "agencia",
            "agente",
            "repartidor",
            "distribuidor",
            "account",
            "name",
            "agency",
            "agent",
            "dealer",
        ],
    )
    .required(),
    FieldSpec::new(
        "currency",
        Shape::Text,
        &[
            "moneda",
            "divisa",
            "grupo",
            "grupo de pago",
            "currency",
            "payment group",
        ],
    )
    .required()
    .showing(&["paymentGroupId"]),
    FieldSpec::new(
        "balance",
        Shape::Number,
        &[
            "saldo",
            "importe",
            "monto",
            "saldo de apertura",
            "balance",
            "amount",
            "opening balance",
        ],
    )
    .required()
    .showing(&["amount"]),
];

/// What the treasury is called in files.
const TREASURY: [&str; 6] = ["caja", "caja central", "gerencia", "tesoreria", "treasury", "cash"];

fn currency(text: &str) -> Result<CurrencyCode, Refusal> {
    let code = text.trim().to_uppercase().parse();
    code.map_err(|_| invalid("currency", "currency_unknown"))
}

impl Kind for Openings {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn area(&self) -> Area {
        Area::Payments
    }

    fn roles(&self) -> &'static [Role] {
        &[Role::Manager]
    }

    fn has_owner(&self) -> bool {
        false
    }

    fn moves_money(&self) -> bool {
        true
    }

    fn needs_totals(&self) -> bool {
        true
    }

    fn names_parties(&self) -> bool {
        true
    }

    fn plan(&self, row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        let text = |field| values.get(field).unwrap_or_default();
        let name = values::folded(text("account"));
        let is_treasury = TREASURY.contains(&name.as_str());
        let party = match setting.known.party(text("account")) {
            FoundParty::One(party) if !is_treasury => setting.state.party(party),
            FoundParty::None => None,
            FoundParty::One(_) | FoundParty::Several => return Err(invalid("account", "import_party_ambiguous")),
        };
        let of = if is_treasury {
            Opened::Treasury(currency(text("currency"))?)
        } else {
            let party = party.ok_or_else(|| invalid("account", "party_not_found"))?;
            if party.role.holds_cash() {
                Opened::Cash(party.id, currency(text("currency"))?)
            } else {
                Opened::Balance(party.id, group("currency", text("currency"), setting.state)?)
            }
        };
        let account = match of {
            Opened::Treasury(currency) => (None, None, currency),
            Opened::Cash(party, currency) => (Some(party), None, currency),
            Opened::Balance(party, id) => {
                let group = setting.state.group(id);
                let group = group.ok_or_else(|| invalid("currency", "payment_group_unknown"))?;
                (Some(party), Some(id), group.currency_to)
            }
        };
        let amount: Amount = values
            .amount("balance", account.2)?
            .parse()
            .map_err(|_| invalid("balance", "number_invalid"))?;
        if setting.known.row_of_account(account, row) != row {
            return Err(invalid("account", "duplicate"));
        }
        let id = MovementId(setting.own_id(format!("opening:{row}")));
        match setting.known.opening(account) {
            Some(opening) if opening.amount != amount => {
                let params = [
                    ("amount", opening.amount.to_string()),
                    ("currency", account.2.to_string()),
                ];
                return Err(Refusal::invalid_with("balance", "import_opening_differs", params));
            }
            Some(opening) if opening.id == id => return Ok(Plan::Done(id.0)),
            Some(opening) => return Ok(Plan::There(opening.id.0)),
            None => {}
        }
        Ok(Plan::Commands(vec![Step {
            part: "opening".to_owned(),
            command: Command::Movement(id, MovementCommand::Open(OpenBalance { of, amount })),
        }]))
    }
}
