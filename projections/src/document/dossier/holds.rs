//! Holds of remittances: what put each in review, and its reviews.

use super::{text, who};
use crate::{
    document::Composer,
    dossier::{Dossier, DossierEntry, DossierHold, DossierHoldOutcome, DossierLikeness, DossierLimitRule},
    limit::PublicLimitSide,
    list::values,
    print::{MONEY, Printing, Words, word},
    remittance::PublicHoldReason,
    table::name_in_log,
};
use caudal_export::{Cell, Kind};

/// One line per hold, then one per review.
pub(super) fn holds(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.holds.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new("Remesas puestas en revisión", "Remittances put in review"));
    let rows = dossier.holds.iter().map(|hold| {
        // Of what a rule or a match held, the actor is whose sale or edit it was.
        let held_by = Some(&hold.held).filter(|_| hold.reason == PublicHoldReason::Manual);
        vec![
            text(hold.remittance.name.clone()),
            text(hold.reference.clone()),
            Cell::Integer(hold.number.into()),
            printing.time(hold.held.at),
            text(held_by.and_then(|act| who(&act.by, act.approval.as_ref(), printing))),
            text(Some(cause(hold, printing))),
            printing.say(outcome(hold.outcome)).into(),
            Cell::Integer(hold.held.position),
        ]
    });
    composer.table(
        &[
            (word::CODE, Kind::Text),
            (word::REFERENCE, Kind::Text),
            (word::REVIEW, Kind::Integer),
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::CAUSE, Kind::Text),
            (word::STATUS, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
    reviews(composer, dossier);
}

fn reviews(composer: &mut Composer<'_>, dossier: &Dossier) {
    let printing = composer.printing;
    let rows = dossier.holds.iter().flat_map(|hold| {
        hold.reviews.iter().map(|review| {
            let released = if review.is_released {
                word::REVIEW_PASSED
            } else {
                word::STAYS_IN_REVIEW
            };
            vec![
                text(hold.remittance.name.clone()),
                Cell::Integer(hold.number.into()),
                printing.time(review.at),
                text(who(&review.by, review.approval.as_ref(), printing)),
                printing.say(released).into(),
                text(review.reason.clone()),
                Cell::Integer(review.position),
            ]
        })
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return;
    }
    composer.table(
        &[
            (word::CODE, Kind::Text),
            (word::REVIEW, Kind::Integer),
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::CHANGE, Kind::Text),
            (word::REASON, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows,
        Vec::new(),
    );
}

const fn outcome(outcome: DossierHoldOutcome) -> Words {
    match outcome {
        DossierHoldOutcome::Open => word::IN_REVIEW,
        DossierHoldOutcome::Released => word::REVIEW_PASSED,
        DossierHoldOutcome::Canceled => word::CANCELED,
        DossierHoldOutcome::Delivered => word::DELIVERED_WHILE_IN_REVIEW,
    }
}

/// What put a remittance in review: the reason, and the rule, the entries of lists or the note.
fn cause(hold: &DossierHold, printing: &Printing) -> String {
    let reason = values::HOLD_REASON.words(&name_in_log(&hold.reason));
    let reason = reason.map(|reason| printing.say(reason).to_owned());
    let rule = hold.limit_rule.as_ref().map(|rule| limit_rule(rule, printing));
    let likeness = hold.likeness.as_ref().map(|of| likeness(of, printing));
    let parts: Vec<String> = [reason, rule, likeness, hold.note.clone()]
        .into_iter()
        .flatten()
        .collect();
    parts.join(": ")
}

fn limit_rule(rule: &DossierLimitRule, printing: &Printing) -> String {
    let side = match rule.side {
        PublicLimitSide::Sender => word::SENDER,
        PublicLimitSide::Recipient => word::RECIPIENT,
    };
    let window = values::LIMIT_WINDOW.words(&name_in_log(&rule.window));
    let amount = rule.amount.map(|amount| Cell::Money(amount.0.minor()));
    let amount = amount.map(|amount| {
        let amount = amount.shown(MONEY, printing.language);
        format!("{} {amount}", printing.say(word::UP_TO_USD))
    });
    let count = rule
        .count
        .map(|count| format!("{} {count}", printing.say(word::UP_TO_REMITTANCES)));
    let groups = rule.payment_groups.iter().map(|group| printing.name(group));
    let groups = Some(groups.collect::<Vec<_>>().join(", ")).filter(|groups| !groups.is_empty());
    let since = printing.shown(&printing.time(rule.set.at));
    let set = [Some(since), who(&rule.set.by, rule.set.approval.as_ref(), printing)];
    let set = set.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let set = format!("{} {set}", printing.say(Words::new("regla fijada el", "rule set on")));
    let parts = [
        Some(printing.say(side).to_owned()),
        window.map(|window| printing.say(window).to_owned()),
        amount,
        count,
        groups,
        Some(set),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn likeness(of: &DossierLikeness, printing: &Printing) -> String {
    let entries = of.entries.iter().flatten().map(entry);
    let parts: Vec<String> = std::iter::once(printing.name(&of.customer)).chain(entries).collect();
    parts.join("; ")
}

/// List with its version, entry, name and likeness.
fn entry(of: &DossierEntry) -> String {
    let list = match &of.version {
        Some(version) => format!("{} ({version})", of.list),
        None => of.list.clone(),
    };
    let parts = [
        Some(list),
        Some(of.entry.clone()),
        of.name.clone(),
        of.score.map(|score| format!("{score} %")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
