//! A build without GPU support says so where it is asked for a GPU, rather than not to know the word.

use clap::{Args, ValueEnum};
use std::ffi::OsString;

pub const NO_GPU: &str = "this build of Jounce has no GPU support; `cargo run --release` builds one that has, and \
                          `cargo install --path .` installs it";

/// The arguments of a command that needs a GPU, whatever they are.
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct AnyArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _all: Vec<OsString>,
}

/// Refuses the name of a GPU.
pub fn refused(_name: &str) -> Result<String, &'static str> {
    Err(NO_GPU)
}

/// What computes or draws: anything but a GPU.
pub fn except_gpu<T: ValueEnum>(text: &str) -> Result<T, String> {
    if text.eq_ignore_ascii_case("gpu") {
        return Err(NO_GPU.to_owned());
    }
    T::from_str(text, true).map_err(|_| "this build supports only cpu".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Parser, Subcommand};

    #[derive(Parser)]
    struct Program {
        #[command(subcommand)]
        command: Command,
    }

    #[derive(Subcommand)]
    enum Command {
        Gpus(AnyArgs),
        Draw {
            #[arg(long, value_parser = except_gpu::<Drawn>)]
            by: Option<Drawn>,
            #[arg(long, value_parser = refused)]
            gpu: Option<String>,
        },
    }

    #[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
    enum Drawn {
        Cpu,
    }

    fn parsed(words: &[&str]) -> Result<Program, clap::Error> {
        Program::try_parse_from([&["jounce"][..], words].concat())
    }

    #[test]
    fn commands_for_gpus_take_any_arguments() {
        for words in
            [&["gpus"][..], &["gpus", "--json"], &["gpus", "cow", "--graph", "x", "--help"]]
        {
            let parsed = parsed(words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
            assert!(matches!(parsed.command, Command::Gpus(_)));
        }
    }

    #[test]
    fn a_gpu_is_refused_in_a_sentence_that_says_what_to_do() {
        for words in [["draw", "--by", "gpu"], ["draw", "--gpu", "0"]] {
            let error = parsed(&words).map(|_| ()).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(NO_GPU), "{error}");
        }
        let by_cpu = parsed(&["draw", "--by", "cpu"]).unwrap().command;
        assert!(matches!(by_cpu, Command::Draw { by: Some(Drawn::Cpu), gpu: None }));
    }
}
