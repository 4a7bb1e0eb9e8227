//! The page that a demo is: one file of HTML, which needs nothing from elsewhere but what stands beside it.

use jounce_base::text::visible_lines;
use std::fmt::Write;
use std::path::Path;

/// By this a page of ours is known, so that no other is overwritten.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"jounce demo\">";

const STYLE_SHEET: &str = include_str!("page.css");

/// One style on one character. Paths are relative to the page.
#[derive(Default)]
pub struct Exhibit {
    pub style: String,
    pub character: String,
    pub clip: String,
    /// What is to be seen, in the style's own words.
    pub about: String,
    /// What fitting it to the character came to.
    pub fitted: Option<String>,
    pub film: String,
    /// The liveliest moments.
    pub strip: String,
    pub graph_file: String,
    /// As SVG.
    pub graph_picture: String,
    pub parameters: Vec<Parameter>,
    pub cache: String,
    pub cache_bytes: u64,
    pub shader: String,
    pub shader_text: String,
    /// What would make the same, as it is typed.
    pub commands: Vec<String>,
}

pub struct Parameter {
    pub name: String,
    pub value: String,
    pub range: String,
}

/// A style that could not be shown, and why.
pub struct Missing {
    pub style: String,
    pub why: String,
}

pub struct Page<'a> {
    pub title: &'a str,
    pub exhibits: &'a [Exhibit],
    pub missing: &'a [Missing],
    /// How many more will come; the page then loads itself again.
    pub to_come: usize,
    /// How the window is opened, as HTML.
    pub window: &'a str,
}

impl Page<'_> {
    pub fn html(&self) -> String {
        let mut html =
            String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        let _ = writeln!(html, "{GENERATOR}");
        html += "<meta name=\"viewport\" content=\"width=device-width\">\n";
        if self.to_come > 0 {
            html += "<meta http-equiv=\"refresh\" content=\"4\">\n";
        }
        let title = escaped(self.title);
        let _ = writeln!(
            html,
            "<title>{title}</title>\n<style>\n{STYLE_SHEET}</style>\n</head>\n<body>"
        );
        let _ = writeln!(
            html,
            "<header>\n<h1>{title}</h1>\n<p>Each film shows one character twice: on the left with plain skinning, as \
             its file moves it; on the right with a style. No bones were added and nothing is simulated: a \
             graph of nodes computes where the skin goes from how the bones move.</p>\n<p>{}</p>",
            self.window
        );
        if self.to_come > 0 {
            let _ = writeln!(html, "<p class=\"to-come\">{} more to come …</p>", self.to_come);
        }
        html += "</header>\n<main>\n";
        for exhibit in self.exhibits {
            exhibit.write(&mut html);
        }
        if !self.missing.is_empty() {
            html += "<section>\n<h2>Not shown</h2>\n<ul>\n";
            for Missing { style, why } in self.missing {
                let _ = writeln!(html, "<li><b>{}</b>: {}</li>", escaped(style), escaped(why));
            }
            html += "</ul>\n</section>\n";
        }
        html + "</main>\n</body>\n</html>\n"
    }
}

impl Exhibit {
    fn write(&self, html: &mut String) {
        let [style, character, clip] =
            [&self.style, &self.character, &self.clip].map(|it| escaped(it));
        let _ = writeln!(
            html,
            "<section id=\"{style}\">\n<h2>{style} <small>{character}, clip “{clip}”</small></h2>"
        );
        let film = escaped_path(&self.film);
        let _ = writeln!(
            html,
            "<figure><img src=\"{film}\" alt=\"On the left {character} with plain skinning, on the right with \
             {style}\"><figcaption><span>plain skinning</span><span>{style}</span></figcaption></figure>"
        );
        let strip = escaped_path(&self.strip);
        let _ = writeln!(
            html,
            "<figure><img src=\"{strip}\" alt=\"Moments side by side: above plain skinning, below {style}\">\
             <figcaption><span>the moments at which it shows most: plain skinning above, {style} below</span>\
             </figcaption></figure>"
        );
        let _ = writeln!(html, "<p>{}</p>", escaped(&self.about));
        if let Some(fitted) = &self.fitted {
            let _ = writeln!(html, "<p class=\"fitted\">The style was {}.</p>", escaped(fitted));
        }
        if !self.parameters.is_empty() {
            html.push_str("<table><tr><th>slider</th><th>here</th><th>range</th></tr>");
            for Parameter { name, value, range } in &self.parameters {
                let [name, value, range] = [name, value, range].map(|it| escaped(it));
                let _ = write!(html, "<tr><td>{name}</td><td>{value}</td><td>{range}</td></tr>");
            }
            html.push_str("</table>\n");
        }
        let _ = writeln!(
            html,
            "<p class=\"files\"><a href=\"{}\">the graph</a> <a href=\"{}\">the point cache</a> ({}, for Blender, Maya \
             or Houdini) <a href=\"{}\">the shader</a></p>",
            escaped_path(&self.graph_file),
            escaped_path(&self.cache),
            size(self.cache_bytes),
            escaped_path(&self.shader)
        );
        let _ = writeln!(
            html,
            "<details open><summary>The graph that makes it</summary><div class=\"wide\">{}</div></details>",
            self.graph_picture
        );
        let lines = self.shader_text.lines().count();
        let _ = writeln!(
            html,
            "<details><summary>The same as a shader: {lines} lines of WGSL</summary><pre>{}</pre></details>",
            escaped(&self.shader_text)
        );
        let _ = writeln!(
            html,
            "<details><summary>Make it yourself</summary><pre>{}</pre></details>\n</section>",
            escaped(&self.commands.join("\n"))
        );
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Text for HTML and SVG; what cannot be seen is written as an escape, as everywhere.
pub fn escaped(text: &str) -> String {
    let text = visible_lines(text);
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            _ => out.push(letter),
        }
    }
    out
}

/// What a browser is asked to open.
pub fn address(absolute_path: &Path) -> String {
    let path = absolute_path.to_string_lossy().replace('\\', "/");
    match path.strip_prefix('/') {
        Some(path) => format!("file:///{}", escaped_path(path)),
        // A drive, as in C:/…
        None => format!("file:///{}", escaped_path(&path).replacen("%3A", ":", 1)),
    }
}

/// A path as a link: each part as it stands in an address.
fn escaped_path(path: &str) -> String {
    let parts: Vec<_> = path.split('/').map(|part| urlencoding::encode(part)).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place_on_the_page() {
        let evil = "<script>\"&\u{1b}[31m\u{202e}";
        assert_eq!(escaped(evil), r"&lt;script&gt;&quot;&amp;\u{1b}[31m\u{202e}");
        assert_eq!(escaped_path("a b/c\"#?.gif"), "a%20b/c%22%23%3F.gif");
        assert_eq!(address(Path::new("/my files/100%.html")), "file:///my%20files/100%25.html");
        let exhibit = Exhibit {
            style: evil.to_owned(),
            character: evil.to_owned(),
            clip: evil.to_owned(),
            about: evil.to_owned(),
            shader_text: evil.to_owned(),
            ..Exhibit::default()
        };
        let missing = [Missing { style: evil.to_owned(), why: evil.to_owned() }];
        let page =
            Page { title: evil, exhibits: &[exhibit], missing: &missing, to_come: 0, window: "" };
        assert!(!page.html().contains("<script"), "{}", page.html());
        assert!(!page.html().contains('\u{1b}'));
    }

    #[test]
    fn a_page_loads_itself_again_until_all_is_there() {
        let page = |to_come| Page { title: "x", exhibits: &[], missing: &[], to_come, window: "" };
        assert!(
            page(2).html().contains("http-equiv=\"refresh\"") && page(2).html().contains("2 more")
        );
        assert!(!page(0).html().contains("refresh"));
    }
}
