hosts-column-host = Host
hosts-column-iops = IOPS { $direction }
hosts-column-p99 = lat p99
hosts-column-began = Beginn
hosts-column-grade = Note
hosts-lost-cell = verloren
hosts-skew = alle Worker begannen innerhalb von { $skew } (Uhren auf { $wrong } bekannt)
hosts-fairness = Fairness { $index } (Jain: 1, wenn alle Hosts dieselbe Rate haben); der erste Host war nach { $first } fertig, der letzte nach { $last }
hosts-kept = seine letzten Werte, von { $seconds } nach dem Start, sind Teil der Summe
hosts-nothing-kept = keiner seiner Werte kam an
hosts-kept-apart = seine Zeile hat seine Werte bis dahin, die nicht in der Summe sind
hosts-lost-ended = { $host }: die Verbindung endete (Status { $status })
hosts-lost-killed = { $host }: ein Signal hat die Verbindung beendet
hosts-lost-said = { $host }: { $said }
hosts-lost-silent = { $host }: keine Nachricht seit { $seconds } s
hosts-lost-signal = { $host }: { $signal } hat seine Jobs vorzeitig beendet
hosts-lost-no-agent = { $host }: was der Befehl ausgab, ist keine Nachricht von fathom agent; siehe --rsh und --agent
hosts-lost-version = { $host }: hat fathom { $version }, hier ist { $own }; alle Hosts brauchen dieselbe Version
hosts-bad-name = --hosts: '{ $name }' ist kein Name eines Hosts
hosts-named-twice = --hosts: { $name } ist zweimal genannt; jeden Host nur einmal nennen
hosts-none = es sind keine Hosts angegeben
hosts-not-with = { $switch } geht nicht zusammen mit --hosts
hosts-nothing-to-run = mit --hosts sind Jobs nötig
hosts-not-utf8 = mit --hosts müssen Argumente UTF-8 sein
hosts-refused = auf keinem Host wurde etwas ausgeführt
hosts-not-split-small = --share={ $share }: { $path } hat { $bytes } Bytes, weniger als einen Block je Host
hosts-not-split-unwritten = --share: { $path } hat noch nicht seine volle Größe; zuerst auf einem Rechner schreiben, ohne --hosts
hosts-unknown = Job { $job }: hosts nennt { $host }, das nicht unter --hosts steht
hosts-same-target = { $first } und { $second } würden beide auf { $path } schreiben; ist das gewollt, gibt --share=split jedem einen eigenen Teil, --share=whole jedem das Ganze
hosts-same-device = { $first } und { $second } würden beide { $path } prüfen; für jeden Host ein eigenes Gerät nennen
hosts-stalled = { $host }: seit { $seconds } s ist kein I/O abgeschlossen worden
hosts-awaited = { $hosts }: seit { $seconds } s nicht bereit (Prüfung der Ziele, Schreiben der Dateien, exec_prerun); der Lauf wartet
hosts-common = in den { $seconds }, in denen alle { $hosts } Hosts liefen: { $rates }
hosts-common-rate = { $iops } IOPS { $direction }, { $rate } MB/s
hosts-rates-of-sum = die Raten unten sind die I/Os aller Hosts geteilt durch die längste Laufzeit eines Jobs auf einem Host ({ $most }; die kürzeste ist { $least })
hosts-use-common = die gemeinsame Rate aller Hosts steht oben
hosts-slower = { $host } ist { $percent } % langsamer als der Median der anderen Hosts ({ $iops } gegen { $others } IOPS)
hosts-later = { $host } endete { $percent } % später als der Median der anderen Hosts (nach { $done }, die anderen nach { $others })
hosts-no-reason = keiner seiner eigenen Befunde ist ein Grund
hosts-more-behind = { $count } weitere Hosts liegen zurück: --json nennt sie
hosts-left-out = die langsamsten und die schnellsten Hosts; { $count } dazwischen fehlen hier: --json enthält alle
hosts-table = Hosts, der langsamste zuerst
hosts-chart-section = Hosts
hosts-chart-joined = { $what } aller Hosts über der Zeit
hosts-chart-joined-note = Summe von { $hosts } Hosts auf einer Uhr; die Zeiten eines Hosts können um { $wrong } falsch sein.
hosts-chart-rate = { $what } jedes Hosts
hosts-chart-rate-note = Der langsamste Host zuerst: { $slowest } mit { $low }, der schnellste ist { $fastest } mit { $high }; der Median ist { $median }.
hosts-chart-latency = Latenz { $direction } jedes Hosts
hosts-chart-latency-note = Perzentile aller Jobs eines Hosts zusammen, das niedrigste 99. Perzentil zuerst: { $best } mit { $low }, das höchste hat { $worst } mit { $high }.
hosts-chart-rank = Hosts, geordnet
hosts-chart-host = Host
hosts-chart-latency-axis = Latenz
hosts-no-mpirun = mpirun ist nicht installiert: openmpi-bin (Open MPI) installieren
hosts-other-mpi = dieses mpirun ist nicht das von Open MPI ({ $said }): openmpi-bin installieren und dessen mpirun in PATH an die erste Stelle setzen
hosts-verifies-overwritten = Job { $job }: mit --share=whole würde jeder Rechner überschreiben, was die anderen prüfen; jedem einen eigenen Teil geben (--share=split oder offset_increment) oder einen schreiben lassen (hosts=)
hosts-only-with = { $switch } braucht --hosts oder --hostfile, vor --name
hosts-waits-for-other = Job { $job }: wait_for nennt { $other }, der nur auf anderen Rechnern läuft; stonewall wartet auf alle Rechner
hosts-empty-rsh = --rsh ist leer; nötig ist ein Befehl, der ein Programm auf einem Rechner startet, etwa ssh
hosts-not-with-study = { $switch } ist bei einer Studie auf mehreren Hosts nicht möglich
hosts-simulated-target = ein simuliertes Gerät kann nicht Ziel einer Studie auf mehreren Hosts sein: jeder Host hätte ein eigenes
hosts-one-target = --hosts: nur ein Ziel angeben
hosts-other-hosts = S{ $study } wurde auf anderen Hosts gemessen: --hosts { $hosts } angeben
hosts-simultaneously = { $count ->
    [one] { $count } Host
   *[other] { $count } Hosts gleichzeitig
} ({ $names }): Raten sind Summen, Tiefe und Jobs gelten je Host
hosts-loading-together = { $count ->
    [one] { $count } Host
   *[other] { $count } Hosts gleichzeitig
} ({ $names }): Raten sind Summen, laufende I/Os zählen über alle Hosts; die empfohlene iodepth gilt je Host
hosts-uneven = am verschiedensten sind die Hosts bei { $row }: { $slowest } hat { $low } IOPS, { $fastest } { $high } (Fairness { $index })
hosts-several-sizes = --share=interleave: Job { $job } hat Blöcke mehrerer Größen; eine Größe angeben oder --share=split verwenden
hosts-not-interleaved = --share=interleave: Job { $job }: { $option } hält sich nicht an jeden N-ten Block; --share=split oder --share=whole verwenden
hosts-other-blocks = --share=interleave: die Jobs { $other } und { $job } benutzen eine Datei in verschiedenen Blöcken, sodass Hosts Blöcke anderer überschreiben würden; beiden dasselbe bs und offset geben oder --share=split verwenden
hosts-zoned = --share=interleave: { $path } hat Zonen, die der Reihe nach geschrieben werden; --share=split mit zonemode=zbd verwenden
finding-on-all-hosts = alle Hosts
finding-on-more-hosts = { $hosts } und { $more } weitere
finding-figures-of = Werte von { $host }
hosts-measuring = messe auf { $hosts } Hosts
hosts-no-share = --share geht nicht mit diesem Befehl: jeder Host hat eigene Dateien, Objekte oder Geräte
hosts-together = zusammen
hosts-fairness-row = Fairness
hosts-rates = Rate eines Hosts: in der Zeit seiner eigenen Worker; zusammen: Operationen aller Hosts in der Zeit vom ersten Start eines Workers auf irgendeinem Host bis zum letzten Ende auf irgendeinem Host
hosts-fairness-meaning = Fairness: Index von Jain über die Raten der Hosts, 1 bei gleichen Raten
hosts-each = { $count ->
    [one] { $count } Host
   *[other] { $count } Hosts gleichzeitig
} ({ $names }): jeder führt die ganze Arbeitslast aus, und jeder Wert ist der des Hosts mit dem schlechtesten Urteil
