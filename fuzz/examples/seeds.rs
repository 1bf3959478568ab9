//! Writes `corpus/` out of the recorded replies and the embedded tables.

use std::fs;
use std::path::Path;

use retrial_fuzz::{PROTOCOLS, input, providers};
use retrial_policy::replies::Recorded;

fn main() -> std::io::Result<()> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let policy = fuzz.join("../policy");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = fuzz.join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    let tables: Vec<String> =
        providers().iter().map(|provider| provider.table().name().to_string()).collect();

    for file in ["error_cases.jsonl", "further_cases.jsonl"] {
        let lines = fs::read_to_string(policy.join("tests/data").join(file))?;
        for line in lines.lines() {
            let json: serde_json::Value = serde_json::from_str(line)?;
            let name = json["id"].as_str().unwrap_or("unnamed").replace('/', "-");
            if let Ok(case) = Recorded::from_json(line) {
                let table = tables.iter().position(|table| *table == case.provider).unwrap_or(0);
                write("classify", &name, &input(table as u8, &case.reply))?;
            }
            let Some(events) = json["stream"].as_array() else {
                continue;
            };
            // Recognised, in chunks of 7 and 64 bytes.
            let mut bytes = vec![PROTOCOLS.len() as u8, 2, 7, 64];
            for event in events {
                if let Some(name) = event["event"].as_str() {
                    bytes.extend(format!("event: {name}\n").bytes());
                }
                let data =
                    event["data"].as_str().map_or_else(|| event["data"].to_string(), String::from);
                bytes.extend(format!("data: {data}\n\n").bytes());
            }
            write("stream", &name, &bytes)?;
        }
    }

    for file in fs::read_dir(policy.join("providers"))? {
        let path = file?.path();
        let (Some(name), true) =
            (path.file_stem(), path.extension().is_some_and(|end| end == "toml"))
        else {
            continue;
        };
        let text = fs::read_to_string(&path)?;
        // Whole tables are long; their first rows have all that mutations need.
        let end = text.match_indices("[[row]]").nth(5).map_or(text.len(), |(at, _)| at);
        write("table", &name.to_string_lossy(), text[..end].as_bytes())?;
    }
    Ok(())
}
