doctor-exact = { $n ->
        [one] { $n } Byte
       *[other] { $n } Byte
    }
doctor-errno-not-permitted = Vorgang nicht erlaubt
doctor-errno-no-free-slot = keine freien Anforderungsplätze
doctor-errno-memlock = zu wenig sperrbarer Speicher (Grenze memlock)
doctor-errno-permission-denied = Zugriff verweigert
doctor-errno-not-supported = von diesem Kernel nicht unterstützt
doctor-stack-unknown = Speicherstapel dem Kernel nicht bekannt
doctor-count-critical = { $n } kritisch (eine Messung wäre ungültig)
doctor-count-warning = { $n ->
        [one] { $n } Warnung
       *[other] { $n } Warnungen
    } (eine Messung wäre verfälscht)
doctor-count-note = { $n ->
        [one] { $n } Hinweis
       *[other] { $n } Hinweise
    }
doctor-count-ok = { $n } in Ordnung
doctor-heading-alignment = Ausrichtung
doctor-heading-target = Ziel und Dateisystem
doctor-heading-queues = CPUs und Warteschlangen
doctor-heading-block-size = Blockgröße
doctor-heading-device = Datenträger, Scheduler, Caches
doctor-heading-network = Netzwerk und Server
doctor-heading-load = sonstige Belastung
doctor-heading-limits = Grenzen
doctor-heading-host = Verbindungen und Rechner
doctor-mark-ok = gut
doctor-mark-note = Hinweis
doctor-mark-warning = WARNUNG
doctor-mark-critical = KRITISCH
doctor-label-why = Grund:
doctor-label-do = Abhilfe:
doctor-begins-at-sector = { $what } beginnt bei Sektor { $sector } von { $on }
doctor-begins-at-large-sector = { $what } beginnt bei Sektor { $sector } von { $on } (Sektoren von { $sector_bytes } Byte)
doctor-begins-at-byte = { $what } beginnt bei Byte { $byte } von { $on }
doctor-begins-raid-data = die Daten von { $what } beginnen bei Byte { $byte } von { $on }
doctor-begins-file = Datei { $what } beginnt bei Byte { $byte } von { $on }
doctor-begins-all-layers = über alle Schichten beginnt { $what } bei Byte { $byte } von { $on }
doctor-begins-aligned = { $place }: ausgerichtet
doctor-begins-multiple = { $place }: ein Vielfaches von { $unit }
doctor-begins-misaligned = { $place }: { $beyond } hinter einem Vielfachen von { $unit }
doctor-begins-compensated-why = die Versätze der Schichten darunter gleichen das aus: das Ziel selbst beginnt an einer Blockgrenze
doctor-begins-compensated-do = nichts, solange keine der Schichten geändert wird
doctor-begins-sector-why = jeder 4k-Block liegt auf zwei Blöcken des Datenträgers: ein 4k-Schreibzugriff kostet zwei Lese- und zwei Schreibzugriffe
doctor-begins-small-sector-why = jeder 4k-Block liegt auf zwei Blöcken des Datenträgers: ein 4k-Schreibzugriff kostet zwei Lese- und zwei Schreibzugriffe ({ $on } meldet Sektoren von { $physical_bytes } Byte, aber Flash und virtuelle Platten arbeiten in Blöcken von 4096)
doctor-begins-partition-do = Daten sichern, die Partition ab Sektor 2048 (1 MiB) neu anlegen und die Daten zurückspielen
doctor-begins-loop-do = mit einem Versatz anbinden, der ein Vielfaches von 4096 ist
doctor-begins-raid-do = den Verbund mit einem Datenversatz anlegen, der ein Vielfaches von 1 MiB ist
doctor-begins-file-do = das Dateisystem mit Blöcken von 4096 Byte anlegen
doctor-begins-all-layers-do = die Schichten einzeln ausrichten, vom Datenträger aufwärts
doctor-begins-chunk-why = manche Anforderungen liegen auf zwei Chunks von { $unit } und brauchen zwei Mitglieder des Verbunds
doctor-begins-stripe-why = kein Schreibzugriff von { $unit } füllt genau einen Stripe: die Parität wird vor dem Schreiben gelesen
doctor-begins-stripe-do = große sequenzielle Schreibzugriffe an einem Vielfachen des Stripes beginnen
doctor-kernel-says-misaligned = der Kernel meldet { $device } als nicht ausgerichtet (alignment_offset { $offset_bytes })
doctor-kernel-says-misaligned-why = seine Blöcke liegen auf zwei Blöcken des Geräts darunter: kleine Schreibzugriffe geschehen doppelt
doctor-kernel-says-misaligned-do = das Volume neu anlegen, mit den Daten an einem Vielfachen von 1 MiB
doctor-offset-unknown = nur root kann lesen, wo { $above } auf { $device } beginnt (dmsetup table); der Kernel meldet keine Fehlausrichtung
doctor-table-ignored = { $device } hat eine Partitionstabelle ({ $kind }, { $entries ->
        [one] { $entries } Partition
       *[other] { $entries } Partitionen
    }), die der Kernel nicht nutzt
doctor-table-ignored-why = fathom hat die Tabelle vom Datenträger gelesen; ihre Partitionen lassen sich noch nicht einhängen oder messen
doctor-table-ignored-do = die Partitionsgeräte mit partx -a, partprobe oder losetup -P anlegen
doctor-table-other-sectors = die Partitionstabelle auf { $device } gilt für Sektoren von { $table_bytes } Byte, der Datenträger hat aber Sektoren von { $device_bytes } Byte
doctor-table-other-sectors-why = die Tabelle stammt von einem anderen Datenträger: der Kernel findet keine Partition oder eine falsche
doctor-table-other-sectors-do = den Datenträger mit Sektoren von { $table_bytes } Byte betreiben, oder neu partitionieren
doctor-table-unread = { $device } hat womöglich eine Partitionstabelle: fathom darf das Gerät nicht lesen
doctor-table-unread-why = der Kernel zeigt keine Partitionen, und eine ungenutzte Tabelle ist nur auf dem Datenträger zu sehen
doctor-table-unread-do = als root oder als Mitglied der Gruppe disk wiederholen
doctor-small-blocks = das Dateisystem auf { $at } hat Blöcke von { $bytes } Byte
doctor-small-blocks-why = eine Datei kann mitten in einer Flash-Seite beginnen, auch in einer ausgerichteten Partition
doctor-small-blocks-do = mit Blöcken von 4096 Byte anlegen (ext4: mkfs -b 4096)
doctor-no-offset = keine Schicht zwischen dem Ziel und { $device } hat einen Versatz
doctor-on-memory = { $kind } auf { $at } hält seine Dateien im Arbeitsspeicher
doctor-on-memory-why = kein Datenträger wird gemessen: jedes Ergebnis ist das des Arbeitsspeichers
doctor-on-memory-do = ein Verzeichnis auf einem Datenträger wählen
doctor-on-disk = Dateisystem { $kind } auf { $at }
doctor-on-disk-why = die Ergebnisse enthalten Dateisystem und Datenträger
doctor-on-disk-do = für den Datenträger allein das Blockgerät selbst messen: nur lesend, oder ein leeres
doctor-on-copy-on-write = Dateisystem { $kind } auf { $at } (Copy-on-Write)
doctor-on-copy-on-write-why = jeder zufällige Schreibzugriff alloziert Platz, Prüfsummen kosten CPU-Zeit, und Kompression entfernt Nullen
doctor-on-copy-on-write-do = nicht komprimierbare Daten verwenden (refill_buffers); für den Datenträger allein das Blockgerät selbst messen
doctor-on-overlay = { $kind } auf { $at } liegt über anderen Dateisystemen
doctor-on-overlay-why = der erste Schreibzugriff auf eine Datei der unteren Schicht kopiert sie ganz
doctor-on-overlay-do = eine neu angelegte Datei messen, oder ein eingehängtes Volume
doctor-on-network = { $kind } auf { $at } ist ein Netzwerk-Dateisystem
doctor-on-network-why = die Ergebnisse sind die von Netzwerk und Server; direct=1 umgeht nur den lokalen Page-Cache
doctor-on-network-do = mehr Daten verwenden, als der Server Arbeitsspeicher hat, und mit der Rate der Netzwerkverbindung vergleichen
doctor-on-served = { $kind } auf { $at } wird von einem anderen Programm oder vom Wirt bereitgestellt
doctor-on-served-why = die Ergebnisse sind die dieses Programms, und sein Cache lässt sich von hier nicht umgehen
doctor-on-served-do = auf dem System messen, das die Daten speichert
doctor-mount-option = { $at } ist mit { $option } eingehängt
doctor-mount-synchronous-why = jeder Schreibzugriff wartet auf den Datenträger, auch ohne fsync
doctor-mount-synchronous-do = ohne diese Option einhängen, oder sie mit den Ergebnissen angeben
doctor-mount-no-flush-why = fsync leert den Cache des Datenträgers nicht: seine Latenzen sind zu niedrig
doctor-mount-no-flush-do = mit Barrieren einhängen
doctor-mount-data-twice-why = jedes Byte wird zweimal geschrieben: ins Journal und an seine Stelle
doctor-mount-data-twice-do = mit data=ordered einhängen
doctor-mount-compressed-why = Nullen und wiederholte Muster werden auf fast nichts komprimiert
doctor-mount-compressed-do = nicht komprimierbare Daten verwenden (refill_buffers)
doctor-mount-dax-why = der Page-Cache wird umgangen: gepufferte I/O ist direkt
doctor-mount-dax-do = mit einem Einhängen ohne dax vergleichen
doctor-mount-read-only-why = Schreibtests schlagen fehl
doctor-mount-read-only-do = nur Lesezugriffe messen, oder schreibbar einhängen
doctor-mount-discard-why = Löschen trimmt die Blöcke sofort, was gleichzeitige I/O bremst
doctor-mount-discard-do = stattdessen fstrim zwischen den Läufen verwenden
doctor-target-with-size = { $kind }, { $size }
doctor-target-device = Blockgerät
doctor-target-partition = Partition
doctor-target-file = normale Datei
doctor-target-directory = Verzeichnis: fathom misst eine Testdatei darin
doctor-empty-file = die Datei ist leer
doctor-empty-file-why = sie hat keine Daten zum Lesen
doctor-empty-file-do = sie zuerst ganz schreiben, oder ihr Verzeichnis angeben, um eine Testdatei zu messen
doctor-empty-device = das Gerät hat die Größe 0
doctor-empty-device-why = es hat kein Medium oder keine angebundene Datei, oder es ist nicht eingerichtet
doctor-empty-device-do = das Medium einlegen, eine Datei anbinden (losetup) oder das Gerät einrichten (zramctl), dann wiederholen
doctor-loop-buffered = { $device }: Loop-Gerät über { $backing }, durch den Page-Cache
doctor-loop-buffered-why = zwischengespeicherte Teile der Datei werden aus dem Arbeitsspeicher gelesen, auch mit direct=1
doctor-loop-buffered-do = losetup --direct-io=on verwenden, oder die Schicht darunter messen
doctor-loop-direct = { $device }: Loop-Gerät über { $backing }, mit direkter I/O
doctor-loop-direct-why = jede Anforderung durchläuft zwei Blockschichten und einen Kernel-Thread
doctor-loop-direct-do = für den Datenträger allein die Schicht darunter messen
doctor-in-use-mounted = { $device } ist auf { $by } eingehängt
doctor-in-use-swap = { $device } dient als Auslagerungsbereich
doctor-in-use-member = { $device } ist Teil von { $by }
doctor-in-use-loop = { $by } ist ein Loop-Gerät über { $device }
doctor-in-use-why = die I/O seiner Nutzer geht in die Ergebnisse ein; einen Schreibtest lehnt fathom ab, weil er ihre Daten zerstören würde
doctor-in-use-mounted-do = eine Datei darauf messen, oder es aushängen
doctor-in-use-swap-do = für die Dauer des Tests swapoff ausführen
doctor-in-use-member-do = das Gerät darüber messen, oder es auflösen
doctor-carries = { $device } enthält: { $what }
doctor-carries-why = ein Schreibtest würde das zerstören, daher lehnt fathom ihn ab
doctor-carries-do = nur Lesezugriffe oder eine Datei darauf messen; wird nichts davon gebraucht: wipefs -a
doctor-direct-accepted = das Dateisystem nimmt direkte I/O an
doctor-direct-refused = das Dateisystem lehnt direkte I/O ab
doctor-direct-refused-why = nur gepufferte I/O ist möglich, und die misst überwiegend den Page-Cache
doctor-direct-refused-do = mehr Daten als Arbeitsspeicher verwenden, oder ein anderes Dateisystem
doctor-unreadable = das Ziel lässt sich nicht lesen ({ $error })
doctor-unreadable-why = Inhalt, Partitionstabelle und Signaturen bleiben unbekannt
doctor-unreadable-do = als Benutzer mit Leserecht wiederholen
doctor-no-holes = die Datei hat keine Löcher und keine unbeschriebenen Extents
doctor-holes = { $holes } von { $size } sind Löcher
doctor-holes-and-unwritten = { $holes } von { $size } sind Löcher, und { $reserved } sind belegt, aber nie geschrieben
doctor-holes-why = Lesezugriffe darauf liefern Nullen ohne Datenträgerzugriff, und erste Schreibzugriffe sind langsamer, weil sie Platz allozieren
doctor-holes-do = die Datei vor dem Lesen füllen: fathom prefill, oder rw=write bs=1M
doctor-one-extent = die Datei liegt zusammenhängend
doctor-fragments = die Datei hat { $n } Fragmente von im Mittel { $mean }
doctor-fragments-why = sequenzielles Lesen springt zwischen Fragmenten: auf einer Festplatte ist das zufällige I/O
doctor-fragments-do = Platz schaffen und die Datei kopieren
doctor-zero-blocks = { $zero } von { $sampled } geprüften Blöcken enthalten nur Nullen
doctor-zero-blocks-why = ein Gerät kann getrimmte, Thin- und Null-Blöcke liefern, ohne sein Medium zu lesen, und Nullen werden auf nichts komprimiert
doctor-zero-blocks-do = das ganze Ziel vor dem Lesen mit Zufallsdaten beschreiben (fathom prefill)
doctor-cached = { $cached } von { $size } liegen im Page-Cache
doctor-cached-why = gepufferte Lesezugriffe darauf werden aus dem Arbeitsspeicher bedient
doctor-cached-do = direct=1 verwenden, oder invalidate=1 (die Voreinstellung)
doctor-space = { $free } von { $size } sind frei
doctor-space-why = ein fast volles Dateisystem fragmentiert neue Dateien, und fast voller Flash räumt während des Schreibens auf
doctor-space-do = mindestens 15 % des Platzes freigeben
doctor-idle = { $device }: { $look_ms } ms lang unbelastet
doctor-busy = { $device }: { $ios ->
        [one] { $ios } I/O
       *[other] { $ios } I/Os
    } ({ $moved }) in { $look_ms } ms, belegt { $busy }
doctor-busy-in-flight = { $device }: { $ios ->
        [one] { $ios } I/O
       *[other] { $ios } I/Os
    } ({ $moved }) in { $look_ms } ms, belegt { $busy }, { $in_flight } in Bearbeitung
doctor-busy-stuck-why = I/Os sind in Bearbeitung, aber keine wird fertig: der Datenträger hängt oder wird gedrosselt
doctor-busy-why = andere Prozesse benutzen das Gerät: ihre I/O und die des Tests bremsen einander
doctor-busy-do = diese Prozesse finden (iotop, pidstat -d) und beenden, oder die Last mit den Ergebnissen angeben
doctor-pressure = Tasks warteten in den letzten 10 s { $share } der Zeit auf I/O (PSI)
doctor-pressure-why = Datenträger dieses Rechners sind in Benutzung; es können andere als die des Ziels sein
doctor-pressure-do = warten, bis diese Belastung vorbei ist
doctor-dirty = { $waiting } im Page-Cache sind noch nicht zurückgeschrieben
doctor-dirty-why = der Kernel wird sie während des Tests schreiben
doctor-dirty-do = vor dem Test sync ausführen
doctor-array-resync-pending = { $device } ({ $level }): ein Resync steht aus oder ist angehalten
doctor-array-resync-pending-why = er kann während des Tests beginnen, und bis dahin können die Mitglieder voneinander abweichen
doctor-array-resync-pending-do = vor dem Test abschließen lassen (/proc/mdstat)
doctor-array-resync = Resync, der die Mitglieder angleicht
doctor-array-recovery = Recovery, die ein neues Mitglied füllt
doctor-array-reshape = Reshape, der die Anordnung ändert
doctor-array-check = Prüfung (check), die alle Mitglieder liest und vergleicht
doctor-array-repair = Reparatur (repair), die alle Mitglieder liest und berichtigt
doctor-array-running = { $device } ({ $level }), laufender Vorgang: { $operation }
doctor-array-running-percent = { $device } ({ $level }), laufender Vorgang: { $operation }; { $p } % abgeschlossen
doctor-array-running-why = seine Lese- und Schreibzugriffe konkurrieren mit denen des Tests
doctor-array-stoppable-do = auf den Abschluss warten (/proc/mdstat), oder ihn anhalten: echo idle > /sys/block/{ $device }/md/sync_action
doctor-array-running-do = auf den Abschluss warten (/proc/mdstat)
doctor-degraded = { $device } ({ $level }) ist unvollständig: { $missing ->
        [one] { $missing } Mitglied fehlt
       *[other] { $missing } Mitglieder fehlen
    }
doctor-degraded-of = { $device } ({ $level }) ist unvollständig: { $missing ->
        [one] { $missing } von { $disks } Mitgliedern fehlt
       *[other] { $missing } von { $disks } Mitgliedern fehlen
    }
doctor-degraded-parity-why = jeder Lesezugriff auf Daten eines fehlenden Mitglieds liest alle übrigen, um sie zu berechnen
doctor-degraded-mirror-why = Lesezugriffe verteilen sich auf weniger Datenträger, und Schreibzugriffe gehen auf weniger
doctor-degraded-do = das Mitglied ersetzen und die Wiederherstellung abwarten, dann messen
doctor-array = { $device }: { $facts }
doctor-array-members = { $n ->
        [one] { $n } Mitglied
       *[other] { $n } Mitglieder
    }
doctor-array-complete = vollständig und ohne laufenden Vorgang
doctor-array-bitmap = Write-Intent-Bitmap
doctor-array-raid5-why = ein kleiner Schreibzugriff kostet zwei Lese- und zwei Schreibzugriffe
doctor-array-raid6-why = ein kleiner Schreibzugriff kostet drei Lese- und drei Schreibzugriffe
doctor-array-bitmap-why = vor zufälligen Schreibzugriffen wird die Bitmap aktualisiert
doctor-array-do = weniger zufällige Schreibzugriffe je Sekunde erwarten, als die Mitglieder zusammen schaffen
doctor-io-limit = eine Kontrollgruppe begrenzt diesen Prozess auf { $device }: { $all }
doctor-io-limit-read-bandwidth = { $n }/s lesend
doctor-io-limit-write-bandwidth = { $n }/s schreibend
doctor-io-limit-read-iops = { $n } IOPS lesend
doctor-io-limit-write-iops = { $n } IOPS schreibend
doctor-io-limit-why = das Ergebnis ist die Grenze, nicht die Geschwindigkeit des Datenträgers; iostat zeigt ihn währenddessen kaum belegt
doctor-io-limit-do = außerhalb dieser Kontrollgruppe laufen lassen (systemd slice, Container), oder die Grenze absichtlich messen
doctor-no-io-limit = keine Kontrollgruppe begrenzt diesen Prozess auf diesen Geräten
doctor-cpu-limit = eine Kontrollgruppe begrenzt die CPU-Zeit auf { $cpus } von { $usable } CPUs
doctor-cpu-limit-why = die Job-Threads stehen einen Teil der Zeit still, und diese Lücken zählen als Latenz
doctor-cpu-limit-do = cpu.max anheben, oder weniger CPU-Zeit verbrauchen (weniger Jobs, größere Blöcke)
doctor-memory-limit = der Kontrollgruppe dieses Prozesses bleiben { $rest } Arbeitsspeicher
doctor-memory-limit-why = gepufferte Schreibzugriffe werden früh zurückgeschrieben, und die Puffer vieler Jobs passen womöglich nicht
doctor-memory-limit-do = direct=1 verwenden, oder memory.max anheben
doctor-pcie = { $device }: PCIe x{ $width } mit { $speed } GT/s ({ $now }/s); das Gerät unterstützt x{ $most_width } mit { $most_speed } GT/s ({ $most }/s)
doctor-pcie-why = Steckplatz, Adapter oder ein schlechter Kontakt bremsen die Verbindung: das Ergebnis ist ihre Rate, nicht die des Datenträgers
doctor-pcie-do = einen anderen Steckplatz versuchen, in dmesg nach AER-Fehlern suchen und die Stromsparfunktion der Verbindung abschalten (pcie_aspm)
doctor-sata = { $device }: SATA mit { $now }, höchstens { $most }/s
doctor-sata-limited = { $device }: SATA mit { $now } (der Port ist auf { $limit } begrenzt), höchstens { $most }/s
doctor-sata-why = Port, Kabel, Backplane, ein alter Datenträger oder Verbindungsfehler begrenzen die Rate: das Ergebnis ist das der Verbindung
doctor-sata-do = einen anderen Port oder ein anderes Kabel versuchen und in dmesg nach Verbindungsabbrüchen suchen
doctor-usb-storage = eine Anforderung gleichzeitig (usb-storage)
doctor-usb-uas = mit Befehlswarteschlange (uas)
doctor-usb = { $device }: USB mit { $mbit } Mbit/s, { $protocol }
doctor-usb-slow-why = USB mit 480 Mbit/s überträgt etwa 40 MB/s: das Ergebnis ist das der Verbindung, nicht des Datenträgers
doctor-usb-slow-do = Port und Kabel mit USB 3 verwenden; für den Datenträger allein einen nativen Anschluss
doctor-usb-storage-why = die Brücke nimmt nur eine Anforderung gleichzeitig an, daher sind iodepth und numjobs wirkungslos
doctor-usb-storage-do = eine Brücke und einen Treiber mit UAS verwenden; für den Datenträger allein einen nativen Anschluss
doctor-usb-why = die Ergebnisse enthalten die Brücke zwischen USB und Datenträger
doctor-usb-do = für den Datenträger allein einen nativen Anschluss verwenden
doctor-numa = { $device }: angeschlossen an NUMA-Knoten { $node }
doctor-numa-excluded = { $device }: angeschlossen an NUMA-Knoten { $node }, auf dem dieser Prozess nicht laufen darf
doctor-numa-why = Threads auf anderen Knoten erreichen das Gerät über die Verbindung zwischen den CPUs
doctor-numa-excluded-why = jede I/O läuft über die Verbindung zwischen den CPUs
doctor-numa-excluded-do = diesen Prozess auf Knoten { $node } zulassen (cpuset, taskset), oder den Knoten mit den Ergebnissen angeben
doctor-virtual-machine = dies ist eine virtuelle Maschine
doctor-virtual-machine-named = dies ist eine virtuelle Maschine ({ $name })
doctor-virtual-machine-why = Caches, Grenzen und andere Gäste des Wirts sind von hier nicht sichtbar
doctor-virtual-machine-do = ändern sich Ergebnisse nicht mit der Queue-Tiefe, ist eine Grenze zu vermuten; zu anderer Tageszeit wiederholen
doctor-steal = der Hypervisor gab { $share } der CPU-Zeit an andere Gäste ab (steal)
doctor-steal-why = die Job-Threads stehen währenddessen still, und diese Lücken zählen als Latenz
doctor-steal-do = zu anderer Zeit messen, oder auf einem Rechner mit eigenen CPUs
doctor-governor = der CPU-Frequenzregler ist { $names }
doctor-governor-why = eine CPU, die zwischen I/Os langsamer taktet, erhöht die Latenz bei geringer Queue-Tiefe um Mikrosekunden
doctor-governor-do = für die Dauer des Tests cpupower frequency-set -g performance ausführen
doctor-clock = die Zeitquelle des Kernels ist { $name }
doctor-clock-why = jedes Lesen der Uhr dauert Mikrosekunden, und jede I/O braucht eines
doctor-clock-do = in dmesg nachsehen, warum der Kernel tsc verworfen hat, oder mit clocksource=tsc starten
doctor-cpus = { $online ->
        [one] { $online } CPU, nutzbar
       *[other] { $online } CPUs, alle nutzbar
    }
doctor-cpus-restricted = dieser Prozess darf { $usable } von { $online } CPUs benutzen
doctor-cpus-restricted-why = mehr ausgelastete Jobs teilen sich CPUs, und das Warten auf eine CPU zählt als Latenz
doctor-cpus-restricted-do = numjobs innerhalb dieser Zahl halten, oder die CPU-Affinität erweitern (taskset, cpuset)
doctor-queues = { $device }: { $queues ->
        [one] { $queues } Hardware-Warteschlange
       *[other] { $queues } Hardware-Warteschlangen
    } zu { $requests ->
        [one] { $requests } Anforderung
       *[other] { $requests } Anforderungen
    }
doctor-queues-and-disk = { $device }: { $queues ->
        [one] { $queues } Hardware-Warteschlange
       *[other] { $queues } Hardware-Warteschlangen
    } zu { $requests ->
        [one] { $requests } Anforderung
       *[other] { $requests } Anforderungen
    }; der Datenträger nimmt { $disk } gleichzeitig an
doctor-queues-one-request-why = der Datenträger bearbeitet eine Anforderung gleichzeitig, daher sind iodepth und numjobs wirkungslos
doctor-queues-one-request-do = NCQ aktivieren (queue_depth; AHCI-Modus in der Firmware) oder UAS
doctor-queues-shared-why = alle CPUs teilen sich eine Warteschlange, daher bringt mehr als ein Job wenig
doctor-queues-shared-do = iodepth vor numjobs erhöhen, und nvme.write_queues oder die Einstellungen des Hypervisors prüfen
doctor-queues-why = weitere Anforderungen warten in der Warteschlange des Schedulers, und das Warten zählt als Latenz
doctor-queues-do = iodepth x numjobs innerhalb dieser Zahl halten
doctor-engine = { $engine } ist verfügbar
doctor-engine-unavailable = { $engine } ist nicht verfügbar ({ $error })
doctor-io-uring-why = kernel.io_uring_disabled oder der seccomp-Filter eines Containers schaltet es ab
doctor-io-uring-do = ioengine=libaio mit direct=1 verwenden, das fast gleich schnell ist
doctor-libaio-why = Aufträge mit ioengine=libaio schlagen fehl
doctor-libaio-do = fs.aio-max-nr anheben, oder io_uring verwenden
doctor-aio-slots = { $used } von { $most } Plätzen für Kernel-AIO-Anforderungen sind belegt (fs.aio-max-nr)
doctor-aio-slots-why = libaio-Jobs mit hoher iodepth oder vielen numjobs starten womöglich nicht
doctor-aio-slots-do = die Grenze anheben: sysctl fs.aio-max-nr=1048576
doctor-sectors = { $device }: logische Sektoren von { $logical } Byte, physische von { $physical } Byte
doctor-sectors-logical-why = direkte I/O unter { $logical } Byte schlägt fehl
doctor-sectors-physical-why = bei Schreibzugriffen unter { $physical } Byte liest, ändert und schreibt der Datenträger einen ganzen Sektor
doctor-sectors-do = Blockgrößen und Offsets als Vielfache von { $physical } Byte wählen
doctor-largest-request = { $device }: die größte Anforderung ist { $most }
doctor-largest-request-why = der Kernel zerlegt größere Blöcke, daher zählt iostat mehr I/Os als fathom
doctor-largest-request-do = bei Blockgrößen über { $most } Bandbreite statt IOPS vergleichen
doctor-chunks = { $device }: Chunks von { $chunk }
doctor-chunks-and-stripes = { $device }: Chunks von { $chunk }, Stripes von { $stripe }
doctor-chunks-why = ein Block bis zur Größe eines Chunks nutzt ein Mitglied; mit Parität lesen Schreibzugriffe unter einem Stripe zuerst
doctor-stripes-do = für Bandbreite ein bs als Vielfaches von { $stripe }; für IOPS bs=4k
doctor-chunks-do = für Bandbreite ein bs von mehreren Chunks; für IOPS bs=4k
doctor-cloud-network = { $device }: Netzwerkdatenträger von { $provider }
doctor-cloud-network-why = Volume (Größe oder Tarif) und Maschinentyp begrenzen seine Rate, und anfangs kann ein Burst-Guthaben wirken
doctor-cloud-network-do = Queue-Tiefe = zugesagte IOPS x Latenz (26500 x 1 ms: 27); länger messen, als das Guthaben reicht
doctor-cloud-local = { $device }: lokaler Datenträger eines Wirts von { $provider }
doctor-cloud-local-why = seine Daten gehen beim Anhalten der Maschine verloren, und er wird mit zunehmender Füllung langsamer
doctor-cloud-local-do = vor Schreibtests einmal ganz beschreiben
doctor-cloud-unknown = { $device }: Datenträger von { $provider }, vermutlich über Netzwerk
doctor-cloud-unknown-why = ein Netzwerkdatenträger ist durch Größe oder Tarif und durch den Maschinentyp begrenzt
doctor-cloud-unknown-do = mit den veröffentlichten Grenzen des Anbieters vergleichen; Queue-Tiefe = zugesagte IOPS x Latenz
doctor-controller-volume = { $device }: Volume eines RAID-Controllers ({ $driver }); dessen Datenträger sind verborgen
doctor-controller-volume-why = sein Cache bestätigt Schreibzugriffe, solange die Batterie intakt ist; Prüfungen und Rebuilds sind hier nicht sichtbar
doctor-controller-volume-do = Cachemodus, Batterie und Rebuild mit seinem Werkzeug prüfen (storcli, perccli, ssacli) und mehr Daten verwenden, als der Cache fasst
doctor-scheduler = { $device }: I/O-Scheduler { $name }
doctor-scheduler-warning-why = er kostet CPU-Zeit je Anforderung und hält Anforderungen zurück
doctor-scheduler-why = er kostet etwas CPU-Zeit je Anforderung, ohne diesem Datenträger zu nützen
doctor-scheduler-do = als root: { $command }, oder den Scheduler mit den Ergebnissen angeben
doctor-no-read-ahead = { $device }: kein Vorauslesen
doctor-no-read-ahead-why = gepuffertes sequenzielles Lesen wartet auf jeden Block
doctor-no-read-ahead-do = blockdev --setra 256 ausführen, oder direct=1 verwenden
doctor-read-ahead = { $device }: Vorauslesen von { $ahead }
doctor-read-ahead-why = gepuffertes sequenzielles Lesen hält so viel in Bearbeitung, unabhängig von iodepth
doctor-read-ahead-do = direct=1 verwenden, das nicht vorausliest
doctor-write-back = { $device }: flüchtiger Schreibcache ist eingeschaltet (write back)
doctor-write-back-hidden = { $device }: meldet einen flüchtigen Schreibcache (write back); Caches dahinter sind unbekannt
doctor-write-back-why = ein Schreibzugriff ist fertig, bevor seine Daten dauerhaft sind: ohne Flush gehen sie bei Stromausfall verloren
doctor-write-back-do = für dauerhaftes Schreiben fsync=1 oder fdatasync=1 hinzufügen; sonst mehr schreiben, als der Cache fasst
doctor-write-through = { $device }: kein flüchtiger Schreibcache (write through)
doctor-write-through-hidden = { $device }: meldet keinen flüchtigen Schreibcache (write through); Caches dahinter sind unbekannt
doctor-write-through-why = jeder Schreibzugriff wartet auf das rotierende Medium
doctor-write-through-do = hdparm -W1 ausführen, falls die Stromversorgung gesichert ist, oder den Cachemodus mit den Ergebnissen angeben
doctor-zoned-managed = { $device }: in Zonen unterteilt (host-managed): jede Zone muss sequenziell geschrieben werden
doctor-zoned-managed-why = zufällige Schreibzugriffe schlagen fehl
doctor-zoned-managed-do = zonemode=zbd verwenden, oder nur Lesezugriffe messen
doctor-zoned-aware = { $device }: in Zonen unterteilt (host-aware)
doctor-zoned-aware-why = der Datenträger sammelt zufällige Schreibzugriffe in einem Cache und ordnet sie in Zonen: erst schnell, dann langsam
doctor-zoned-aware-do = ein Mehrfaches dessen schreiben, was der Cache fasst
doctor-medium-read-latency = { $medium }; zufällige 4k-Lesezugriffe dauerten { $took }
doctor-medium-memory = { $device }: hält seine Daten im Arbeitsspeicher
doctor-medium-memory-why = kein Datenträger wird gemessen: jedes Ergebnis ist das des Arbeitsspeichers
doctor-medium-memory-do = ein anderes Gerät wählen
doctor-medium-fast-rotational = { $device }: als rotierend gemeldet
doctor-medium-fast-rotational-why = bewegte Köpfe sind nicht so schnell: ein Cache lieferte die Daten, oder es ist Flash mit falscher Kennung
doctor-medium-fast-rotational-do = einen Bereich größer als jeder Cache verwenden, und der gemessenen Latenz mehr trauen als der Kennung
doctor-medium-rotational = { $device }: rotierende Festplatte
doctor-medium-rotational-why = sie schafft etwa 75 bis 200 zufällige I/Os je Sekunde, und die äußeren Spuren sind doppelt so schnell wie die inneren
doctor-medium-rotational-do = zufällige I/O über die ganze Festplatte messen, und bei sequenzieller I/O die Position angeben
doctor-medium-flash = { $device }: Flash
doctor-medium-slow-flash-why = das ist zu langsam für Flash: der Datenträger schlief oder war belegt, oder dahinter liegt ein langsameres Gerät
doctor-medium-slow-flash-do = die andere Last auf dem Gerät prüfen, und wiederholen
doctor-medium-hidden-rotational = { $device }: als rotierend gemeldet, aber das wirkliche Medium ist verborgen (virtuelle Platte, Controller, Brücke oder Netzwerk)
doctor-medium-hidden-not-rotational = { $device }: als nicht rotierend gemeldet, aber das wirkliche Medium ist verborgen (virtuelle Platte, Controller, Brücke oder Netzwerk)
doctor-medium-hidden = { $device }: das Medium ist verborgen (virtuelle Platte, Controller, Brücke oder Netzwerk)
doctor-medium-unmeasured-why = solche Datenträger melden die Voreinstellung ihres Treibers, die nichts über das Medium sagt
doctor-medium-unmeasured-do = zufällige Lesezugriffe messen: eine Festplatte mit Köpfen braucht je 3 ms oder mehr
doctor-medium-fast-hidden-why = so schnelle Lesezugriffe schließen bewegte Köpfe aus: es ist Flash, oder ein Cache lieferte die Daten
doctor-medium-fast-hidden-do = Ergebnisse eines Flash-Datenträgers erwarten, und die Kennung „rotierend“ ignorieren
doctor-medium-between-why = das ist zu langsam für unbelasteten Flash und zu schnell für bewegte Köpfe: vermutlich Netzwerk oder andere Last
doctor-medium-between-do = einen Netzwerkdatenträger erwarten: bei Queue-Tiefe 1 begrenzt seine Latenz, darüber sein Tarif
doctor-medium-slow-hidden-why = Ursache sind bewegte Köpfe, ein Netzwerk hinter dem Datenträger oder andere Last
doctor-medium-slow-hidden-do = vor einem Vergleich klären, was davon zutrifft
doctor-numa-do = numa_cpu_nodes={ $node } und numa_mem_policy=bind:{ $node } setzen
doctor-client-nfs = { $layer }: NFS { $version } über { $transport }, { $export }, Verbindungen: { $n }, rsize { $read }, wsize { $written }, sec={ $security }
doctor-client-smb = { $layer }: SMB { $version }, { $share } auf { $servers }, cache={ $cache }
doctor-client-ceph = { $layer }: Verzeichnis { $directory } von CephFS, Client des Kernels, Monitore { $servers }
doctor-client-ceph-fuse = { $layer }: CephFS über das Programm ceph-fuse
doctor-client-ceph-fuse-why = jede Anfrage geht durch ein Programm (FUSE), das CPU-Zeit braucht und einen eigenen Cache hat
doctor-client-ceph-fuse-do = zum Vergleich mit dem Client des Kernels einhängen; Ergebnisse mit „ceph-fuse“ angeben
doctor-client-host = { $layer }: Verzeichnis { $tag } des Hypervisor-Wirts über { $kind }
doctor-client-host-why = die Ergebnisse enthalten Dateisystem und Page-Cache des Wirts, den direct=1 in dieser Maschine nicht umgeht
doctor-client-host-do = mehr Daten verwenden, als der Wirt Arbeitsspeicher hat, oder auf einem virtuellen Datenträger messen
doctor-client-rbd = { $layer }: Ceph-Image { $pool }/{ $image } des Clusters { $cluster }, Client des Kernels, Monitore { $servers }
doctor-client-rbd-snapshot = { $layer }: Schnappschuss { $snapshot } von Ceph-Image { $pool }/{ $image } des Clusters { $cluster }, Client des Kernels, Monitore { $servers }
doctor-client-nbd = { $layer }: Netzwerk-Blockgerät des Servers { $servers }
doctor-client-nbd-backend = { $layer }: Netzwerk-Blockgerät des Servers { $servers }, Backend { $backend }
doctor-client-iscsi = { $layer }: iSCSI-Ziel { $target } bei { $servers }, Verbindungen: { $n }
doctor-client-nvme = { $layer }: NVMe über { $transport }, Subsystem { $subsystem } bei { $servers }, I/O-Queues: { $queues }, Pfade: { $n }
doctor-client-why = die Ergebnisse sind die von Client, Netzwerk, Server und dessen Datenträgern zusammen
doctor-client-do = auch die Datenträger auf dem Server messen: der Unterschied ist Netzwerk und Protokoll
doctor-not-connected = { $layer }: keine funktionierende Verbindung zum Server (Zustand: { $state })
doctor-not-connected-why = I/O wartet oder schlägt fehl
doctor-not-connected-do = die Verbindung wiederherstellen, dann messen
doctor-fails-after = { $layer }: I/O schlägt nach { $seconds } s ohne Antwort fehl ({ $setting })
doctor-fails = { $layer }: I/O schlägt fehl, wenn der Server einige Zeit nicht antwortet ({ $setting })
doctor-fails-why = ein langsamer Server oder ein kurzer Ausfall wird zum I/O-Fehler, und Schreibzugriffe können verloren gehen
doctor-fails-do = mit „hard“ einhängen; für einen Test von Ausfällen diese Einstellung angeben
doctor-waits-for-server = { $layer }: I/O wartet unbegrenzt auf einen Server, der nicht antwortet ({ $setting })
doctor-attribute-cache = { $layer }: der Client speichert Attribute von Dateien { $file } bis { $file_most } s, von Verzeichnissen { $directory } bis { $directory_most } s
doctor-attribute-cache-why = innerhalb dieser Zeiten senden stat und open bekannter Dateien keine Anfrage an den Server
doctor-attribute-cache-do = um die Metadaten des Servers zu messen, mit actimeo=0 einhängen oder mehr Dateien verwenden, als bekannt sind
doctor-export-unknown = { $layer }: ob der Server mit sync oder async exportiert, ist hier nicht sichtbar
doctor-export-unknown-why = mit async bestätigt der Server Schreibzugriffe und Syncs, bevor sein Datenträger sie hat
doctor-export-unknown-do = die Exporte auf dem Server ansehen (exportfs -v)
doctor-small-requests = { $layer }: Anfragen von höchstens { $read } (rsize) und { $written } (wsize)
doctor-small-requests-why = ein größerer Block wird in mehreren Anfragen gesendet
doctor-small-requests-do = ohne rsize und wsize einhängen: Client und Server einigen sich dann auf die größte Größe
doctor-pool = { $layer }: Pool { $name }, Kopien: { $size } (mindestens { $least } zum Schreiben), Placement Groups: { $groups }
doctor-pool-erasure = { $layer }: Erasure-Coding-Pool { $name }, Teile: { $size } (mindestens { $least } zum Schreiben), Placement Groups: { $groups }
doctor-pool-why = jeder Schreibzugriff geht über das Netzwerk des Clusters auf mehrere Datenträger, bevor er bestätigt wird
doctor-pool-do = mit den Datenträgern vergleichen: ein Pool schreibt so schnell wie seine langsamste Kopie
doctor-pool-one-copy-why = ohne zweite Kopie sind die Ergebnisse besser als die eines Pools, der den Verlust eines Datenträgers übersteht
doctor-pool-one-copy-do = einen Pool mit so vielen Kopien messen, wie im Betrieb verwendet werden
doctor-route = { $layer }: Server { $server } wird über { $interface } erreicht ({ $mbit } Mbit/s, MTU { $mtu }), höchstens { $payload }/s je Richtung
doctor-route-why = die Verbindung begrenzt die Bandbreite: Ergebnisse nahe dieser Rate sind die der Verbindung
doctor-route-do = eine schnellere Verbindung verwenden, oder die Bandbreite als die der Verbindung angeben
doctor-route-half-duplex = { $layer }: Server { $server } wird über { $interface } erreicht ({ $mbit } Mbit/s, Halbduplex, MTU { $mtu }), höchstens { $payload }/s in beiden Richtungen zusammen
doctor-route-half-duplex-why = eine Verbindung in Halbduplex hat Kollisionen; meist ist die Aushandlung mit dem Switch gescheitert
doctor-route-half-duplex-do = beide Enden auf automatische Aushandlung stellen, oder das Kabel ersetzen
doctor-route-bond = { $layer }: Server { $server } wird über { $interface } erreicht ({ $members }; zusammen { $mbit } Mbit/s, MTU { $mtu }), höchstens { $payload }/s je Richtung
doctor-route-bond-why = eine Verbindung benutzt ein Mitglied: ein Mount mit einer Verbindung erreicht nur dessen Anteil
doctor-route-bond-do = mehrere Verbindungen verwenden (nconnect, Multipath), oder die Rate eines Mitglieds angeben
doctor-route-unknown-speed = { $layer }: Server { $server } wird über { $interface } erreicht (Geschwindigkeit unbekannt, MTU { $mtu })
doctor-route-unknown-speed-why = die Grenze des Netzwerks ist hier nicht sichtbar
doctor-route-unknown-speed-do = das Netzwerk mit iperf3 messen und die Bandbreite vergleichen
doctor-route-loopback = { $layer }: Server { $server } ist diese Maschine
doctor-route-loopback-why = Client und Server teilen sich CPUs und Arbeitsspeicher, und kein Netzwerk wird gemessen
doctor-route-loopback-do = von einer anderen Maschine aus messen
doctor-shaper = { $layer }: { $kind } (tc) begrenzt, was { $interface } sendet, auf { $mbit } Mbit/s, höchstens { $payload }/s an Daten
doctor-shaper-why = Schreibzugriffe nahe dieser Rate begrenzt diese Maschine, nicht der Server
doctor-shaper-do = die Grenze erhöhen oder entfernen (tc qdisc show dev SCHNITTSTELLE), oder die Bandbreite als die der Grenze angeben
doctor-server-unknown = { $layer }: die Adresse des Servers oder der Weg dorthin ist hier nicht sichtbar
doctor-server-unknown-why = ob das Netzwerk die Ergebnisse begrenzt, lässt sich nicht sagen
doctor-server-unknown-do = die Bandbreite selbst mit der Geschwindigkeit der Verbindung vergleichen
doctor-client-library = { $layer }: über { $library } erreicht, Server { $servers }
doctor-small-pool = { $layer }: Pool { $name }: { $groups } Placement Groups x { $size } (Kopien) / { $osds } (OSDs) = { $each } je OSD
doctor-small-pool-why = ein OSD bearbeitet die Schreibzugriffe einer Gruppe nacheinander, und wenige Gruppen verteilen die Last ungleich
doctor-small-pool-do = pg_num erhöhen (Ceph strebt 100 je OSD an), oder es beim Ergebnis angeben
doctor-server-profile = { $layer }: Erasure-Code des Pools { $name }: { $profile }
doctor-server-profile-why = ein Schreibzugriff, der kleiner als ein Stripe ist, liest zuerst dessen Rest
doctor-server-profile-do = ganze Stripes schreiben, oder mit einem replizierten Pool vergleichen
doctor-server-health = { $layer }: Cluster { $checks }
doctor-server-health-why = ein Cluster mit offenen Problemen kann langsamer sein oder weniger Kopien halten
doctor-server-health-do = ceph health detail ansehen
doctor-server-idle = { $layer }: keine Recovery und kein Scrub im Cluster
doctor-server-activity = { $layer }: Placement Groups in Recovery: { $recovering }, in Scrub: { $scrubbing }, mit fehlenden Kopien: { $degraded }
doctor-server-activity-why = Recovery und Scrub nehmen den Clients Platten und Netz; mit fehlenden Kopien gehen Schreibzugriffe auf weniger Platten
doctor-server-activity-do = warten, bis ceph -s active+clean zeigt, oder während der Messung noscrub und nodeep-scrub setzen
doctor-server-osds = { $layer }: OSDs: { $n }, Rechner: { $hosts }: { $list }
doctor-server-osds-why = ein Pool ist nicht schneller als diese Platten
doctor-server-osds-do = auch die Platten messen: der Unterschied ist Ceph und Netz
doctor-server-osds-memory-why = ein OSD mit memstore hält seine Objekte im Speicher: es wird keine Platte gemessen
doctor-server-osds-memory-do = einen Cluster mit BlueStore auf Platten messen
doctor-server-image = { $layer }: Image von { $size }, Objekte von { $object }, Stripes von { $n } x { $unit }, Features: { $features }
doctor-server-image-why = ein Zugriff über das Ende eines Objekts hinaus wird zu mehreren Zugriffen
doctor-server-image-do = Blöcke verwenden, die die Objekte teilen, und Layout und Features beim Ergebnis angeben
doctor-server-allocated = { $layer }: { $used } von { $size } haben Speicherplatz ({ $part })
doctor-server-allocated-why = Lesezugriffe auf nie geschriebene Blöcke erreichen keine Platte, und erste Schreibzugriffe belegen Platz
doctor-server-allocated-do = das ganze Ziel vor der Messung einmal beschreiben
doctor-server-cache = { $layer }: Cache von { $library }: { $size }, { $policy }
doctor-server-cache-why = der Cache kann Schreibzugriffe bestätigen, bevor der Cluster sie hat, und Lesezugriffe selbst beantworten
doctor-server-cache-do = rbd_cache=false setzen, oder mehr Daten als der Cache verwenden und die Schreibzugriffe synchronisieren
doctor-server-cache-off = { $layer }: Cache von { $library } ist aus
doctor-server-limits = { $layer }: Grenzen: { $limits }
doctor-server-limits-why = Ergebnisse nahe einer Grenze sind die der Grenze
doctor-server-limits-do = die Grenzen entfernen, um den Speicher zu messen, oder sie beim Ergebnis angeben
doctor-server-clients = { $layer }: andere Clients: { $clients }
doctor-server-clients-why = ihre Zugriffe beeinflussen die Ergebnisse, und ein schreibender Lauf würde ihre Daten zerstören
doctor-server-clients-do = diese Clients beenden, oder ein anderes Ziel messen
doctor-server-nfs = { $layer }: NFS { $version }, { $export }, größte Zugriffe: { $read } lesend, { $written } schreibend
doctor-server-lun = { $layer }: LUN { $lun } von { $target }: { $model }, logische Blöcke von { $block } Bytes, physische von { $physical_block }, { $flags }
doctor-server-export = { $layer }: NBD-Export: { $flags }; kleinster Zugriff { $least }, bevorzugt { $wanted }, größter { $most }
doctor-server-round-trip = { $layer }: Umlaufzeit von TCP: { $mean } (kleinste { $least })
doctor-replication = { $layer }: { $copies } Kopien auf { $hosts } Rechnern: mit { $mbit } Mbit/s an jedem Rechner erreichen Schreibzugriffe aller Clients höchstens { $payload }/s
doctor-replication-why = jede Kopie jedes Schreibzugriffs geht über die Verbindung eines Rechners; die Verbindungen zwischen den Rechnern sind hier nicht sichtbar
doctor-replication-do = ein schnelleres Netz zwischen den OSDs verwenden, oder diese Grenze angeben
