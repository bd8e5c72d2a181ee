//! What rows of completions mean: remittances by code, and the entries of the ZIP that prove their deliveries.

use super::{
    kinds::completions::{IDENTIFICATION, SIGNATURE, code_of},
    mapping::Values,
    proofs::Names,
};
use caudal_domain::{FieldError, Refusal, ids::RemittanceId};
use caudal_projections::remittance::Deliverable;
use std::collections::{BTreeSet, HashMap};

/// Proofs of a row, by their places in the ZIP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proofs {
    pub identification: Option<usize>,
    pub signature: Option<usize>,
}

impl Proofs {
    /// Entries with the fields that they are proofs of.
    pub fn entries(self) -> impl Iterator<Item = (&'static str, usize)> {
        let fields = [(IDENTIFICATION, self.identification), (SIGNATURE, self.signature)];
        fields.into_iter().filter_map(|(field, entry)| Some((field, entry?)))
    }
}

/// Hash of an entry's cleaned content, or why it is no image that is kept.
pub type Examined = Result<String, Vec<FieldError>>;

/// Remittances and proofs of the rows of a pass.
#[derive(Debug, Default)]
pub struct Deliveries {
    names: Names,
    entries: usize,
    remittances: HashMap<String, Deliverable>,
    rows: HashMap<RemittanceId, u32>,
    examined: HashMap<usize, Examined>,
    used: BTreeSet<usize>,
}

impl Deliveries {
    #[must_use]
    pub fn new(names: &[String]) -> Self {
        Self {
            names: Names::new(names),
            entries: names.len(),
            ..Self::default()
        }
    }

    /// Takes the remittances of the next rows.
    pub fn take(&mut self, remittances: Vec<Deliverable>) {
        self.remittances = remittances
            .into_iter()
            .map(|remittance| (remittance.code.clone(), remittance))
            .collect();
    }

    #[must_use]
    pub fn remittance(&self, code: &str) -> Option<&Deliverable> {
        self.remittances.get(code)
    }

    /// The first row of a remittance in this pass.
    pub fn row_of(&mut self, remittance: RemittanceId, row: u32) -> u32 {
        *self.rows.entry(remittance).or_insert(row)
    }

    /// Proofs of a row: those that its cells name, or else those whose names begin with the remittance's code.
    ///
    /// # Errors
    /// A cell that names none, and a code with which several begin.
    pub fn proofs_of(&self, values: &Values) -> Result<Proofs, Refusal> {
        let named = |field: &'static str| match values.get(field) {
            None => Ok(None),
            Some(cell) => match self.names.named(cell) {
                Some(entry) => Ok(Some(entry)),
                None => Err(Refusal::invalid(field, "import_proof_not_found")),
            },
        };
        let (identification, signature) = (named(IDENTIFICATION)?, named(SIGNATURE)?);
        let code = code_of(values);
        if code.is_empty() {
            return Ok(Proofs::default());
        }
        let [signatures, others] = self.names.of_code(&code);
        let only = |field: &'static str, entry: Option<usize>, found: Vec<usize>| match (entry, found.as_slice()) {
            (Some(entry), _) => Ok(Some(entry)),
            (None, []) => Ok(None),
            (None, [entry]) => Ok(Some(*entry)),
            (None, _) => Err(Refusal::invalid(field, "import_proof_ambiguous")),
        };
        Ok(Proofs {
            identification: only(IDENTIFICATION, identification, others)?,
            signature: only(SIGNATURE, signature, signatures)?,
        })
    }

    /// Notes that entries belong to a row.
    pub fn use_up(&mut self, proofs: Proofs) {
        self.used.extend(proofs.entries().map(|(_, entry)| entry));
    }

    /// Entries that belong to no row of this pass.
    #[must_use]
    pub fn unused(&self) -> Vec<usize> {
        (0..self.entries).filter(|entry| !self.used.contains(entry)).collect()
    }

    /// Whether an entry's image was examined in this pass.
    #[must_use]
    pub fn is_examined(&self, entry: usize) -> bool {
        self.examined.contains_key(&entry)
    }

    pub fn note(&mut self, entry: usize, examined: Examined) {
        self.examined.insert(entry, examined);
    }

    /// Hash of a proof.
    ///
    /// # Errors
    /// A proof that is missing, or no image that is kept.
    pub fn hash(&self, field: &'static str, entry: Option<usize>) -> Result<String, Refusal> {
        let missing = || Refusal::invalid(field, "import_proof_missing");
        match self.examined.get(&entry.ok_or_else(missing)?) {
            Some(Ok(hash)) => Ok(hash.clone()),
            Some(Err(errors)) => Err(Refusal::all_invalid(
                errors
                    .iter()
                    .map(|error| FieldError {
                        field: field.into(),
                        ..error.clone()
                    })
                    .collect(),
            )),
            None => Err(missing()),
        }
    }
}
