# In the guest (see scripts/guest): devices that LVM, md, LUKS and device mapper hold for real. Each must be refused
# with status 3, named for what it is, and keep every byte; with consent, or once it is free and bare, be written.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
fathom=/usr/bin/fathom

# write COMMAND DEVICE [ARGUMENT]: 64 KiB of writes.
write() { $fathom "$1" --name=w --rw=write --bs=4k --size=64k --filename="$2" $3 >/tmp/out 2>&1; }

# refused DEVICE WORDS: both commands.
refused() {
  before=$(sha256sum <"$1")
  for command in fio run; do
    write $command "$1"; status=$?
    [ $status = 3 ] || fail "$command on $1 ($2): status $status: $(cat /tmp/out)"
    grep -q "$2" /tmp/out || fail "$command on $1: no '$2' in: $(cat /tmp/out)"
    grep -q -- "--allow-destroy=$1" /tmp/out || fail "$command on $1: does not say how to insist"
  done
  [ "$(sha256sum <"$1")" = "$before" ] || fail "$1 ($2) changed"
  echo "ok   $1 refused: $2"
}

# written DEVICE [ARGUMENT]
written() {
  write fio "$1" "$2"; status=$?
  [ $status = 0 ] && echo "ok   $1 written $2" || fail "$1 $2: status $status: $(cat /tmp/out)"
}

for m in brd dm-mod dm-crypt raid1 loop algif_skcipher algif_hash xts; do
  case $m in brd) modprobe brd rd_nr=6 rd_size=32768 ;; *) modprobe $m 2>/dev/null ;; esac
done

echo "== LVM"
lvm='lvm'; filter='--config devices{filter=["a|/dev/ram.*|","r|.*|"]}'
$lvm pvcreate -q $filter /dev/ram0 >/tmp/log 2>&1 || fail "pvcreate: $(cat /tmp/log)"
refused /dev/ram0 "LVM physical volume"
$lvm vgcreate -q $filter v /dev/ram0 >/tmp/log 2>&1 || fail "vgcreate: $(cat /tmp/log)"
$lvm lvcreate -q -y -Wn -Zn $filter -L 16m -n n v >/tmp/log 2>&1 || fail "lvcreate: $(cat /tmp/log)"
volume=/dev/$(ls /sys/block/ram0/holders)
refused /dev/ram0 "ram0 is part of dm-"
[ -b "$volume" ] || { mknod "$volume" b $(sed 's/:/ /' "/sys/block/${volume#/dev/}/dev"); }
written "$volume"
mke2fs -q "$volume" >/dev/null 2>&1; refused "$volume" "ext2 file system"
mkdir -p /mnt/v; # Read-only, or the mount itself writes to it.
mount -o ro -t ext4 "$volume" /mnt/v || fail "mount"
refused "$volume" "is mounted on /mnt/v"
umount /mnt/v; $lvm vgchange -q -an $filter v >/dev/null 2>&1
written /dev/ram0 --allow-destroy=/dev/ram0

echo "== md"
for metadata in 1.2 1.0 0.90; do
  mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --metadata=$metadata /dev/ram1 /dev/ram2 >/tmp/log 2>&1 || fail "mdadm: $(cat /tmp/log)"
  refused /dev/ram1 "ram1 is part of md0"
  written /dev/md0
  mdadm --stop /dev/md0 >/dev/null 2>&1
  refused /dev/ram2 "Linux md RAID member"
  mdadm --zero-superblock /dev/ram1 /dev/ram2 >/dev/null 2>&1
  dd if=/dev/zero of=/dev/ram1 bs=1M count=32 2>/dev/null; dd if=/dev/zero of=/dev/ram2 bs=1M count=32 2>/dev/null
  written /dev/ram1
done

echo "== LUKS"
for type in luks1 luks2; do
  echo -n secret | cryptsetup -q luksFormat --type $type --pbkdf pbkdf2 --pbkdf-force-iterations 1000 /dev/ram3 - >/tmp/log 2>&1 || fail "luksFormat $type: $(cat /tmp/log)"
  refused /dev/ram3 "LUKS encrypted volume"
done
echo -n secret | cryptsetup open --key-file - /dev/ram3 secret >/tmp/log 2>&1 || fail "open: $(cat /tmp/log)"
refused /dev/ram3 "ram3 is part of dm-"
cryptsetup close secret

echo "== device mapper without any signature"
dmsetup create plain --table "0 32768 linear /dev/ram4 0" || fail dmsetup
refused /dev/ram4 "ram4 is part of dm-"
dmsetup remove plain
written /dev/ram4

exit $failed
