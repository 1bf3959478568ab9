//! The recordings.

use serde_json::Value;

/// The steps of one run of a library.
pub struct Recording {
    pub name: String,
    pub steps: Vec<Step>,
}

/// One step.
pub struct Step(Value);

impl Recording {
    /// All, in the order of the file.
    pub fn all() -> Vec<Recording> {
        let mut all: Vec<Recording> = Vec::new();
        for line in include_str!("../data/budget_traces.jsonl").lines() {
            let step = Step(serde_json::from_str(line).expect("JSON on each line"));
            let name = step.text("trace");
            match all.last_mut() {
                Some(recording) if recording.name == name => recording.steps.push(step),
                _ => all.push(Recording { name: name.into(), steps: vec![step] }),
            }
        }
        all
    }

    /// The one of this name.
    pub fn named(name: &str) -> Recording {
        let named = Recording::all().into_iter().find(|recording| recording.name == name);
        named.unwrap_or_else(|| panic!("no recording is called {name}"))
    }

    /// A parameter of the library.
    pub fn param(&self, key: &str) -> f64 {
        number(&self.steps[0].0["params"][key], key)
    }
}

impl Step {
    pub fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_else(|| panic!("no text under {key} in {}", self.0))
    }

    pub fn event(&self) -> &str {
        self.text("event")
    }

    pub fn number(&self, key: &str) -> f64 {
        number(&self.0[key], key)
    }

    pub fn whole(&self, key: &str) -> u64 {
        self.0[key].as_u64().unwrap_or_else(|| panic!("no whole number under {key} in {}", self.0))
    }

    /// Whose event it is; 0 where only one is under way.
    pub fn request(&self) -> u64 {
        self.0["request"].as_u64().unwrap_or(0)
    }

    /// True, false, or not asked.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.0[key].as_bool()
    }

    /// A parameter that changes from step to step.
    pub fn param(&self, key: &str) -> f64 {
        number(&self.0["params"][key], key)
    }
}

fn number(value: &Value, key: &str) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number under {key}"))
}
