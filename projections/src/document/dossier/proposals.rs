//! Commands that waited for an approval.

use super::{text, who};
use crate::{
    document::Composer,
    dossier::{Dossier, DossierCommand, DossierProposal, DossierProposalOutcome},
    print::{Printing, Words, brand, word},
    proposal::kind_words,
};
use caudal_export::{Cell, Kind};

pub(super) fn proposals(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.proposals.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(word::APPROVALS);
    let rows = dossier.proposals.iter().map(|of| {
        let decided = of.decided.as_ref();
        vec![
            printing.time(of.at),
            printing.say(kind_words(of.kind)).into(),
            text(of.remittance.as_ref().map(|remittance| printing.name(remittance))),
            text(who(&of.by, None, printing)),
            text(said(of, printing)),
            printing.say(outcome(of.outcome)).into(),
            decided.map_or(Cell::Empty, |act| printing.time(act.at)),
            text(decided.and_then(|act| who(&act.by, None, printing))),
            Cell::Integer(of.position),
        ]
    });
    composer.table(
        &[
            (word::PROPOSED_ON, Kind::DateTime),
            (word::CHANGE, Kind::Text),
            (word::REMITTANCE, Kind::Text),
            (word::WHO, Kind::Text),
            (word::REASON, Kind::Text),
            (word::STATUS, Kind::Text),
            (word::DATE, Kind::DateTime),
            (word::DECIDED_BY, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
}

const fn outcome(outcome: DossierProposalOutcome) -> Words {
    match outcome {
        DossierProposalOutcome::Waiting => word::WAITING,
        DossierProposalOutcome::Expired => word::EXPIRED,
        DossierProposalOutcome::Approved => word::PROPOSAL_APPROVED,
        DossierProposalOutcome::Rejected => word::PROPOSAL_REJECTED,
        DossierProposalOutcome::Withdrawn => word::PROPOSAL_WITHDRAWN,
    }
}

/// What was to be done, why, and why it was rejected.
fn said(of: &DossierProposal, printing: &Printing) -> Option<String> {
    let command = of.command.as_ref();
    let rejection = of.rejection.as_ref();
    let rejection = rejection.map(|reason| format!("{}: {reason}", printing.say(word::PROPOSAL_REJECTED)));
    let parts: Vec<String> = command
        .map(|command| given(command, printing))
        .into_iter()
        .flatten()
        .chain(rejection)
        .collect();
    Some(parts.join(" · ")).filter(|said| !said.is_empty())
}

fn given(command: &DossierCommand, printing: &Printing) -> Vec<String> {
    let hold = command
        .hold
        .map(|number| format!("{} {number}", printing.say(word::REVIEW)));
    let brand = command.brand.map(|of| printing.say(brand(of.0)).to_owned());
    let amount = command.amount.map(|amount| Cell::Money(amount.0.minor()));
    let amount = amount.map(|amount| format!("{} USD", printing.shown(&amount)));
    let parts = [
        hold,
        command.list.clone(),
        command.entry.clone(),
        brand,
        command.card.clone(),
        amount,
        command.reason.clone(),
    ];
    parts.into_iter().flatten().collect()
}
