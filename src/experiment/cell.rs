//! One policy at one sweep point: what the study runs.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;

use retrial_policy::{Growth, Nanos, Policy, Qualification};

use crate::engine::storm_guard::EndlessInstant;
use crate::measure::close_up::{CloseUp, close_up};
use crate::measure::decision_log::{RequestNumber, RequestTrace, log_decisions};
use crate::measure::recorder::{Measurements, measure};
use crate::measure::request_log::{RequestRow, log_requests};
use crate::model::layers_on_trial::LayersOnTrial;
use crate::model::run_id::RunId;
use crate::model::scenario::Scenario;
use crate::model::subject::PolicyOnTrial;

/// A policy at a point.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index of the policy.
    pub policy_index: usize,
    /// Index of the point.
    pub point_index: usize,
    /// The world.
    pub scenario: Arc<Scenario>,
    /// What each population follows: the policy on trial, or one of its own.
    pub policies: Vec<PolicyOfRoutes>,
    /// Attempts at most of a call of each layer of the policy on trial, the outermost first; `None`
    /// is unlimited. Empty for a policy without inner ones.
    pub layers: Vec<Option<NonZeroU32>>,
    /// A hash of everything that determines the results of the cell's runs, apart from the program:
    /// 64 hexadecimal digits.
    pub identity: String,
}

/// A policy, and where its routes are.
#[derive(Clone, Debug)]
pub struct PolicyOfRoutes {
    /// The policy.
    pub policy: Arc<Policy>,
    /// The scenario's routes by their number in the policy.
    pub routes: Vec<u16>,
    /// Which of them the population's requests may take.
    pub qualification: Qualification,
    /// It is the policy on trial, not one of a population's own.
    pub is_on_trial: bool,
}

impl PolicyOfRoutes {
    /// Its outermost layer.
    fn outermost(&self) -> PolicyOnTrial<'_> {
        let PolicyOfRoutes { policy, routes, qualification, .. } = self;
        PolicyOnTrial { policy, routes, qualification: Some(qualification) }
    }
}

/// The period in which clients that wait by this policy would return: the base of its backoff, or the
/// first wait of one that has none.
fn period(policy: &Policy) -> Option<Nanos> {
    match &policy.backoff().growth {
        Growth::Schedule(waits) => waits.first().copied(),
        growth => growth.base(),
    }
}

impl Cell {
    /// Runs it once and measures it; `with_series` records what happened when, too.
    ///
    /// # Errors
    ///
    /// Time stands still: retries without delay or bound.
    pub fn measure(&self, run: RunId, with_series: bool) -> Result<Measurements, EndlessInstant> {
        if self.has_layers() {
            measure(&self.scenario, &self.layered_subjects(), run, with_series)
        } else {
            measure(&self.scenario, &self.subjects(), run, with_series)
        }
    }

    /// Runs it once and lists its requests.
    ///
    /// # Errors
    ///
    /// As [`Cell::measure`].
    pub fn log_requests(&self, run: RunId) -> Result<Vec<RequestRow>, EndlessInstant> {
        log_requests(&self.scenario, &self.layered_subjects(), run)
    }

    /// Runs it once and follows chosen requests.
    ///
    /// # Errors
    ///
    /// As [`Cell::measure`].
    pub fn log_decisions(
        &self,
        run: RunId,
        chosen: &BTreeSet<RequestNumber>,
    ) -> Result<Vec<RequestTrace>, EndlessInstant> {
        log_decisions(&self.scenario, &self.layered_subjects(), run, chosen)
    }

    /// Runs it once and looks closely, for pictures.
    ///
    /// # Errors
    ///
    /// As [`Cell::measure`].
    pub fn close_up(&self, run: RunId) -> Result<CloseUp, EndlessInstant> {
        let on_trial = self.policies.iter().find(|of_routes| of_routes.is_on_trial);
        let policy = on_trial.map(|of_routes| &of_routes.policy);
        let deadline = policy.and_then(|policy| policy.limits().deadline);
        let period = policy.and_then(|policy| period(policy));
        close_up(&self.scenario, &self.layered_subjects(), run, deadline, period)
    }

    /// What is on trial, by population, if no policy has an inner one.
    pub fn subjects(&self) -> Vec<PolicyOnTrial<'_>> {
        let subjects = self.policies.iter().map(PolicyOfRoutes::outermost);
        subjects
            .inspect(|subject| {
                debug_assert!(subject.policy.inner().is_none(), "only one layer would run");
            })
            .collect()
    }

    /// What is on trial with all its layers, by population.
    fn layered_subjects(&self) -> Vec<LayersOnTrial<'_>> {
        let subjects = self.policies.iter().map(|of_routes| {
            let is_counted = of_routes.is_on_trial && of_routes.policy.inner().is_some();
            LayersOnTrial::new(of_routes.outermost(), is_counted)
        });
        subjects.collect()
    }

    fn has_layers(&self) -> bool {
        self.policies.iter().any(|of_routes| of_routes.policy.inner().is_some())
    }
}
