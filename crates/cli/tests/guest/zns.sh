# In the guest (see scripts/guest): zonemode=zbd on a zoned namespace of QEMU's NVMe, through the block device and through
# the character device (ioengine=io_uring_cmd), and the zone options beside fio. The controller's report of its zones is
# the witness.
#   n1: no zones; n2: 32 zones of 4 MiB, of which 3 MiB (48 blocks of 64 KiB) can be written; 4 open, 6 active at most.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
block=/dev/nvme0n2 char=/dev/ng0n2
[ "$(cat /sys/block/nvme0n2/queue/zoned)" = host-managed ] || fail "not zoned"
# Numbers of zones that are empty, partly written (open or closed) and full; state is the upper half of the byte.
zones() { nvme zns report-zones $block -d 64 | awk '/State: 0x10/ { e++ } /State: 0x[234]0/ { p++ } /State: 0xe0/ { f++ } END { print e + 0, p + 0, f + 0 }'; }
# Sum of the written bytes of the zones that are not full, and 3 MiB for each full one.
written() { nvme zns report-zones $block -d 64 | grep SLBA | while read -r _ start _ pointer _ capacity _ state _; do case $state in 0xe0) echo 768 ;; *) echo $((pointer - start)) ;; esac; done 2>/dev/null | awk '{ n += $1 } END { print n * 4096 }'; }
reset() { blkzone reset $block; }
run() { fathom fio --allow-destroy=$block --allow-destroy=$char --name=z --zonemode=zbd --bs=64k "$@" >/tmp/out 2>/tmp/err; }
count() { grep -oE 'total=[0-9,]*' /tmp/out; }
resets() { sed -n 's/.*; \([0-9]*\) zone resets.*/\1/p' /tmp/out; }

while read -r what where; do
  run="run $where"
  reset
  $run --rw=write --size=32m || fail "$what write: $(cat /tmp/err /tmp/out)"
  [ "$(zones) $(count) $(resets)" = "24 0 8 total=0,384,0,0 0" ] && ok "$what: 8 zones full" || fail "$what write: $(zones) $(count) $(resets)"
  $run --rw=write --size=32m || fail "$what rewrite: $(cat /tmp/err /tmp/out)"
  [ "$(zones) $(resets)" = "24 0 8 8" ] && ok "$what: 8 resets" || fail "$what rewrite: $(zones) $(resets)"
  $run --rw=read --size=64m || fail "$what read: $(cat /tmp/err /tmp/out)"
  [ "$(count)" = "total=384,0,0,0" ] && ok "$what: reads end at the write pointers" || fail "$what read: $(count)"
  reset
  $run --rw=write --size=20m --io_size=5m --offset=8m || fail "$what part: $(cat /tmp/err /tmp/out)"
  [ "$(zones) $(written)" = "30 1 1 5242880" ] && ok "$what: one zone full, the next one written to 2 MiB" || fail "$what part: $(zones) $(written) $(count)"
  reset
  $run --rw=randwrite --norandommap --size=128m --io_size=48m --max_open_zones=3 || fail "$what random: $(cat /tmp/err /tmp/out)"
  set -- $(zones)
  [ "$(count)" = "total=0,768,0,0" ] && [ $2 -le 3 ] && ok "$what: $2 zones partly written, 3 allowed" || fail "$what random: $* $(count)"
  $run --rw=randwrite --norandommap --size=16m --io_size=48m --numjobs=2 --group_reporting || fail "$what clones: $(cat /tmp/err /tmp/out)"
  [ "$(count)" = "total=0,1536,0,0" ] && [ "$(resets)" -gt 20 ] && ok "$what: two clones, $(resets) resets" || fail "$what clones: $(count) $(resets)"
  # Verification: blocks whose zone was reset are not read back; all others are.
  for rw in write "randwrite --norandommap --io_size=48m" "randwrite --io_size=32m" "randrw --io_size=32m" "randwrite --norandommap --io_size=48m --verify_backlog=16"; do
    $run --rw=$rw --size=16m --verify=crc32c && ok "$what verify $rw: $(count), $(resets) resets" || fail "$what verify $rw: $(cat /tmp/err /tmp/out)"
  done
  run="run $where --max_open_zones=5"
  $run --rw=write --size=16m && fail "$what: more open zones than the device has"
  grep -q 'max_open_zones= is above the limit of the device (4)' /tmp/out || fail "$what limit: $(cat /tmp/err /tmp/out)"
  run $where --rw=write --size=16m --zonesize=2m && fail "$what: another size of zones"
done <<L
libaio --filename=$block --direct=1 --ioengine=libaio --iodepth=16
io_uring --filename=$block --direct=1 --ioengine=io_uring --iodepth=8
commands --filename=$char --ioengine=io_uring_cmd --iodepth=8
commands-1 --filename=$char --ioengine=io_uring_cmd
L

# A read through the block device sees what commands wrote.
reset
run --filename=$char --ioengine=io_uring_cmd --rw=write --size=8m --buffer_pattern=0xa5 || fail "pattern: $(cat /tmp/err)"
pattern=$(tr '\0' '\245' </dev/zero | head -c 3145728 | md5sum)
[ "$(dd if=$block bs=1M skip=4 count=3 iflag=direct 2>/dev/null | md5sum)" = "$pattern" ] && ok "the pattern is in the second zone" || fail "pattern"

# Zone Append: several writes of a zone in flight, at the offsets that the controller chose.
append() { run --filename=$char --ioengine=io_uring_cmd --write_mode=zone_append "$@"; }
reset
append --rw=write --size=32m --iodepth=8 --write_bw_log=/tmp/append --log_offset=1 || fail "append: $(cat /tmp/err /tmp/out)"
[ "$(zones) $(count) $(resets)" = "24 0 8 total=0,384,0,0 0" ] && ok "append: 8 zones full" || fail "append: $(zones) $(count) $(resets)"
# Each block of 64 KiB of the first 3 MiB of 8 zones once.
wanted=$(awk 'BEGIN { for (z = 0; z < 8; z++) for (b = 0; b < 48; b++) printf "%d\n", z * 4194304 + b * 65536 }' | md5sum)
[ "$(tr -d ' ' </tmp/append_bw.1.log | cut -d, -f5 | sort -n | md5sum)" = "$wanted" ] && ok "append: the log has each offset once" || fail "append log: $(head -n 3 /tmp/append_bw.1.log)"
append --rw=write --size=32m --iodepth=8 || fail "append again: $(cat /tmp/err /tmp/out)"
[ "$(zones) $(resets)" = "24 0 8 8" ] && ok "append: 8 resets" || fail "append again: $(zones) $(resets)"
reset
append --rw=randwrite --norandommap --size=128m --io_size=48m --max_open_zones=3 --iodepth=16 --numjobs=2 --group_reporting || fail "append random: $(cat /tmp/err /tmp/out)"
set -- $(zones)
[ "$(count)" = "total=0,1536,0,0" ] && [ $2 -le 3 ] && ok "append: two jobs, $2 zones partly written, 3 allowed" || fail "append random: $* $(count)"
for rw in write "randwrite --norandommap --io_size=48m" "randrw --io_size=32m" "randwrite --norandommap --io_size=48m --verify_backlog=16"; do
  append --rw=$rw --size=16m --iodepth=8 --verify=crc32c && ok "append verify $rw: $(count)" || fail "append verify $rw: $(cat /tmp/err /tmp/out)"
done
reset
append --rw=write --size=8m --iodepth=8 --buffer_pattern=0xa5 || fail "append pattern: $(cat /tmp/err)"
[ "$(dd if=$block bs=1M skip=4 count=3 iflag=direct 2>/dev/null | md5sum)" = "$pattern" ] && ok "append: the pattern is in the second zone" || fail "append pattern"
# Mixtures: the controller counts no commands by opcode, but with half of the writes as Write Zeroes, half of the blocks are zeros.
reset
run --filename=$char --ioengine=io_uring_cmd --rw=write --size=32m --iodepth=4 --write_mode=zone_append/50:zeroes/50 --buffer_pattern=0xa5 || fail "mixture: $(cat /tmp/err /tmp/out)"
zero=$(dd if=$block bs=3M count=1 iflag=direct 2>/dev/null | tr -d '\245' | wc -c)
[ "$(zones)" = "24 0 8" ] && [ $((zero % 65536)) = 0 ] && [ $zero -gt 655360 ] && [ $zero -lt 2490368 ] && ok "mixture: $((zero / 65536)) of 48 blocks are zeros" || fail "mixture: $(zones) $zero"
run --filename=$char --ioengine=io_uring_cmd --rw=write --size=16m --iodepth=4 --write_mode=write/50:zone_append/50 --verify=crc32c && ok "mixture verify" || fail "mixture verify: $(cat /tmp/err /tmp/out)"
fathom fio --allow-destroy=/dev/ng0n1 --name=z --zonemode=zbd --zonesize=4m --bs=64k --size=16m --rw=write --filename=/dev/ng0n1 --ioengine=io_uring_cmd --write_mode=zone_append >/tmp/out 2>/tmp/err && fail "an append without zones"
grep -q 'Zone Append needs a zoned namespace' /tmp/out /tmp/err && ok "append without zones is refused" || fail "append without zones: $(cat /tmp/err /tmp/out)"
# 3 MiB are 10 blocks of 304 KiB and a rest of 32 KiB.
reset
run --filename=$block --direct=1 --ioengine=libaio --iodepth=4 --rw=write --bs=304k --size=20m --write_zone_remainder=1 || fail "remainder: $(cat /tmp/err /tmp/out)"
[ "$(zones) $(count)" = "27 0 5 total=0,55,0,0" ] && ok "remainder: 5 zones are full" || fail "remainder: $(zones) $(count)"
reset
run --filename=$block --direct=1 --ioengine=libaio --iodepth=4 --rw=write --bs=304k --size=8m || fail "no remainder: $(cat /tmp/err /tmp/out)"
[ "$(zones)" = "30 2 0" ] && ok "without remainder, no zone is full" || fail "no remainder: $(zones)"

# Options beside fio.
offsets() { awk '$3 == "read" || $3 == "write" { print $3, $4, $5 }' "$1"; }
# Largest number of partly written zones.
open() { offsets "$1" | awk '{ z = int($2 / 4194304); if ($2 == z * 4194304) w[z] = 0; w[z] += $3; if (w[z] >= 3145728) delete p[z]; else p[z] = 1; n = 0; for (i in p) n++; if (n > m) m = n } END { print m + 0 }'; }
while IFS= read -r line; do
  name=${line%%: *} arguments=${line#*: }
  for tool in fathom fio; do
    reset
    # For reads, two zones are full, and a third one is half written.
    case $arguments in *rw=read*) run --filename=$block --direct=1 --rw=write --size=16m --io_size=7680k || fail "fill: $(cat /tmp/err)" ;; esac
    case $tool in
      fathom) safe="--allow-destroy=$block --allow-destroy=/dev/nvme0n1" ;;
      *) safe= ;;
    esac
    [ $tool = fathom ] && command="fathom fio" || command=fio
    case $arguments in *filename=*) ;; *) safe="$safe --filename=$block" ;; esac
    rm -f /tmp/log
    $command $safe --name=z --direct=1 --ioengine=psync --zonemode=zbd --bs=64k --write_iolog=/tmp/log $arguments >/tmp/out 2>/tmp/err || fail "$tool $name: $(cat /tmp/err /tmp/out)"
    case $name in
      *max_open* | ignore*) echo "$(open /tmp/log) open, $(offsets /tmp/log | wc -l) I/Os" >/tmp/$tool ;;
      *) { offsets /tmp/log; echo "$(resets) resets"; } >/tmp/$tool ;;
    esac
  done
  cmp -s /tmp/fathom /tmp/fio && ok "$name: $(wc -l </tmp/fio) lines, $(tail -n 1 /tmp/fio)" || fail "$name differs: fathom $(wc -l </tmp/fathom) $(tail -n 1 /tmp/fathom), fio $(wc -l </tmp/fio) $(tail -n 1 /tmp/fio); $(diff /tmp/fathom /tmp/fio | head -n 6 | tr '\n' ';')"
done <<'L'
CASES
L
exit $failed
