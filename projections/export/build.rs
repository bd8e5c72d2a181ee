//! Writes the words that server and interface share as constants. A text names a word as the interface's texts do:
//! `$word(agent)`; `lower` gives a small first letter, `a` and `A` the English article.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// Folder of the two files, from this crate's.
const WORDS: &str = "../../frontend/src/shared/words";

/// Texts by name.
type Texts = BTreeMap<String, String>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = Path::new(WORDS);
    let (es, en) = (read(&folder.join("es.json"))?, read(&folder.join("en.json"))?);
    if let Some(missing) = es.keys().find(|name| !en.contains_key(*name)) {
        return Err(format!("{missing} is missing in {WORDS}/en.json").into());
    }
    let mut constants = String::new();
    for name in en.keys() {
        let (spanish, english) = (resolve(&es, name)?, resolve(&en, name)?);
        writeln!(
            constants,
            "/// {spanish:?}, {english:?}.\npub const {}: Words = Words::new({spanish:?}, {english:?});",
            constant(name)
        )?;
    }
    let all: Vec<_> = en.keys().map(|name| constant(name)).collect();
    writeln!(
        constants,
        "#[cfg(test)]\npub(super) const ALL: &[Words] = &[{}];",
        all.join(", ")
    )?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    fs::write(out.join("words.rs"), constants)?;
    Ok(())
}

/// A file of words: one `"name": "text"` a line.
fn read(path: &Path) -> Result<Texts, Box<dyn Error>> {
    println!("cargo:rerun-if-changed={}", path.display());
    let mut texts = Texts::new();
    for line in fs::read_to_string(path)?.lines() {
        let line = line.trim().trim_end_matches(',');
        if matches!(line, "{" | "}" | "") {
            continue;
        }
        let pair = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
        match pair.and_then(|pair| pair.split_once("\": \"")) {
            Some((name, text)) if !text.contains(['"', '\\']) => texts.insert(name.to_owned(), text.to_owned()),
            _ => return Err(format!("{}: no word in the line {line}", path.display()).into()),
        };
    }
    Ok(texts)
}

/// A text with the words that it names.
fn resolve(texts: &Texts, name: &str) -> Result<String, Box<dyn Error>> {
    let text = texts.get(name).ok_or_else(|| format!("there is no word {name}"))?;
    let mut parts = text.split("$word(");
    let mut resolved = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (named, rest) = part
            .split_once(')')
            .ok_or_else(|| format!("{name} has an open $word("))?;
        let (other, form) = named.split_once(", ").unwrap_or((named, ""));
        if other == name {
            return Err(format!("{name} names itself").into());
        }
        resolved += &formed(&resolve(texts, other)?, form)?;
        resolved += rest;
    }
    Ok(resolved)
}

fn formed(word: &str, form: &str) -> Result<String, Box<dyn Error>> {
    let mut letters = word.chars();
    let lower: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_lowercase)
        .chain(letters)
        .collect();
    let n = if lower.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "n"
    } else {
        ""
    };
    match form {
        "" => Ok(word.to_owned()),
        "lower" => Ok(lower),
        "a" | "A" => Ok(format!("{form}{n} {lower}")),
        _ => Err(format!("a word has no form {form}").into()),
    }
}

/// `deliveryMan` as `DELIVERY_MAN`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
    }
    constant
}
