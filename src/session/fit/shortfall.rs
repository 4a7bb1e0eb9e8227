//! Why a part of the body goes less far than it should after fitting.

use super::amounts::{Amounts, Scales, Share};
use super::{Measured, Part, QUIET};
use jounce_base::text::listed;

/// The reason, as far as fitting can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its amounts were reduced again, because more of them tears or turns the skin.
    WouldTear,
    /// Hardly anything of the clip reaches it.
    HardlyMoves,
    /// Larger amounts move it no further: a limit of the style, or little motion to begin with.
    Limited,
}

/// Parts that stay below their goals, of those that the style has amounts for.
pub fn shortfalls(
    amounts: &Amounts,
    before: &Measured,
    approached: &Scales,
    scales: &Scales,
    after: &Measured,
) -> Vec<(Part, Reason)> {
    let reason = |part: Part| {
        let share = Share::Lag(part);
        let goal = part.goal().start;
        let is_short = amounts.has(share) && after.part(part).is_some_and(|moved| moved < goal);
        let reduced = scales.of(share) < approached.of(share) * 0.99;
        let was_still = before.part(part).is_some_and(|moved| moved < goal / QUIET);
        let reason = match () {
            () if reduced => Reason::WouldTear,
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
            Reason::HardlyMoves => {
                format!("{parts} hardly {} in this clip", if is_one { "moves" } else { "move" })
            }
            Reason::Limited => format!("larger amounts move {parts} no further"),
        })
    };
    [Reason::WouldTear, Reason::HardlyMoves, Reason::Limited]
        .into_iter()
        .filter_map(clause)
        .collect()
}
