# In the guest (see scripts/guest): runs on two hosts, one of them behind a link whose ends delay what they send (netem). Both are
# network namespaces of one kernel, so the true offset of their clocks is 0: the witness of what fathom says about it.
failed=0
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
ok() { echo "ok   $*"; }
export XDG_DATA_HOME=/tmp/data
RUNS=5
ip link set lo up
modprobe veth
modprobe sch_netem
unshare -n sh -c 'exec sleep 2000' &
far=$!
for i in $(seq 50); do [ "$(readlink /proc/$far/ns/net)" != "$(readlink /proc/self/ns/net)" ] && break; sleep .1; done
on() { nsenter -t $far -n -- "$@"; }
/usr/bin/ip link add link0 type veth peer name link0 netns $far
/usr/bin/ip addr add 10.209.0.1/24 dev link0
on /usr/bin/ip addr add 10.209.0.2/24 dev link0
/usr/bin/ip link set link0 up
on /usr/bin/ip link set link0 up
on nc -ll -p 7000 -e /usr/bin/fathom agent &
server=$!
for i in $(seq 50); do on netstat -ltn | grep -q :7000 && break; sleep .1; done
# The shell of the run: HOST PROGRAM agent. The host "near" is this namespace, "far" the other one.
cat >/tmp/rsh <<'RSH'
#!/bin/sh
host=$1
shift
[ "$host" = near ] && exec "$@"
exec nc 10.209.0.2 7000
RSH
chmod +x /tmp/rsh
head -c 65536 /dev/zero >/tmp/file

# figures FILE: offset and uncertainty of the clock of "far", and the difference of the times at which the workers of the two hosts
# began, on the clock that both have. Nanoseconds.
figures() {
  awk '
    /"name": "(near|far)"/ { gsub(/[",]/, ""); host = $2; phase = 1 }
    /"offset_ns":/ && phase { gsub(/,/, ""); offset[host] = $2 }
    /"uncertainty_ns":/ && phase { uncertainty[host] = $2 }
    /"began_ns":/ && phase { getline; getline; gsub(/,/, ""); began[host] = $1; phase = 0 }
    END {
      skew = (began["far"] + offset["far"]) - (began["near"] + offset["near"])
      printf "%d %d %d\n", offset["far"], uncertainty["far"], skew
    }' "$1"
}

# link TO BACK: netem for what is sent to the far host, and for what it sends; "none" for no delay.
link() {
  /usr/bin/tc qdisc del dev link0 root 2>/dev/null
  on /usr/bin/tc qdisc del dev link0 root 2>/dev/null
  [ "$1" = none ] || /usr/bin/tc qdisc add dev link0 root netem delay $1 || fail "netem $1"
  [ "$2" = none ] || on /usr/bin/tc qdisc add dev link0 root netem delay $2 || fail "netem $2"
}

median() { sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

# measure WORD TO BACK: a row of the table, and its judgement: the offset is within its uncertainty in each run; if the delays
# are equal ("equal"), the offset is at most 1 ms in the median.
measure() {
  link "$2" "$3"
  before=$failed
  : >/tmp/offsets; : >/tmp/sizes; : >/tmp/bounds; : >/tmp/skews
  for run in $(seq $RUNS); do
    # Beside heavy load, the emulated processor may not start two agents within the time limit of the connection.
    for try in 1 2 3 4; do
      fathom run --no-store --json --hosts near,far --rsh /tmp/rsh --agent /usr/bin/fathom --name=j --filename=/tmp/file --size=64k \
        --rw=read --bs=4k --ioengine=psync >/tmp/out 2>/tmp/err && break
      grep -q "nothing was run on any host" /tmp/err || try=4
      [ "$try" != 4 ] || { fail "run with $2 and $3: $(cat /tmp/err)"; return; }
    done
    set -- "$1" "$2" "$3" $(figures /tmp/out)
    size=${4#-}
    [ "$size" -le "$5" ] || fail "$2 to, $3 back: the offset is $4 ns, and stated to be within $5 ns"
    [ "$5" -gt 0 ] || fail "no uncertainty: $(head -n 40 /tmp/out)"
    echo "$4" >>/tmp/offsets; echo "$size" >>/tmp/sizes; echo "$5" >>/tmp/bounds; echo "${6#-}" >>/tmp/skews
  done
  offset=$(median </tmp/offsets) size=$(median </tmp/sizes) bound=$(median </tmp/bounds) skew=$(median </tmp/skews)
  awk -v kind="$1" -v to="$2" -v back="$3" -v offset="$offset" -v bound="$bound" -v skew="$skew" \
    -v low="$(sort -n /tmp/offsets | head -n 1)" -v high="$(sort -n /tmp/offsets | tail -n 1)" 'BEGIN {
      range = sprintf("%.3f..%.3f", low / 1e6, high / 1e6)
      printf "%-8s %-9s %-9s %8.3f %18s %12.3f %12.3f\n", kind, to, back, offset / 1e6, range, bound / 1e6, skew / 1e6
    }'
  [ "$1" = unequal ] || [ "$size" -le 1000000 ] || fail "$2 both ways: the offset is wrong by $size ns"
  [ "$failed" != "$before" ] || ok "$2 to, $3 back: $offset ns, stated to be within $bound ns"
}
echo "Medians of $RUNS runs, milliseconds"
echo "delays   to        back        offset       least..most  uncertainty  begin apart"
measure equal none none
measure equal "5ms 1ms" "5ms 1ms"
measure equal "20ms 2ms" "20ms 2ms"
measure equal "50ms 2ms" "50ms 2ms"
measure unequal 5ms 45ms
measure unequal 45ms 5ms
measure unequal "none" "20ms 2ms"
kill $server $far
exit $failed
