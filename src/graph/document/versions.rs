//! The formats of `.jounce` files: how each differs from the one before.
//!
//! Files of all formats are read. A document is written in the oldest format that can hold it, so that
//! older builds open what they understand: a format that only has more keys than the one before is
//! written where one of them is used, a format that changes what was there is written always.

use serde_json::Value;

/// A document as JSON, in the format before → in this one. A sentence says why it cannot be.
pub type Migration = fn(Value) -> Result<Value, String>;

pub struct Version {
    /// What the format before does not know: where such keys are, from the top of a file down. A `*` is any name.
    pub new_keys: &'static [&'static [&'static str]],
    /// Where something that was there is called or kept otherwise now.
    pub migration: Option<Migration>,
}

/// From format 2 on. There is no row for a format before something is in it: a build that claimed to read it would
/// misread what later builds write.
pub const VERSIONS: [Version; 2] = [
    // What bones are to the body; whom they move relative to; amounts over time.
    Version {
        new_keys: &[
            &["characters", "*", "roles"],
            &["characters", "*", "parents"],
            &["motion", "keys"],
        ],
        migration: None,
    },
    // Painted maps that know their mesh, in short.
    Version { new_keys: &[&["characters", "*", "maps", "*", "values"]], migration: None },
];

/// The newest that this program knows.
pub const FORMAT: u64 = VERSIONS.len() as u64 + 1;

/// Does a file of this format differ from one of the newest in what it calls things?
pub fn needs_migration(format: u64, versions: &[Version]) -> bool {
    later(format, versions).any(|(_, version)| version.migration.is_some())
}

/// Up to the newest format. Otherwise the format that could not be left, and why.
pub fn migrate(
    mut document: Value,
    format: u64,
    versions: &[Version],
) -> Result<Value, (u64, String)> {
    for (from, version) in later(format, versions) {
        if let Some(migration) = version.migration {
            document = migration(document).map_err(|why| (from, why))?;
        }
    }
    Ok(document)
}

/// What comes after a format, each with the number of the one before it.
fn later(format: u64, versions: &[Version]) -> impl Iterator<Item = (u64, &Version)> {
    (1..).zip(versions).skip_while(move |(from, _)| *from < format)
}

/// The oldest format that can hold a document, which has the form of the newest.
pub fn oldest_format_for(document: &Value, versions: &[Version]) -> u64 {
    let is_needed = |version: &Version| {
        version.migration.is_some() || version.new_keys.iter().any(|path| has_key(document, path))
    };
    versions.iter().rposition(is_needed).map_or(1, |place| place as u64 + 2)
}

fn has_key(value: &Value, path: &[&str]) -> bool {
    let Some((key, below)) = path.split_first() else { return true };
    let Some(entries) = value.as_object() else { return false };
    match *key {
        "*" => entries.values().any(|value| has_key(value, below)),
        key => entries.get(key).is_some_and(|value| has_key(value, below)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Format 2 knows more of a character, format 3 calls its style a look.
    const TABLE: [Version; 2] = [
        Version { new_keys: &[&["characters", "*", "mood"]], migration: None },
        Version { new_keys: &[], migration: Some(rename_style) },
    ];

    fn rename_style(mut document: Value) -> Result<Value, String> {
        let parts = document.as_object_mut().ok_or("it is no object")?;
        if let Some(style) = parts.remove("style") {
            parts.insert("look".to_owned(), style);
        }
        Ok(document)
    }

    #[test]
    fn migrations_run_from_the_files_format_on() {
        let old = json!({"style": 5, "motion": 6});
        let new = json!({"look": 5, "motion": 6});
        for (format, expected) in [(1, &new), (2, &new), (3, &old)] {
            assert_eq!(migrate(old.clone(), format, &TABLE).as_ref(), Ok(expected));
            assert_eq!(needs_migration(format, &TABLE), format < 3);
        }
        assert_eq!(migrate(json!([]), 1, &TABLE), Err((2, "it is no object".to_owned())));
        assert!(!needs_migration(1, &TABLE[..1]), "keys were only added");
    }

    #[test]
    fn a_document_is_written_in_the_oldest_format_that_can_hold_it() {
        let moody = json!({"characters": {"cow": {"size": 1}, "snail": {"mood": {}}}});
        let plain = json!({"characters": {"mood": {"size": 1}}, "mood": 1, "style": {}});
        let written = |document, count| oldest_format_for(document, &TABLE[..count]);
        assert_eq!([written(&moody, 0), written(&plain, 0)], [1, 1]);
        assert_eq!([written(&moody, 1), written(&plain, 1)], [2, 1]);
        assert_eq!([written(&moody, 2), written(&plain, 2)], [3, 3]);
    }
}
