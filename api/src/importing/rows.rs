//! Rows: what they become, and what becomes of them.

use crate::imports::{
    import::{Import, Outcome, RowError, RowResult},
    kinds::{self, Plan, Setting, Step, again},
    mapping::Mapping,
    reader::RawRow,
};
use caudal_domain::{
    Actor, Answer, Command, Refusal, TenantState,
    customer::CustomerCommand,
    ids::PartyId,
    party::{Party, Role},
    remittance::RemittanceCommand,
};
use caudal_journal::{Committed, RequestDigest, Submission};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Code of the refusal of a record that there is.
const ALREADY_EXISTS: &str = "already_exists";

/// Who imports, and for whom.
pub(super) struct Acting {
    pub(super) maker: Party,
    /// Owner of customers; named as the seller by a manager.
    pub(super) owner: PartyId,
    /// Whose balance the rows move.
    pub(super) seller: PartyId,
}

/// The maker as of now: the rules decide with every command what he may do.
pub(super) fn acting(state: &TenantState, import: &Import, mapping: &Mapping) -> Result<Acting, &'static str> {
    let maker = state.party(PartyId(import.maker)).filter(|maker| maker.is_active);
    let maker = maker.cloned().ok_or("account_inactive")?;
    let (owner, seller) = match (maker.role, mapping.owner) {
        _ if !import.kind.rules().has_owner() => (maker.id, maker.id),
        (Role::Manager, Some(seller)) => {
            let party = state.party(PartyId(seller)).filter(|party| party.role.holds_terms());
            let party = party.ok_or("import_owner_required")?;
            (party.customer_owner(), party.id)
        }
        (Role::Manager, None) => return Err("import_owner_required"),
        _ => (maker.customer_owner(), maker.seller()),
    };
    Ok(Acting { maker, owner, seller })
}

/// A row with its commands.
pub(super) struct Planned {
    pub(super) row: i32,
    pub(super) line: u32,
    /// Approvals for which it waited, and that ended without effect.
    pub(super) ended_approvals: u32,
    pub(super) plan: Result<Plan, Vec<RowError>>,
    /// Customers and cards that it registers.
    pub(super) opened: Vec<Uuid>,
    /// Whether it is left at some of its customers and cards, because nobody has confirmed the rest.
    pub(super) is_cut: bool,
}

impl Planned {
    /// Leaves those of its customers and cards that the preview decided; returns the ids that the other commands would open.
    pub(super) fn cut(&mut self, decided: &[String]) -> Vec<Uuid> {
        let Ok(Plan::Commands(steps)) = &mut self.plan else {
            return Vec::new();
        };
        let is_left = |step: &Step| is_of_customer(step) && decided.contains(&step.part);
        let lost: Vec<Uuid> = steps.iter().filter(|step| !is_left(step)).map(opened).collect();
        steps.retain(is_left);
        self.is_cut = !lost.is_empty();
        lost
    }

    pub(super) fn steps(&self) -> &[Step] {
        match &self.plan {
            Ok(Plan::Commands(steps)) => steps,
            _ => &[],
        }
    }
}

pub(super) fn plan_row(
    row: i32,
    raw: &RawRow,
    import: &Import,
    mapping: &Mapping,
    setting: &mut Setting<'_>,
) -> Planned {
    let at = |errors: Vec<caudal_domain::FieldError>| {
        let place = |error: caudal_domain::FieldError| {
            let column = mapping.column_of(import.kind, &error.field);
            RowError::of(error, column)
        };
        errors.into_iter().map(place).collect::<Vec<_>>()
    };
    // The place in the file, which a correction does not change.
    let number = u32::try_from(row).unwrap_or_default();
    setting.known.begin_row();
    let plan = mapping.values(import.kind, raw).and_then(|values| {
        let planned = import.kind.rules().plan(number, &values, setting);
        planned.map_err(kinds::errors_of)
    });
    if plan.is_err() {
        setting.known.forget_row();
    }
    Planned {
        row,
        line: raw.number,
        ended_approvals: setting.ended_approvals,
        plan: plan.map_err(at),
        opened: setting.known.take_row(),
        is_cut: false,
    }
}

/// A command's submission: its key is made of the import, which is the file's, and the row or record; after an approval that
/// ended without effect it is another one. A run sets the figures that the row's preview showed.
pub(super) fn submission(import: &Import, planned: &Planned, step: &Step) -> Submission {
    // A customer is registered once per file, whichever row comes first.
    let part = if is_of_customer(step) {
        step.part.clone()
    } else {
        format!("{}/{}", planned.row, step.part)
    };
    let part = again(part, planned.ended_approvals);
    let digest = Sha256::new_with_prefix(import.id.as_bytes())
        .chain_update(&part)
        .finalize();
    Submission {
        key: Some(hex::encode(digest)),
        request_digest: RequestDigest::of([b"import".as_slice(), import.id.as_bytes(), part.as_bytes()]),
        // The audit's filter by request finds all events of an import.
        request_id: import.id,
        ..Submission::of(Actor::Party(PartyId(import.maker)), step.command.clone())
    }
}

/// Parts of a row's first commands.
pub(super) fn parts(planned: &Planned, commands: usize) -> Vec<String> {
    let steps = planned.steps().iter().take(commands);
    steps.map(|step| step.part.clone()).collect()
}

pub(super) fn refused(import: &Import, mapping: &Mapping, refusal: Refusal) -> Outcome {
    let errors = kinds::errors_of(refusal).into_iter();
    let errors = errors.map(|error| {
        let column = mapping.column_of(import.kind, &error.field);
        RowError::of(error, column)
    });
    Outcome {
        errors: errors.collect(),
        ..Outcome::of(RowResult::Refused)
    }
}

/// Outcome of a row whose last command is committed.
pub(super) fn added(answer: Answer) -> Outcome {
    Outcome {
        record: Some(answer.id),
        code: answer.number,
        ..Outcome::of(RowResult::Added)
    }
}

/// Outcome of a row whose sale its import has committed before, as another maker: the sale's id is made of the import and the row.
pub(super) fn sold_before(planned: &Planned, place: usize, refusal: &Refusal) -> Option<Outcome> {
    match &planned.steps().get(place)?.command {
        Command::Remittance(id, RemittanceCommand::Create(_)) if refusal.code == ALREADY_EXISTS => Some(Outcome {
            record: Some(id.0),
            ..Outcome::of(RowResult::Added)
        }),
        _ => None,
    }
}

/// Outcome of a row that needs no command.
pub(super) fn without_commands(planned: &Planned) -> Option<Outcome> {
    let (result, errors, record) = match &planned.plan {
        Err(errors) => (RowResult::Refused, errors.clone(), None),
        Ok(Plan::There(id)) => (RowResult::There, Vec::new(), Some(*id)),
        Ok(Plan::Done(id)) => (RowResult::Added, Vec::new(), Some(*id)),
        Ok(Plan::Commands(_)) => return None,
    };
    Some(Outcome {
        errors,
        record,
        ..Outcome::of(result)
    })
}

/// Ids that a row's refused step would have opened: later rows must not rely on them.
pub(super) fn opened(step: &Step) -> Uuid {
    match &step.command {
        Command::Customer(_, CustomerCommand::AddCard(add)) => add.card.0,
        command => command.stream().id,
    }
}

pub(super) const fn is_of_customer(step: &Step) -> bool {
    matches!(step.command, Command::Customer(..))
}

/// Whether all commands took effect.
pub(super) fn all_done(results: &[Result<Committed, Refusal>]) -> bool {
    let mut results = results.iter();
    results.all(|result| {
        result
            .as_ref()
            .is_ok_and(|committed| committed.answer.proposal.is_none())
    })
}

/// Whether a sale was refused because a customer's document was not read for it.
pub(super) fn not_identified(results: &[Result<Committed, Refusal>]) -> bool {
    let refused = |result: &Result<Committed, Refusal>| {
        result
            .as_ref()
            .is_err_and(|refusal| refusal.code == "customer_not_identified")
    };
    results.iter().any(refused)
}

/// Whether a refusal is of the maker rather than of a row: every row would have it.
pub(super) fn concerns_maker(refusal: &Refusal) -> bool {
    matches!(
        refusal.code,
        "access_expired" | "account_inactive" | "permission_missing" | "role_not_allowed"
    )
}
