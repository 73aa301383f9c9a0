# In the guest (see scripts/guest): ioengine=mtd on flash in memory, simulated NAND with a bad block, and ioengine=dev-dax on
# memory that the kernel command line reserves. What the device holds (dd) and the counts of fio are the witnesses.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
sum() { dd if="$1" bs=64k 2>/dev/null | md5sum | cut -d' ' -f1; }
counts() { sed -n 's/.*issued rwts: total=\([0-9,]*\) .*/\1/p' /tmp/out; }
both() { # DEVICE OPTIONS..: the counts of both tools, and what the device holds afterwards
  device=$1; shift
  fio --name=a --thread --filename=$device "$@" >/tmp/out 2>/tmp/err || { fail "fio $*: $(cat /tmp/err /tmp/out)"; return; }
  theirs="$(counts) $(sum $device)"
  fathom fio --name=a --filename=$device --allow-destroy=$device "$@" >/tmp/out 2>/tmp/err || { fail "$*: $(cat /tmp/err /tmp/out)"; return; }
  ours="$(counts) $(sum $device)"
  [ "$theirs" = "$ours" ] && ok "$*: $ours" || fail "$*: fio $theirs, fathom $ours"
}

modprobe mtdram total_size=1024 erase_size=64 || fail "no mtdram"
mtd=/dev/mtd0
[ -c "$mtd" ] || fail "no $mtd"
before=$(sum $mtd)
fathom fio --name=a --ioengine=mtd --filename=$mtd --rw=write --bs=64k >/tmp/out 2>/tmp/err
[ $? = 3 ] && [ "$(sum $mtd)" = "$before" ] && ok "a write without consent is refused" || fail "no refusal: $(cat /tmp/err /tmp/out)"
both $mtd --ioengine=mtd --rw=trim --bs=64k
both $mtd --ioengine=mtd --rw=write --bs=4k --buffer_pattern=0xdeadbeef
both $mtd --ioengine=mtd --rw=randread --bs=4k --size=512k
both $mtd --ioengine=mtd --rw=trim --bs=128k --size=512k
both $mtd --ioengine=mtd --rw=write --bs=1k --offset=64k --size=64k --buffer_pattern=0x5a
both $mtd --ioengine=mtd --rw=trimwrite --bs=64k --buffer_pattern=0x77
fathom fio --name=a --ioengine=mtd --filename=$mtd --allow-destroy=$mtd --rw=trim --bs=4k --size=64k >/tmp/out 2>/tmp/err
[ $? = 1 ] && grep -q 'err=22' /tmp/out && ok "part of an erase block is not erased" || fail "trim of 4k: $(cat /tmp/err /tmp/out)"
rmmod mtdram

modprobe nandsim id_bytes=0x20,0x33,0x00,0x00 badblocks=3 || fail "no nandsim"
mtd=/dev/mtd0
size=$(cat /sys/class/mtd/mtd0/erasesize)
run() { fathom fio --name=a --ioengine=mtd --filename=$mtd --allow-destroy=$mtd --bs=$size --size=$((size * 8)) "$@" >/tmp/out 2>/tmp/err; }
run --rw=trim && fail "a bad block was erased: $(cat /tmp/out)" || ok "an erase of a bad block fails: $(grep -o 'err=[ 0-9]*' /tmp/out | head -n 1)"
run --rw=trim --skip_bad=1 && ok "skip_bad: $(counts)" || fail "skip_bad: $(cat /tmp/err /tmp/out)"
# fio ends the job at the block that it skips.
run --rw=write --skip_bad=1 --buffer_pattern=0x41 && [ "$(counts)" = 0,8,0,0 ] || fail "skip_bad: $(cat /tmp/err /tmp/out)"
written=$(dd if=$mtd bs=$size count=8 2>/dev/null | tr -cd A | wc -c)
[ "$written" = $((size * 7)) ] && ok "skip_bad: 7 of 8 blocks were written" || fail "skip_bad: $written bytes written"
rmmod nandsim

modprobe nd_e820; modprobe nd_pmem; modprobe device_dax; modprobe dax_pmem
cd /sys/bus/nd/devices
namespace=$(ls -d namespace*.0 2>/dev/null | head -n 1)
seed=$(cat region0/dax_seed 2>/dev/null)
if [ -n "$namespace" ] && [ -n "$seed" ]; then
  echo $namespace >/sys/bus/nd/drivers/nd_pmem/unbind 2>/dev/null
  cat /proc/sys/kernel/random/uuid >$seed/uuid; echo 2097152 >$seed/align; echo ram >$seed/mode; echo $namespace >$seed/namespace
  echo $seed >/sys/bus/nd/drivers/dax_pmem/bind || fail "no DAX device: $(ls; dmesg | tail -n 5)"
fi
dax=$(ls /dev/dax* 2>/dev/null | head -n 1)
if [ -c "$dax" ]; then
  cd /tmp
  sum() { fathom fio --name=r --ioengine=dev-dax --filename=$1 --rw=read --bs=64k --size=8m --verify=pattern --verify_pattern=$pattern --verify_only >/tmp/check 2>&1 && echo same || { echo other; cat /tmp/check; }; }
  for pattern in 0xdeadbeef 0x11223344; do
    both $dax --ioengine=dev-dax --rw=write --bs=4k --size=8m --buffer_pattern=$pattern
    both $dax --ioengine=dev-dax --rw=randread --bs=4k --size=8m
  done
else
  fail "no DAX device: $namespace $seed"
fi
exit $failed
