# In the guest (see scripts/guest): every command of the seeds on NVMe and null_blk. `commands`, made by the test from
# seeds/commands.txt, holds their options, one command a line, with target, size and runtime left to us. The witness is
# the disk's own count of sectors.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
modprobe null_blk nr_devices=1 gb=1 memory_backed=1

sectors() { awk -v n=$2 '{print $n * 512}' /sys/block/$1/stat; }
# bytes DIRECTION: over all jobs.
bytes() { awk -v d="\"$1\"" '/"(read|write|trim|sync)" : \{/ {on = $1 == d} on && /"io_bytes"/ {gsub(",", ""); s += $3} END {print s + 0}' /tmp/out; }

for name in nvme0n1 nullb0; do
  count=0
  while read -r options; do
    count=$((count + 1))
    read0=$(sectors $name 3) write0=$(sectors $name 7)
    eval fathom fio $options --filename=/dev/$name --size=8m --runtime=1 --output-format=json </dev/null >/tmp/out 2>/tmp/err ||
      fail "$name $options: $(cat /tmp/err)"
    [ -s /tmp/err ] && fail "$name $options: $(cat /tmp/err)"
    read=$(($(sectors $name 3) - read0)) write=$(($(sectors $name 7) - write0))
    our_read=$(bytes read) our_write=$(bytes write)
    [ $((our_read + our_write)) -gt 0 ] || fail "$name $options: nothing moved"
    [ $write = $our_write ] || fail "$name $options: $our_write bytes written, $write at the disk"
    # Before a write both ends of a device are read for what it carries.
    if [ $our_write = 0 ]; then
      [ $read = $our_read ] || fail "$name $options: $our_read bytes read, $read at the disk"
    else
      [ $read -ge $our_read ] || fail "$name $options: $our_read bytes read, only $read at the disk"
    fi
  done <<'END'
COMMANDS
END
  echo "ok   $name: $count commands of the seeds, bytes as the disk counts"
done
exit $failed
