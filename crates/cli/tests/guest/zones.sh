# In the guest (see scripts/guest): zonemode=zbd on host-managed null_blk. The kernel's zone report is the witness: where
# a job wrote, the write pointers are.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 zoned=1 zone_size=4 zone_capacity=3 zone_max_open=4 zone_max_active=6 zone_nr_conv=2 || fail "no null_blk"
device=/dev/nullb0
[ "$(cat /sys/block/nullb0/queue/zoned)" = host-managed ] || fail "not zoned: $(cat /sys/block/nullb0/queue/zoned)"
# Number of zones with a condition (em empty, oi/oe open, cl closed, fu full).
zones() { blkzone report $device | grep -c "zcond:.*($1)"; }
run() { fathom fio --allow-destroy=$device --name=z --filename=$device --direct=1 --bs=64k "$@" >/tmp/out 2>/tmp/err; }

run --rw=randwrite --size=64m --offset=8m --ioengine=psync && fail "a random write without zbd did not fail"
blkzone reset $device
run --zonemode=zbd --rw=write --offset=8m --size=32m --ioengine=psync || fail "write: $(cat /tmp/err /tmp/out)"
full=$(zones fu)
[ "$full" = 8 ] && echo "ok   write: 8 zones full" || fail "write: $full zones full, 8 written"
grep -q '; 0 zone resets' /tmp/out || fail "resets of empty zones: $(grep resets /tmp/out)"
run --zonemode=zbd --rw=write --offset=8m --size=32m --ioengine=io_uring --iodepth=8 || fail "rewrite: $(cat /tmp/err /tmp/out)"
grep -q '; 8 zone resets' /tmp/out && echo "ok   rewrite: 8 resets" || fail "rewrite: $(grep resets /tmp/out)"
run --zonemode=zbd --rw=read --offset=8m --size=64m || fail "read: $(cat /tmp/err /tmp/out)"
grep -q 'total=384,0,0,0' /tmp/out && echo "ok   read: the 384 blocks below the write pointers" || fail "read: $(grep issued /tmp/out)"
for engine in "psync 1" "libaio 16" "io_uring 16"; do
  set -- $engine
  blkzone reset $device
  run --zonemode=zbd --rw=randwrite --norandommap --offset=8m --size=128m --io_size=64m --ioengine=$1 --iodepth=$2 --numjobs=2 || fail "random $1: $(cat /tmp/err /tmp/out)"
  open=$(($(zones oi) + $(zones oe) + $(zones cl)))
  [ $open -le 4 ] && echo "ok   random $1: $open zones partly written, 4 allowed" || fail "random $1: $open zones partly written"
done
exit $failed
