//! Prometheus's text format, read: what is sent to a collector is what `/metrics` shows.

use std::{collections::BTreeMap, iter};

/// Labels of a series, by name.
pub(super) type Labels = BTreeMap<String, String>;

/// A metric with its series.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Family {
    pub(super) name: String,
    pub(super) help: String,
    pub(super) series: Series,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Series {
    Counters(Vec<(Labels, f64)>),
    Gauges(Vec<(Labels, f64)>),
    Histograms(Vec<(Labels, Histogram)>),
    /// Another kind; not sent.
    #[default]
    Other,
}

/// Observations by size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Histogram {
    /// Upper bounds, without the infinite one.
    pub(super) bounds: Vec<f64>,
    /// Observations in each bucket alone; one more than bounds.
    pub(super) counts: Vec<u64>,
    pub(super) sum: f64,
    pub(super) count: u64,
}

/// A line of a series.
struct Sample<'a> {
    name: &'a str,
    labels: Labels,
    value: f64,
}

/// Reads what `/metrics` shows.
pub(super) fn read(text: &str) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    let mut help = ("", "");
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            help = rest.split_once(' ').unwrap_or((rest, ""));
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let Some((name, kind)) = rest.split_once(' ') else {
                continue;
            };
            families.push(Family {
                name: name.to_owned(),
                help: if help.0 == name {
                    help.1.to_owned()
                } else {
                    String::new()
                },
                series: match kind {
                    "counter" => Series::Counters(Vec::new()),
                    "gauge" => Series::Gauges(Vec::new()),
                    "histogram" => Series::Histograms(Vec::new()),
                    _ => Series::Other,
                },
            });
        } else if let Some(sample) = sample(line)
            && let Some(family) = families.last_mut()
        {
            family.add(sample);
        }
    }
    families
}

impl Family {
    fn add(&mut self, sample: Sample<'_>) {
        let Sample {
            name,
            mut labels,
            value,
        } = sample;
        match &mut self.series {
            Series::Counters(series) | Series::Gauges(series) => series.push((labels, value)),
            Series::Histograms(series) => {
                let bound = labels.remove("le");
                if series.last().is_none_or(|(known, _)| *known != labels) {
                    series.push((labels, Histogram::default()));
                }
                let Some((_, histogram)) = series.last_mut() else {
                    return;
                };
                match (name.strip_prefix(self.name.as_str()), bound) {
                    (Some("_bucket"), Some(bound)) => histogram.add(&bound, value as u64),
                    (Some("_sum"), _) => histogram.sum = value,
                    (Some("_count"), _) => histogram.count = value as u64,
                    _ => {}
                }
            }
            Series::Other => {}
        }
    }
}

impl Histogram {
    /// Adds a bucket, of which the text counts those below too.
    fn add(&mut self, bound: &str, cumulative: u64) {
        let below: u64 = self.counts.iter().sum();
        self.counts.push(cumulative.saturating_sub(below));
        if let Some(bound) = bound.parse().ok().filter(|bound: &f64| bound.is_finite()) {
            self.bounds.push(bound);
        }
    }
}

/// `name{label="value",…} 12`
fn sample(line: &str) -> Option<Sample<'_>> {
    let (series, value) = line.rsplit_once(' ')?;
    let value = value.parse().ok()?;
    let (name, labels) = match series.split_once('{') {
        Some((name, rest)) => (name, labels(rest.strip_suffix('}')?)?),
        None => (series, Labels::new()),
    };
    Some(Sample { name, labels, value })
}

/// `one="a",other="b"`, with `\`, `"` and line breaks escaped.
fn labels(text: &str) -> Option<Labels> {
    let mut labels = Labels::new();
    let mut rest = text.chars();
    loop {
        let name: String = iter::from_fn(|| rest.next().filter(|c| *c != '=')).collect();
        if name.is_empty() {
            return Some(labels);
        }
        if rest.next() != Some('"') {
            return None;
        }
        let mut value = String::new();
        loop {
            match rest.next()? {
                '"' => break,
                '\\' => value.push(match rest.next()? {
                    'n' => '\n',
                    other => other,
                }),
                other => value.push(other),
            }
        }
        labels.insert(name, value);
        match rest.next() {
            None => return Some(labels),
            Some(',') => {}
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Labels {
        let pairs = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        pairs.collect()
    }

    #[test]
    fn counters_gauges_and_histograms_are_read_from_the_text() {
        let text = "\
# HELP caudal_requests_total Requests, all of them
# TYPE caudal_requests_total counter
caudal_requests_total{route=\"/api/{id}\",status=\"200\"} 7
caudal_requests_total{route=\"a \\\"b\\\" \\\\ c\",status=\"404\"} 1

# TYPE caudal_streams gauge
caudal_streams 2.5

# TYPE caudal_seconds histogram
caudal_seconds_bucket{kind=\"read\",le=\"0.01\"} 3
caudal_seconds_bucket{kind=\"read\",le=\"1\"} 5
caudal_seconds_bucket{kind=\"read\",le=\"+Inf\"} 6
caudal_seconds_sum{kind=\"read\"} 4.5
caudal_seconds_count{kind=\"read\"} 6
caudal_seconds_bucket{kind=\"write\",le=\"0.01\"} 0
caudal_seconds_bucket{kind=\"write\",le=\"1\"} 1
caudal_seconds_bucket{kind=\"write\",le=\"+Inf\"} 1
caudal_seconds_sum{kind=\"write\"} 0.5
caudal_seconds_count{kind=\"write\"} 1
";
        let families = read(text);
        let [requests, streams, seconds] = families.as_slice() else {
            panic!("{families:#?}");
        };
        assert_eq!(requests.help, "Requests, all of them");
        let counted = vec![
            (of(&[("route", "/api/{id}"), ("status", "200")]), 7.0),
            (of(&[("route", "a \"b\" \\ c"), ("status", "404")]), 1.0),
        ];
        assert_eq!(requests.series, Series::Counters(counted));
        assert_eq!(streams.series, Series::Gauges(vec![(Labels::new(), 2.5)]));
        let histogram = |counts: [u64; 3], sum| Histogram {
            bounds: vec![0.01, 1.0],
            counts: counts.to_vec(),
            sum,
            count: counts.iter().sum(),
        };
        let observed = vec![
            (of(&[("kind", "read")]), histogram([3, 2, 1], 4.5)),
            (of(&[("kind", "write")]), histogram([0, 1, 0], 0.5)),
        ];
        assert_eq!(seconds.series, Series::Histograms(observed));
    }
}
