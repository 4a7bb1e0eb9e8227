//! Why a part of the body goes less far than it should after fitting.

use super::amounts::{Amounts, Scales, Share};
use super::{Measured, Part, QUIET};
use jounce_base::text::listed;

/// The reason, as far as fitting can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its amounts were reduced again, because more of them tears or turns the skin.
    WouldTear,
    /// Its amounts were reduced again, because with more of them another part, or the trunk, goes too far.
    TakesTooFar,
    /// Hardly anything of the clip reaches it.
    HardlyMoves,
    /// Larger amounts move it no further: a limit of the style, or little motion to begin with.
    Limited,
}

/// What fitting did to the amounts.
pub struct Changed<'a> {
    /// When the goals were approached.
    pub approached: &'a Scales,
    /// In the end.
    pub scales: &'a Scales,
    /// What was reduced because the skin tore.
    pub torn: &'a [Share],
}

/// Parts that stay below their goals, of those that the style has amounts for.
pub fn shortfalls(
    amounts: &Amounts,
    before: &Measured,
    changed: &Changed,
    after: &Measured,
) -> Vec<(Part, Reason)> {
    let reason = |part: Part| {
        let share = Share::Lag(part);
        let goal = part.goal().start;
        let is_short = amounts.has(share) && after.part(part).is_some_and(|moved| moved < goal);
        let Changed { approached, scales, torn } = changed;
        let reduced = scales.of(share) < approached.of(share) * 0.99;
        let was_still = before.part(part).is_some_and(|moved| moved < goal / QUIET);
        let reason = match () {
            () if reduced && torn.contains(&share) => Reason::WouldTear,
            () if reduced => Reason::TakesTooFar,
            () if was_still || scales.of(share) > QUIET => Reason::HardlyMoves,
            () => Reason::Limited,
        };
        is_short.then_some((part, reason))
    };
    Part::ALL.into_iter().filter_map(reason).collect()
}

/// A clause for each reason, such as "more would tear the ears".
pub fn clauses(shortfalls: &[(Part, Reason)]) -> Vec<String> {
    let parts_with = |reason: Reason| {
        let parts = shortfalls.iter().filter(|(_, why)| *why == reason);
        parts.map(|(part, _)| format!("the {}", part.name())).collect::<Vec<String>>()
    };
    let clause = |reason: Reason| {
        let parts = parts_with(reason);
        let is_one = parts == ["the head"] || parts == ["the trunk"];
        let parts = (!parts.is_empty()).then(|| listed(&parts, "and"))?;
        Some(match reason {
            Reason::WouldTear => format!("more would tear {parts}"),
            Reason::TakesTooFar => format!("more of {parts} would move the rest too far"),
            Reason::HardlyMoves => {
                format!("{parts} hardly {} in this clip", if is_one { "moves" } else { "move" })
            }
            Reason::Limited => format!("larger amounts move {parts} no further"),
        })
    };
    [Reason::WouldTear, Reason::TakesTooFar, Reason::HardlyMoves, Reason::Limited]
        .into_iter()
        .filter_map(clause)
        .collect()
}
