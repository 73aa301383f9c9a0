# Generated from the option table; FATHOM_BLESS=1 cargo test -p fathom-job writes it anew.
_fathom() {
    local line="${COMP_LINE:0:COMP_POINT}"
    local word="${line##* }" prefix=""
    local words="--output= --minimal= --output-format= --append-terse= --version= --help= --cmdhelp= --enghelp= --showcmd= --readonly= --eta= --eta-interval= --eta-newline= --parse-only= --section= --terse-version= --warnings-fatal= --max-jobs= --idle-prof= --status-interval= --allow-destroy= --json= --layers= --charts= --fail-under= --prefill= --store= --no-store= --lang= --kb_base= --unit_base= --name= --description= --numjobs= --thread= --group_reporting= --new_group= --stonewall= --exitall= --loops= --nice= --cpus_allowed= --cpus_allowed_policy= --lockmem= --wait_for= --exit_what= --exitall_on_error= --stats= --comm= --prio= --prioclass= --priohint= --uid= --gid= --cgroup= --cgroup_weight= --cgroup_nodelete= --cpumask= --numa_cpu_nodes= --numa_mem_policy= --exec_prerun= --exec_postrun= --runtime= --time_based= --ramp_time= --startdelay= --clocksource= --gtod_reduce= --ramp_size= --gtod_cpu= --job_start_clock_id= --filename= --directory= --filename_format= --nrfiles= --openfiles= --file_service_type= --filesize= --fallocate= --fadvise_hint= --create_serialize= --create_fsync= --create_on_open= --create_only= --allow_file_create= --allow_mounted_write= --unlink= --invalidate= --overwrite= --unique_filename= --filetype= --opendir= --lockfile= --file_append= --write_hint= --pre_read= --unlink_each_loop= --ioscheduler= --fill_device= --rw= --rwmixread= --rwmixwrite= --direct= --buffered= --sync= --fsync= --fdatasync= --end_fsync= --fsync_on_close= --size= --io_size= --offset= --offset_align= --offset_increment= --number_ios= --norandommap= --randrepeat= --allrandrepeat= --randseed= --rw_sequencer= --sync_file_range= --write_barrier= --end_syncfs= --softrandommap= --random_generator= --random_distribution= --random_sequence_stride= --percentage_random= --bs= --bsrange= --bssplit= --bs_unaligned= --bs_is_seq_rand= --ba= --ioengine= --iodepth= --iodepth_batch= --iodepth_batch_complete_min= --iodepth_batch_complete_max= --iodepth_low= --serialize_overlap= --io_submit_mode= --rate= --rate_min= --rate_iops= --rate_iops_min= --rate_process= --rate_cycle= --max_latency= --zero_buffers= --refill_buffers= --scramble_buffers= --buffer_compress_percentage= --buffer_compress_chunk= --mem= --iomem_align= --hugepage-size= --buffer_pattern= --dedupe_percentage= --dedupe_mode= --dedupe_working_set_percentage= --dedupe_global= --continue_on_error= --ignore_error= --error_dump= --zonemode= --zonesize= --zonerange= --zoneskip= --zonecapacity= --read_beyond_wp= --max_open_zones= --job_max_open_zones= --ignore_zone_limits= --zone_reset_threshold= --zone_reset_frequency= --percentile_list= --clat_percentiles= --lat_percentiles= --slat_percentiles= --significant_figures= --disable_lat= --disable_clat= --disable_slat= --disable_bw_measurement= --bwavgtime= --iopsavgtime= --disk_util= --unified_rw_reporting= --profile= --fixedbufs= --registerfiles= --nonvectored= --null_jitter= --cmdprio_percentage= --cmdprio_class= --cmdprio_hint= --cmdprio= --cmdprio_bssplit= --userspace_reap= --nowait= --libaio_vectored= --hipri= --sqthread_poll= --sqthread_poll_cpu= --force_async= --uncached= --hipri_percentage= --thp= --cpuload= --cpumode= --cpuchunks= --exit_on_io_done= --program= --arguments= --grace_time= --std_redirect= --stat_type= --model_servers= --model_law= --model_transfer= --model_iops= --model_bw= --model_burst= --model_cache= --model_cliff= --model_drift= --model_step= --model_stall= --model_disk= --model_cpu= --model_cores= --model_contention= --model_hit= --block= --numruns= --dir= --threads="
    [[ $line == *"fathom doctor "* ]] && words="--json"
    [[ $line == *"fathom prefill "* ]] && words="--offset= --size= --yes --allow-destroy= --json"
    [[ $line == *"fathom explore "* ]] && words="--budget= --patterns= --questions= --slo= --grid --axis= --repeat= --over= --engine= --seed= --write --allow-destroy= --job= --resume= --store= --no-store --why --charts --json"
    [[ $line == *"fathom report "* ]] && words="--output= --svg= --png= --charts --store="
    [[ $line == *"fathom compare "* ]] && words="--fail-if-slower= --anyway --markdown --json --store="
    [[ $line == *"fathom list "* ]] && words="--store= --limit= --json"
    [[ $line == *"fathom show "* ]] && words="--charts --store="
    [[ $line == *"fathom export "* ]] && words="--json --csv --store="
    case "$word" in
    --fail-under=*) words="A B C" prefix="--fail-under=" ;;
    --prefill=*) words="yes no ask" prefix="--prefill=" ;;
    --lang=*) words="en zh ru de" prefix="--lang=" ;;
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
    --ioengine=*) words="sync psync vsync pvsync pvsync2 libaio io_uring posixaio mmap splice null cpuio falloc ftruncate filecreate filestat filedelete dircreate dirstat dirdelete exec model" prefix="--ioengine=" ;;
    --io_submit_mode=*) words="inline offload" prefix="--io_submit_mode=" ;;
    --rate_process=*) words="linear poisson" prefix="--rate_process=" ;;
    --mem=*) words="malloc shm shmhuge mmap mmapshared mmaphuge" prefix="--mem=" ;;
    --dedupe_mode=*) words="repeat working_set" prefix="--dedupe_mode=" ;;
    --continue_on_error=*) words="none read write io verify all 0 1" prefix="--continue_on_error=" ;;
    --zonemode=*) words="none strided" prefix="--zonemode=" ;;
    --unified_rw_reporting=*) words="none mixed both 0 1 2" prefix="--unified_rw_reporting=" ;;
    --profile=*) words="tiobench" prefix="--profile=" ;;
    --cpumode=*) words="noop qsort" prefix="--cpumode=" ;;
    --stat_type=*) words="stat lstat statx" prefix="--stat_type=" ;;
    --*=*|[!-]*) words="" ;;
    esac
    if [[ $line != *" "*" "* ]]; then
        COMPREPLY=($(compgen -W "fio run doctor prefill explore report compare list show export --json --charts --seconds --prefill --store --no-store --lang" -- "$word") $(compgen -f -- "$word"))
        return
    fi
    # The shell takes `=` for a word of its own.
    COMPREPLY=($(compgen -W "$words" -- "${word#"$prefix"}"))
    if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- "${word##*=}")); fi
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -F _fathom fathom
