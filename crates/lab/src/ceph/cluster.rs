//! What the monitors say about a pool and its OSDs.

use super::CephError;
use engine::remote::ceph::Cluster;
use engine::remote::scratch_pool::NAMESPACE;
use serde_json::{Value, json};
use stats::ceph::{CephOsd, CephPoolFacts};

/// States of placement groups in which OSDs read and write for themselves.
const BUSY_STATES: [&str; 4] = ["recover", "backfill", "scrub", "peering"];
/// Health checks that mean the same.
const BUSY_CHECKS: [&str; 4] = ["PG_DEGRADED", "OBJECT_MISPLACED", "PG_AVAILABILITY", "PG_RECOVERY"];
/// Type of an erasure-coded pool.
const ERASURE: u64 = 3;
/// Number of no OSD in an acting set.
const NO_OSD: i64 = 0x7fff_ffff;

/// Sends a command to the monitors and returns their answer.
fn ask(cluster: &Cluster, mut command: Value) -> Result<Value, CephError> {
    command["format"] = "json".into();
    let answer = cluster.mon_command(&command.to_string())?;
    let prefix = command["prefix"].as_str().unwrap_or_default().to_owned();
    serde_json::from_str(answer.output.trim()).map_err(|_| CephError::Answer { command: prefix })
}

fn number(value: &Value) -> u32 {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    number.and_then(|n| n.try_into().ok()).unwrap_or(0)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns what the monitors say about a pool, with the state of the cluster.
///
/// # Errors
/// The pool does not exist, or the monitors refuse a command.
pub(super) fn pool(cluster: &Cluster, name: &str) -> Result<CephPoolFacts, CephError> {
    let dump = ask(cluster, json!({ "prefix": "osd dump" }))?;
    let pools = dump["pools"].as_array().cloned().unwrap_or_default();
    let Some(pool) = pools.iter().find(|pool| pool["pool_name"] == name) else {
        let pools = pools.iter().map(|pool| text(&pool["pool_name"])).collect();
        return Err(CephError::NoPool { pool: name.into(), pools });
    };
    let erasure = if pool["type"].as_u64() == Some(ERASURE) {
        let name = &pool["erasure_code_profile"];
        let prefix = ["osd", "erasure-code-profile", "get"].join(" ");
        let profile = ask(cluster, json!({ "prefix": prefix, "name": name }))?;
        Some((number(&profile["k"]).max(1), number(&profile["m"])))
    } else {
        None
    };
    let mut facts = CephPoolFacts {
        name: name.into(),
        size: number(&pool["size"]).max(1),
        min_size: number(&pool["min_size"]),
        erasure,
        pgs: number(&pool["pg_num"]).max(1),
        ..CephPoolFacts::default()
    };
    state(cluster, &mut facts)?;
    Ok(facts)
}

/// Adds the state of the cluster now: recovery that was seen before remains.
///
/// # Errors
/// The monitors refuse the command.
pub(super) fn state(cluster: &Cluster, facts: &mut CephPoolFacts) -> Result<(), CephError> {
    let status = ask(cluster, json!({ "prefix": "status" }))?;
    facts.health = text(&status["health"]["status"]);
    facts.checks.clear();
    let mut busy = Vec::new();
    for (name, check) in status["health"]["checks"].as_object().into_iter().flatten() {
        let message = text(&check["summary"]["message"]);
        if BUSY_CHECKS.iter().any(|part| name.starts_with(part)) {
            busy.push(message.clone());
        }
        facts.checks.push(message);
    }
    let states = status["pgmap"]["pgs_by_state"].as_array().into_iter().flatten();
    let states = states.map(|state| text(&state["state_name"]));
    busy.extend(states.filter(|name| BUSY_STATES.iter().any(|part| name.contains(part))));
    busy.retain(|state| !facts.recovery.contains(state));
    facts.recovery.extend(busy);
    Ok(())
}

/// Returns the acting set of an object, primary first. `scratch` = in the namespace of scratch objects.
///
/// # Errors
/// The monitors refuse the command.
pub(super) fn acting(
    cluster: &Cluster,
    pool: &str,
    object: &str,
    scratch: bool,
) -> Result<Vec<i32>, CephError> {
    let mut command = json!({ "prefix": "osd map", "pool": pool, "object": object });
    if scratch {
        command["nspace"] = NAMESPACE.into();
    }
    let map = ask(cluster, command)?;
    let all = map["acting"].as_array().into_iter().flatten().filter_map(Value::as_i64);
    let mut acting: Vec<i32> =
        all.filter(|osd| *osd >= 0 && *osd != NO_OSD).filter_map(|osd| osd.try_into().ok()).collect();
    let primary = map["acting_primary"].as_i64().unwrap_or(-1);
    if let Some(at) = acting.iter().position(|osd| i64::from(*osd) == primary) {
        acting[..=at].rotate_right(1);
    }
    Ok(acting)
}

/// An OSD as its metadata describe it.
pub(super) struct OsdMetadata {
    pub(super) osd: CephOsd,
    /// IP address with port and, outside of containers, the process number after a slash.
    pub(super) address: String,
}

/// Returns the metadata of an OSD.
///
/// # Errors
/// The monitors refuse the command.
pub(super) fn osd(cluster: &Cluster, id: i32) -> Result<OsdMetadata, CephError> {
    let of = ask(cluster, json!({ "prefix": "osd metadata", "id": id }))?;
    let path = text(&of["bluestore_bdev_partition_path"]);
    let device = match text(&of["bluestore_bdev_dev_node"]) {
        _ if !path.is_empty() => path,
        node => node,
    };
    let address = text(&of["front_addr"]);
    let first = address.trim_start_matches('[').split([',', ']']).next().unwrap_or_default();
    Ok(OsdMetadata {
        osd: CephOsd {
            id,
            host: text(&of["hostname"]),
            store: text(&of["osd_objectstore"]),
            class: match text(&of["default_device_class"]) {
                class if class.is_empty() => text(&of["bluestore_bdev_type"]),
                class => class,
            },
            device,
            pid: None,
            min_alloc: of["bluestore_min_alloc_size"].as_str().and_then(|bytes| bytes.parse().ok()),
            ..CephOsd::default()
        },
        address: first.rsplit_once("v2:").map_or(first, |(_, rest)| rest).to_owned(),
    })
}
