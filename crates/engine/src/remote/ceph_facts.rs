//! What a cluster says about a pool, its OSDs, its health, and its work beside that of its clients.

use super::ceph::Cluster;
use serde_json::Value;
use stats::remote::CephPool;
use stats::server_fact::{CephOsd, ClusterActivity, OSDS_SHOWN, ServerFact};

/// Returns the answer of a monitor to a command without arguments; null if it is refused, as to clients with few rights.
fn asked(cluster: &Cluster, prefix: &str) -> Value {
    let answer = cluster.mon_command(&format!(r#"{{"prefix":"{prefix}","format":"json"}}"#));
    answer.ok().and_then(|answer| serde_json::from_str(&answer.output).ok()).unwrap_or_default()
}

/// Returns the facts about these pools and the cluster; with `all` also each OSD.
pub(super) fn of_pools(cluster: &Cluster, pools: &[&str], all: bool) -> Vec<ServerFact> {
    let map = asked(cluster, "osd dump");
    let mut facts: Vec<ServerFact> = pools.iter().filter_map(|pool| of_pool(&map, pool)).collect();
    let status = asked(cluster, "status");
    facts.extend(health(&status));
    facts.extend(activity_of(&status).map(ServerFact::Activity));
    facts.extend(osds(&map, &asked(cluster, "osd metadata"), all));
    facts
}

/// Returns the work of the cluster beside that of its clients.
pub(super) fn activity(cluster: &Cluster) -> Option<ClusterActivity> {
    activity_of(&asked(cluster, "status"))
}

/// Returns the addresses of the OSDs that are up, then of the monitors.
pub(super) fn servers(cluster: &Cluster) -> Vec<String> {
    let map = asked(cluster, "osd dump");
    let osds = list(&map["osds"]).iter().filter(|osd| number(&osd["up"]) == 1);
    // As `127.0.0.1:6801/4061`: the number after the slash tells instances apart.
    let mut all: Vec<String> = osds.filter_map(|osd| address(osd["public_addr"].as_str()?)).collect();
    all.truncate(OSDS_SHOWN);
    let monitors = asked(cluster, "mon dump");
    let monitors = list(&monitors["mons"]).iter().filter_map(|mon| address(mon["public_addr"].as_str()?));
    all.extend(monitors);
    all
}

fn address(text: &str) -> Option<String> {
    text.split('/').next().filter(|address| !address.is_empty()).map(str::to_owned)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

/// Returns the number of OSDs that hold data.
fn osds_in(map: &Value) -> u32 {
    let of = |osd: &&Value| number(&osd["up"]) == 1 && number(&osd["in"]) == 1;
    list(&map["osds"]).iter().filter(of).count() as u32
}

fn of_pool(map: &Value, name: &str) -> Option<ServerFact> {
    /// Type of an erasure-coded pool (`TYPE_ERASURE`).
    const ERASURE: u32 = 3;
    let pool = list(&map["pools"]).iter().find(|pool| pool["pool_name"].as_str() == Some(name))?;
    let erasure = number(&pool["type"]) == ERASURE;
    let profile = &map["erasure_code_profiles"][pool["erasure_code_profile"].as_str().unwrap_or_default()];
    let part = |name: &str| profile[name].as_str().map(|value| format!("{name}={value}"));
    let parts: Vec<String> = ["k", "m", "plugin", "technique"].into_iter().filter_map(part).collect();
    Some(ServerFact::Pool {
        pool: CephPool {
            name: name.into(),
            erasure,
            size: number(&pool["size"]),
            min_size: number(&pool["min_size"]),
            placement_groups: number(&pool["pg_num"]),
        },
        profile: (erasure && !parts.is_empty()).then(|| parts.join(" ")),
        osds: osds_in(map),
    })
}

fn health(status: &Value) -> Option<ServerFact> {
    let health = &status["health"];
    let checks = health["checks"].as_object().map(|checks| checks.keys().cloned().collect());
    Some(ServerFact::Health { status: health["status"].as_str()?.into(), checks: checks.unwrap_or_default() })
}

fn activity_of(status: &Value) -> Option<ClusterActivity> {
    let mut found = ClusterActivity::default();
    status["pgmap"].as_object()?;
    for state in list(&status["pgmap"]["pgs_by_state"]) {
        let (name, groups) = (state["state_name"].as_str().unwrap_or_default(), number(&state["count"]));
        let has = |words: &[&str]| name.split('+').any(|part| words.contains(&part));
        if has(&["recovering", "recovery_wait", "backfilling", "backfill_wait", "forced_recovery"]) {
            found.recovering += groups;
        }
        if has(&["scrubbing"]) {
            found.scrubbing += groups;
        }
        if has(&["degraded", "undersized"]) {
            found.degraded += groups;
        }
    }
    Some(found)
}

/// Returns the OSDs that are up; without `all`, only their number and that of their machines.
fn osds(map: &Value, metadata: &Value, all: bool) -> Option<ServerFact> {
    let up =
        |id: u32| list(&map["osds"]).iter().any(|osd| number(&osd["osd"]) == id && number(&osd["up"]) == 1);
    let mut osds: Vec<CephOsd> = list(metadata)
        .iter()
        .map(|osd| CephOsd {
            id: number(&osd["id"]),
            host: text(&osd["hostname"]),
            store: text(&osd["osd_objectstore"]),
            rotational: osd["rotational"].as_str().map(|rotates| rotates == "1"),
            devices: text(&osd["devices"]),
        })
        .filter(|osd| up(osd.id))
        .collect();
    let mut hosts: Vec<&str> = osds.iter().map(|osd| osd.host.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let (hosts, number) = (hosts.len() as u32, osds.len() as u32);
    osds.truncate(if all { OSDS_SHOWN } else { 0 });
    (number > 0).then_some(ServerFact::Osds { osds, all: number, hosts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pool_has_the_profile_of_its_erasure_code() {
        let map = json!({
            "pools": [
                {"pool_name": "a", "type": 1, "size": 3, "min_size": 2, "pg_num": 32, "erasure_code_profile": ""},
                {"pool_name": "b", "type": 3, "size": 6, "min_size": 5, "pg_num": 8, "erasure_code_profile": "p"},
            ],
            "erasure_code_profiles": {"p": {"k": "4", "m": "2", "plugin": "isa", "crush-root": "default"}},
            "osds": [{"osd": 0, "up": 1, "in": 1}, {"osd": 1, "up": 1, "in": 0}, {"osd": 2, "up": 0, "in": 1}],
        });
        let pool = |name: &str, erasure, size, min_size, placement_groups| CephPool {
            name: name.into(),
            erasure,
            size,
            min_size,
            placement_groups,
        };
        let expected = ServerFact::Pool { pool: pool("a", false, 3, 2, 32), profile: None, osds: 1 };
        assert_eq!(of_pool(&map, "a"), Some(expected));
        let profile = Some("k=4 m=2 plugin=isa".into());
        assert_eq!(
            of_pool(&map, "b"),
            Some(ServerFact::Pool { pool: pool("b", true, 6, 5, 8), profile, osds: 1 })
        );
        assert_eq!(of_pool(&map, "c"), None);
        assert_eq!(of_pool(&Value::Null, "a"), None);
    }

    #[test]
    fn activity_is_counted_by_the_states_of_the_groups() {
        let state = |name: &str, count: u32| json!({"state_name": name, "count": count});
        let status = json!({"pgmap": {"pgs_by_state": [
            state("active+clean", 20),
            state("active+clean+scrubbing+deep", 2),
            state("active+undersized+degraded+remapped+backfilling", 3),
            state("active+recovery_wait", 1),
        ]}});
        let expected = ClusterActivity { recovering: 4, scrubbing: 2, degraded: 3 };
        assert_eq!(activity_of(&status), Some(expected));
        assert_eq!(activity_of(&json!({"pgmap": {}})), Some(ClusterActivity::default()));
        assert_eq!(activity_of(&Value::Null), None);
    }

    #[test]
    fn osds_are_those_that_are_up() {
        let map = json!({"osds": [{"osd": 0, "up": 1}, {"osd": 1, "up": 0}, {"osd": 2, "up": 1}]});
        let osd = |id: u32| json!({"id": id, "hostname": "h1", "osd_objectstore": "bluestore", "rotational": "0", "devices": "sda"});
        let Some(ServerFact::Osds { osds: found, all, hosts }) =
            osds(&map, &json!([osd(0), osd(1), osd(2)]), true)
        else {
            panic!()
        };
        assert_eq!((found.len(), all, hosts), (2, 2, 1));
        assert_eq!((found[1].id, found[1].rotational, found[1].devices.as_str()), (2, Some(false), "sda"));
    }
}
