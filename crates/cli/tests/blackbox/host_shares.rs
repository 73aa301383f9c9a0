//! `fathom run --hosts --share=interleave`: which host has written a block is seen from what the block contains.

use crate::hosts::{Hosts, LIMIT, array, document, over_ssh};
use testbed::child::{self, Ran};
use testbed::{Draw, LoopDevice, Need, Sandbox, skip_without};

/// Byte with which all blocks are filled before a run.
const BEFORE: u8 = 0xee;

/// Returns which host has written each block of `data`, by the byte that fills it: 0x50 and the number of the host.
fn writers(data: &[u8], block: usize) -> Vec<Option<usize>> {
    let writer = |part: &[u8]| {
        assert!(part.iter().all(|byte| *byte == part[0]), "a block has two writers: {:x?}", &part[..16]);
        (part[0] != BEFORE).then(|| usize::from(part[0] - 0x50))
    };
    data.chunks(block).map(writer).collect()
}

/// Returns the hosts to which the blocks of a region belong, with the rest that is left out.
fn in_turn(blocks: usize, hosts: usize) -> Vec<Option<usize>> {
    (0..blocks).map(|at| (at < blocks / hosts * hosts).then_some(at % hosts)).collect()
}

fn succeeded(ran: &Ran, told: &str) {
    assert_eq!(ran.code, Some(0), "{told}: {ran:#?}");
}

/// Each block is written by the host whose turn it is, whatever the order and the engine; those of a rest that is too small for
/// all hosts are not written, nor is anything outside the region.
#[test]
fn hosts_write_one_block_in_turn_each() {
    let names = ["a", "b", "c"];
    let hosts = Hosts::new(&names);
    let file = hosts.sandbox.join("common");
    let target = file.display();
    let mut draw = Draw::fresh();
    let jobs = [
        "--rw=write --ioengine=psync",
        "--rw=randwrite --ioengine=io_uring --iodepth=8",
        "--rw=randwrite --ioengine=libaio --iodepth=4 --numjobs=2",
        "--rw=randwrite --ioengine=psync --random_generator=lfsr --fsync=8",
        "--rw=write --ioengine=mmap",
        "--rw=randwrite --ioengine=psync --loops=2 --verify=pattern",
    ];
    for job in jobs {
        let block = [512, 4096, 6144, 65536][draw.below(4)];
        // Half a block at the end, and blocks that are too few for another turn.
        let blocks = 3 * (5 + draw.below(20)) + draw.below(3);
        let offset = [0, 4096, 10240][draw.below(3)];
        let length = blocks * block + block / 2;
        std::fs::write(&file, vec![BEFORE; offset + length + 8192]).unwrap();
        let pattern = if job.contains("verify") { "--verify_pattern" } else { "--buffer_pattern" };
        let args = format!(
            "--json --share=interleave --allow-destroy={target} --name=j --filename={target} --bs={block} \
             --offset={offset} --size={length} {job} {pattern}=0x5$host_number"
        );
        let ran = hosts.run(&args);
        succeeded(&ran, &args);
        let data = std::fs::read(&file).unwrap();
        let (region, behind) = data[offset..].split_at(blocks * block);
        assert_eq!(writers(region, block), in_turn(blocks, 3), "{args}");
        assert!(data[..offset].iter().chain(behind).all(|byte| *byte == BEFORE), "{args}");
        let each = blocks / 3 * block * if job.contains("=2") { 2 } else { 1 };
        for host in array(&document(&ran)["hosts"]) {
            let written = array(&host["result"]["jobs"])
                .iter()
                .map(|job| job["directions"][1]["bytes"].as_u64().unwrap());
            assert_eq!(written.sum::<u64>(), each as u64, "{args}: {host}");
        }
    }
}

/// A job of one host alone writes, trims, reads and mixes only what is that host's.
#[test]
fn host_that_runs_alone_keeps_to_its_blocks() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b", "c", "d"]);
    let device = LoopDevice::in_memory(1 << 20, true, None).unwrap();
    let target = device.path().display();
    let same = format!("--filename={target} --bs=4k --direct=1 --ioengine=psync --allow-destroy={target}");
    let run = |job: &str| {
        let ran = hosts.run(&format!("--json --share=interleave --name=j {same} {job}"));
        succeeded(&ran, job);
        ran
    };
    let bytes = || std::fs::read(device.path()).unwrap();
    run("--rw=write --buffer_pattern=0x5$host_number");
    assert_eq!(writers(&bytes(), 4096), in_turn(256, 4));
    run("--rw=randtrim --hosts=b");
    for (at, block) in bytes().chunks(4096).enumerate() {
        let wanted = if at % 4 == 1 { 0 } else { 0x50 + (at % 4) as u8 };
        assert!(block.iter().all(|byte| *byte == wanted), "block {at}");
    }
    run("--rw=randrw --hosts=b,d --buffer_pattern=0x51 --rwmixread=0");
    for (at, block) in bytes().chunks(4096).enumerate() {
        let wanted = 0x50 + [0, 1, 2, 1][at % 4];
        assert!(block.iter().all(|byte| *byte == wanted), "block {at}");
    }
    // A verifying host reads its own blocks, and finds that one was changed by another.
    run("--rw=randwrite --hosts=c --verify=crc32c");
    run("--rw=read --hosts=c --verify=crc32c");
    run("--share=whole --rw=write --hosts=a --offset=24k --size=4k --buffer_pattern=0x50");
    let ran = hosts.run(&format!("--share=interleave --name=j {same} --rw=read --hosts=c --verify=crc32c"));
    assert!(ran.code != Some(0) && ran.stderr.contains("24576"), "{ran:#?}");
}

/// What does not keep to every Nth block is refused on all hosts, and nothing is written.
#[test]
fn jobs_that_cannot_be_interleaved_are_refused() {
    let hosts = Hosts::new(&["a", "b"]);
    let file = hosts.sandbox.join("common");
    let target = file.display();
    std::fs::write(&file, vec![BEFORE; 1 << 20]).unwrap();
    for (job, said) in [
        ("--offset_increment=4k", "job j: offset_increment does not keep to every Nth block"),
        ("--bsrange=4k-8k", "job j has blocks of several sizes"),
        ("--zonemode=strided --zonesize=64k --zonerange=64k", "zonemode=strided"),
        ("--size=4k", "less than a block for each host"),
        ("--name=k --filename=common --rw=write --bs=8k", "jobs j and k use one file in different blocks"),
    ] {
        let job = job.replace("common", &target.to_string());
        let base = format!(
            "--share=interleave --allow-destroy={target} --name=j --filename={target} --ioengine=psync"
        );
        let ran = hosts.run(&format!("{base} --rw=randwrite --bs=4k {job}"));
        assert!(ran.code == Some(1) && ran.stdout.is_empty() && ran.stderr.contains(said), "{job}: {ran:#?}");
        assert!(std::fs::read(&file).unwrap().iter().all(|byte| *byte == BEFORE), "{job}");
    }
}

/// Two hosts with sshd of their own write and verify one file, a block in turn each.
#[test]
fn hosts_over_ssh_write_and_verify_their_blocks_of_one_file() {
    let server = testbed::server!("hosts", &[]);
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.join("common");
    std::fs::write(&file, vec![BEFORE; 2 << 20]).unwrap();
    let target = file.display();
    for order in ["write", "randwrite"] {
        let job = format!(
            "--json --share=interleave --allow-destroy={target} --name=j --filename={target} --bs=16k --rw={order} \
             --ioengine=psync --verify=pattern --verify_pattern=0x5$host_number"
        );
        let ran = child::run(&mut over_ssh(&server, "h1,h2", &job), LIMIT).unwrap();
        succeeded(&ran, order);
        let jobs = &document(&ran)["merged"]["jobs"][0];
        let moved = [0, 1].map(|direction| jobs["directions"][direction]["bytes"].as_u64());
        assert_eq!(moved, [Some(2 << 20); 2], "{ran:#?}");
        assert_eq!(writers(&std::fs::read(&file).unwrap(), 16384), in_turn(128, 2), "{order}");
    }
}
