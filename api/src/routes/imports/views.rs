//! Imports and rows as the API shows them.

use super::{
    access::permit_of,
    bodies::{ImportDetail, ImportFailure, ImportProofs, ImportRow, ImportRowBalance, ImportRowError, ImportView},
};
use crate::{
    catalogue::{self, TextTemplate},
    extract::{Language, Reading},
    imports::{
        fixing,
        import::{Counts, Import, Outcome, PassCounts, RowError, RowResult, ShownRow, Summary},
        reader::{RawRow, shown},
    },
    problem::ApiError,
};
use caudal_domain::{office::Right, refusal::Params};
use caudal_projections::refs::Ref;
use uuid::Uuid;

/// Rows that are shown with the columns.
const SAMPLE: usize = 5;

pub(super) async fn views(
    reading: &Reading,
    imports: Vec<Import>,
    language: Language,
) -> Result<Vec<ImportView>, ApiError> {
    let makers: Vec<Uuid> = imports.iter().map(|import| import.maker).collect();
    let mut names = reading.app.imports.names(&reading.caller.tenant, &makers).await?;
    let view = |import: Import| ImportView {
        id: import.id,
        kind: import.kind,
        state: import.state,
        name: import.details.map(|details| details.name),
        rows: import.rows,
        done: import.next_row,
        previewed: import.counts.map(|counts| counts.preview).filter(any),
        imported: import.counts.map(|counts| counts.run).filter(any),
        failure: import.failure.map(|code| ImportFailure {
            detail: text_of(&code, language, &Params::new()),
            code,
        }),
        maker: Ref {
            id: import.maker,
            name: names.get(&import.maker).cloned(),
        },
        created_at: import.created_at,
        changed_at: import.changed_at,
        erase_at: import.erase_at,
    };
    let views = imports.into_iter().map(view).collect();
    names.clear();
    Ok(views)
}

const fn any(counts: &Counts) -> bool {
    counts.of(None) > 0
}

pub(super) async fn detail(reading: &Reading, import: Import, language: Language) -> Result<ImportDetail, ApiError> {
    let caller = &reading.caller;
    let imports = &reading.app.imports;
    let PassCounts { preview, run, shown } = imports.counts_of(&caller.tenant, &import).await?;
    let details = import.details.clone();
    let sample = match &details {
        Some(_) => imports.chunk(&caller.tenant, import.id, 0).await?,
        None => Vec::new(),
    };
    let proofs = import.proofs.clone().map(|file| ImportProofs {
        unused: import.summary.as_ref().map(|summary| {
            let places = summary.unused_proofs.iter();
            places.filter_map(|place| file.entries.get(*place).cloned()).collect()
        }),
        entries: file.entries.len(),
        name: file.name,
    });
    let Summary {
        balances,
        sums,
        expected,
        ..
    } = import.summary.clone().unwrap_or_default();
    let stoppable = caller.viewer.is_none() && permit_of(caller, &import, Right::Write).is_ok();
    let own = import.maker == caller.party.0 && caller.viewer.is_none();
    let (headers, notices, mapping) = match details {
        Some(details) => (details.headers, details.notices, Some(details.mapping)),
        None => (Vec::new(), Vec::new(), None),
    };
    let seller = mapping.as_ref().and_then(|mapping| mapping.owner);
    let seller = match seller.filter(|_| import.kind.rules().has_owner()) {
        Some(id) => Some(Ref {
            id,
            name: imports.names(&caller.tenant, &[id]).await?.remove(&id),
        }),
        None => None,
    };
    let mut views = views(reading, vec![import], language).await?;
    let import = views.pop().ok_or_else(|| ApiError::not_found("import_not_found"))?;
    Ok(ImportDetail {
        import,
        own,
        stoppable,
        sample: sample
            .iter()
            .take(SAMPLE)
            .map(|row| cells_of(row, headers.len()))
            .collect(),
        headers,
        mapping,
        seller,
        proofs,
        notices,
        preview_counts: preview,
        run_counts: run,
        shown_counts: shown,
        balances,
        sums,
        expected,
    })
}

fn cells_of(row: &RawRow, columns: usize) -> Vec<String> {
    padded(&row.cells, columns)
}

fn padded(cells: &[String], columns: usize) -> Vec<String> {
    let text = |column| {
        cells
            .get(column)
            .map_or_else(String::new, |cell: &String| shown(cell).to_owned())
    };
    (0..columns).map(text).collect()
}

pub(super) fn row_view(row: ShownRow, columns: usize, language: Language) -> ImportRow {
    let ShownRow {
        row,
        line,
        cells,
        preview,
        result,
        left_out,
    } = row;
    let (previewed, ran) = (
        preview.as_ref().map(|own| own.result),
        result.as_ref().map(|own| own.result),
    );
    let balance = preview.as_ref().and_then(|own| own.balance.clone());
    let Outcome {
        errors, record, code, ..
    } = match (result, preview) {
        (Some(outcome), _) | (None, Some(outcome)) => outcome,
        (None, None) => Outcome::of(RowResult::LeftOut),
    };
    ImportRow {
        row,
        line,
        cells: padded(&cells.unwrap_or_default(), columns),
        left_out,
        preview: previewed,
        result: ran,
        errors: errors.into_iter().map(|error| error_view(error, language)).collect(),
        record,
        code,
        balance: balance.map(|(amount, currency)| ImportRowBalance { amount, currency }),
    }
}

fn error_view(error: RowError, language: Language) -> ImportRowError {
    let params = fixing::params_of(&error.params);
    ImportRowError {
        detail: text_of(&error.code, language, &params),
        said: TextTemplate::of(&error.code, language, &params),
        column: error.column,
        field: error.field,
        code: error.code,
    }
}

fn text_of(code: &str, language: Language, params: &Params) -> String {
    catalogue::text(code, language, params)
}
