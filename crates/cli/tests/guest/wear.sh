# In the guest (see scripts/guest): the endurance of QEMU's NVMe drive, read from its health log as root. QEMU reports 0 % used,
# with which no endurance can be computed: it is assumed, and the line names the percentage. The block device counts what is
# written, nvme-cli reads the same log.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
sectors() { awk '{print $7}' /sys/block/nvme0n1/stat; }
job="--name=w --filename=/dev/nvme0n1 --rw=randwrite --bs=64k --direct=1"
used=$(nvme smart-log /dev/nvme0 -o binary | od -An -tu1 -j5 -N1 | tr -d ' ')

# 24 MiB of 600 times 256 MiB.
fathom run --no-store $job --size=24m >/tmp/out 2>/tmp/err || fail "run: $(cat /tmp/err /tmp/out)"
line="fathom: nvme0n1: writes 25.2 MB, 0.02 % of its endurance ($used % used; assumed: 600 drive writes)"
grep -qxF "$line" /tmp/err && ok "$line" || fail "line: $(cat /tmp/err)"

# Through the file of the character device, and without root: the log cannot be read.
fathom run --no-store --name=w --ioengine=io_uring_cmd --filename=/dev/ng0n1 --rw=write --bs=64k --size=1m --allow-destroy=/dev/ng0n1 >/tmp/out 2>/tmp/err
grep -q '^fathom: nvme0n1: writes 1.05 MB' /tmp/err && ok "character device" || fail "ng0n1: $(cat /tmp/err)"
mv /dev/nvme0 /dev/hidden
fathom run --no-store $job --size=24m >/tmp/out 2>/tmp/err || fail "run: $(cat /tmp/err /tmp/out)"
grep -q '(assumed: 600 drive writes)$' /tmp/err && ok "log not readable" || fail "no log: $(cat /tmp/err)"
mv /dev/hidden /dev/nvme0

# A percentage of the endurance: 0.01 % of 600 times 256 MiB are 16106127 bytes, 245 blocks of 64 KiB.
before=$(sectors)
fathom run --no-store $job --time_based --runtime=120 --wear-budget=0.01% >/tmp/out 2>/tmp/err || fail "budget: $(cat /tmp/err /tmp/out)"
written=$(($(sectors) - before))
[ $written = $((245 * 128)) ] && ok "$written sectors within 0.01 %" || fail "$written sectors written, 31360 permitted"
before=$(sectors)
fathom run --no-store $job --size=24m --wear-budget=0.01% >/tmp/out 2>/tmp/err
[ $? = 3 ] && [ "$(sectors)" = "$before" ] && ok "refused: $(cat /tmp/err)" || fail "24 MiB were not refused: $(cat /tmp/err)"

# The other commands that write (prefill: only zeros): the same line, the same budget.
device="/dev/nvme0n1 --allow-destroy=/dev/nvme0n1"
dd if=/dev/zero of=/dev/nvme0n1 bs=1M count=16 oflag=direct 2>/dev/null
before=$(sectors)
fathom prefill $device --size=16m --wear-budget=15m >/tmp/out 2>/tmp/err
[ $? = 3 ] && [ "$(sectors)" = "$before" ] || fail "prefill was not refused: $(cat /tmp/err)"
fathom prefill $device --size=16m >/tmp/out 2>/tmp/err || fail "prefill: $(cat /tmp/err)"
grep -q '^fathom: nvme0n1: writes 16.8 MB, 0.01 % of its endurance' /tmp/err && ok "prefill" || fail "prefill: $(cat /tmp/err)"
for command in "fit etcd $device --seconds=8s" "explore $device --write --no-store --budget=30s --questions=depth --patterns=4k-randwrite"; do
  before=$(sectors)
  fathom $command --wear-budget=1m >/tmp/out 2>/tmp/err
  grep -q '^fathom: nvme0n1: writes at most 1.05 MB, 0.0007 % of its endurance' /tmp/err || fail "$command: $(cat /tmp/err)"
  written=$(($(sectors) - before))
  [ $written -gt 0 ] && [ $written -le 2048 ] && ok "${command%% *}: $written sectors within 1 MiB" || fail "$command: $written sectors, $(cat /tmp/err /tmp/out)"
done

# fio's own report has nothing on standard error.
fathom fio $job --size=1m >/tmp/out 2>/tmp/err || fail "fio: $(cat /tmp/err)"
[ -s /tmp/err ] && fail "standard error of fio: $(cat /tmp/err)" || ok "fio says nothing"
exit $failed
