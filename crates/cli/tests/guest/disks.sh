# In the guest (see scripts/guest): disks that the development machine lacks, each engine on each; what the job counts
# is what the disk counts. Then stacked disks, listed as fio lists them.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
modprobe brd rd_nr=4 rd_size=65536; modprobe dm-mod; modprobe raid1

for device in /dev/nvme0n1 /dev/nullb0; do
  name=${device#/dev/}
  for engine in "psync 1" "libaio 8" "io_uring 8"; do
    set -- $engine
    fathom fio --name=r --rw=randrw --bs=4k --size=4m --ioengine=$1 --iodepth=$2 --direct=1 --filename=$device --output-format=json >/tmp/out 2>/tmp/err ||
      fail "$name $1: $(cat /tmp/err)"
    [ -s /tmp/err ] && fail "$name $1: $(cat /tmp/err)"
    ours=$(($(grep '"total_ios"' /tmp/out | head -n 2 | grep -oE '[0-9]+' | tr '\n' '+')0))
    # fio's key ends at the first bracket; our own layers follow.
    sed -n '/"disk_util"/,/\]/p' /tmp/out >/tmp/disk
    disk=$(($(grep -E '"(read|write)_(ios|merges)"' /tmp/disk | grep -oE '[0-9]+' | tr '\n' '+')0))
    [ "$ours $disk" = "1024 1024" ] && echo "ok   $name $1: 1024 I/Os, as the disk counts" || fail "$name $1: $ours I/Os, $disk at the disk, 1024 asked for"
  done
done

# md0 over a RAM disk and the NVMe disk; dm-0 over md0; dm-1 over two RAM disks; dm-2 over md0 and the NVMe disk's own.
mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --metadata=1.2 /dev/ram0 /dev/nvme0n1 >/tmp/log 2>&1 || fail "mdadm: $(cat /tmp/log)"
dmsetup create a --table "0 32768 linear /dev/md0 0" || fail "dmsetup a"
dmsetup create b --table "0 16384 linear /dev/ram2 0
16384 16384 linear /dev/ram3 0" || fail "dmsetup b"
dmsetup create c --table "0 16384 linear /dev/md0 32768
16384 16384 linear /dev/ram1 0" || fail "dmsetup c"
# Names, nesting and order of keys; readdir's order of members is nobody's promise.
shape() { sed -n '/^Disk stats/,/^$/p' /tmp/out | sed -E 's/[0-9.]+(%|,|\/|$)/N\1/g; s/N\/[0-9]+/N\/N/g' | sort; }
for device in /dev/md0 /dev/dm-0 /dev/dm-1 /dev/dm-2; do
  job="--name=r --rw=randrw --bs=4k --size=4m --direct=1 --filename=$device"
  fio $job >/tmp/out 2>&1 || fail "fio $device: $(cat /tmp/out)"
  shape >/tmp/theirs
  fathom fio --allow-destroy=$device $job >/tmp/out 2>&1 || fail "fathom $device: $(cat /tmp/out)"
  shape >/tmp/ours
  if cmp -s /tmp/theirs /tmp/ours && [ $(wc -l </tmp/ours) -gt 3 ]; then
    echo "ok   $device: $(grep -c ios= /tmp/ours) disks listed as fio lists them"
  else
    fail "$device: fio lists"; cat /tmp/theirs; echo "fathom lists"; cat /tmp/ours
  fi
done
exit $failed
