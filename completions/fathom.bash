_fathom() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="fathom"
                ;;
            fathom,agent)
                cmd="fathom__subcmd__agent"
                ;;
            fathom,audit)
                cmd="fathom__subcmd__audit"
                ;;
            fathom,catalog)
                cmd="fathom__subcmd__catalog"
                ;;
            fathom,ceph)
                cmd="fathom__subcmd__ceph"
                ;;
            fathom,characterize)
                cmd="fathom__subcmd__characterize"
                ;;
            fathom,cloud)
                cmd="fathom__subcmd__cloud"
                ;;
            fathom,compare)
                cmd="fathom__subcmd__compare"
                ;;
            fathom,dd)
                cmd="fathom__subcmd__dd"
                ;;
            fathom,doctor)
                cmd="fathom__subcmd__doctor"
                ;;
            fathom,explain)
                cmd="fathom__subcmd__explain"
                ;;
            fathom,explore)
                cmd="fathom__subcmd__explore"
                ;;
            fathom,export)
                cmd="fathom__subcmd__export"
                ;;
            fathom,files)
                cmd="fathom__subcmd__files"
                ;;
            fathom,fio)
                cmd="fathom__subcmd__fio"
                ;;
            fathom,fit)
                cmd="fathom__subcmd__fit"
                ;;
            fathom,hdparm)
                cmd="fathom__subcmd__hdparm"
                ;;
            fathom,list)
                cmd="fathom__subcmd__list"
                ;;
            fathom,objects)
                cmd="fathom__subcmd__objects"
                ;;
            fathom,ping)
                cmd="fathom__subcmd__ping"
                ;;
            fathom,prefill)
                cmd="fathom__subcmd__prefill"
                ;;
            fathom,pts)
                cmd="fathom__subcmd__pts"
                ;;
            fathom,rank)
                cmd="fathom__subcmd__rank"
                ;;
            fathom,report)
                cmd="fathom__subcmd__report"
                ;;
            fathom,run)
                cmd="fathom__subcmd__run"
                ;;
            fathom,show)
                cmd="fathom__subcmd__show"
                ;;
            fathom,stat)
                cmd="fathom__subcmd__stat"
                ;;
            fathom,sweep)
                cmd="fathom__subcmd__sweep"
                ;;
            fathom,trace)
                cmd="fathom__subcmd__trace"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        fathom)
            opts="-h -V --json --charts --seconds --prefill --fail-under --store --no-store --live --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --dry-run --lang --help --version doctor prefill explore sweep explain fit audit ceph cloud characterize files objects catalog rank pts report compare list show export trace agent run hdparm ping fio dd stat"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --prefill)
                    COMPREPLY=($(compgen -W "yes no ask" -- "${cur}"))
                    return 0
                    ;;
                --fail-under)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__agent)
            opts="-h --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__audit)
            opts="-h --device --ram --link --all --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --device)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --ram)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --link)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__catalog)
            opts="-h --add --name --store --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --add)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --name)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__ceph)
            opts="-h --conf --client --cephfs --no-rbd --disk --patterns --seconds --size --json --live --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --conf)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --client)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --cephfs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --disk)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --patterns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__characterize)
            opts="-o -h --write --write-bytes --longest-pause --working-set --dry-run --allow-destroy --wear-budget --live --store --no-store --output --charts --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --write-bytes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --longest-pause)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --working-set)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__cloud)
            opts="-h --provider --type --size --iops --throughput --instance --volumes --metadata --list --seconds --allow-destroy --wear-budget --store --no-store --json --live --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --provider)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --type)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --iops)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --throughput)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --instance)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --volumes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__compare)
            opts="-h --fail-if-slower --anyway --markdown --json --store --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --fail-if-slower)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__dd)
            opts="--lang"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__doctor)
            opts="-h --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__explain)
            opts="-h --rw --bs --iodepth --numjobs --seconds --allow-destroy --allow-settings --wear-budget --store --no-store --json --live --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --rw)
                    COMPREPLY=($(compgen -W "randread read randwrite write" -- "${cur}"))
                    return 0
                    ;;
                --bs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --iodepth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --numjobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__explore)
            opts="-h --budget --patterns --questions --slo --grid --axis --repeat --over --engine --seed --write --allow-destroy --wear-budget --job --resume --store --no-store --why --charts --json --live --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --dry-run --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --patterns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --questions)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --slo)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --axis)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --repeat)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --over)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --engine)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --job)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --resume)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__export)
            opts="-h --json --csv --iometer --share --store --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__files)
            opts="-h --workers --depth --branching --files --leaves-only --bytes --shared --shift --random --write-on-create --fsync --fsync-dir --drop-caches --phases --iterations --seconds --seed --keep --dry-run --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --store --no-store --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --workers)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --branching)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --bytes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --shift)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --phases)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --iterations)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__fio)
            opts="--lang"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__fit)
            opts="-h --clients --commits --streams --users --scale --seconds --allow-destroy --wear-budget --store --no-store --json --live --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --dry-run --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --scale)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --clients)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --commits)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --streams)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --users)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__hdparm)
            opts="--lang"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__list)
            opts="-h --store --limit --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__objects)
            opts="-h --endpoint --region --profile --unsigned --insecure --mix --sizes --part --objects --prefixes --jobs --time --seed --allow-destroy --dry-run --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --store --no-store --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --endpoint)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --region)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mix)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sizes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --part)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --objects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --prefixes)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --time)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__ping)
            opts="--lang"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__prefill)
            opts="-h --offset --size --yes --allow-destroy --wear-budget --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --offset)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__pts)
            opts="-h --allow-destroy --dry-run --class --scale --active-range --threads --depth --purge --demand --rounds --early --seed --resume --wear-budget --store --no-store --json --live --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --class)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --scale)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --active-range)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --purge)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --demand)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rounds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --early)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --resume)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__rank)
            opts="-o -h --seconds --output --store --no-store --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --seconds)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__report)
            opts="-o -h --output --svg --png --charts --tested-by --store --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --svg)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --png)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tested-by)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__run)
            opts="-h --json --layers --charts --fail-under --stop-on-drop --prefill --store --no-store --live --iometer-target --results --write-job --write-icf --hosts --hostfile --transport --relay --rsh --agent --on-loss --share --dry-run --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --fail-under)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --prefill)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --iometer-target)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --results)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --write-job)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --write-icf)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hosts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hostfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --transport)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rsh)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --on-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --share)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__show)
            opts="-h --charts --json --store --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__stat)
            opts="--lang"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__sweep)
            opts="-o -h --table --mode --rw --rwmixread --block-size --bs --iodepth --numjobs --runtime --ramp --repeats --curve --arrivals --bench-fio --extra-opts --option --engine --seed --write --allow-destroy --wear-budget --dry-run --resume --output --store --no-store --charts --json --live --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --table)
                    COMPREPLY=($(compgen -W "runtime bs iodepth numjobs product" -- "${cur}"))
                    return 0
                    ;;
                --rw)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --mode)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rwmixread)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --bs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --block-size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --iodepth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --numjobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --runtime)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --ramp)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --repeats)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --curve)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --arrivals)
                    COMPREPLY=($(compgen -W "poisson uniform" -- "${cur}"))
                    return 0
                    ;;
                --bench-fio)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --option)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --extra-opts)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --engine)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow-destroy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --wear-budget)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --resume)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --store)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        fathom__subcmd__trace)
            opts="-h --volume --job --iolog --json --lang --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --volume)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --job)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --iolog)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --lang)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _fathom -o nosort -o bashdefault -o default fathom
else
    complete -F _fathom -o bashdefault -o default fathom
fi

_fathom_fios_language() {
    local line="${COMP_LINE:0:COMP_POINT}"
    local word="${line##* }" prefix=""
    local words="--output= --output-format= --minimal --append-terse --terse-version= --readonly --parse-only --showcmd --section= --cmdhelp= --enghelp= --idle-prof= --status-interval= --eta= --eta-interval= --eta-newline= --warnings-fatal --allow-destroy= --wear-budget= --version --help --kb_base= --unit_base= --name= --description= --hosts= --numjobs= --thread= --group_reporting= --new_group= --stonewall= --exitall= --loops= --nice= --cpus_allowed= --cpus_allowed_policy= --lockmem= --wait_for= --exit_what= --exitall_on_error= --stats= --comm= --prio= --prioclass= --priohint= --uid= --gid= --cgroup= --cgroup_weight= --cgroup_nodelete= --cpumask= --numa_cpu_nodes= --numa_mem_policy= --exec_prerun= --exec_postrun= --flow= --flow_id= --flow_sleep= --flow_watermark= --runtime= --time_based= --ramp_time= --startdelay= --clocksource= --gtod_reduce= --ramp_size= --gtod_cpu= --job_start_clock_id= --filename= --directory= --filename_format= --nrfiles= --openfiles= --file_service_type= --filesize= --fallocate= --fadvise_hint= --create_serialize= --create_fsync= --create_on_open= --create_only= --allow_file_create= --allow_mounted_write= --unlink= --invalidate= --overwrite= --unique_filename= --filetype= --opendir= --lockfile= --file_append= --write_hint= --pre_read= --unlink_each_loop= --ioscheduler= --fill_device= --rw= --rwmixread= --rwmixwrite= --direct= --buffered= --sync= --fsync= --fdatasync= --end_fsync= --fsync_on_close= --size= --io_size= --offset= --offset_align= --offset_increment= --number_ios= --norandommap= --randrepeat= --allrandrepeat= --randseed= --rw_sequencer= --atomic= --sync_file_range= --write_barrier= --end_syncfs= --num_range= --softrandommap= --random_generator= --random_distribution= --random_sequence_stride= --percentage_random= --access_spec= --sprandom= --spr_num_regions= --spr_op= --spr_cs= --bs= --bsrange= --bssplit= --bs_unaligned= --bs_is_seq_rand= --ba= --ioengine= --iodepth= --iodepth_batch= --iodepth_batch_complete_min= --iodepth_batch_complete_max= --iodepth_low= --serialize_overlap= --io_submit_mode= --rate= --rate_min= --rate_iops= --rate_iops_min= --rate_process= --rate_cycle= --rate_ignore_thinktime= --thinktime= --thinktime_spin= --thinkcycles= --thinktime_blocks= --thinktime_blocks_type= --thinktime_iotime= --max_latency= --latency_target= --latency_window= --latency_percentile= --latency_run= --steadystate= --steadystate_duration= --steadystate_ramp_time= --steadystate_check_interval= --zero_buffers= --refill_buffers= --scramble_buffers= --buffer_compress_percentage= --buffer_compress_chunk= --mem= --iomem_align= --hugepage-size= --buffer_pattern= --dedupe_percentage= --dedupe_mode= --dedupe_working_set_percentage= --dedupe_global= --verify= --do_verify= --verify_only= --verify_interval= --verify_offset= --verify_pattern= --verify_pattern_interval= --verify_fatal= --verify_dump= --verify_async= --verify_async_cpus= --verify_backlog= --verify_backlog_batch= --verify_policy= --verify_state_save= --verify_state_load= --verify_write_sequence= --verify_header_seed= --experimental_verify= --verifysort= --verifysort_nr= --trim_percentage= --trim_verify_zero= --trim_backlog= --trim_backlog_batch= --block_error_percentiles= --continue_on_error= --ignore_error= --error_dump= --write_iolog= --read_iolog= --read_iolog_chunked= --replay_no_stall= --replay_redirect= --replay_scale= --replay_align= --replay_time_scale= --replay_skip= --merge_blktrace_file= --merge_blktrace_scalars= --merge_blktrace_iters= --zonemode= --zonesize= --zonerange= --zoneskip= --zonecapacity= --read_beyond_wp= --max_open_zones= --job_max_open_zones= --ignore_zone_limits= --zone_reset_threshold= --zone_reset_frequency= --recover_zbd_write_error= --write_zone_remainder= --fdp= --dataplacement= --plid_select= --plids= --dp_scheme= --percentile_list= --clat_percentiles= --lat_percentiles= --slat_percentiles= --significant_figures= --disable_lat= --disable_clat= --disable_slat= --disable_bw_measurement= --bwavgtime= --iopsavgtime= --disk_util= --unified_rw_reporting= --profile= --per_job_logs= --write_bw_log= --write_lat_log= --write_iops_log= --write_hist_log= --log_avg_msec= --log_hist_msec= --log_hist_coarseness= --log_max_value= --log_window_value= --log_offset= --log_prio= --log_issue_time= --log_entries= --log_compression= --log_compression_cpus= --log_store_compressed= --log_unix_epoch= --log_alternate_epoch= --log_alternate_epoch_clock_id= --fixedbufs= --registerfiles= --nonvectored= --null_jitter= --cmdprio_percentage= --cmdprio_class= --cmdprio_hint= --cmdprio= --cmdprio_bssplit= --userspace_reap= --nowait= --libaio_vectored= --hipri= --sqthread_poll= --sqthread_poll_cpu= --force_async= --uncached= --hipri_percentage= --thp= --cpuload= --cpumode= --cpuchunks= --exit_on_io_done= --program= --arguments= --grace_time= --std_redirect= --stat_type= --model_servers= --model_law= --model_transfer= --model_iops= --model_bw= --model_burst= --model_cache= --model_cliff= --model_drift= --model_step= --model_stall= --model_disk= --model_cpu= --model_cores= --model_contention= --model_hit= --model_zone_size= --model_zone_capacity= --model_open_zones= --model_zone_errors= --model_ftl= --model_ftl_times= --model_surface= --model_slc= --model_read_cache= --donorname= --inplace= --skip_bad= --cmd_type= --readfua= --writefua= --write_mode= --md_per_io_size= --pi_act= --pi_chk= --apptag= --apptag_mask= --deac= --sg_write_mode= --stream_id= --hostname= --port= --protocol= --nodelay= --listen= --pingpong= --interface= --ttl= --window_size= --mss= --clustername= --rbdname= --pool= --clientname= --conf= --busy_poll= --touch_objects= --rbd_encryption_format= --rbd_encryption_passphrase= --https= --http_host= --http_user= --http_pass= --http_s3_key= --http_s3_keyid= --http_s3_security_token= --http_swift_auth_token= --http_s3_region= --http_s3_sse_customer_key= --http_s3_sse_customer_algorithm= --http_s3_storage_class= --http_mode= --http_verbose= --http_object_mode= --initiator= --nfs_url= --uri= --device-names= --load= --test-duration= --threads-per-queue= --read-req-num-512-blocks= --large-block-op-kbytes= --prep= --block= --numruns= --dir= --threads="
    [[ ${COMP_WORDS[1]} == run ]] && words="$words --json --layers --charts --fail-under= --stop-on-drop --prefill= --store= --no-store --live --iometer-target= --results= --write-job= --write-icf= --hosts= --hostfile= --transport= --relay --rsh= --agent= --on-loss= --share= --dry-run"
    case "$word" in
        --kb_base=*) words="1024 1000" prefix="--kb_base=" ;;
        --unit_base=*) words="0 8 1" prefix="--unit_base=" ;;
        --cpus_allowed_policy=*) words="shared split" prefix="--cpus_allowed_policy=" ;;
        --exit_what=*) words="group stonewall all" prefix="--exit_what=" ;;
        --clocksource=*) words="gettimeofday clock_gettime cpu" prefix="--clocksource=" ;;
        --file_service_type=*) words="random zipf pareto normal gauss roundrobin sequential" prefix="--file_service_type=" ;;
        --fallocate=*) words="none native posix keep truncate 0 1" prefix="--fallocate=" ;;
        --fadvise_hint=*) words="0 1 random sequential noreuse" prefix="--fadvise_hint=" ;;
        --filetype=*) words="none file block char" prefix="--filetype=" ;;
        --lockfile=*) words="none exclusive readwrite" prefix="--lockfile=" ;;
        --write_hint=*) words="none short medium long extreme" prefix="--write_hint=" ;;
        --rw=*) words="read write trim randread randwrite randtrim rw readwrite randrw trimwrite randtrimwrite" prefix="--rw=" ;;
        --sync=*) words="none 0 sync 1 dsync" prefix="--sync=" ;;
        --rw_sequencer=*) words="sequential identical" prefix="--rw_sequencer=" ;;
        --random_generator=*) words="tausworthe lfsr tausworthe64" prefix="--random_generator=" ;;
        --random_distribution=*) words="random zipf pareto normal zoned zoned_abs sequence" prefix="--random_distribution=" ;;
        --ioengine=*) words="sync psync vsync pvsync pvsync2 libaio io_uring io_uring_cmd posixaio mmap splice sg null net netsplice cpuio e4defrag falloc ftruncate filecreate filestat filedelete dircreate dirstat dirdelete exec rbd rados http nbd nfs libiscsi libpmem dev-dax mtd model" prefix="--ioengine=" ;;
        --io_submit_mode=*) words="inline offload" prefix="--io_submit_mode=" ;;
        --rate_process=*) words="linear poisson" prefix="--rate_process=" ;;
        --thinktime_blocks_type=*) words="complete issue" prefix="--thinktime_blocks_type=" ;;
        --steadystate=*) words="iops iops_slope bw bw_slope lat lat_slope" prefix="--steadystate=" ;;
        --mem=*) words="malloc shm shmhuge mmap mmapshared mmaphuge" prefix="--mem=" ;;
        --dedupe_mode=*) words="repeat working_set" prefix="--dedupe_mode=" ;;
        --verify=*) words="0 md5 crc64 crc32 crc32c-intel crc32c crc16 crc7 sha1 sha256 sha512 sha3-224 sha3-256 sha3-384 sha3-512 xxhash meta pattern pattern_hdr null" prefix="--verify=" ;;
        --verify_policy=*) words="completed fsynced" prefix="--verify_policy=" ;;
        --continue_on_error=*) words="none read write io verify all 0 1" prefix="--continue_on_error=" ;;
        --zonemode=*) words="none strided zbd" prefix="--zonemode=" ;;
        --dataplacement=*) words="none fdp streams" prefix="--dataplacement=" ;;
        --plid_select=*) words="random roundrobin scheme" prefix="--plid_select=" ;;
        --unified_rw_reporting=*) words="none mixed both 0 1 2" prefix="--unified_rw_reporting=" ;;
        --profile=*) words="tiobench act" prefix="--profile=" ;;
        --log_max_value=*) words="avg max both 0 1" prefix="--log_max_value=" ;;
        --log_window_value=*) words="avg max both 0 1" prefix="--log_window_value=" ;;
        --cpumode=*) words="noop qsort" prefix="--cpumode=" ;;
        --stat_type=*) words="stat lstat statx" prefix="--stat_type=" ;;
        --cmd_type=*) words="nvme" prefix="--cmd_type=" ;;
        --pi_chk=*) words="GUARD REFTAG APPTAG GUARD,REFTAG GUARD,APPTAG REFTAG,APPTAG GUARD,REFTAG,APPTAG" prefix="--pi_chk=" ;;
        --sg_write_mode=*) words="write write_and_verify verify write_same same write_same_ndob verify_bytchk_00 verify_bytchk_01 verify_bytchk_11 write_stream" prefix="--sg_write_mode=" ;;
        --protocol=*) words="tcp tcpv6 udp udpv6 unix" prefix="--protocol=" ;;
        --rbd_encryption_format=*) words="luks1 luks2" prefix="--rbd_encryption_format=" ;;
        --https=*) words="off on insecure" prefix="--https=" ;;
        --http_mode=*) words="webdav s3 swift" prefix="--http_mode=" ;;
        --http_object_mode=*) words="block range" prefix="--http_object_mode=" ;;
        --*=*|[!-]*) words="" ;;
    esac
    # The shell takes `=` for a word of its own.
    COMPREPLY=($(compgen -W "$words" -- "${word#"$prefix"}"))
    if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- "${word##*=}")); fi
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}

_fathom_any() {
    case "${COMP_WORDS[1]}" in
        run|fio) if [[ $COMP_CWORD -gt 1 ]]; then _fathom_fios_language; return; fi ;;
    esac
    _fathom "$@"
}
complete -F _fathom_any -o bashdefault -o default fathom
