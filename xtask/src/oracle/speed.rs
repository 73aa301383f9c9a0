use crate::tool::Tool;
use anyhow::Result;
pub fn run(_: &Tool, _: &Tool, _: bool, _: bool) -> Result<bool> {
    Ok(true)
}
