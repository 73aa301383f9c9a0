# In the guest (see scripts/guest): NVMe with sectors of 4096 bytes, md arrays (at rest, at work, lacking a member), device
# mapper and null_blk. It makes them and asks fathom; guest/trust.rs judges. Each text stands after a line `@@ CASE WHAT`.
tell() { echo; echo "@@ $1 $2"; cat "$3"; }
must() { "$@" >/tmp/log 2>&1 || { echo "FAIL $*: $(cat /tmp/log)"; exit 1; }; }

# doctor CASE DEVICE
doctor() {
  fathom doctor "$2" --json >/tmp/out 2>/tmp/err; echo $? >/tmp/status
  for what in out err status; do tell "$1" doctor-$what /tmp/$what; done
}

# run CASE ARGUMENTS: what fathom says, and what the kernel counted of every disk before and after.
run() {
  case=$1; shift
  cat /proc/diskstats >/tmp/before
  fathom run --name=job --direct=1 --ioengine=io_uring --iodepth=8 --rw=read --bs=64k "$@" --json >/tmp/out 2>/tmp/err; echo $? >/tmp/status
  cat /proc/diskstats >/tmp/after
  for what in out err status before after; do tell "$case" $what /tmp/$what; done
}

# memory NAME MIB [ATTRIBUTE=VALUE...]: a null_blk device that keeps its data.
memory() {
  dir=/sys/kernel/config/nullb/$1; echo_to() { echo "$2" >"$dir/$1" || echo "FAIL null_blk: $1=$2"; }
  mkdir $dir; echo_to size $2; echo_to memory_backed 1; shift 2
  for pair in "$@"; do echo_to ${pair%%=*} ${pair#*=}; done
  echo_to power 1
}

for m in configfs dm-mod dm-delay dm-flakey raid1 raid456 virtio_pci virtio_blk; do modprobe $m 2>/dev/null; done
mount -t configfs none /sys/kernel/config
must modprobe null_blk nr_devices=0
for n in m0 m1 m2; do memory $n 72; done

# NVMe, sectors of 4096 bytes.
doctor nvme /dev/nvme0n2
run nvme-write --filename=/dev/nvme0n2 --rw=write --bs=256k
run nvme-read --filename=/dev/nvme0n2 --bs=256k
run nvme-512 --filename=/dev/nvme0n2 --bs=512 --size=1m --ioengine=psync --iodepth=1

# md.
fill() { run $1-write --filename=/dev/md0 --rw=write --bs=$2 --allow-destroy=/dev/md0; }
must mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean /dev/m0 /dev/m1
doctor raid1 /dev/md0
fill raid1 64k
run raid1-read --filename=/dev/md0
must mdadm /dev/md0 --fail /dev/m1
doctor raid1-degraded /dev/md0
run raid1-degraded --filename=/dev/md0
must mdadm --stop /dev/md0
must mdadm --zero-superblock /dev/m0 /dev/m1
echo 6000 >/proc/sys/dev/raid/speed_limit_max; echo 6000 >/proc/sys/dev/raid/speed_limit_min
must mdadm --create /dev/md0 --run --level=1 --raid-devices=2 /dev/m0 /dev/m1
doctor raid1-resync /dev/md0
# md pauses its resync for up to half a second: the run takes longer.
run raid1-resync --filename=/dev/md0 --loops=6
must mdadm --stop /dev/md0
must mdadm --zero-superblock /dev/m0 /dev/m1
must mdadm --create /dev/md0 --run --level=5 --chunk=64 --raid-devices=3 --assume-clean /dev/m0 /dev/m1 /dev/m2
doctor raid5 /dev/md0
fill raid5 1m
run raid5-read --filename=/dev/md0
run raid5-small --filename=/dev/md0 --rw=randwrite --bs=4k --size=8m --allow-destroy=/dev/md0
fathom run --name=job --filename=/dev/md0 --rw=randwrite --bs=4k --size=1m --direct=1 --layers --allow-destroy=/dev/md0 >/tmp/out 2>&1
tell raid5-small layers /tmp/out
must mdadm --stop /dev/md0
must mdadm --zero-superblock /dev/m0 /dev/m1 /dev/m2
# Made like this, the third member is filled from the others.
must mdadm --create /dev/md0 --run --level=5 --chunk=64 --raid-devices=3 /dev/m0 /dev/m1 /dev/m2
doctor raid5-recover /dev/md0
run raid5-recover --filename=/dev/md0
must mdadm --stop /dev/md0
must mdadm --zero-superblock /dev/m0 /dev/m1 /dev/m2

# Device mapper.
map() { must dmsetup create x --table "$1"; [ -b /dev/dm-0 ] || echo "FAIL no /dev/dm-0"; }
map "0 73728 linear /dev/m0 0
73728 73728 linear /dev/m1 8192"
doctor linear /dev/dm-0
run linear-write --filename=/dev/dm-0 --rw=write --allow-destroy=/dev/dm-0
run linear-read --filename=/dev/dm-0
# What is larger than null_blk takes at once: the kernel gives each request back and counts it twice.
run linear-large --filename=/dev/dm-0 --bs=1m
must dmsetup remove x
map "0 163840 linear /dev/vda 63"
doctor odd /dev/dm-0
run odd-write --filename=/dev/dm-0 --ioengine=psync --iodepth=1 --rw=write --bs=256k --end_fsync=1 --allow-destroy=/dev/dm-0
run odd-read --filename=/dev/dm-0 --ioengine=psync --iodepth=1 --bs=256k
must dmsetup remove x
map "0 163840 linear /dev/vda 64"
doctor even /dev/dm-0
run even-read --filename=/dev/dm-0 --ioengine=psync --iodepth=1 --bs=256k
must dmsetup remove x
map "0 147456 delay /dev/m0 0 20"
doctor delay /dev/dm-0
run delay --filename=/dev/dm-0
must dmsetup remove x
map "0 147456 flakey /dev/m0 0 3600 1"
doctor flakey-up /dev/dm-0
run flakey-up --filename=/dev/dm-0
must dmsetup remove x
map "0 147456 flakey /dev/m0 0 0 1"
doctor flakey-down /dev/dm-0
job="--name=job --filename=/dev/dm-0 --rw=read --bs=64k --size=16m --direct=1 --ioengine=psync --output-format=json"
for how in stops goes-on; do
  [ $how = goes-on ] && job="$job --continue_on_error=io"
  fio $job >/tmp/out 2>/tmp/err; echo $? >/tmp/status
  for what in out status; do tell flakey-$how fio-$what /tmp/$what; done
  fathom fio $job >/tmp/out 2>/tmp/err; echo $? >/tmp/status
  for what in out status; do tell flakey-$how fathom-$what /tmp/$what; done
done
run flakey-down --filename=/dev/dm-0 --size=64m --continue_on_error=io
must dmsetup remove x
map "0 147456 flakey /dev/m0 0 1 1"
run flakey --filename=/dev/dm-0 --runtime=4 --time_based --continue_on_error=io
must dmsetup remove x

# null_blk that answers after a millisecond.
memory slow 72 irqmode=2 completion_nsec=1000000
doctor null /dev/slow
run null-write --filename=/dev/slow --rw=write
run null-read --filename=/dev/slow
# The last text has an end.
tell end end /dev/null
exit 0
