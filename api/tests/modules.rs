//! Modules: dependencies within the crate go one way, so that each can be read without what is built on it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Uses = BTreeMap<String, BTreeSet<String>>;

/// Modules that each module of the crate uses, without what only its tests use.
fn uses(folder: &Path) -> Uses {
    let mut uses = Uses::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if module != "lib" && module != "main" {
            read(&path, uses.entry(module).or_default());
        }
    }
    for (module, used) in &mut uses {
        used.remove(module);
    }
    uses
}

fn read(path: &Path, used: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            read(&entry.unwrap().path(), used);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code: Vec<&str> = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        for mention in code.join("\n").split("crate::").skip(1) {
            used.extend(named(mention));
        }
    }
}

/// Modules named after `crate::`: one, or the first word of each item in braces.
fn named(mention: &str) -> Vec<String> {
    let word = |text: &str| {
        let text = text.trim_start();
        let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let Some(list) = mention.strip_prefix('{') else {
        return vec![word(mention)];
    };
    let (mut depth, mut items, mut begun) = (0, Vec::new(), 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(word(&list[begun..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(word(&list[begun..at]));
                begun = at + 1;
            }
            _ => {}
        }
    }
    items
}

#[test]
fn no_module_of_the_api_uses_itself_through_others() {
    let uses = uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(
        uses["routes"].contains("submit") && uses["submit"].contains("app"),
        "{uses:?}"
    );
    assert_one_way(&uses);
}

#[test]
fn no_module_of_the_projections_uses_itself_through_others() {
    let uses = uses(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../projections/src"));
    assert!(
        uses["projector"].contains("remittance") && uses["remittance"].contains("rows"),
        "{uses:?}"
    );
    assert_one_way(&uses);
}

fn assert_one_way(uses: &Uses) {
    // Modules that use only removed ones are removed, until those in circles and what is built on them are left.
    let mut left: BTreeSet<&str> = uses.keys().map(String::as_str).collect();
    loop {
        let stays = |module: &&str| uses[*module].iter().any(|used| left.contains(used.as_str()));
        let fewer: BTreeSet<&str> = left.iter().copied().filter(stays).collect();
        if fewer == left {
            break;
        }
        left = fewer;
    }
    assert!(left.is_empty(), "in circles, or built on them: {left:?}");
}
