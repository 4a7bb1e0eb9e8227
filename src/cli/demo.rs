//! `jounce demo`: a page to look at, with all that Jounce makes of a character.
//!
//! Everything on the page is made by the commands that users have, and the page says which.

mod graph_picture;
mod page;

use super::bake::{self, BakeArgs};
use super::export::{self, ExportArgs};
use super::fit::{self, FitArgs};
use super::graph::{ScriptArgs, library, open_document};
use super::render::{self, RenderArgs, Resolution};
use super::scene_args::positive;
use super::{CliError, ProgressBars, print};
use clap::{Args, Parser};
use graph_picture::graph_picture;
use jounce_base::text::{counted, visible};
use jounce_files::write_atomically;
use jounce_graph::compile::compile_for_export;
use jounce_graph::document::{Document, built_in_style};
use jounce_graph::script::Library;
use jounce_session::{Cast, is_path, is_path_argument};
use page::{Exhibit, GENERATOR, Missing, Page, Parameter};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Make a web page that shows what Jounce does: films beside plain skinning, graphs, caches and shaders.
///
/// Open the folder's index.html in a browser. Neither a graphics driver nor a display is needed. With a
/// CHARACTER, the page shows styles that suit any character, fitted to this one.
#[derive(Args)]
pub struct DemoArgs {
    /// A .glb or .gltf file, or a built-in character [default: all built-in characters]
    character: Option<OsString>,
    /// Name or number of one of the CHARACTER's clips [default: the clip with the most motion]
    #[arg(long, value_name = "NAME", requires = "character")]
    clip: Option<String>,
    /// The folder to write to; it is created if it does not exist
    #[arg(short, long, value_name = "DIR", default_value = "jounce-demo")]
    output: PathBuf,
    /// Width and height of each half of a film, in pixels
    #[arg(long, value_name = "WxH", default_value = "440x340")]
    resolution: Resolution,
    /// Frames per second of the films
    #[arg(long, default_value_t = 24.0, value_parser = positive, allow_hyphen_values = true)]
    fps: f64,
}

/// Each built-in character in the style that was made for it; the one that tells most stands first.
const SHOWPIECES: [&str; 7] = [
    "cow-bouncy",
    "dragon-whip",
    "giraffe-sway",
    "bird-flutter",
    "mushroom",
    "snail-ooze",
    "tube-jelly",
];

/// What suits any character, each unlike the others.
const FOR_ANY: [&str; 6] =
    ["default", "bouncy-cartoon", "wobbly-stop", "heavy-body", "follow-through", "feather-light"];

/// How many of the liveliest moments stand below a film.
const STRIP_MOMENTS: &str = "6";

/// A style, and the character it is fitted to; None: it has one of its own.
struct Order<'a> {
    style: &'a str,
    fit_to: Option<&'a OsStr>,
    /// In place of the style's own clip, or of the one with the most motion.
    clip: Option<String>,
}

pub fn run(args: DemoArgs) -> Result<(), CliError> {
    let folder = &args.output;
    let orders: Vec<Order> = match &args.character {
        None => SHOWPIECES.map(|style| Order { style, fit_to: None, clip: None }).into(),
        Some(name) => orders_for(name, args.clip.as_deref())?,
    };
    make_folder(folder)?;
    let title = match &args.character {
        None => "What Jounce does".to_owned(),
        Some(name) => format!("Jounce on {}", visible(&name.to_string_lossy())),
    };
    let library = library(&ScriptArgs { folders: Vec::new() })?;
    let bars = ProgressBars::default();
    let progress = bars.bar(orders.len(), "styles");
    let (mut exhibits, mut missing) = (Vec::new(), Vec::new());
    let mut failure = None;
    for (done, order) in orders.iter().enumerate() {
        match exhibit(order, &args, &library, &bars) {
            Ok(exhibit) => exhibits.push(exhibit),
            Err(error) => {
                missing.push(Missing { style: order.style.to_owned(), why: error.to_string() });
                // What one style cannot do on a character is no reason to show none.
                if !matches!(error, CliError::Fit(_)) {
                    failure = Some(error);
                }
            }
        }
        let to_come = if failure.is_some() { 0 } else { orders.len() - done - 1 };
        let window = window_sentence();
        let page = Page {
            title: &title,
            exhibits: &exhibits,
            missing: &missing,
            to_come,
            window: &window,
        };
        let written = write_page(&folder.join("index.html"), &page.html());
        if let Some(error) = failure {
            return Err(error);
        }
        written?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    for Missing { style, why } in &missing {
        say!("{style} is not shown: {why}");
    }
    print(&summary(folder, exhibits.len()))
}

/// The styles that were made for a built-in character, and those for any. A missing character or clip is
/// reported now, before anything is made.
fn orders_for<'a>(
    character: &'a OsStr,
    wanted_clip: Option<&str>,
) -> Result<Vec<Order<'a>>, CliError> {
    let name = character.to_string_lossy();
    let mut clip = None;
    if let Some(wanted) = wanted_clip {
        let cast = Cast::of_argument(character, None)?;
        clip = Some(cast.find_clip(wanted)?.name.clone());
    } else if !is_path_argument(character) || !Path::new(character).is_file() {
        Cast::of_argument(character, None)?;
    }
    let is_made_for = |style: &&str| {
        let document = built_in_style(style);
        document.is_some_and(|it| it.motion.character.as_deref() == Some(&*name))
    };
    let made_for = SHOWPIECES.into_iter().filter(is_made_for).map(|style| (style, None));
    let for_any = FOR_ANY.into_iter().map(|style| (style, Some(character)));
    let order = |(style, fit_to)| Order { style, fit_to, clip: clip.clone() };
    Ok(made_for.chain(for_any).map(order).collect())
}

fn exhibit(
    order: &Order,
    args: &DemoArgs,
    library: &Library,
    bars: &ProgressBars,
) -> Result<Exhibit, CliError> {
    let (style, folder) = (order.style, &args.output);
    let own_folder = folder.join(style);
    make_folder(&own_folder)?;
    let file = |name: String| own_folder.join(name);
    let graph_file = file(format!("{style}.jounce"));
    let mut commands = Vec::new();
    let mut fitted = None;
    match order.fit_to {
        Some(character) => {
            // The page's commands are typed in its folder, wherever the character was named from.
            let character = match is_path_argument(character) {
                true => std::path::absolute(character).unwrap_or_else(|_| character.into()),
                false => character.into(),
            };
            let mut words = words(&["fit"], &character);
            words.extend(["--graph", style].map(OsString::from));
            words.extend(order.clip.iter().map(|clip| format!("--clip={clip}").into()));
            words.push("-o".into());
            words.push(graph_file.clone().into());
            commands.push(as_typed(&words, folder));
            fitted = Some(fit::make(parsed::<FitArgs>(words)?, bars)?);
        }
        None => {
            let mut document = open_document(Path::new(style))?.0;
            if let Some(clip) = &order.clip {
                document.motion.clip = Some(clip.clone());
                document.motion.test = None;
            }
            document.save(&graph_file).map_err(CliError::Document)?;
        }
    }
    let document = open_document(&graph_file)?.0;
    let graph: OsString = graph_file.clone().into();

    let film = file(format!("{style}.gif"));
    let mut typed = words(&["render", "--graph"], &graph_file);
    typed.extend(
        [
            "--loop",
            "--beside",
            "--draw",
            "cpu",
            "--resolution",
            &args.resolution.to_string(),
            "--fps",
            &args.fps.to_string(),
            "-o",
        ]
        .map(OsString::from),
    );
    typed.push(film.clone().into());
    commands.push(as_typed(&typed, folder));
    render::make(parsed::<RenderArgs>(typed)?, bars)?;

    let strip = file(format!("{style}.png"));
    let [width, height] = args.resolution.0;
    let largest = Resolution([2 * width, height.div_ceil(2)]);
    let mut typed = words(&["render", "--graph"], &graph_file);
    let options = ["--loop", "--beside", "--strip", STRIP_MOMENTS, "--crop", "--draw", "cpu"];
    typed.extend(options.map(OsString::from));
    typed.extend(["--resolution", &largest.to_string(), "-o"].map(OsString::from));
    typed.push(strip.clone().into());
    commands.push(as_typed(&typed, folder));
    render::make(parsed::<RenderArgs>(typed)?, bars)?;

    let cache = file(format!("{style}.pc2"));
    let mut typed = words(&["bake", "--graph"], &graph_file);
    typed.extend(["--loop", "-o"].map(OsString::from));
    typed.push(cache.clone().into());
    commands.push(as_typed(&typed, folder));
    bake::make(parsed::<BakeArgs>(typed)?, bars)?;

    let mut typed = vec!["export".into(), graph];
    typed.extend(["--target", "wgsl", "-o"].map(OsString::from));
    typed.push(file("shader".to_owned()).into());
    commands.push(as_typed(&typed, folder));
    export::make(parsed::<ExportArgs>(typed)?)?;
    let shader = file(format!("shader/{style}.wgsl"));

    let relative = |path: &Path| {
        let path = path.strip_prefix(folder).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    };
    Ok(Exhibit {
        style: style.to_owned(),
        character: name_of_character(&document),
        clip: document.motion.clip.clone().or(document.motion.test.clone()).unwrap_or_default(),
        about: about(&document),
        fitted,
        film: relative(&film),
        strip: relative(&strip),
        graph_file: relative(&graph_file),
        graph_picture: graph_picture(&document, library),
        parameters: parameters(&document, library),
        cache_bytes: std::fs::metadata(&cache).map_or(0, |it| it.len()),
        cache: relative(&cache),
        shader_text: std::fs::read_to_string(&shader).unwrap_or_default(),
        shader: relative(&shader),
        commands,
    })
}

/// The style explains itself in a comment.
fn about(document: &Document) -> String {
    let comments = document.style.graph.comments.values();
    comments.map(|it| it.text.as_str()).next().unwrap_or_default().to_owned()
}

fn name_of_character(document: &Document) -> String {
    let name = document.motion.character.as_deref().unwrap_or_default();
    match is_path(name) {
        true => Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        false => name.to_owned(),
    }
}

fn parameters(document: &Document, library: &Library) -> Vec<Parameter> {
    let compiled = compile_for_export(&document.style, library);
    let parameters = compiled.program.tables.parameters.iter();
    let shown = parameters.filter_map(|parameter| {
        let range = |(least, most)| format!("{least} to {most}");
        Some(Parameter {
            name: parameter.exposed.clone()?,
            value: parameter.value.to_string(),
            range: parameter.soft.or(parameter.hard).map(range).unwrap_or_default(),
        })
    });
    shown.collect()
}

/// A command's arguments, as if they had been typed.
#[derive(Parser)]
struct Typed<T: Args> {
    #[command(flatten)]
    args: T,
}

/// The first word, which names the command, stands where the program's name would.
fn parsed<T: Args>(words: Vec<OsString>) -> Result<T, CliError> {
    let typed = Typed::<T>::try_parse_from(words);
    typed.map(|typed| typed.args).map_err(|error| CliError::Combination(error.to_string()))
}

fn words(first: &[&str], path: &Path) -> Vec<OsString> {
    first.iter().map(OsString::from).chain([path.into()]).collect()
}

/// As one types it in the folder of the page.
fn as_typed(words: &[OsString], folder: &Path) -> String {
    let mut text = "jounce".to_owned();
    for word in words {
        let path = Path::new(word);
        let word = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        let needs_quotes =
            word.contains(|letter: char| !letter.is_alphanumeric() && !"-_./=:,".contains(letter));
        let quoted =
            if needs_quotes { format!("'{}'", word.replace('\'', "'\\''")) } else { word.into() };
        let _ = write!(text, " {quoted}");
    }
    text
}

/// A folder of ours, or one that holds no page of somebody else's.
fn make_folder(folder: &Path) -> Result<(), CliError> {
    if folder.is_file() {
        return Err(CliError::FolderIsFile(folder.to_owned()));
    }
    let page = folder.join("index.html");
    if page.exists() && !is_one_of_ours(&page) {
        return Err(CliError::PageOfOthers(page));
    }
    std::fs::create_dir_all(folder)
        .map_err(|source| CliError::Folder { folder: folder.to_owned(), source })
}

/// A page holds text and drawings, no films.
const LARGEST_PAGE_BYTES: u64 = 64 << 20;

fn is_one_of_ours(page: &Path) -> bool {
    let read = jounce_base::reading::read_file(page, LARGEST_PAGE_BYTES);
    read.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(GENERATOR))
}

fn summary(folder: &Path, exhibits: usize) -> String {
    let page = folder.join("index.html");
    let page = std::path::absolute(&page).unwrap_or(page);
    format!(
        "{}: {}\nOpen it in a browser: {}\n{}\n",
        visible(&folder.join("index.html").display().to_string()),
        counted(exhibits, "style"),
        page::address(&page),
        WINDOW
    )
}

#[cfg(feature = "editor")]
const WINDOW: &str =
    "The editor: run `jounce` where there is a display and a Vulkan or OpenGL driver.";
#[cfg(not(feature = "editor"))]
const WINDOW: &str = "The editor: this build does not include it; `cargo run --release` builds it and opens its window.";

#[cfg(feature = "editor")]
fn window_sentence() -> String {
    "To wire such graphs yourself, and see them move on your own character, run <code>jounce</code> where there is a \
     display: it opens the editor."
        .to_owned()
}

#[cfg(not(feature = "editor"))]
fn window_sentence() -> String {
    "To wire such graphs yourself, and see them move on your own character, run <code>cargo run --release</code> in \
     the project’s folder where there is a display: it builds the editor and opens it."
        .to_owned()
}

fn write_page(path: &Path, html: &str) -> Result<(), CliError> {
    write_atomically(path, |file| Ok(file.write_all(html.as_bytes())?))
}
