//! Checks of buckets and of the collector of traces and metrics.

use super::{CollectorFault, Finding, InstallationFacts, Outcome};

pub fn buckets(facts: &InstallationFacts) -> Outcome {
    if facts.buckets.is_empty() {
        return Outcome::Skipped("none is set");
    }
    let finding = |bucket: &super::BucketFacts| {
        let fault = bucket.fault.as_ref()?;
        Some(Finding::wrong(
            "bucket.unreachable",
            format!(
                "{} ({}, for {}) does not answer as it should: {fault}",
                bucket.place,
                bucket.setting,
                bucket.holds.words()
            ),
            "check the bucket's name, AWS_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; where they \
             stand in /etc/caudal/caudal.env, the doctor must be started with them too",
        ))
    };
    Outcome::Examined(facts.buckets.iter().filter_map(finding).collect())
}

pub fn telemetry(facts: &InstallationFacts) -> Outcome {
    let telemetry = &facts.telemetry;
    let Some(collector) = &telemetry.collector else {
        if telemetry.has_headers {
            return Outcome::Examined(vec![Finding::warning(
                "telemetry.no_collector",
                "headers for a collector are set, and no collector: neither traces nor metrics are sent",
                "set otlp-endpoint (CAUDAL_OTLP_ENDPOINT) too, or leave CAUDAL_OTLP_HEADERS out",
            )]);
        }
        return Outcome::Skipped("no collector is set");
    };
    let finding = match &telemetry.fault {
        None => None,
        Some(CollectorFault::Unreachable(said)) => Some(Finding::warning(
            "telemetry.unreachable",
            format!("the collector {collector} does not answer: {said}"),
            "start it, check host and port in CAUDAL_OTLP_ENDPOINT (OTLP over HTTP is at 4318; 4317 is gRPC), and the \
             firewall",
        )),
        Some(CollectorFault::Refused(said)) => Some(Finding::warning(
            "telemetry.refused",
            format!("the collector {collector} takes nothing: {said}"),
            "CAUDAL_OTLP_ENDPOINT is its address without /v1/traces, CAUDAL_OTLP_HEADERS has its token, and its receiver \
             must take traces and metrics as JSON",
        )),
    };
    Outcome::Examined(finding.into_iter().collect())
}
