# In the guest (see scripts/guest): ioengine=sg on QEMU's scsi-hd and on scsi_debug, through /dev/sgN and through the block
# device. Witnesses: scsi_debug's log of commands, the counters of the SCSI devices, the data on the block devices, and fio.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
for module in sd_mod sg virtio_pci virtio_scsi; do modprobe $module || fail "modprobe $module"; done
modprobe scsi_debug dev_size_mb=64 lbpu=1 lbpws=1 lbpws10=1 opts=1 delay=0 medium_error_start=8192 medium_error_count=8 || fail "modprobe scsi_debug"
# opts=1 logs commands; +2 makes reads of the blocks from 8192 on fail.
debug=/sys/bus/pseudo/drivers/scsi_debug
sleep 1
of() { ls -d /sys/bus/scsi/devices/*/$2/* | while read -r at; do grep -q "$1" "${at%/"$2"/*}/vendor" && echo "${at##*/}"; done; }
D=$(of Linux block) G=$(of Linux scsi_generic) Q=$(of QEMU block) H=$(of QEMU scsi_generic)
[ -b /dev/$D ] && [ -c /dev/$G ] && [ -b /dev/$Q ] && [ -c /dev/$H ] || fail "devices: $D $G $Q $H"
run() { fathom fio --name=x --ioengine=sg "$@" >/tmp/out 2>/tmp/err; }
count() { grep -oE 'total=[0-9,]*' /tmp/out; }
requests() { echo $(($(cat /sys/block/$1/device/iorequest_cnt))); }
sent() { dmesg -c | sed -n 's/.*scsi_debug: .*cmd //p' | grep -v '^25 \|^9e 10' | sed 's/^\(42 .* 18 00\) .*/\1/; s/\( 00\)* *$//' | sort | uniq -c; }

# Counts: the commands that the job counts are those that the SCSI device got, at depth 1 and more, on both kinds of device.
while read -r depth what options; do
  for pair in "$G $D" "$D $D" "$H $Q" "$Q $Q"; do
    set -- $pair
    case "$what $2" in "trims $Q") continue ;; esac
    before=$(requests $2)
    run --filename=/dev/$1 --bs=4k --size=512k --iodepth=$depth --allow-destroy=/dev/$1 $options || fail "$what $1 $depth: $(cat /tmp/err /tmp/out)"
    more=$(($(requests $2) - before)) sum=0
    for n in $(count | tr -c '0-9\n' ' '); do sum=$((sum + n)); done
    # A few more: READ CAPACITY, and reads of the contents of a block device before it is overwritten.
    [ $sum -ge 128 ] && [ $more -ge $sum ] && [ $more -le $((sum + 24)) ] && ok "$what $1 depth $depth: $sum of $more commands" || fail "$what $1 depth $depth: job $(count), device $more"
  done
done <<'L'
1 reads --rw=randread
8 reads --rw=randread
8 mixed --rw=randrw --numjobs=2 --group_reporting --fsync=16
40 beyond-the-driver --rw=randread
8 fsync --rw=write --fsync=16
8 trims --rw=randtrim
8 batches --rw=randread --iodepth_batch=4 --iodepth_batch_complete_min=2
8 hipri --rw=randread --hipri --rate_iops=1000
L

# Commands: the same bytes as fio's, for every mode of writes.
for device in $G $D; do
  for mode in write write_and_verify verify write_same same write_same_ndob verify_bytchk_00 verify_bytchk_01 verify_bytchk_11; do
    for fua in 1; do
      set -- --name=x --ioengine=sg --filename=/dev/$device --rw=write --bs=4k --size=16k --sg_write_mode=$mode --writefua=$fua
      dmesg -c >/dev/null; fio "$@" >/tmp/fio 2>/tmp/fio-err; fio_status=$?; fio_sent=$(sent)
      fathom fio "$@" --allow-destroy=/dev/$device >/tmp/out 2>/tmp/err; status=$?; ours=$(sent | grep -v ' 28 ')
      [ "$status $ours" = "$fio_status $fio_sent" ] && ok "$device $mode fua=$fua" || fail "$device $mode: fio $fio_status: $fio_sent; fathom $status: $ours"
      if [ $device = $G ]; then
        a=$(grep -o 'SG Driver.*\|io_u error on.*' /tmp/fio-err) b=$(grep -o 'SG Driver.*\|io_u error on.*' /tmp/err)
        [ "$a" = "$b" ] || fail "$mode: fio said $a, fathom $b"
      fi
    done
  done
  for options in "--rw=read --readfua=1" "--rw=trim" "--rw=write --fsync=2" "--rw=write --end_fsync=1" "--rw=read --bs=2k"; do
    set -- --name=x --ioengine=sg --filename=/dev/$device --bs=4k --size=16k $options
    dmesg -c >/dev/null; fio "$@" >/tmp/fio 2>/tmp/fio-err; fio_sent=$(sent)
    fathom fio "$@" --allow-destroy=/dev/$device >/tmp/out 2>/tmp/err; ours=$(sent)
    # Only reads: the look at the contents before writes reads too.
    case "$options" in *write*|*trim*) ours=$(echo "$ours" | grep -v ' 28 ') ;; esac
    [ "$ours" = "$fio_sent" ] && ok "$device $options" || fail "$device $options: fio $fio_sent; fathom $ours"
  done
done
# Streams: neither device has them.
run --filename=/dev/$G --rw=write --bs=4k --size=16k --sg_write_mode=write_stream --stream_id=3 --allow-destroy=/dev/$G && fail "a stream was written"
grep -q 'cdb: 9a 00 00 00 00 00 00 00 00 00 00 03 00 08' /tmp/err && ok "stream: $(cat /tmp/err | head -n 2 | tail -n 1)" || fail "stream: $(cat /tmp/err)"
run --filename=/dev/$G --rw=write --bs=4k --size=16k --sg_write_mode=write_stream --allow-destroy=/dev/$G && fail "a stream was opened"
grep -q 'STREAM CONTROL\|Input/output error' /tmp/err /tmp/out || fail "stream: $(cat /tmp/err /tmp/out)"

# Data: what was written lies on the block device, and what was written there is read.
sum() { dd if=/dev/$1 bs=1M skip=$2 count=1 iflag=direct 2>/dev/null | md5sum; }
pattern=$(tr '\0' '\245' </dev/zero | head -c 1048576 | md5sum)
zeros=$(head -c 1048576 /dev/zero | md5sum)
for pair in "$G $D" "$D $D" "$H $Q" "$Q $Q"; do
  set -- $pair
  run --filename=/dev/$1 --rw=randwrite --bs=16k --size=4m --iodepth=8 --verify=crc32c --do_verify=1 --allow-destroy=/dev/$1 || fail "verify $1: $(cat /tmp/err /tmp/out)"
  fathom fio --name=x --ioengine=psync --direct=1 --filename=/dev/$2 --rw=read --bs=16k --size=4m --verify=crc32c >/tmp/out 2>&1 && ok "$1: data are on $2" || fail "data $1: $(cat /tmp/out)"
  run --filename=/dev/$1 --rw=write --bs=64k --offset=8m --size=1m --iodepth=8 --buffer_pattern=0xa5 --allow-destroy=/dev/$1 || fail "pattern $1: $(cat /tmp/err)"
  [ "$(sum $2 8) $(sum $2 9)" = "$pattern $zeros" ] && ok "$1: the pattern is where it belongs" || fail "pattern $1"
  run --filename=/dev/$1 --rw=write --bs=64k --offset=8m --size=1m --sg_write_mode=write_same --buffer_pattern=0x00 --allow-destroy=/dev/$1 || fail "same $1: $(cat /tmp/err)"
  [ "$(sum $2 8)" = "$zeros" ] && ok "$1: WRITE SAME" || fail "WRITE SAME $1"
  run --filename=/dev/$1 --rw=write --bs=64k --offset=8m --size=1m --buffer_pattern=0xa5 --sg_write_mode=verify_bytchk_01 --allow-destroy=/dev/$1 && fail "$1: zeros are not the pattern"
  run --filename=/dev/$1 --rw=write --bs=64k --offset=8m --size=1m --buffer_pattern=0xa5 --allow-destroy=/dev/$1
  run --filename=/dev/$1 --rw=trim --bs=64k --offset=8m --size=1m --iodepth=8 --allow-destroy=/dev/$1 || fail "trim $1: $(cat /tmp/err)"
  [ "$(count) $(sum $2 8)" = "total=0,0,16,0 $zeros" ] && ok "$1: 16 trims" || fail "trim $1: $(count)"
done

# A block that cannot be read: the same errors as fio's.
echo 3 >$debug/opts
for how in "" "--continue_on_error=all --iodepth=8"; do
  for device in $G $D; do
    set -- --name=x --ioengine=sg --filename=/dev/$device --rw=read --bs=4k --offset=3m --size=2m $how
    fio "$@" --output-format=json >/tmp/fio.json 2>/tmp/fio-err; fio_status=$?
    fathom fio "$@" --output-format=json >/tmp/out.json 2>/tmp/err; status=$?
    keys() { grep -E '"(error|total_err|first_error|total_ios)" : [0-9]' $1 | tr -d ' \n'; }
    [ "$status $(keys /tmp/out.json)" = "$fio_status $(keys /tmp/fio.json)" ] && ok "medium error $device $how: $(keys /tmp/out.json)" || fail "medium error $device $how: fio $fio_status $(keys /tmp/fio.json), fathom $status $(keys /tmp/out.json)"
    [ $device = $G ] && { [ "$(sort /tmp/fio-err | grep -v pid=)" = "$(sort /tmp/err | grep -v pid=)" ] || fail "medium error: fio said $(cat /tmp/fio-err), fathom $(cat /tmp/err)"; }
  done
done
echo 1 >$debug/opts

# The shape of the report.
for device in $G $D; do
  shape() { sed 's/[0-9][0-9.]*[a-zA-Z%/]*/N/g; s/[kMG]iB\/s//g; s/  */ /g; s/= /=/g; s/pid.*//; s/(.sec)//; s/fio-N/V/' "$1" | grep -v '^ *|\|^ *lat ( *.sec *)\|^ lat\|percentiles\|^V\|^fathom\|Starting'; }
  set -- --name=x --ioengine=sg --filename=/dev/$device --rw=randread --bs=4k --size=4m --iodepth=4
  fio "$@" >/tmp/fio 2>&1; fathom fio "$@" >/tmp/out 2>&1
  shape /tmp/fio | sed 's/ *$//' | grep -v "^note:" >/tmp/a; shape /tmp/out | sed 's/ *$//' | grep -v '^note:' >/tmp/b
  diff /tmp/a /tmp/b >/tmp/diff && ok "report of $device" || fail "report of $device: $(cat /tmp/diff)"
done

# Wrong use, as in fio.
touch /tmp/file
for path in /tmp/file /tmp/none /dev/null /dev/nvme0n1 /dev/ng0n1; do
  run --filename=$path --rw=read --bs=4k --size=64k; status=$?
  fio --name=x --ioengine=sg --filename=$path --rw=read --bs=4k --size=64k >/tmp/fio 2>/tmp/fio-err
  [ $status = 1 ] && [ "$(head -n $(wc -l </tmp/fio-err) /tmp/err)" = "$(cat /tmp/fio-err)" ] && ok "$path: $(tail -n 1 /tmp/err)" || fail "$path: fio $(cat /tmp/fio-err), fathom $status $(cat /tmp/err)"
done
run --filename=/dev/$G --rw=read --bs=1000 --size=8000 && fail "a part of a block"
run --filename=/dev/$G --rw=randread --bs=4k --size=100g --number_ios=200 && ok "a size beyond the disk is cut" || fail "size: $(cat /tmp/err)"

# Safety: a file system, mounted or not, protects the disk behind /dev/sgN; commands to a partition are refused.
mke2fs -q /dev/$Q >/dev/null 2>&1 || mkfs.ext2 /dev/$Q >/dev/null 2>&1 || fail "no file system"
before=$(md5sum </dev/$Q)
for device in $H $Q; do
  for rw in write trim; do
    run --filename=/dev/$device --rw=$rw --bs=4k --size=1m && fail "$device: a file system was overwritten"
    grep -q "$Q" /tmp/err && ok "refused: $(head -n 1 /tmp/err)" || fail "refusal: $(cat /tmp/err)"
  done
  run --filename=/dev/$device --rw=read --bs=4k --size=1m || fail "reading: $(cat /tmp/err)"
done
mount -t ext2 /dev/$Q /mnt || mount -t ext4 /dev/$Q /mnt || fail "mount"
run --filename=/dev/$H --rw=write --bs=4k --size=1m --offset=32m && fail "a mounted device was overwritten"
grep -q mnt /tmp/err || fail "mounted: $(cat /tmp/err)"
umount /mnt
printf 'o\nn\np\n1\n\n\nw\n' | fdisk /dev/$D >/dev/null 2>&1; sleep 1
if [ -b /dev/${D}1 ]; then
  for rw in read write; do
    run --filename=/dev/${D}1 --rw=$rw --bs=4k --size=64k --allow-destroy=/dev/${D}1 && fail "a partition was accepted"
    grep -q 'is a partition' /tmp/err || fail "partition: $(cat /tmp/err)"
  done
  ok "partition: $(tail -n 1 /tmp/err)"
  run --filename=/dev/$G --rw=write --bs=4k --size=64k && fail "a partitioned disk was overwritten"
else
  fail "no partition"
fi
exit $failed
