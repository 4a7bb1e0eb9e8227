//! How a bake gets into its file, whatever the format.

use super::{BakeFileError, BakeFormat, BakeSubject, BakeWriter};
use jounce_files::{FileBeingWritten, FillError, WriteError, write_atomically};
use jounce_rig::Skinned;
use std::path::Path;
use std::sync::mpsc;

/// Has `frame` fill lists for each frame in turn: positions, and normals where the format wants them. If
/// that fails there is no file.
pub fn write_bake<E: From<BakeFileError> + From<WriteError>>(
    path: &Path,
    format: &BakeFormat,
    subject: BakeSubject,
    mut frame: impl FnMut(usize, &mut Skinned) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = (format.writer)();
    let fill = |mut lists: Skinned, index: usize| -> Result<Skinned, E> {
        frame(index, &mut lists)?;
        let expected = subject.character.vertex_count();
        let normals = if format.wants_normals { lists.normals.len() } else { expected };
        for (what, found) in [("points", lists.positions.len()), ("normals", normals)] {
            if found != expected {
                return Err(BakeFileError::Count { frame: index, what, found, expected }.into());
            }
        }
        Ok(lists)
    };
    write_atomically(path, |out| {
        writer.begin(out, &subject).map_err(|error| match error {
            FillError::Write(error) => FillError::Write(error),
            FillError::Other(error) => FillError::Other(E::from(error)),
        })?;
        write_frames(out, &mut *writer, subject.frames.clock_secs.len(), fill)?;
        Ok(writer.finish(out)?)
    })
}

/// Two sets of lists go to and fro: while one is filled the other is written.
fn write_frames<E>(
    out: &mut dyn FileBeingWritten,
    writer: &mut dyn BakeWriter,
    frames: usize,
    mut fill: impl FnMut(Skinned, usize) -> Result<Skinned, E>,
) -> Result<(), FillError<E>> {
    // It holds none: the filling side waits until the previous lists are written.
    let (to_writer, filled) = mpsc::sync_channel::<Skinned>(0);
    let (from_writer, written) = mpsc::channel();
    std::thread::scope(|scope| {
        let writing = scope.spawn(move || {
            for mut lists in filled {
                writer.frame(out, &mut lists)?;
                // Nobody waits for the last.
                let _ = from_writer.send(lists);
            }
            Ok::<(), std::io::Error>(())
        });
        let make_all = move || {
            for frame in 0..frames {
                let lists = fill(written.try_recv().unwrap_or_default(), frame)?;
                // A writer that has failed says why when it is joined.
                if to_writer.send(lists).is_err() {
                    break;
                }
            }
            // However it ends, the writer hears of it.
            drop(to_writer);
            Ok(())
        };
        let made = make_all();
        let wrote = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        made.map_err(FillError::Other)?;
        Ok(wrote?)
    })
}

#[cfg(test)]
mod tests {
    use super::super::FORMATS;
    use super::super::point_cache::ByteOrder;
    use super::*;
    use glam::Vec3;
    use jounce_rig::Character;
    use jounce_rig::motion::Frames;
    use std::io::{Seek, SeekFrom, Write};
    use thiserror::Error;

    #[derive(Debug, Error)]
    enum TestError {
        #[error(transparent)]
        File(#[from] BakeFileError),
        #[error(transparent)]
        Write(#[from] WriteError),
        #[error("no more")]
        Enough,
    }

    fn tube() -> Character {
        jounce_rig::own::make("tube", None).unwrap()
    }

    fn frames(count: usize) -> Frames {
        let secs: Vec<f64> = (0..count).map(|frame| frame as f64).collect();
        Frames { first: 0, fps: 1.0, clock_secs: secs.clone(), pose_secs: secs }
    }

    #[test]
    fn two_lists_go_to_and_fro_and_all_frames_come_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let (character, frames) = (tube(), frames(20));
        let points = character.vertex_count();
        for format in FORMATS {
            let path = folder.path().join(format!("out{}", format.ending));
            let subject = BakeSubject { character: &character, frames: &frames };
            let mut lists = Vec::new();
            let wrote: Result<(), TestError> = write_bake(&path, format, subject, |frame, out| {
                out.positions.resize(points, Vec3::ZERO);
                out.positions.fill(Vec3::splat(frame as f32));
                out.normals.resize(if format.wants_normals { points } else { 0 }, Vec3::Y);
                lists.push(out.positions.as_ptr());
                Ok(())
            });
            wrote.unwrap();
            lists.sort();
            lists.dedup();
            assert!(lists.len() <= 2, "{} lists", lists.len());
            // What is in the file of another format is for its own tests to say.
            let Some(cache) = format.point_cache else { continue };
            let bytes_of = match cache.byte_order() {
                ByteOrder::LittleEndian => f32::to_le_bytes,
                ByteOrder::BigEndian => f32::to_be_bytes,
            };
            let numbers = (0..20).flat_map(|i| bytes_of(i as f32).repeat(3 * points));
            let expected: Vec<u8> = numbers.collect();
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes.ends_with(&expected), "{}", format.ending);
        }
    }

    #[test]
    fn a_frame_that_fails_ends_everything_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pc2");
        let (character, frames) = (tube(), frames(9));
        let (points, subject) =
            (character.vertex_count(), BakeSubject { character: &character, frames: &frames });
        let mut asked = Vec::new();
        let wrote: Result<(), TestError> = write_bake(&path, FORMATS[0], subject, |frame, out| {
            asked.push(frame);
            out.positions.resize(points, Vec3::ONE);
            if frame == 4 { Err(TestError::Enough) } else { Ok(()) }
        });
        assert!(matches!(wrote, Err(TestError::Enough)));
        assert_eq!(asked, [0, 1, 2, 3, 4]);
        let wrote: Result<(), TestError> = write_bake(&path, FORMATS[0], subject, |_, out| {
            out.positions.resize(2, Vec3::ONE);
            Ok(())
        });
        let error = wrote.unwrap_err().to_string();
        assert!(error.contains(&format!("frame 0 has 2 points, but {points} are")), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Writes what it is told as text, to see what that is.
    struct Report;

    static REPORT: BakeFormat = BakeFormat {
        ending: ".txt",
        wants_normals: true,
        writer: || Box::new(Report),
        point_cache: None,
    };

    impl BakeWriter for Report {
        fn begin(
            &mut self,
            out: &mut dyn FileBeingWritten,
            subject: &BakeSubject,
        ) -> Result<(), FillError<BakeFileError>> {
            let triangles = subject.character.mesh.triangles.len();
            Ok(write!(out, "a {triangles} at {}", subject.frames.fps)?)
        }

        fn frame(
            &mut self,
            out: &mut dyn FileBeingWritten,
            frame: &mut Skinned,
        ) -> std::io::Result<()> {
            write!(out, ", {} {}", frame.positions[0].x, frame.normals[0].y)
        }

        /// Corrects the head, as formats do that know only now how long they are.
        fn finish(&mut self, out: &mut dyn FileBeingWritten) -> std::io::Result<()> {
            out.seek(SeekFrom::Start(0))?;
            write!(out, "A")?;
            out.seek(SeekFrom::End(0))?;
            write!(out, ", done")
        }
    }

    #[test]
    fn a_format_gets_topology_once_then_what_it_wants_of_each_frame_and_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let (character, frames) = (tube(), frames(2));
        let (points, subject) =
            (character.vertex_count(), BakeSubject { character: &character, frames: &frames });
        let wrote: Result<(), TestError> = write_bake(&path, &REPORT, subject, |frame, out| {
            out.positions = vec![Vec3::splat(frame as f32); points];
            out.normals = vec![Vec3::Y; points];
            Ok(())
        });
        wrote.unwrap();
        let triangles = character.mesh.triangles.len();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("A {triangles} at 1, 0 1, 1 1, done"));
        let wrote: Result<(), TestError> = write_bake(&path, &REPORT, subject, |_, out| {
            out.positions.resize(points, Vec3::ZERO);
            Ok(())
        });
        let error = wrote.unwrap_err().to_string();
        assert!(error.contains(&format!("frame 0 has 0 normals, but {points} are")), "{error}");
    }

    /// A disk that is full: what is written goes nowhere.
    #[test]
    fn a_writer_that_fails_ends_everything() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        impl Seek for Full {
            fn seek(&mut self, _: SeekFrom) -> std::io::Result<u64> {
                Ok(0)
            }
        }
        let mut asked = 0;
        let mut writer = (FORMATS[0].writer)();
        let wrote = write_frames(&mut Full, &mut *writer, 1000, |_, _| {
            asked += 1;
            Ok::<_, TestError>(Skinned { positions: vec![Vec3::ONE; 3], normals: Vec::new() })
        });
        assert!(matches!(wrote, Err(FillError::Write(_))));
        assert!(asked <= 3, "{asked} frames were computed for nothing");
    }
}
