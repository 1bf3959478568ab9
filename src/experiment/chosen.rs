//! A plan of some of an experiment's policies only.

use super::plan::Plan;

impl Plan {
    /// The plan of the policies called `names` alone, in that order; names it does not have are
    /// left out. The world stays as it is, and so do the runs.
    #[must_use]
    pub fn of_policies(mut self, names: &[String]) -> Plan {
        let index = |name| self.policies.iter().position(|policy| policy == name);
        let kept: Vec<usize> = names.iter().filter_map(index).collect();
        let new_index = |old: usize| kept.iter().position(|kept| *kept == old);
        self.cells.retain_mut(|cell| match new_index(cell.policy_index) {
            None => false,
            Some(index) => {
                cell.policy_index = index;
                true
            }
        });
        self.cells.sort_by_key(|cell| (cell.policy_index, cell.point_index));
        let thresholds = std::mem::take(&mut self.outline.thresholds).into_iter();
        self.outline.thresholds = thresholds
            .filter_map(|(policy, condition)| Some((new_index(policy)?, condition)))
            .collect();
        self.outline.against = self.against.and_then(new_index);
        self.outline.policies = kept.iter().map(|policy| self.policies[*policy].clone()).collect();
        self
    }
}
