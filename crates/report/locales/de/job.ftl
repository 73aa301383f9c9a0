# Job files and the command line: errors and remarks.
job-named = Job { $name }: { $why }
job-plan-clones = { $clones } Klone bis hierher; höchstens { $most }
job-plan-files = numjobs mal nrfiles ergibt { $files } Dateien bis hierher; höchstens { $most }
job-plan-path = { $path }: Art und Größe sind nicht feststellbar: { $why }
job-plan-no-block-device = filetype=block, aber der Pfad ist kein Blockgerät
job-plan-no-character-device = filetype=char, aber der Pfad ist kein zeichenorientiertes Gerät
job-plan-no-regular-file = filetype=file, aber der Pfad ist keine reguläre Datei
job-plan-fill-without-size = fill_device: zufällige Schreibzugriffe brauchen size=, z. B. size=1t
job-plan-mmap-appends = ioengine=mmap kann keine Datei verlängern, wie es file_append=1 verlangt; möglich ist z. B. ioengine=psync
job-plan-no-size = { $path } fehlt oder ist leer, und die Größe ist nicht bekannt; richtig wäre z. B. size=64m
job-plan-offset = offset { $start } liegt hinter den { $end } Byte von { $path }
job-plan-no-block = { $total } Byte ab offset enthalten keinen Block von { $block } Byte
job-plan-sequence = random_distribution=sequence: { $path } hat die Blöcke 0 bis { $last }
job-at = { $place }: { $what }: { $why }
job-command-line = Befehlszeile
job-either = { $first } oder { $second }
job-did-you-mean = gemeint war vielleicht: { $program } { $line }
job-not-built = noch nicht verfügbar
job-other-engine = { $place }: { $option } gehört zu ioengine={ $engines }, was vorher gesetzt sein muss
job-other-profile = { $place }: { $option } gehört zu --profile={ $profiles }, was vorher stehen muss
job-no-value = braucht einen Wert unmittelbar nach `=`
job-no-value-example = braucht einen Wert unmittelbar nach `=`, z. B. --{ $option }={ $example }
job-profile-size = braucht hier eine Zahl in MiB, z. B. --size=64
job-profile-unknown = muss tiobench sein
job-profile-other-jobs = bringt eigene Jobs mit; --name und Jobdateien passen nicht dazu
job-switch-time = braucht eine Zeit, z. B. 1s
job-switch-idle-prof = muss system, percpu oder calibrate sein
job-switch-format = muss normal, terse, json, json+ oder mehreres davon sein
job-command-line-only = gehört auf die Befehlszeile
job-unknown-option = keine Option heißt so
job-wait-for = wait_for={ $waitee }: muss der Name genau eines früheren Jobs sein
job-ramp-sizes = ramp_size: muss in allen Jobs einer Berichtsgruppe gleich sein; { $other } hat { $theirs } Byte, { $name } { $bytes } Byte
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
job-at-most = darf höchstens { $most } sein
job-excludes = ist nicht zusammen mit { $options } möglich
job-no-clock = muss die Nummer einer Uhr sein: 0 (Uhrzeit), 1 (monoton), 4 (monoton, raw), 7 (seit dem Start) oder 11 (TAI)
job-working-set-size = working_set braucht size=, z. B. size=1g
job-working-set-files = working_set braucht genau eine Datei
job-working-set-large = darf mit dedupe_percentage={ $dedupe } höchstens { $most } sein
job-one-head = muss mit model_disk 1 sein: es hat einen Kopf
job-offload-polled = offload mit hipri: noch nicht verfügbar
job-offload-engine = offload mit ioengine={ $engine }: noch nicht verfügbar; richtig wäre z. B. psync
job-part-of-page = mit direct, fsync oder fdatasync ist ein Vielfaches von { $page } nötig
job-no-skip = nach `:` muss die Zahl der zu überspringenden Bytes stehen, z. B. { $rw }:8k
job-zones-not-strided = braucht zonemode=strided oder zonemode=zbd
job-zone-capacity = ist größer als eine Zone (zonesize={ $size })
job-zone-size = muss bei zonemode=zbd mindestens 512 Byte sein
job-zone-skip = muss ein Vielfaches von zonesize ({ $size }) sein
job-zone-trims = noch nicht gebaut; Trims mit zonemode=zbd
job-zone-block = ein Block muss in eine Zone passen (zonesize={ $size })
job-strided-size = strided braucht zonesize=, z. B. zonesize=256m
job-standard-stream = Standardeingabe oder -ausgabe als Ziel: noch nicht verfügbar
job-size-below-block = muss mindestens einen Block ({ $block } Bytes) fassen
