//! Measurements as Markdown.

use std::{fs, path::PathBuf};

/// Tables and sentences; they are printed as they come, and kept in a file where one was asked for.
#[derive(Debug)]
pub struct Report {
    text: String,
    file: Option<PathBuf>,
}

impl Report {
    /// An empty one.
    pub const fn new(file: Option<PathBuf>) -> Self {
        Self {
            text: String::new(),
            file,
        }
    }

    pub fn heading(&mut self, text: &str) {
        self.add(&format!("### {text}\n\n"));
    }

    pub fn paragraph(&mut self, text: &str) {
        self.add(&format!("{text}\n\n"));
    }

    /// A table whose first column is text and whose other ones are figures.
    pub fn table(&mut self, columns: &[&str], rows: &[Vec<String>]) {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let heads: Vec<_> = columns.iter().map(|&column| column.to_owned()).collect();
        let rule: Vec<_> = (0..columns.len())
            .map(|index| if index == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        let rows: String = rows.iter().map(|row| line(row)).collect();
        self.add(&format!("{}{}{rows}\n", line(&heads), line(&rule)));
    }

    fn add(&mut self, text: &str) {
        print!("{text}");
        self.text.push_str(text);
        if let Some(file) = &self.file {
            fs::write(file, &self.text).expect("the report's file can be written");
        }
    }
}

/// A whole figure with its thousands apart.
pub fn whole(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many times another figure one is.
pub fn ratio(figure: f64, other: f64) -> String {
    format!("{:.2}", figure / other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            [0.4, 999.0, 1_000.0, 1_234_567.0].map(whole),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
