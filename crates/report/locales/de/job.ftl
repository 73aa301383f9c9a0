# Job files and the command line: errors and remarks.
job-named = Job { $name }: { $why }
job-plan-clones = { $clones } Klone bis hierher; höchstens { $most }
job-plan-files = numjobs mal nrfiles ergibt { $files } Dateien bis hierher; höchstens { $most }
job-plan-no-hosts = hosts in einem Job nennt Rechner eines Laufs auf mehreren: fathom run --hosts RECHNER,RECHNER vor --name oder mit einer Jobdatei angeben
job-plan-path = { $path }: Art und Größe sind nicht feststellbar: { $why }
job-plan-no-block-device = filetype=block, aber der Pfad ist kein Blockgerät
job-plan-no-character-device = filetype=char, aber der Pfad ist kein zeichenorientiertes Gerät
job-plan-no-regular-file = filetype=file, aber der Pfad ist keine reguläre Datei
job-plan-fill-without-size = fill_device: zufällige Schreibzugriffe brauchen size=, z. B. size=1t
job-plan-mmap-appends = ioengine=mmap kann keine Datei verlängern, wie es file_append=1 verlangt; möglich ist z. B. ioengine=psync
job-plan-no-size = { $path } fehlt oder ist leer, und die Größe ist nicht bekannt; richtig wäre z. B. size=64m
job-plan-no-namespace = { $path } ist nicht das zeichenorientierte Gerät eines NVMe-Namensraums; ioengine=io_uring_cmd braucht ein solches, z. B. filename=/dev/ng0n1
job-plan-no-flash = { $path } ist kein MTD-Gerät; ioengine=mtd braucht eines, z. B. filename=/dev/mtd0
job-plan-no-dax = { $path } ist kein DAX-Gerät; ioengine=dev-dax braucht eines, z. B. filename=/dev/dax0.0; für Dateien ist ioengine=libpmem da
job-plan-no-device = { $path } ist kein Gerät; ioengine=sg braucht eine SCSI-Platte, z. B. filename=/dev/sg0 oder filename=/dev/sdb
job-plan-no-scsi-disk = { $path } ist keine SCSI-Platte; ioengine=sg braucht eine, z. B. filename=/dev/sg0 oder filename=/dev/sdb
job-plan-part-of-scsi-disk = { $path } ist eine Partition, und SCSI-Befehle adressieren die ganze Platte; richtig wäre der Name der Platte mit dem Anfang der Partition als offset
job-plan-offset = offset { $start } liegt hinter den { $end } Byte von { $path }
job-plan-no-block = { $total } Byte ab offset enthalten keinen Block von { $block } Byte
job-plan-sequence = random_distribution=sequence: { $path } hat die Blöcke 0 bis { $last }
job-plan-sprandom-cache = ein Bereich von sprandom darf nicht kleiner als spr_cs sein: verwenden Sie für spr_num_regions höchstens { $most }
job-at = { $place }: { $what }: { $why }
job-command-line = Befehlszeile
job-either = { $first } oder { $second }
job-one-per-target = fathom: { $targets } Ziele: ein Job für jedes ({ $jobs }), jeder mit eigenem size und iodepth; mit file_service_type=roundrobin wechselt ein Job zwischen ihnen ab
job-did-you-mean = gemeint war vielleicht: { $program } { $line }
job-needs = braucht { $what }, was fathom nicht verwendet
job-not-built = noch nicht verfügbar
job-other-engine = { $place }: { $option } gehört zu ioengine={ $engines }, was vorher gesetzt sein muss
job-other-profile = { $place }: { $option } gehört zu --profile={ $profiles }, was vorher stehen muss
job-no-value = braucht einen Wert unmittelbar nach `=`
job-no-value-example = braucht einen Wert unmittelbar nach `=`, z. B. --{ $option }={ $example }
job-profile-size = braucht hier eine Zahl in MiB, z. B. --size=64
job-profile-unknown = muss tiobench oder act sein
job-profile-other-jobs = bringt eigene Jobs mit; --name und Jobdateien passen nicht dazu
job-profile-no-devices = braucht Geräte, z. B. --device-names=/dev/nvme0n1
job-switch-time = braucht eine Zeit, z. B. 1s
job-switch-idle-prof = muss system, percpu oder calibrate sein
job-switch-wear-budget = muss eine Zahl von Bytes (10G) oder ein Prozentsatz (0.1%) sein
job-switch-format = muss normal, terse, json, json+ oder mehreres davon sein
job-command-line-only = gehört auf die Befehlszeile
job-unknown-option = keine Option heißt so
job-wait-for = wait_for={ $waitee }: muss der Name genau eines früheren Jobs sein
job-ramp-sizes = ramp_size: muss in allen Jobs einer Berichtsgruppe gleich sein; { $other } hat { $theirs } Byte, { $name } { $bytes } Byte
job-steady-states = steadystate-Optionen: müssen in allen Jobs einer Berichtsgruppe gleich sein; die von { $other } weichen ab
job-opendir = muss ein Verzeichnis sein, dessen Dateien sich auflisten lassen
job-file = { $name }: { $why }; ein Wort ohne Striche ist eine Jobdatei
job-outside-section = muss auf eine Zeile wie [global] oder [jobname] folgen
job-include-many = mehr als { $most } eingebundene Dateien
job-include-deep = mehr als { $most } Dateien tief
job-section-in-included = eine eingebundene Datei hat keine eigenen Abschnitte
job-readonly-writes = --readonly erlaubt nur Lesen
job-readonly-names = --readonly, aber { $engine } legt Dateien an oder löscht sie
job-readonly-program = --readonly startet kein Programm ({ $program }); eines von beiden weglassen
job-moves-no-bytes = ioengine={ $engine } überträgt keine Bytes; ramp_time verwenden
job-at-least = muss mindestens { $least } sein
job-at-most = darf höchstens { $most } sein
job-excludes = ist nicht zusammen mit { $options } möglich
job-no-clock = muss die Nummer einer Uhr sein: 0 (Uhrzeit), 1 (monoton), 4 (monoton, raw), 7 (seit dem Start) oder 11 (TAI)
job-check-interval = muss mindestens 1 ms sein, und steadystate_duration ein Vielfaches davon
job-issue-time = erfordert write_lat_log und log_offset
job-working-set-size = working_set braucht size=, z. B. size=1g
job-working-set-files = working_set braucht genau eine Datei
job-working-set-large = darf mit dedupe_percentage={ $dedupe } höchstens { $most } sein
job-one-head = muss mit model_disk 1 sein: es hat einen Kopf
job-offload-polled = offload mit hipri: noch nicht verfügbar
job-atomic-engine = ioengine={ $engine } kennt keine atomaren Schreibzugriffe; möglich sind pvsync2, libaio und io_uring
job-offload-engine = offload mit ioengine={ $engine }: noch nicht verfügbar; richtig wäre z. B. psync
job-part-of-page = mit direct, fsync oder fdatasync ist ein Vielfaches von { $page } nötig
job-no-skip = nach `:` muss die Zahl der zu überspringenden Bytes stehen, z. B. { $rw }:8k
job-net-direction = Sockets übertragen sequentielle Lese- oder Schreibzugriffe, keine Trims; UDP nur eines von beiden
job-net-listens = gilt nur für TCP; Leser mit udp und unix brauchen keine Option
job-net-port-of-unix = ein Unix-Domain-Socket hat keinen Port
job-net-without-port = tcp und udp brauchen port=, z. B. port=8888
job-remote-without = die Engine braucht { $option }=, z. B. { $option }={ $example }
job-net-without-host = ein Job, der sich verbindet oder sendet, braucht hostname=, z. B. hostname=127.0.0.1
job-net-without-path = protocol=unix braucht filename=, den Pfad des Sockets
job-net-host-of-receiver = ein Job, der lauscht oder empfängt, nimmt keinen hostname an, außer einer UDP-Multicast-Gruppe
job-zones-not-strided = braucht zonemode=strided oder zonemode=zbd
job-zone-capacity = ist größer als eine Zone (zonesize={ $size })
job-zone-size = muss bei zonemode=zbd mindestens 512 Byte sein
job-zone-skip = muss ein Vielfaches von zonesize ({ $size }) sein
job-zone-trims = noch nicht gebaut; Trims mit zonemode=zbd
job-zone-block = ein Block muss in eine Zone passen (zonesize={ $size })
job-zone-append = Zone Append braucht zonemode=zbd
job-zone-recovery = braucht continue_on_error für Schreibzugriffe, z. B. continue_on_error=write
job-sprandom-writes = braucht rw=randwrite
job-sprandom-generator = muss mit sprandom lfsr sein
job-sprandom-blocks = braucht eine einzige Blockgröße, z. B. bs=4k
job-sprandom-files = braucht eine einzige Datei oder ein einziges Gerät
job-sprandom-ratio = muss größer als 0 und kleiner als 1 sein
job-ranges-without-trims = num_range über 1 gilt für Jobs, die nur trimmen (rw=trim oder randtrim)
job-ranges-engine = Trims mit mehreren Bereichen brauchen ioengine=io_uring_cmd, nicht { $engine }
job-ranges-long = ein Trim muss kleiner als 2 GiB sein: bei dieser Blockgröße höchstens { $most } Bereiche
job-placement-engine = Platzierung braucht die Schreibbefehle von ioengine=io_uring_cmd, nicht { $engine }
job-placement-ids = braucht Zahlen von 0 bis 65535 und Bereiche davon, höchstens 128, z. B. 0,2-4
job-streams-ids = dataplacement=streams braucht plids=, z. B. plids=1-4
job-scheme-missing = braucht dp_scheme=, eine Datei mit einer Zeile ANFANG, ENDE, ID je Bereich
job-strided-size = strided braucht zonesize=, z. B. zonesize=256m
job-standard-stream = Standardeingabe oder -ausgabe als Ziel: noch nicht verfügbar
job-verify-without-pattern = die Blöcke sollen ein Muster enthalten: verify_pattern angeben, zum Beispiel verify_pattern=0xdeadbeef
job-verify-unaligned = Blöcke beliebiger Größe (bs_unaligned mit einem Bereich) haben keinen gemeinsamen Platz für Köpfe: bs_unaligned weglassen
job-verify-without-data = { $engine } überträgt keine Daten: nichts kann geprüft werden
job-verify-block-too-small = ein Block oder der Abstand zweier Köpfe braucht mindestens { $least } Bytes für den Kopf, hat aber { $interval }
job-size-below-block = muss mindestens einen Block ({ $block } Bytes) fassen
trace-fault = read_iolog={ $path }: { $why }
trace-line = { $path }:{ $line }: { $why }
trace-event = { $path }: Ereignis { $number }: { $why }
trace-unreadable = der Trace ist nicht lesbar
trace-errno = der Trace ist nicht lesbar: { $why }
trace-header = dies ist kein bekannter Trace: er beginnt mit "{ $found }". Ein Text-Trace beginnt mit "fio version 3 iolog" oder "fio version 2 iolog" oder hat die Spalten einer der CSV-Sammlungen; binäre Traces müssen von blkparse -d stammen
trace-no-io = der Trace enthält keinen I/O
trace-action-2 = "{ $found }" ist kein Eintrag; gültig sind FILE add|open|close, FILE read|write|trim|sync|datasync OFFSET LENGTH oder FILE wait MICROSECONDS 0
trace-action-3 = "{ $found }" ist kein Eintrag; gültig sind TIME FILE add|open|close oder TIME FILE read|write|trim|sync|datasync OFFSET LENGTH
trace-timestamp = die Zeit muss eine Zahl von Mikrosekunden seit dem Start sein und ist "{ $found }"
trace-wait = die Wartezeit muss eine Zahl von Mikrosekunden sein und ist "{ $found }"
trace-offset = der Offset muss eine Zahl von Byte sein und ist "{ $found }"
trace-length = die Länge muss eine Zahl von Byte sein und ist "{ $found }"
trace-wait-in-3 = Version 3 hat kein wait; stattdessen steht die Zeit am Anfang jeder Zeile
trace-not-added = { $file } wurde nicht hinzugefügt; davor fehlt eine Zeile mit dem Namen und add
trace-not-open = { $file } ist nicht geöffnet; davor fehlt eine Zeile mit dem Namen und open
trace-length-range = die Länge ist { $bytes } Byte; gültig sind 1 bis { $most }
trace-offset-range = der I/O endet hinter 2^63 - 1 Byte
trace-line-too-long = die Zeile ist länger als { $most } Byte
trace-files = der Trace hat mehr als { $most } Dateien
trace-bad-event = das ist kein vollständiges blktrace-Ereignis der Version 7; gültig ist die Ausgabe von blkparse -d
trace-no-device = kein Blockgerät hat die Nummer { $major }:{ $minor }; replay_redirect wählt eines
trace-row = die Zeile "{ $found }" hat nicht die Spalten { $columns }
trace-volumes = die Aufzeichnung hat { $count } Volumes ({ $names }); lösen Sie eines mit fathom trace DATEI --volume NAME --iolog ZIEL heraus und spielen Sie dieses ab
trace-no-such-volume = die Aufzeichnung hat keine I/Os des Volumes { $volume }; ihre Volumes sind { $names }
trace-no-volumes = nur CSV-Aufzeichnungen haben Volumes
trace-not-a-file = das Volume { $volume } ist keine Datei; wählen Sie eine Datei oder ein Gerät mit replay_redirect
trace-not-blktrace = dies ist keine blktrace-Datei, und merge_blktrace_file vereinigt nur solche; verwenden Sie die Ausgabe von blkparse -d
trace-changed = der Trace hat sich seit der Prüfung geändert
job-file-or-target = { $name }: { $why }; ein Wort ohne Striche ist eine Job-Datei oder ein Gerät. --filename={ $name } ergibt einen Job, der eine Datei misst
job-remote-target = { $name }: Ein Ziel auf einem Server wird durch Optionen eines Jobs gewählt: { $options }
job-access-files = braucht eine einzige Datei oder ein einziges Gerät
