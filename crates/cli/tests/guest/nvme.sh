# In the guest (see scripts/guest): ioengine=io_uring_cmd on namespaces of QEMU's controller. The controller's own counters
# of commands and the block devices of the namespaces are the witnesses.
#   n1: 512-byte blocks; n2: 4 KiB; n3: 4 KiB and 8 bytes of metadata with protection information of type 1, separate;
#   n4: the same in the buffer of the data (extended blocks).
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
run() { fathom fio --name=n --ioengine=io_uring_cmd "$@" >/tmp/out 2>/tmp/err; }
commands() { nvme smart-log /dev/nvme0 -n 0xffffffff | sed -n "s/^host_$1_commands[^:]*: *//p" | tr -d ,; }
count() { grep -oE 'total=[0-9,]*' /tmp/out; }

# Counts: what the job counts is what the controller counts, with every kind of ring. With --allow-destroy, fathom does not
# read the device before the job.
while read -r what options; do
  reads=$(commands read) writes=$(commands write)
  run --filename=/dev/ng0n1 --rw=randrw --bs=4k --size=2m --iodepth=8 --allow-destroy=/dev/ng0n1 $options || fail "$what: $(cat /tmp/err /tmp/out)"
  [ -s /tmp/err ] && fail "$what: $(cat /tmp/err)"
  sent="total=$(($(commands read) - reads)),$(($(commands write) - writes)),0,0"
  [ "$(count)" = "$sent" ] && ok "$what: $sent commands" || fail "$what: job $(count), controller $sent"
done <<'L'
default
plain --fixedbufs=0 --registerfiles=0
vectored --nonvectored=0
polled --hipri
kernel-thread --sqthread_poll
workers --force_async=2
batches --iodepth_batch=4 --iodepth_batch_complete_min=2
two-clones --numjobs=2 --size=1m --group_reporting
fua --readfua=1 --writefua=1
direct --direct=1
L
grep -q 'Disk stats' /tmp/out && fail "disk statistics of a character device"

# Data: what was written lies on the block device; fathom and the kernel read the same.
run --filename=/dev/ng0n2 --rw=write --bs=64k --size=4m --iodepth=4 --verify=crc32c --do_verify=1 || fail "verify: $(cat /tmp/err /tmp/out)"
fathom fio --name=n --ioengine=psync --direct=1 --filename=/dev/nvme0n2 --rw=read --bs=64k --size=4m --verify=crc32c >/tmp/out 2>&1 && ok "data are on the block device" || fail "data: $(cat /tmp/out)"
run --filename=/dev/ng0n2 --rw=read --bs=64k --size=4m --iodepth=4 --verify=crc32c || fail "verify reads: $(cat /tmp/err /tmp/out)"
run --filename=/dev/ng0n2 --rw=write --bs=16k --offset=1m --size=1m --buffer_pattern=0xa5 --allow-destroy=/dev/ng0n2 || fail "pattern: $(cat /tmp/err)"
sum() { dd if=/dev/nvme0n2 bs=1M skip=$1 count=1 iflag=direct 2>/dev/null | md5sum; }
echo 3 >/proc/sys/vm/drop_caches
[ "$(sum 1)" = "$(tr '\0' '\245' </dev/zero | head -c 1048576 | md5sum)" ] && ok "the pattern is where it belongs" || fail "pattern"

# Flushes: of the job, and at its end.
run --filename=/dev/ng0n2 --rw=write --bs=64k --size=1m --fsync=4 --end_fsync=1 --allow-destroy=/dev/ng0n2 && ok "end_fsync and fsync" || fail "end_fsync: $(cat /tmp/err /tmp/out)"

# Trims, Write Zeroes and flushes.
zeros=$(head -c 1048576 /dev/zero | md5sum)
run --filename=/dev/ng0n2 --rw=write --bs=64k --offset=1m --size=1m --write_mode=zeroes --allow-destroy=/dev/ng0n2 || fail "zeroes: $(cat /tmp/err /tmp/out)"
[ "$(sum 1)" = "$zeros" ] && ok "Write Zeroes" || fail "Write Zeroes left data"
run --filename=/dev/ng0n2 --rw=trim --bs=64k --offset=2m --size=1m --iodepth=4 --allow-destroy=/dev/ng0n2 || fail "trim: $(cat /tmp/err /tmp/out)"
[ "$(count) $(sum 2)" = "total=0,0,16,0 $zeros" ] && ok "16 trims" || fail "trim: $(count) $(sum 2)"
# Trims of several ranges: every second 16 KiB of 1 MiB, in 4 commands of 8 ranges. What is between them stays.
pattern() { run --filename=/dev/ng0n2 --rw=write --bs=64k --offset=$1 --size=1m --buffer_pattern=0x5a --allow-destroy=/dev/ng0n2 || fail "pattern: $(cat /tmp/err /tmp/out)"; }
pattern 3m
run --filename=/dev/ng0n2 --rw=trim:16k --bs=16k --offset=3m --size=1m --io_size=512k --num_range=8 --iodepth=2 --allow-destroy=/dev/ng0n2 || fail "ranges: $(cat /tmp/err /tmp/out)"
striped=$(for i in $(seq 32); do head -c 16384 /dev/zero; head -c 16384 /dev/zero | tr '\0' '\132'; done | md5sum)
[ "$(count) $(sum 3)" = "total=0,0,4,0 $striped" ] && ok "4 trims of 8 ranges each; their neighbours are untouched" || fail "ranges: $(count) $(sum 3)"
grep -q 'trim:.*(512KiB/' /tmp/out && ok "the ranges' bytes count" || fail "bytes: $(grep trim: /tmp/out)"
pattern 4m
run --filename=/dev/ng0n2 --rw=randtrim --bs=4k --offset=4m --size=1m --num_range=256 --allow-destroy=/dev/ng0n2 || fail "256 ranges: $(cat /tmp/err /tmp/out)"
[ "$(count) $(sum 4)" = "total=0,0,1,0 $zeros" ] && ok "one trim of 256 ranges in random order" || fail "256 ranges: $(count) $(sum 4)"

# Placement: QEMU 7.2 has no Flexible Data Placement, and ignores the directive of streams.
run --filename=/dev/ng0n2 --rw=write --bs=64k --size=1m --dataplacement=fdp --allow-destroy=/dev/ng0n2 && fail "placement without identifiers"
grep -q 'FDP is not enabled' /tmp/out && ! grep -q 'issued' /tmp/out && ok "no placement identifiers: refused before the start" || fail "fdp: $(cat /tmp/err /tmp/out)"
writes=$(commands write)
run --filename=/dev/ng0n2 --rw=write --bs=64k --size=1m --dataplacement=streams --plids=1-3 --allow-destroy=/dev/ng0n2 || fail "streams: $(cat /tmp/err /tmp/out)"
[ $(($(commands write) - writes)) = 16 ] && ok "16 writes of three streams" || fail "streams: $(cat /tmp/out)"
# cmd_type beside fio, which counts the same reads.
fio --name=n --ioengine=io_uring_cmd --cmd_type=nvme --filename=/dev/ng0n2 --rw=read --bs=64k --size=4m --iodepth=4 >/tmp/out 2>/tmp/err || fail "fio: $(cat /tmp/err)"
expected=$(count)
run --cmd_type=nvme --filename=/dev/ng0n2 --rw=read --bs=64k --size=4m --iodepth=4 || fail "cmd_type: $(cat /tmp/err)"
[ "$(count)" = "$expected" ] && ok "cmd_type=nvme: $expected as in fio" || fail "cmd_type: $(count), fio $expected"

run --filename=/dev/ng0n2 --rw=write --bs=64k --size=1m --fsync=4 --iodepth=4 --allow-destroy=/dev/ng0n2 || fail "flush: $(cat /tmp/err /tmp/out)"
grep -q 'total=0,16,0,[34]' /tmp/out && ok "flushes: $(count)" || fail "flushes: $(count)"
run --filename=/dev/ng0n2 --rw=write --bs=64k --size=1m --write_mode=verify --allow-destroy=/dev/ng0n2 || fail "Verify: $(cat /tmp/err /tmp/out)"
run --filename=/dev/ng0n2 --rw=write --bs=4k --size=4k --offset=8m --write_mode=uncor --allow-destroy=/dev/ng0n2 && ok "Write Uncorrectable" || { grep -q 'Operation not supported' /tmp/err && ok "the controller has no Write Uncorrectable" || fail "uncor: $(cat /tmp/err /tmp/out)"; }

# Protection information, made and checked by the controller or by us.
for n in 3 4; do
  for how in "--pi_act=1" "--pi_act=1 --pi_chk=GUARD,REFTAG,APPTAG" "--pi_act=0 --pi_chk=GUARD,REFTAG --md_per_io_size=32" "--pi_act=0 --pi_chk=GUARD,REFTAG,APPTAG --apptag=0x77 --md_per_io_size=32"; do
    bs=16384
    case "$n $how" in 4*pi_act=0*) bs=$((4 * 4104)) ;; esac
    run --filename=/dev/ng0n$n --rw=write --bs=$bs --size=$((bs * 32)) --iodepth=4 --allow-destroy=/dev/ng0n$n $how || fail "PI n$n $how: $(cat /tmp/err)"
    run --filename=/dev/ng0n$n --rw=randread --bs=$bs --size=$((bs * 32)) --iodepth=4 $how && ok "PI n$n $how: $(count)" || fail "PI n$n read $how: $(cat /tmp/err)"
  done
  run --filename=/dev/ng0n$n --rw=read --bs=$bs --size=$bs --pi_act=0 --pi_chk=APPTAG --apptag=0x78 --md_per_io_size=32 && fail "n$n: another tag was accepted"
  grep -q 'Invalid or incomplete multibyte\|err=84' /tmp/out /tmp/err || fail "n$n tag: $(cat /tmp/err /tmp/out)"
done
run --filename=/dev/ng0n3 --rw=read --bs=16k --size=16k --pi_act=0 --md_per_io_size=31 && fail "metadata without room"

# Wrong use, as in fio.
run --filename=/dev/ng0n2 --rw=read --bs=512 --size=4k && fail "half a block"
run --filename=/dev/ng0n1 --rw=randread --bs=4k --size=100g --number_ios=200 && ok "a size beyond the namespace is cut" || fail "size: $(cat /tmp/err)"
touch /tmp/file
for path in /tmp/file /dev/nvme0n1 /dev/null /dev/nvme0; do
  run --filename=$path --rw=read --bs=4k --size=64k && fail "$path was accepted"
  grep -q 'only works with nvme ns generic char devices (/dev/ngXnY)' /tmp/err || fail "$path: $(cat /tmp/err)"
done

# Safety: foreign data and a mounted file system on the block device protect the namespace behind the character device.
mke2fs -q /dev/nvme0n1 >/dev/null 2>&1 || mkfs.ext2 /dev/nvme0n1 >/dev/null 2>&1 || fail "no file system"
before=$(md5sum </dev/nvme0n1)
run --filename=/dev/ng0n1 --rw=write --bs=4k --size=1m && fail "a file system was overwritten"
run --filename=/dev/ng0n1 --rw=trim --bs=4k --size=1m && fail "a file system was trimmed"
grep -q nvme0n1 /tmp/err && ok "refused: $(head -n 1 /tmp/err)" || fail "refusal: $(cat /tmp/err)"
run --filename=/dev/ng0n1 --rw=read --bs=4k --size=1m || fail "reading: $(cat /tmp/err)"
mount -t ext2 /dev/nvme0n1 /mnt || mount -t ext4 /dev/nvme0n1 /mnt || fail "mount"
run --filename=/dev/ng0n1 --rw=write --bs=4k --size=1m --offset=64m && fail "a mounted device was overwritten"
grep -q mnt /tmp/err || fail "mounted: $(cat /tmp/err)"
umount /mnt
[ "$(md5sum </dev/nvme0n1 | wc -c)" = "$(echo "$before" | wc -c)" ] || fail "unreadable"
exit $failed
