# In the guest (see scripts/guest): fathom pts on QEMU's NVMe and SCSI disks: purge, write cache, health, refusals. Witnesses:
# nvme-cli, the data on the devices, the kernel's counters of discards, the kernel's reading of the SCSI mode page, and QEMU's
# own log of admin commands, which the test reads outside. QEMU 7.2 has no Sanitize.
#   nvme0n1: alone on its controller; nvme1n1, nvme1n2: two namespaces of a second controller; sda: SCSI.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
for module in sd_mod virtio_pci virtio_scsi; do modprobe $module || fail "modprobe $module"; done
for try in $(seq 100); do [ -b /dev/sda ] && break; sleep 0.1; done
# pts TEST DEVICE [OPTIONS]: a rehearsal in the first hundredth of a device.
pts() { test=$1 device=$2; shift 2; fathom pts $test $device --scale 1/60000 --rounds 5 --active-range 1 --json "$@" >/tmp/out 2>/tmp/err; }
has() { tr -d ' \n' </tmp/out | grep -qE "$1" && ok "$2" || fail "$2: no $1 in: $(tr -d ' \n' </tmp/out | head -c 1500) $(cat /tmp/err)"; }
discards() { awk '{print $12}' /sys/block/${1#/dev/}/stat; }
cache() { nvme get-feature $1 -f 6 | sed -n 's/.*[vV]alue:[0x]*\([01]\)$/\1/p'; }
kernel_cache() { cat /sys/block/sda/device/scsi_disk/*/cache_type; }
# end DEVICE: sum of the last 16 MiB on the device, which no rehearsal writes.
end() { echo 3 >/proc/sys/vm/drop_caches; dd if=$1 bs=1M skip=$(($(blockdev --getsize64 $1) / 1048576 - 16)) iflag=direct 2>/dev/null | md5sum; }
pattern() { tr '\0' '\245' </dev/zero | head -c 16777216; }
mark() { pattern | dd of=$1 bs=1M seek=$(($(blockdev --getsize64 $1) / 1048576 - 16)) iflag=fullblock oflag=direct 2>/dev/null; }
zeros=$(head -c 16777216 /dev/zero | md5sum)
marked=$(pattern | md5sum)

echo "== Format, and write cache off for the settings of enterprise"
mark /dev/nvme0n1
[ "$(end /dev/nvme0n1)" = "$marked" ] || fail "nvme0n1 could not be marked"
[ "$(cache /dev/nvme0)" = 1 ] || fail "QEMU's write cache is not on: $(nvme get-feature /dev/nvme0 -f 6)"
before=$(discards nvme0n1)
pts throughput /dev/nvme0n1 --allow-destroy /dev/nvme0n1 &
during=
while kill -0 $! 2>/dev/null; do
  now=$(cache /dev/nvme0)
  [ "$now" = 0 ] && during=0 && [ -z "$witnessed" ] && witnessed=$(cat /sys/block/nvme0n1/queue/write_cache)
done
wait $! && ok "pts throughput" || fail "pts: $(cat /tmp/err)"
has '"complete":true' "complete"
has '"purges":\[\{"method":"nvme_format",[^{]*\{"method":"nvme_format",[^{]*"write_cache"' "purged by Format, once per block size"
[ "$(discards nvme0n1)" = "$before" ] && ok "no discard" || fail "$(discards nvme0n1) discards, $before before"
[ "$(end /dev/nvme0n1)" = "$zeros" ] && ok "Format erased the mark" || fail "the mark survived Format"
has '"write_cache":\{"required":false,"control":"nvme_feature","before":true,"during":false\}' "write cache read back"
[ "$during" = 0 ] && ok "nvme-cli saw the write cache disabled; the kernel then had: $witnessed" || fail "nvme-cli never saw the cache disabled"
[ "$(cache /dev/nvme0)" = 1 ] && ok "write cache restored" || fail "write cache is left disabled"

echo "== Health"
# Bytes 1 and 2 of the log, kelvin.
kelvin=$(nvme smart-log /dev/nvme0 -o binary | od -An -tu2 -j1 -N2 | tr -d ' ')
celsius=$((kelvin - 274)).85
has "\"celsius\":\[$celsius[0-9]*,$celsius[0-9]*\]" "temperature $celsius, in the log $kelvin K"
used=$(nvme smart-log /dev/nvme0 -o binary | od -An -tu1 -j5 -N1 | tr -d ' ')
grep -q "nvme0n1: writes .* ($used % used" /tmp/err && ok "$(grep ' % used' /tmp/err)" || fail "no wear: $(cat /tmp/err)"

echo "== Write cache on for the settings of client"
nvme set-feature /dev/nvme0 -f 6 -v 0 >/dev/null
pts throughput /dev/nvme0n1 --allow-destroy /dev/nvme0n1 --class client --purge discard || fail "client: $(cat /tmp/err)"
has '"write_cache":\{"required":true,"control":"nvme_feature","before":false,"during":true\}' "write cache enabled"
[ "$(cache /dev/nvme0)" = 0 ] && ok "write cache disabled again" || fail "write cache is left enabled"
has '"purges":\[\{"method":"discard"' "--purge discard"
[ "$(discards nvme0n1)" != "$before" ] && ok "the kernel counted a discard" || fail "no discard was counted"
nvme set-feature /dev/nvme0 -f 6 -v 1 >/dev/null

echo "== Two namespaces"
mark /dev/nvme1n1; mark /dev/nvme1n2
pts throughput /dev/nvme1n1 --allow-destroy /dev/nvme1n1 --class client || fail "two namespaces: $(cat /tmp/err)"
has '"purges":\[\{"method":"discard"' "purged by discard"
[ "$(end /dev/nvme1n2)" = "$marked" ] && ok "the other namespace kept its data" || fail "the other namespace was erased"

echo "== Killed"
mark /dev/nvme0n1
fathom pts throughput /dev/nvme0n1 --allow-destroy /dev/nvme0n1 --scale 1/600 --rounds 5 --active-range 1 >/dev/null 2>/tmp/err &
for try in $(seq 300); do [ "$(cache /dev/nvme0)" = 0 ] && break; sleep 0.1; done
kill -9 $!; wait $! 2>/dev/null
[ "$(cache /dev/nvme0)" = 0 ] || fail "the write cache was restored by a killed process"
fathom pts --resume --allow-destroy /dev/nvme0n1 --json >/tmp/out 2>/tmp/err || fail "resume: $(cat /tmp/err)"
has '"complete":true' "resumed and complete"
has '"write_cache":\{"required":false,"control":"nvme_feature","before":true,"during":false\}' "write cache of the resumed study"
[ "$(cache /dev/nvme0)" = 1 ] && ok "write cache restored after a kill" || fail "write cache is left disabled after a kill: $(cat /tmp/err)"

echo "== Sanitize"
nvme id-ctrl /dev/nvme0 | grep -i sanicap
if nvme sanitize /dev/nvme0 --sanact=2 >/tmp/log 2>&1; then echo "this QEMU sanitizes: extend the test"; else ok "not available: $(head -n 1 /tmp/log)"; fi

echo "== SCSI"
[ "$(kernel_cache)" = "write back" ] || fail "cache of sda: $(kernel_cache)"
mark /dev/sda
pts throughput /dev/sda --allow-destroy /dev/sda &
witnessed=
while kill -0 $! 2>/dev/null; do [ "$(kernel_cache)" = "write through" ] && witnessed=yes; sleep 0.1; done
wait $! && ok "pts throughput" || fail "SCSI: $(cat /tmp/err)"
has '"write_cache":\{"required":false,"control":"scsi_cache_type","before":true,"during":false\}' "write cache of SCSI"
[ "$witnessed" = yes ] && ok "the disk's mode page had the cache disabled" || fail "cache_type did not change"
[ "$(kernel_cache)" = "write back" ] && ok "restored" || fail "sda is left at $(kernel_cache)"
[ "$(end /dev/sda)" = "$zeros" ] && ok "discard erased the mark" || fail "the mark survived"

echo "== Refusals"
# refused WORDS DEVICE: nothing is written, and no admin command is sent.
refused() {
  sum=$(md5sum <$2) settings=$(cache /dev/nvme0)
  pts throughput $2 --allow-destroy $2; status=$?
  [ $status = 3 ] && grep -q "$1" /tmp/err && ok "refused: $(head -n 1 /tmp/err)" || fail "$1: status $status, $(cat /tmp/err)"
  [ "$(md5sum <$2)" = "$sum" ] && [ "$(cache /dev/nvme0)" = "$settings" ] || fail "$1: the device was changed"
}
nvme format /dev/nvme0n1 --ses=1 --force >/dev/null 2>&1 || fail "nvme format"
mke2fs -q /dev/nvme0n1 16384 >/dev/null 2>&1 || mkfs.ext2 /dev/nvme0n1 16384 >/dev/null 2>&1 || fail "no file system"
refused "ext2" /dev/nvme0n1
mount -t ext4 -o ro /dev/nvme0n1 /mnt || fail "mount"
refused "is mounted on /mnt" /dev/nvme0n1
umount /mnt
nvme format /dev/nvme0n1 --ses=1 --force >/dev/null 2>&1
dmsetup create over --table "0 32768 linear /dev/nvme0n1 0" || fail dmsetup
refused "is part of dm-" /dev/nvme0n1
dmsetup remove over
mkswap /dev/nvme0n1 >/dev/null && swapon /dev/nvme0n1 || fail swapon
pts throughput /dev/nvme0n1 --allow-destroy /dev/nvme0n1; [ $? = 3 ] && grep -q swap /tmp/err && ok "refused: $(head -n 1 /tmp/err)" || fail "swap: $(cat /tmp/err)"
swapoff /dev/nvme0n1
nvme format /dev/nvme0n1 --ses=1 --force >/dev/null 2>&1
pts throughput /dev/ng0n1 --allow-destroy /dev/ng0n1; [ $? = 3 ] && grep -q 'no block device' /tmp/err && ok "refused: $(head -n 1 /tmp/err)" || fail "ng0n1: $(cat /tmp/err)"
echo "== While a study runs, the device cannot be mounted, swapped to or made part of another"
fathom pts wsat /dev/nvme0n1 --allow-destroy /dev/nvme0n1 --purge none --scale 1/600 >/tmp/out 2>/tmp/err &
for try in $(seq 300); do [ "$(cache /dev/nvme0)" = 0 ] && break; sleep 0.1; done
mount -t ext4 /dev/nvme0n1 /mnt 2>/dev/null && fail "mounted" || ok "mount failed"
dmsetup create over --table "0 32768 linear /dev/nvme0n1 0" 2>/dev/null && fail "device mapper took it" || ok "dmsetup failed"
swapon /dev/nvme0n1 2>/dev/null && fail "swap" || ok "swapon failed"
kill -0 $! && kill $! && wait $!
[ "$(cache /dev/nvme0)" = 1 ] && ok "write cache restored after a signal" || fail "write cache is left disabled"
exit $failed
