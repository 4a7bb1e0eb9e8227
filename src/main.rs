fn main() -> std::process::ExitCode {
    jounce::cli::run()
}
