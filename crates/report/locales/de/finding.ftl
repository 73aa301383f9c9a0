grade-trusted = keine Mängel gefunden
grade-caveats = mit Vorbehalten
grade-conditions = nur unter den unten genannten Bedingungen
grade-not-the-device = nicht das Gerät gemessen
finding-rule-memory = Speicher
finding-rule-errors = Fehler
finding-rule-end = Ende
finding-rule-stopped = Halt
finding-rule-size = Größe
finding-rule-network = Netzwerk
finding-page-cache = { $served } der gelesenen { $read } kamen aus dem Page-Cache, nicht vom Gerät
finding-page-cache-fits-memory = { $served } der gelesenen { $read } kamen aus dem Page-Cache, nicht vom Gerät: die { $data } Daten passen in die { $memory } Arbeitsspeicher
finding-writes-cached = bei Laufende hatten erst { $there } der geschriebenen { $written } das Gerät erreicht: der Rest lag im Page-Cache
finding-writes-returned-early = der Median der Schreiblatenz von { $half } ist der des Page-Cache: auf { $device } dauerte ein Schreibzugriff { $at_device }
finding-cache-below-write = { $upper } nahm { $above } an Schreibdaten an, aber nur { $below } erreichten { $lower } darunter: den Rest fing ein Cache dazwischen ab
finding-cache-below-read = { $upper } lieferte { $above } an Lesedaten, aber nur { $below } kamen von { $lower } darunter: den Rest lieferte ein Cache dazwischen
finding-above-link = die gemessenen { $seen } übersteigen, was die Verbindung zu { $device } überträgt ({ $ceiling }): einen Teil der I/O erledigte ein Cache
finding-too-fast-for-rotational = der Median der Latenz zufälliger Lesezugriffe von { $p50 } ist zu kurz für die Festplatte { $device }: ein Cache lieferte die Daten
finding-tiny-span-passes = der Bereich von { $span } wurde { $passes ->
        [one] { $passes }-mal
       *[other] { $passes }-mal
    } durchlaufen: er passt womöglich in den Cache des Laufwerks
finding-tiny-span-random = zufällige I/O umfasste nur { $span }: das passt vollständig in den Page-Cache
finding-no-queue = die Engine { $engine } hält nur eine I/O gleichzeitig: iodepth={ $asked } war wirkungslos
finding-no-queue-reached = die Engine { $engine } hält nur eine I/O gleichzeitig: iodepth={ $asked } war wirkungslos (mittlere Queue-Tiefe { $reached })
finding-blocking-submit-buffered = ohne direct=1 blockiert { $engine } im Absendeaufruf
finding-blocking-submit-buffered-measured = ohne direct=1 blockiert { $engine } im Absendeaufruf: mittlere Queue-Tiefe { $reached } von { $asked }, { $call } der Latenz entfallen auf den Aufruf
finding-blocking-submit-direct = der Absendeaufruf blockierte
finding-blocking-submit-direct-measured = der Absendeaufruf blockierte: mittlere Queue-Tiefe { $reached } von { $asked }, { $call } der Latenz entfallen auf den Aufruf
finding-shallow = die mittlere Queue-Tiefe betrug { $reached } statt { $asked } (iodepth x numjobs)
finding-started-late = das Gerät kam der Aufzeichnung nicht nach: { $late } der Anfragen begannen mehr als { $limit } zu spät (p99 der Verspätung { $p99 })
finding-think-time = die Denkzeit (thinktime) hält die Warteschlange leer: iodepth={ $asked }, aber sie läuft vor jeder Pause leer
finding-think-time-blocks = die Denkzeit (thinktime) hält die Warteschlange leer: sie läuft nach je { $blocks } I/Os leer, bei iodepth={ $asked }
finding-think-time-reached = die Denkzeit (thinktime) hält die Warteschlange leer: mittlere Queue-Tiefe { $reached } von { $asked }, Pausen eingerechnet
finding-never-written = { $part } von { $path } ({ $missing }) wurden nie geschrieben: Lesezugriffe darauf liefern Nullen ohne Geräte-I/O
finding-zeros = { $zero } von { $sampled } geprüften Blöcken von { $path } enthalten nur Nullen: ein Laufwerk kann solche Blöcke liefern, ohne sein Medium zu lesen
finding-compressible = { $smaller } der geschriebenen Daten sind komprimierbar: ein komprimierendes Laufwerk schreibt weniger
finding-compressible-layer = { $layer } komprimiert, und { $smaller } der geschriebenen Daten sind komprimierbar: weniger davon erreicht das Gerät
finding-step-down-write = nach { $at_s } s und { $until } fiel die Schreibrate von { $before } auf { $after }: ein Schreibcache war voll oder ein Burst-Guthaben aufgebraucht
finding-rate-dropped = nach { $at_s } s fiel die Rate für { $seconds } s von { $before } auf { $during } IOPS
finding-rate-dropped-end = nach { $at_s } s fiel die Rate von { $before } auf { $during } IOPS, bis zum Ende
finding-rate-dropped-stop = nach { $at_s } s fiel die Rate von { $before } auf { $during } IOPS, was den Lauf beendete (--stop-on-drop)
finding-step-down-read = nach { $at_s } s und { $until } fiel die Rate von { $before } auf { $after }: ein Burst-Guthaben war aufgebraucht oder ein Cache lieferte die Daten nicht mehr
finding-unsteady = kein stationärer Zustand: die Rate driftete während des Laufs um { $slope } und schwankte in einer Spanne von { $range }
finding-write-back-cache = der Median der Latenz zufälliger Schreibzugriffe von { $p50 } ist zu kurz für die Festplatte { $device }: ein Write-Back-Cache bestätigte sie
finding-too-short-rate-uncertain = nach { $seconds } s ist die mittlere Rate nur auf { $half } nach oben und unten bekannt
finding-too-short-few-ios = { $ios ->
        [one] { $ios } I/O
       *[other] { $ios } I/Os
    } in { $seconds } s sind zu wenige für ein p99: { $above ->
        [0] keine davon liegt
        [one] nur { $above } davon liegt
       *[other] nur { $above } davon liegen
    } darüber
finding-too-short-no-interval = { $seconds } s sind zu kurz, um die Schwankung der Rate zu schätzen
finding-size-ran-out = der Job endete nach { $ran_s } s von { $asked_s } s, weil sein ganzer Umfang übertragen war
finding-short-stroke = zufällige I/O umfasste nur { $span } von { $capacity } ({ $part }) und dauerte je { $each }: die Köpfe bewegten sich kaum (Short-Stroking)
finding-overlap = { $clones } sequenzielle Jobs durchliefen denselben Bereich: gezählt sind { $counted }, verschieden { $distinct }
finding-repeated = auf jeden Block wurde im Mittel { $times }-mal über den Page-Cache zugegriffen, der wiederholte Lesezugriffe aus dem Speicher bedient
finding-uneven-offsets = die zufälligen Offsets waren nicht gleichverteilt: { $ios } der I/Os gingen an { $part } des Bereichs ({ $samples } Stichproben, Chi-Quadrat p { $chance })
finding-generator = ein Job-Thread belegte { $busy } einer CPU: die CPU war die Grenze, nicht das Gerät
finding-cpu-quota = ein CPU-Kontingent (cpu.max) hielt fathom für { $stopped } an
finding-cpu-steal = der Hypervisor gab { $stolen } der CPU-Zeit an andere Gäste ab (steal)
finding-cpu-contention = ein Job-Thread wartete { $part } des Laufs auf eine freie CPU, und das Warten zählt als Latenz
finding-cpus-busy = Tasks warteten während { $part } der Messung auf eine freie CPU: Größen und Latenzen können falsch sein
finding-stopped = fathom war { $stopped } lang angehalten, { $part } des Laufs (SIGSTOP, Ctrl+Z, eingefrorene Kontrollgruppe oder pausierte virtuelle Maschine), und die Werte enthalten diese Zeit
finding-filling-buffers = ein Job-Thread verbrachte { $part } seiner Zeit damit, die zu schreibenden Daten zu erzeugen
finding-far-node = { $device } hängt am NUMA-Knoten { $node }, der Job lief aber auf einem anderen
finding-slowed-by-heat = { $device } wurde { $times }-mal wegen seiner Temperatur langsamer, nach eigener Zählung { $seconds } s lang
finding-hot = { $device } war { $minutes } min lang an seiner Warntemperatur
finding-slow-link = die Verbindung zu { $device } läuft mit { $now }, obwohl sie { $most } unterstützt
finding-misaligned = { $device } ist nicht an den darunterliegenden Blöcken von { $block } ausgerichtet: jede I/O berührt zwei davon
finding-misaligned-partition = { $device } beginnt bei Sektor { $start_sector }, keinem Vielfachen von { $block }: jede I/O berührt zwei Blöcke darunter
finding-partial-sector = Schreibzugriffe von { $block } sind kleiner als die Sektoren von { $device } ({ $sector }), das ganze Sektoren liest, ändert und schreibt
finding-split = jede I/O von { $block } wurde auf { $device } in { $ratio } I/Os zerlegt: die IOPS des Geräts sind das { $ratio }-Fache derer des Jobs
finding-split-largest = jede I/O von { $block } wurde auf { $device } in { $ratio } I/Os zerlegt (höchstens { $most } auf einmal): die IOPS des Geräts sind das { $ratio }-Fache derer des Jobs
finding-merged = je { $ratio } I/Os von { $block } wurden auf { $device } zu einer zusammengefasst: die IOPS des Jobs sind nicht die des Geräts
finding-busy-is-not-full = { $device } war { $busy } der Zeit belegt, bei { $at_once } parallelen Anforderungen: die Auslastung allein zeigt keine Sättigung
finding-idle-while-waiting = { $in_flight } I/Os waren in Bearbeitung, während { $device } nur { $busy } der Zeit belegt war: sie wurden oberhalb des Geräts zurückgehalten
finding-no-busy-time = { $device } zählt seine Belegtzeit nicht: sein util ist ohne Aussage
finding-mean-hides = der Mittelwert { $mean } ist nicht typisch: Median { $p50 }, Maximum { $most }
finding-stall = eine I/O dauerte { $longest }: bei dieser Rate wären währenddessen { $missed } Anforderungen fällig gewesen (Coordinated Omission)
finding-pauses = { $count ->
        [one] { $count } Pause
       *[other] { $count } Pausen
    } ohne abgeschlossene I/O: die längste { $longest }, zusammen { $part } des Laufs
finding-pauses-periodic = { $count ->
        [one] { $count } Pause
       *[other] { $count } Pausen
    } ohne abgeschlossene I/O im Abstand von { $every }: die längste { $longest }, zusammen { $part } des Laufs
finding-pauses-cpu-busy = { $pauses }; Job-Threads warteten auch auf eine CPU, was nicht die Ursache sein muss
finding-pauses-pattern = { $pattern }: { $count ->
        [one] { $count } Pause
       *[other] { $count } Pausen
    } ohne abgeschlossene I/O: die längste { $longest }, zusammen { $part } der { $seconds } dieses Musters
finding-other-load = { $device } las { $read } und schrieb { $written }, davon entfallen { $our_read } und { $our_written } auf diesen Lauf: ein anderer Prozess benutzte das Gerät
finding-other-load-or-file-system = { $device } las { $read } und schrieb { $written }, davon entfallen { $our_read } und { $our_written } auf diesen Lauf: ein anderer Prozess oder das Dateisystem benutzte das Gerät
finding-rebuilding = { $device } führte während des Tests einen Hintergrundvorgang aus ({ $action })
finding-cap-server = die gemessenen { $seen } entsprechen der Grenze, die der Server für { $device } setzt ({ $limit })
finding-cap = die gemessenen { $seen } entsprechen der Grenze der Kontrollgruppe für { $device } ({ $limit })
finding-bursts = { $waited } der I/Os dauerten etwa { $wait }, der Median ist { $half }: vermutlich eine Grenze von { $iops } IOPS, die I/Os schubweise durchlässt
finding-bursts-every = { $waited } der I/Os dauerten etwa { $wait }, der Median ist { $half }: vermutlich eine Grenze von { $iops } IOPS, die alle { $period } I/Os durchlässt
finding-no-time = { $part } der I/Os dauerten unter 2 us: die Uhr ist falsch oder ein Cache antwortete
finding-not-durable = Schreibzugriffe wurden nicht geflusht: sie lagen noch im Arbeitsspeicher, als sie gezählt wurden
finding-not-durable-device-cache = Schreibzugriffe wurden nicht geflusht: { $device } hält sie womöglich in einem flüchtigen Cache
finding-synced-at-end = geschrieben wurde über den Page-Cache, ein Sync am Ende leerte ihn: die Rate enthält ihn, die Latenzen sind die des Page-Cache
finding-state-carried = dieser Job liest, was { $before } zuvor zufällig geschrieben hat: das Gerät ist nicht im Ausgangszustand
finding-nearly-full = das Dateisystem ist zu { $full } voll
finding-copy-on-write = { $kind } schreibt jeden Block an eine neue Stelle (Copy-on-Write): die Werte enthalten dessen Allokation
finding-random-beats-sequential = zufällige I/O ({ $random }) ist schneller als der sequenzielle Job { $sequential } ({ $ordered })
finding-memory-no-storage = kein Speicher wurde benutzt: gemessen wurde nur der Lastgenerator
finding-memory-no-device = { $kind } hält seine Dateien im Arbeitsspeicher: kein Datenträger wurde gemessen
finding-below-memory = { $device } hält seine Daten im Arbeitsspeicher ({ $kind }): kein Datenträger wurde gemessen
finding-overlay = { $path } liegt auf overlayfs: der erste Schreibzugriff auf eine Datei der unteren Schicht kopiert sie ganz
finding-failed = { $failed } von { $all } I/Os schlugen fehl: die Werte gelten nur für die übrigen
finding-interrupted = der Lauf wurde abgebrochen, bevor ein I/O fertig war
finding-ended-early = beendet durch { $by }: die Werte umfassen die Zeit bis dahin
finding-ended-by-error = ein Fehler beendete den Job: die Werte umfassen ihn nicht ganz
finding-no-completion = keine I/O wurde abgeschlossen: nichts wurde gemessen
finding-size-times-jobs = { $clones } Jobs zu je { $each } übertragen zusammen { $whole }
advice-page-cache = direct=1 verwenden
advice-writes-returned-early = direct=1 verwenden, oder fdatasync=1, um auf das Gerät zu warten
advice-writes-cached = direct=1 verwenden, oder end_fsync=1, um den Rest einzurechnen
advice-cache-below = auch den Cache unter { $upper } umgehen (bei einem Loop-Gerät: losetup --direct-io=on)
advice-above-link = den Cache oberhalb der Verbindung finden und umgehen
advice-too-fast-for-rotational = zufällig über die ganze Festplatte lesen
advice-tiny-span = einen Bereich verwenden, der ein Vielfaches aller Caches ist, oder das ganze Gerät
advice-no-queue = ioengine=io_uring oder libaio mit direct=1 verwenden, oder numjobs erhöhen
advice-blocking-submit-buffered = direct=1 hinzufügen
advice-blocking-submit-direct = auf allozierende Schreibzugriffe, eine volle Anforderungsschlange (nr_requests) oder ein Dateisystem ohne asynchrone Direct-I/O prüfen
advice-think-time = die Werte beschreiben die Pausen, nicht das Gerät: für eine Messung des Geräts thinktime weglassen
advice-think-time-blocks = thinktime_blocks auf ein Vielfaches von iodepth erhöhen oder die Last mit rate_iops statt thinktime begrenzen
advice-never-written = zuerst füllen: fathom prefill { $path }
advice-zeros = zuerst mit nicht komprimierbaren Daten füllen
advice-zeros-server = zuerst mit nicht komprimierbaren Daten füllen, was den Inhalt überschreibt: { $command } (wird es verweigert: --allow-destroy={ $path } hinzufügen)
advice-compressible = nicht komprimierbare Daten schreiben (ohne die Optionen zero_buffers, pattern, dedupe, compress) und vergleichen
advice-rate-dropped = zu dieser Zeit nach einem vollen Cache, verbrauchtem Guthaben, der Temperatur des Laufwerks oder anderer Last suchen
advice-step-down = die niedrigere Rate angeben; ramp_time hinter den Abfall legen, um nur sie zu messen
advice-unsteady = länger messen, oder den Anfang mit ramp_time ausschließen
advice-write-back-cache = mehr schreiben, als der Cache des Controllers fasst
advice-too-short = länger messen, bevor dieser Wert verglichen wird
advice-size-ran-out = time_based hinzufügen
advice-short-stroke = zufällige I/O über das ganze Gerät messen, die langsamer ist
advice-overlap = jedem Job einen eigenen Bereich (offset_increment) oder eine eigene Datei geben
advice-repeated = eine größere Datei verwenden, oder direct=1
advice-uneven-offsets = nicht als zufällige I/O über den ganzen Bereich angeben; den Job als Fehler von fathom melden
advice-generator = mehr Jobs, größere Blöcke oder eine sparsamere Engine verwenden
advice-cpu-limited = dort messen, wo CPU-Zeit nicht begrenzt ist
advice-cpu-contention = andere CPU-Last beenden, oder weniger Jobs verwenden
advice-cpus-busy = auf unbelasteten CPUs erneut messen
advice-stopped = den Lauf ohne Unterbrechung wiederholen
advice-pauses = lange genug für viele Pausen messen, und Perzentile statt Mittelwerte angeben
advice-below-memory = diese Werte nicht als die eines Datenträgers angeben
advice-overlay = ein Dateisystem mit eigenem Gerät verwenden, oder ein Volume
advice-filling-buffers = mehr Jobs verwenden, oder refill_buffers weglassen
advice-far-node = numa_cpu_nodes={ $node } setzen
advice-slowed-by-heat = das Laufwerk kühlen, oder die Rate als die eines heißen Laufwerks angeben
advice-slow-link = Steckplatz und Kabel prüfen
advice-misaligned = neu anlegen, an einem Vielfachen von 1 MiB
advice-misaligned-partition = die Partition neu anlegen, ab Sektor 2048
advice-partial-sector = in Vielfachen von { $sector } schreiben
advice-split = die Bandbreite angeben, oder eine Blockgröße verwenden, die nicht zerlegt wird
advice-merged = die Bandbreite angeben, oder direct=1 mit zufälliger I/O verwenden
advice-idle-while-waiting = nach einer Grenze oberhalb des Geräts suchen (Kontrollgruppe, Cloud-Volume)
advice-no-busy-time = util der Geräte darunter verwenden
advice-mean-hides = Perzentile angeben
advice-other-load = die andere Last beenden und den Lauf wiederholen
advice-rebuilding = warten, bis er abgeschlossen ist
advice-cap = als Grenze angeben, nicht als Geschwindigkeit des Geräts
advice-bursts = mit doppelter iodepth wiederholen: unter einer Grenze bleiben die IOPS gleich
advice-no-time = die Zeitquelle (clocksource) prüfen
advice-not-durable = mit fdatasync=1 vergleichen
advice-synced-at-end = nur die Rate angeben; für Latenzen direct=1 oder fdatasync=1 verwenden
advice-state-carried = die Jobs so ordnen, dass jeder im gewünschten Zustand beginnt
advice-nearly-full = Platz schaffen: viele Dateisysteme sind fast voll langsamer
advice-random-beats-sequential = nach einem Cache suchen, oder nach einem sequenziellen Job mit nur einer I/O gleichzeitig
advice-interrupted = den Lauf zu Ende laufen lassen
advice-ended-by-error = den Fehler beheben und den Lauf wiederholen
advice-no-completion = Umfang und Grenzen des Jobs prüfen
advice-failed = die Fehlermeldung lesen; bei einem Datenträger dieser Maschine das Kernel-Log (dmesg) und die Schichten darunter prüfen
advice-started-late = iodepth erhöhen oder die Aufzeichnung mit replay_time_scale verlangsamen
finding-not-committed = Schreibzugriffe auf { $layer } wurden nicht gesichert: von { $written } hatte der Server am Ende { $there } erhalten; COMMIT-Anfragen: { $commits }
finding-export-unknown = ob der Server von { $layer } Geschriebenes auf seinem Datenträger hat, wenn er es bestätigt, ist für den Client nicht sichtbar: ein async-Export bestätigt aus dem Arbeitsspeicher
finding-soft-mount = { $layer } ist ein Soft-Mount: eine Anfrage, die der Server nicht innerhalb von { $seconds } s beantwortet, wird zum I/O-Fehler
finding-attributes-cached = { $layer } speichert Attribute bis zu { $seconds } s: Aufrufe für bekannte Dateien sandten keine Anfrage an den Server
finding-link-limit = { $seen } sind die Nutzlast der Verbindung: { $interface } läuft mit { $mbit } Mbit/s, die { $payload } übertragen
finding-shaper-limit = { $seen } ist die Grenze von { $interface }: { $shaper } (tc) sendet höchstens { $mbit } Mbit/s, das sind { $payload } an Daten
finding-rate-of-link = { $seen } sind die Nutzlast einer Verbindung mit { $mbit } Mbit/s ({ $payload }); { $interface } meldet seine Geschwindigkeit nicht
finding-segments-repeated = { $repeated } von { $sent } TCP-Segmenten ({ $part }, alle Verbindungen der Maschine) wurden erneut gesendet
finding-requests-repeated = { $repeated } von { $requests } Anfragen an den Server von { $layer } wurden erneut gesendet, weil keine Antwort gekommen war
finding-reconnected = die Verbindung von { $layer } zum Server ging verloren und wurde neu aufgebaut, Anzahl: { $times }
finding-server-silent = { $layer }: { $longest } lang wurde nichts fertig; nach { $seconds } s wäre I/O fehlgeschlagen ({ $setting })
finding-server-silent-waits = { $layer }: { $longest } lang wurde nichts fertig; I/O wartet unbegrenzt auf den Server ({ $setting })
advice-not-committed = fsync=1 oder end_fsync=1 hinzufügen, oder direct=1 verwenden
advice-export-unknown = den Export auf dem Server prüfen (exportfs -v) und mit dem Ergebnis angeben
advice-soft-mount = mit „hard“ einhängen, oder die Einstellung mit dem Ergebnis angeben
advice-attributes-cached = mit actimeo=0 einhängen, um den Server zu messen, oder Dateien verwenden, die der Client nicht kennt
advice-link-limit = eine schnellere Verbindung oder mehrere verwenden, oder die Bandbreite als die der Verbindung angeben
advice-shaper-limit = die Grenze erhöhen oder entfernen (tc qdisc show dev SCHNITTSTELLE), oder die Bandbreite als die der Grenze angeben
advice-rate-of-link = die Geschwindigkeit jeder Verbindung zum Server prüfen (ethtool auf beiden Maschinen und auf dem Rechner unter einer virtuellen Maschine), oder das Netzwerk mit iperf3 messen
advice-segments-repeated = Fehler von Schnittstelle und Switch suchen (ip -s link, ethtool -S), und Überlast
advice-requests-repeated = die Last des Servers ansehen, und verlorene Pakete suchen
advice-reconnected = das Protokoll des Servers und des Kernels (dmesg) zu dieser Zeit ansehen
advice-server-silent = das Protokoll des Servers und das Netzwerk zu dieser Zeit ansehen
finding-segments-repeated-own = { $repeated } von { $sent } TCP-Segmenten an die Server ({ $part }) wurden wiederholt
finding-small-pool = Pool { $pool } hat wenige Placement Groups: { $groups }, Kopien: { $copies }, OSDs: { $osds }
finding-cluster-busy = während des Laufs liefen im Cluster von { $layer } Recovery oder Scrub: Placement Groups in Recovery: { $recovering }, in Scrub: { $scrubbing }
finding-library-cache = der Cache von { $library } ({ $size }, { $policy }) kann Schreibzugriffe bestätigen, bevor der Cluster sie hat
finding-replication-limit = { $seen } mit { $copies } Kopien geschrieben ist, was die Verbindungen von { $hosts } Rechnern mit { $mbit } Mbit/s tragen: { $payload }
advice-small-pool = pg_num erhöhen (Ceph strebt 100 je OSD an), oder es beim Ergebnis angeben
advice-cluster-busy = den Lauf wiederholen, wenn ceph -s active+clean und keinen Scrub zeigt
advice-library-cache = rbd_cache=false setzen, um den Cluster zu messen, oder den Cache beim Ergebnis angeben
advice-replication-limit = ein schnelleres Netz zwischen den OSDs verwenden, oder die Bandbreite als die dieses Netzes angeben
