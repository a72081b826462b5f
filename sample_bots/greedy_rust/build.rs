//! Makes Rust code from proto/arena/v1/bot.proto before everything else is compiled.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=proto");
    let files = protox::compile(["arena/v1/bot.proto"], ["proto"])?;
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds(files)?;
    Ok(())
}
