//! What is done to a whole map at once. What is locked stays, and what is not selected where something is.

use super::{Masks, PaintSurface, Symmetry};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WholeMap {
    /// Each side gets what the other has.
    Flip(Symmetry),
    /// From the side of positive x to the other.
    MirrorFromPositive(Symmetry),
    MirrorFromNegative(Symmetry),
    /// Everything goes half the way to the mean of its neighbours.
    Blur,
    /// 1 − x.
    Invert,
    /// −x.
    Negate,
    Clamp(f32, f32),
}

impl WholeMap {
    /// For a menu and for undo.
    pub fn name(self) -> String {
        match self {
            WholeMap::Flip(_) => "Flip".to_owned(),
            WholeMap::MirrorFromPositive(_) => "Mirror from +x to −x".to_owned(),
            WholeMap::MirrorFromNegative(_) => "Mirror from −x to +x".to_owned(),
            WholeMap::Blur => "Blur".to_owned(),
            WholeMap::Invert => "Invert".to_owned(),
            WholeMap::Negate => "Negate".to_owned(),
            WholeMap::Clamp(least, most) => format!("Clamp to {least} … {most}"),
        }
    }

    pub fn applied(self, surface: &PaintSurface, masks: &Masks, values: &[f32]) -> Vec<f32> {
        let mut new = values.to_vec();
        let vertices_of = |point: u32| surface.meter().vertices_of(point).iter();
        let points = 0..surface.meter().point_count() as u32;
        match self {
            WholeMap::Flip(symmetry)
            | WholeMap::MirrorFromPositive(symmetry)
            | WholeMap::MirrorFromNegative(symmetry) => {
                let Some(mirroring) = surface.mirroring(symmetry) else { return new };
                let of = |point: u32| {
                    vertices_of(point).next().map_or(0.0, |&vertex| values[vertex as usize])
                };
                for point in points {
                    let x = surface.meter().positions()[point as usize].x - mirroring.middle();
                    let is_goal = match self {
                        WholeMap::MirrorFromPositive(_) => x < 0.0,
                        WholeMap::MirrorFromNegative(_) => x > 0.0,
                        _ => true,
                    };
                    if let Some(value) = mirroring.value(point, of).filter(|_| is_goal) {
                        vertices_of(point).for_each(|&vertex| new[vertex as usize] = value);
                    }
                }
            }
            WholeMap::Blur => {
                for point in points {
                    let mean = surface.mean_around(point, values);
                    for &vertex in vertices_of(point) {
                        let x = &mut new[vertex as usize];
                        *x += 0.5 * (mean - *x);
                    }
                }
            }
            WholeMap::Invert => new.iter_mut().for_each(|x| *x = 1.0 - *x),
            WholeMap::Negate => new.iter_mut().for_each(|x| *x = 0.0 - *x),
            WholeMap::Clamp(least, most) => {
                new.iter_mut().for_each(|x| *x = x.clamp(least, most));
            }
        }
        for (vertex, (new, old)) in new.iter_mut().zip(values).enumerate() {
            if !masks.allow(vertex) || !new.is_finite() {
                *new = *old;
            }
        }
        new
    }
}
