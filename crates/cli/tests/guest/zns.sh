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
