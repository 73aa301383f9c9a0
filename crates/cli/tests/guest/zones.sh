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

# A bad block in the first zone, which is repaired while the job runs: with recover_zbd_write_error the zone continues at
# the write pointer of the device, without it all further writes to the zone fail.
mount -t configfs none /sys/kernel/config 2>/dev/null
bad=/sys/kernel/config/nullb/nullb1
mkdir $bad || fail "no configfs of null_blk"
echo 64 >$bad/size
echo 1 >$bad/memory_backed
echo 1 >$bad/zoned
echo 4 >$bad/zone_size
echo 3 >$bad/zone_capacity
echo 0 >$bad/zone_nr_conv
echo 1 >$bad/power || fail "null_blk with bad blocks"
for _ in 1 2 3 4 5; do [ -b /dev/nullb1 ] || sleep 1; done
# Blocks of 64 KiB below the write pointer of the first zone.
pointer() { blkzone report -c 1 /dev/nullb1 | sed -n 's/.*wptr 0x\([0-9a-f]*\).*/\1/p' | while read -r hex; do echo $((0x$hex / 128)); done; }
for recover in 1 0; do
  blkzone reset /dev/nullb1
  # The block at 4 times 64 KiB.
  echo "+512-519" >$bad/badblocks
  (sleep 2; echo "-512-519" >$bad/badblocks) &
  fathom fio --allow-destroy=/dev/nullb1 --name=z --filename=/dev/nullb1 --direct=1 --bs=64k --zonemode=zbd --rw=write --size=8m --rate_iops=10 --ioengine=libaio --iodepth=4 --continue_on_error=write --recover_zbd_write_error=$recover --output-format=json >/tmp/out 2>/tmp/err || fail "recover=$recover: $(cat /tmp/err /tmp/out)"
  wait
  errors=$(grep -o '"total_err" *: *[0-9]*' /tmp/out | grep -o '[0-9]*$')
  at=$(pointer)
  case $recover in
    1) [ "$at" = 48 ] && [ "$errors" -gt 0 ] && [ "$errors" -lt 44 ] && ok=1 || ok=0 ;;
    *) [ "$at" = 4 ] && [ "$errors" = 44 ] && ok=1 || ok=0 ;;
  esac
  [ $ok = 1 ] && echo "ok   recover=$recover: $at of 48 blocks written, $errors failed" || fail "recover=$recover: $at blocks written, $errors failed: $(cat /tmp/err)"
done
exit $failed
