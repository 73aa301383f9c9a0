# In the guest (see scripts/guest): a mount of NFS 4.1, and a network block device, each from a server of the same guest, at
# first on its loopback interface, then through a link with a limit. The counters of the kernel's client
# (/proc/self/mountstats) are the witness of the requests that fathom reports.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
# has WORDS: the words are in the output.
has() { tr -s ' \n' ' ' </tmp/out | grep -qF -- "$1" && ok "$1" || fail "no '$1' in: $(cat /tmp/out)"; }
hasnot() { tr -s ' \n' ' ' </tmp/out | grep -qF -- "$1" && fail "'$1' in: $(cat /tmp/out)" || ok "not: $1"; }
export XDG_DATA_HOME=/tmp/data COLUMNS=200
ip link set lo up
mount -t debugfs none /sys/kernel/debug

echo "== NFS"
mkdir -p /var/run /var/log /etc /var/lib/nfs/ganesha /exp /tmp/recov /mnt/n4 /mnt/n3
echo 'root:x:0:0::/:/bin/sh' >/etc/passwd
echo 'root:x:0:' >/etc/group
echo '127.0.0.1 localhost' >/etc/hosts
printf '[General]\nDomain = localdomain\n[Mapping]\nNobody-User = root\nNobody-Group = root\n[Translation]\nMethod = nsswitch\n' >/etc/idmapd.conf
printf 'passwd: files\ngroup: files\n' >/etc/nsswitch.conf
cp /usr/bin/netconfig /etc/netconfig
hostname vm.localdomain
ln -sf /proc/mounts /etc/mtab
cat >/tmp/ganesha.conf <<CONF
NFS_CORE_PARAM { Protocols = 3, 4; NFS_Port = 2049; MNT_Port = 20048; Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false; mount_path_pseudo = true; Plugins_Dir = "/usr/bin"; }
NFSV4 { Graceless = true; Only_Numeric_Owners = true; RecoveryBackend = fs; RecoveryRoot = /tmp/recov; }
EXPORT { Export_Id = 1; Path = /exp; Pseudo = /e; Access_Type = RW; Squash = None; SecType = sys; FSAL { Name = VFS; } }
CONF
modprobe brd rd_nr=1 rd_size=131072
mke2fs -q /dev/ram0 >/dev/null 2>&1
mount -t ext4 /dev/ram0 /exp || fail "ext4"
mkdir -p /lib/x86_64-linux-gnu/libnfsidmap /usr/lib/x86_64-linux-gnu/libnfsidmap
cp /usr/bin/nsswitch.so /usr/lib/x86_64-linux-gnu/libnfsidmap/
LD_PRELOAD=/usr/bin/rpcb.so ganesha.nfsd -F -f /tmp/ganesha.conf -L /tmp/ganesha.log -p /tmp/ganesha.pid >/dev/null 2>&1 &
for i in $(seq 150); do grep -q INITIALIZED /tmp/ganesha.log 2>/dev/null && break; sleep .1; done
modprobe nfsv3
modprobe nfsv4
mount -i -t nfs4 -o vers=4.1,proto=tcp,nconnect=2,port=2049,addr=127.0.0.1,clientaddr=127.0.0.1 127.0.0.1:/e /mnt/n4 || fail "mount: $(tail -n 5 /tmp/ganesha.log)"
mount -t nfs -o vers=3,proto=tcp,nolock,soft,timeo=50,retrans=2,noac,port=2049,mountport=20048,mountproto=tcp,addr=127.0.0.1,mountaddr=127.0.0.1 127.0.0.1:/e /mnt/n3 || fail "mount v3"
fathom doctor /mnt/n4 >/tmp/out 2>&1
has "/mnt/n4: NFS 4.1 over tcp, 127.0.0.1:/e, connections: 2, rsize 1 MiB, wsize 1 MiB, sec=sys"
has "I/O waits without limit for a server that does not answer (hard)"
has "the client caches attributes of files for 3 to 60 s, of directories for 30 to 60 s"
has "server 127.0.0.1 is this machine"
fathom doctor /mnt/n3 >/tmp/out 2>&1
has "/mnt/n3: NFS 3 over tcp"
has "I/O fails after 15.0 s without an answer (soft)"
hasnot "caches attributes"

# reads MOUNT: READ requests of the client of this mount.
reads() { awk -v at="$1" '$1 == "device" { mine = $5 == at } mine && $1 == "READ:" { print $2 }' /proc/self/mountstats; }
dd if=/dev/urandom of=/mnt/n4/f bs=1M count=4 2>/dev/null
sync
echo 3 >/proc/sys/vm/drop_caches
before=$(reads /mnt/n4)
fathom run --no-store --name=r --filename=/mnt/n4/f --rw=randread --bs=4k --size=4m --number_ios=300 --direct=1 --ioengine=psync --layers >/tmp/out 2>&1 || fail "run: $(cat /tmp/out)"
sent=$(($(reads /mnt/n4) - before))
[ "$sent" = 300 ] && ok "300 direct reads are 300 requests" || fail "$sent requests for 300 reads"
has "READ 300: mean"
has "READ: network and server"
fathom run --no-store --name=r --filename=/mnt/n4/f --rw=read --bs=64k --size=4m --ioengine=psync >/tmp/out 2>&1
before=$(reads /mnt/n4)
fathom run --no-store --name=r --filename=/mnt/n4/f --rw=randread --bs=4k --size=4m --number_ios=1000 --invalidate=0 --ioengine=psync >/tmp/out 2>&1
[ "$(reads /mnt/n4)" = "$before" ] && ok "cached reads are no requests" || fail "cached reads sent requests"
has "100 % of the 4.10 MB read came from the page cache"
fathom run --no-store --name=r --filename=/mnt/n3/f --rw=randread --bs=4k --size=4m --number_ios=300 --direct=1 --ioengine=psync >/tmp/out 2>&1
has "/mnt/n3 is a soft mount"

echo "== nbd"
modprobe nbd
nbdkit -p 10809 /usr/bin/nbdkit-memory-plugin.so 64M
for i in $(seq 50); do netstat -ltn | grep -q :10809 && break; sleep .1; done
nbd-client -nonetlink 127.0.0.1 10809 /dev/nbd0 >/dev/null 2>&1
for i in $(seq 50); do [ -e /sys/block/nbd0/pid ] && break; sleep .1; done
fathom doctor /dev/nbd0 >/tmp/out 2>&1
has "nbd0: network block device of server 127.0.0.1:10809"
has "server 127.0.0.1 is this machine"
nbd-client -d /dev/nbd0 >/dev/null 2>&1
for i in $(seq 50); do [ -e /sys/block/nbd0/pid ] || break; sleep .1; done
fathom doctor /dev/nbd0 >/tmp/out 2>&1
has "nbd0: no working connection to the server"

echo "== limits of the network"
# The clients are in a namespace of their own behind a link whose ends send 20 Mbit/s, which is far
# below what the emulated CPU reaches; 2.39 MB/s of that are data.
unshare -n -m sh -c 'mount -t sysfs none /sys; exec sleep 1000' &
client=$!
for i in $(seq 50); do [ "$(readlink /proc/$client/ns/net)" != "$(readlink /proc/self/ns/net)" ] && break; sleep .1; done
modprobe veth
modprobe sch_tbf
modprobe sch_netem
on() { nsenter -t $client -n -m -- "$@"; }
/usr/bin/ip link add link0 type veth peer name link0 netns $client
/usr/bin/ip addr add 10.209.0.2/24 dev link0
on /usr/bin/ip addr add 10.209.0.1/24 dev link0
/usr/bin/ip link set link0 up
on /usr/bin/ip link set link0 up
on /usr/bin/ip link set lo up
/usr/bin/tc qdisc add dev link0 root tbf rate 20mbit burst 32k limit 512k || fail tbf
on /usr/bin/tc qdisc add dev link0 root tbf rate 20mbit burst 32k limit 512k || fail tbf
mkdir -p /mnt/far
on mount -i -t nfs4 -o vers=4.1,proto=tcp,port=2049,addr=10.209.0.2,clientaddr=10.209.0.1 10.209.0.2:/e /mnt/far || fail "mount through the link"
on fathom doctor /mnt/far >/tmp/out 2>&1
has "server 10.209.0.2 is reached through link0 (speed not known, MTU 1500)"
has "/mnt/far: tbf (tc) limits what link0 sends to 20 Mbit/s, at most 2.39 MB/s of data"
run_far() { on fathom run --no-store --name=r --bs=32k --size=2m --direct=1 --time_based --runtime=4 --ioengine=libaio --iodepth=8 "$@" >/tmp/out 2>&1 || fail "run: $(cat /tmp/out)"; }
# limited WORDS JOB: the finding is there. A host with much other load can keep the guest from its limit, but not each time.
limited() {
  words=$1
  shift
  for attempt in 1 2 3 4; do
    run_far "$@"
    tr -s ' \n' ' ' </tmp/out | grep -qF -- "$words" && break
  done
  has "$words"
}
limited "is the limit of link0: tbf (tc) sends at most 20 Mbit/s, which carry 2.39 MB/s of data" --filename=/mnt/far/g --rw=write --allow-destroy=/mnt/far/g
# The limit of this end is not that of what it receives.
run_far --filename=/mnt/far/g --rw=read
hasnot "is the limit of"
# netem in place of tbf, and a network block device in place of the mount.
on /usr/bin/tc qdisc del dev link0 root
on /usr/bin/tc qdisc add dev link0 root netem rate 10mbit || fail netem
on nbd-client -nonetlink 10.209.0.2 10809 /dev/nbd0 >/dev/null 2>&1
for i in $(seq 50); do [ -e /sys/block/nbd0/pid ] && break; sleep .1; done
on fathom doctor /dev/nbd0 >/tmp/out 2>&1
has "nbd0: netem (tc) limits what link0 sends to 10 Mbit/s, at most 1.20 MB/s of data"
limited "is the limit of link0: netem (tc) sends at most 10 Mbit/s, which carry 1.20 MB/s of data" --filename=/dev/nbd0 --rw=write --allow-destroy=/dev/nbd0
on nbd-client -d /dev/nbd0 >/dev/null 2>&1
on umount /mnt/far
kill $client
umount /mnt/n3 /mnt/n4
exit $failed
