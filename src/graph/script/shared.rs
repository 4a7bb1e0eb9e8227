//! `library("name")`: functions and constants that scripts share.
//!
//! A script that says `uses("name")` may call them. Each library sees what it uses itself, and nothing of those
//! who use it; calls are compiled where they stand, as calls of a script's own functions are, and count against
//! the same limits.

use super::error::{Fail, Fails, ScriptError, SourcePosition, did_you_mean};
use super::parse::{Comments, Constant, Function};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Libraries that use others, one inside the other.
const DEEPEST: usize = 8;
/// All that one script uses, by whatever way.
const MOST: usize = 64;

/// A library as it was read.
#[derive(Clone, Debug)]
pub struct SharedScript {
    pub name: String,
    /// What it says of itself.
    pub doc: String,
    /// How its author knows it.
    pub file: String,
    pub code: Arc<str>,
    pub(super) functions: Vec<Function>,
    pub(super) constants: Vec<Constant>,
    pub(super) comments: Comments,
    pub(super) uses: Vec<Use>,
}

/// `uses("name")`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub name: String,
    pub place: SourcePosition,
}

/// All libraries there are, by name.
#[derive(Clone, Debug, Default)]
pub struct SharedScripts(BTreeMap<String, Arc<SharedScript>>);

impl SharedScripts {
    pub fn get(&self, name: &str) -> Option<&Arc<SharedScript>> {
        self.0.get(name)
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<SharedScript>> {
        self.0.values()
    }

    /// Adds a library; one of the same name is replaced.
    pub fn insert(&mut self, script: Arc<SharedScript>) {
        self.0.insert(script.name.clone(), script);
    }

    /// Are all the very same ones?
    pub fn is_same(&self, other: &SharedScripts) -> bool {
        let pairs = || self.0.values().zip(other.0.values());
        self.0.len() == other.0.len() && pairs().all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// What a script uses, each library once, and what these use.
#[derive(Clone, Debug, Default)]
pub(super) struct Linked {
    pub all: Vec<Arc<SharedScript>>,
    /// For each of them the places of those it uses.
    uses: Vec<Vec<usize>>,
    /// The places of those that the script itself uses.
    own: Vec<usize>,
}

impl Linked {
    /// What is used by a library, or by the script itself.
    pub fn used_by(&self, home: Option<usize>) -> &[usize] {
        match home {
            None => &self.own,
            Some(place) => self.uses.get(place).map(Vec::as_slice).unwrap_or_default(),
        }
    }

    /// Finds all that is used. What is missing or goes in circles is a mistake at its `uses`.
    pub fn link(uses: &[Use], shared: &SharedScripts, fails: &mut Fails) -> Option<Linked> {
        let mut linked = Linked::default();
        let mut is_whole = true;
        for used in uses {
            match linked.add(&used.name, shared, &mut Vec::new()) {
                Ok(place) => linked.own.push(place),
                Err(message) => {
                    fails.push(Fail::new(used.place, message));
                    is_whole = false;
                }
            }
        }
        if is_whole {
            is_whole = linked.check_names(uses, fails);
        }
        is_whole.then_some(linked)
    }

    fn add(
        &mut self,
        name: &str,
        shared: &SharedScripts,
        path: &mut Vec<String>,
    ) -> Result<usize, String> {
        if path.iter().any(|before| before == name) {
            let way = path.iter().skip_while(|before| *before != name).skip(1);
            let way: Vec<String> = way.map(|name| format!("\"{name}\"")).collect();
            let by = match way.is_empty() {
                true => String::new(),
                false => format!(" by way of {}", way.join(", ")),
            };
            return Err(format!(
                "the library \"{name}\" uses itself{by}; move what both need into another library"
            ));
        }
        if let Some(known) = self.all.iter().position(|known| known.name == name) {
            return Ok(known);
        }
        let in_another = path.last().map(|by| format!("the library \"{by}\" cannot be used: "));
        let in_another = in_another.unwrap_or_default();
        let Some(script) = shared.get(name) else {
            let hint = did_you_mean(name, shared.all().map(|script| script.name.as_str()));
            return Err(format!(
                "{in_another}there is no library \"{name}\"{hint}; put a script that begins with library(\"{name}\"); into a scripts folder"
            ));
        };
        if path.len() >= DEEPEST || self.all.len() >= MOST {
            return Err(format!(
                "{in_another}a script uses at most {MOST} libraries, {DEEPEST} of them one inside the other; put some together"
            ));
        }
        let place = self.all.len();
        self.all.push(script.clone());
        self.uses.push(Vec::new());
        path.push(name.to_owned());
        for used in &script.uses {
            let inner = self.add(&used.name, shared, path)?;
            self.uses[place].push(inner);
        }
        path.pop();
        Ok(place)
    }

    /// A name that is in two of those that the script uses would be either of them.
    fn check_names(&self, uses: &[Use], fails: &mut Fails) -> bool {
        let mut known: HashMap<(&str, usize), usize> = HashMap::new();
        for (used, &place) in uses.iter().zip(&self.own) {
            for function in &self.all[place].functions {
                let key = (function.name.as_str(), function.parameters.len());
                let before = *known.entry(key).or_insert(place);
                if before != place {
                    let (name, first) = (&function.name, &self.all[before].name);
                    let message = format!(
                        "`{name}` is in the libraries \"{first}\" and \"{}\"; rename one of the two functions",
                        used.name
                    );
                    fails.push(Fail::new(used.place, message));
                    return false;
                }
            }
        }
        true
    }
}

/// What is wrong inside a library, for whoever calls it.
pub(super) fn seen_from_outside(error: &ScriptError, function: &str, library: &str) -> String {
    let SourcePosition { line, column } = error.place;
    format!("in `{function}` of the library \"{library}\", {line}:{column}: {}", error.message)
}
