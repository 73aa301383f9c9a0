# Runs: errors, refusals, notes.
run-refused-overwrite = abgelehnt: { $writer } würde { $path } überschreiben: { $found }; um den Inhalt zu zerstören, --allow-destroy={ $path } angeben
run-refused-overwrite-fio = abgelehnt: { $writer } würde { $path } überschreiben: { $found }; um den Inhalt zu zerstören, --allow-destroy={ $path } angeben (oder FATHOM_FIO_UNGUARDED=1 setzen, dann gelten die Regeln von fio)
run-refused-in-use = abgelehnt: { $writer } würde { $path } überschreiben: { $found }; { $writer } schreibt auf nichts, was benutzt wird: diese Benutzung zuerst beenden
run-refused-used-elsewhere = abgelehnt: { $writer } würde { $path } überschreiben: { $found }; diese Benutzung zuerst beenden: --allow-destroy erlaubt das nicht
run-refused-unusable = abgelehnt: { $writer }: { $path } { $kind }
run-refused-fills-file-system = abgelehnt: fill_device=1 würde das Dateisystem von { $path } bis zum letzten Block füllen; size= angeben, höchstens { $most }
run-refused-no-space = abgelehnt: Platz: die Jobs würden { $wanted } in das Dateisystem von { $path } schreiben, in dem { $free } frei sind ({ $reserve } müssen frei bleiben); size=, io_size=, nrfiles= oder numjobs= verringern oder ein anderes directory= wählen
run-no-space-for-layout = fathom: Platz: die Dateien, die vor dem Lauf geschrieben werden, brauchen { $wanted }, im Dateisystem von { $path } sind { $free } frei; size=, nrfiles= oder numjobs= verringern oder ein anderes directory= wählen
run-refused-wear-budget = verweigert: auf { $path } würden { $planned } geschrieben, vom --wear-budget von { $budget } sind aber nur { $left } übrig; --wear-budget erhöhen oder weglassen
run-refused-wear-budget-used = verweigert: die Schreibzugriffe auf { $path } brauchen mehr als das --wear-budget von { $budget }, von dem { $left } übrig sind; --wear-budget erhöhen oder weglassen
run-refused-no-endurance = verweigert: die Lebensdauer von { $path } ist nicht bekannt (kein Flash-Laufwerk); --wear-budget braucht hier Bytes, z. B. 10G
run-writer-job = Job { $name }

# What speaks against writing to a target.
run-found-cannot-open = es lässt sich nicht öffnen, um den Inhalt zu prüfen ({ $error })
run-found-cannot-read = das erste und das letzte MiB lassen sich nicht lesen, um den Inhalt zu prüfen ({ $error })
run-found-replaced = während der Prüfung hat eine andere Datei oder ein anderes Gerät seinen Platz eingenommen
run-found-unknown-data = { $used } (`blkdiscard { $path }` verwirft sie)
run-found-unknown-to-sysfs = sysfs führt das Gerät nicht auf, seine Verwendung ist also unbekannt
run-found-not-examined = sein Inhalt wird nicht untersucht
run-found-not-named = dieser Befehl schreibt auf ein Gerät nur mit --allow-destroy
run-found-held-exclusively = ein anderes Programm oder der Kernel hält das Gerät exklusiv (EBUSY)
run-found-object = der Server hat unter diesem Namen das Objekt { $name }
run-found-cannot-list = der Server kann nicht sagen, welche Blöcke dieses Namens er hat
run-found-clients = andere Clients haben es offen: { $clients } (Ceph zählt einen beendeten Client noch etwa 30 s)
run-found-changing = der Inhalt ({ $what }) änderte sich bei Byte { $offset }, während er beobachtet wurde: ein anderer Rechner oder ein Programm benutzt es (anderswo eingehängt?)
run-found-changing-by = der Inhalt ({ $what }) ist auf einem anderen Rechner eingehängt: { $host } schrieb den Schutzblock (MMP) bei Byte { $offset }, während er beobachtet wurde, als { $device }
run-found-reserved = ein Initiator hat es reserviert ({ $kind }, Schlüssel { $key }); sg_persist gibt es frei
run-found-reserved-by = { $holder } hat es reserviert ({ $kind }, Schlüssel { $key }); sg_persist gibt es frei
run-found-open-elsewhere = ein anderes Programm hat die Datei geöffnet
run-found-other-run = ein anderer Prozess von fathom auf diesem Rechner schreibt darauf
run-found-exists = die Datei existiert schon ({ $bytes } Bytes), und { $because }

# Why a file does not count as fathom's.
run-not-ours-on-server = Dateien und Objekte auf Servern tragen kein Kennzeichen von fathom
run-not-ours-unmarked = fathom hat sie nicht angelegt
run-not-ours-other-version = ihre Markierung stammt von einer anderen Version von fathom und beweist nichts
run-not-ours-copy = sie trägt die Markierung einer anderen Datei: sie ist eine Kopie, die fathom nicht angelegt hat
run-not-ours-hard-links = sie hat { $names } Namen (harte Links)
run-not-ours-changed = sie wurde geändert, nachdem fathom sie geschrieben hat
run-not-ours-pattern-interrupted = ein Lauf, der ein Muster hineinschrieb, wurde unterbrochen, der Inhalt beweist also nichts
run-not-ours-unreadable-mark = ihre Markierung ist nicht lesbar
run-not-ours-unreadable = ihr Inhalt lässt sich nicht lesen ({ $error })
run-not-ours-replaced = während der Prüfung hat eine andere Datei ihren Platz eingenommen
run-not-ours-foreign-data = ab Byte { $offset } enthält sie Daten, die fathom nicht geschrieben hat

# What a path names that a job cannot use; the path stands before.
run-unusable-directory-to-remove = ist ein Verzeichnis, das dieser Lauf nicht angelegt hat und das der Job entfernen würde
run-unusable-directory = ist ein Verzeichnis; ein Ziel ist eine Datei oder ein Gerät
run-unusable-named-pipe = ist eine benannte Pipe; ein Ziel ist eine Datei oder ein Gerät
run-unusable-socket = ist ein Socket; ein Ziel ist eine Datei oder ein Gerät
run-unusable-kernel-file = ist eine Datei des Kernels, hinter der kein Speicher steht; ein Ziel ist eine Datei oder ein Gerät
run-unusable-no-device = ist nicht vorhanden, und an seiner Stelle würde eine Datei zwischen den Geräteknoten angelegt; lsblk zeigt die Laufwerke

# Why a run did not begin.
run-error-counter-memory = kein Speicher für die Zähler: { $source }
run-error-job-thread = der Thread eines Jobs lässt sich nicht starten (numjobs über der Höchstzahl der Threads?): { $source }
run-error-model-beside-others = ioengine=model läuft in virtueller Zeit: entweder verwenden alle Jobs eines Laufs model oder keiner; die Jobdatei aufteilen
run-error-model-waits = ioengine=model läuft in virtueller Zeit, in der es wait_for nicht gibt; stattdessen stonewall verwenden
run-error-not-agreed = die anderen Hosts haben nicht zugestimmt
run-scheduler-forbidden = Job { $job }: ioscheduler={ $scheduler }: der I/O-Scheduler von { $disk } darf nicht geändert werden ({ $error }): als root ausführen
run-scheduler-unknown = Job { $job }: ioscheduler={ $scheduler }: { $disk } hat keinen solchen I/O-Scheduler; vorhanden: { $known }

# Limits of the host.
run-limit-open-files = offene Dateien: die gleichzeitig laufenden Jobs brauchen { $needed } Deskriptoren, das harte Limit ist { $limit } (ulimit -Hn); das Limit erhöhen, openfiles= setzen oder nrfiles= bzw. numjobs= verringern
run-limit-threads = Threads: { $needed } Jobs laufen gleichzeitig, jeder in einem Thread, und { $limit } lässt { $left } zu; das Limit erhöhen oder numjobs= verringern
run-limit-pids-max = pids.max der Control Group
run-limit-aio-requests = fs.aio-max-nr: die gleichzeitig laufenden libaio-Jobs brauchen { $needed } Anforderungen (iodepth x numjobs), { $used } von { $most } sind belegt; das Limit erhöhen (sysctl fs.aio-max-nr={ $enough }) oder iodepth= bzw. numjobs= verringern
run-limit-io-uring-disabled = kernel.io_uring_disabled: io_uring ist auf diesem Host abgeschaltet; io_uring zulassen (sysctl kernel.io_uring_disabled=0) oder ioengine=libaio verwenden
run-limit-locked-memory = gesperrter Speicher: lockmem= der gleichzeitig laufenden Jobs beträgt { $needed }, das Limit ist { $limit } (ulimit -Hl); das Limit erhöhen oder lockmem= bzw. numjobs= verringern
run-limit-memory = Speicher: die gleichzeitig laufenden Jobs brauchen { $buffers } für Puffer (iodepth x größter Block) und { $locked } für lockmem=, verfügbar sind { $available }; iodepth=, bs=, lockmem= oder numjobs= verringern
run-limit-inodes = Inodes: { $needed } neue Dateien werden angelegt, das Dateisystem von { $directory } hat noch { $free } freie Inodes; nrfiles= oder numjobs= verringern

# Lines about a job.
run-line-damage = fathom: { $file }, Offset { $offset }: { $damage }
run-damage-flip = { $bits -> 
    [one] gekipptes Bit: ein Bit weicht vom Geschriebenen ab
   *[other] gekippte Bits: { $bits } Bits weichen vom Geschriebenen ab
}
run-damage-torn = zerrissener Schreibvorgang: ein Teil des Blocks ist wie geschrieben, der Rest nicht
run-damage-lost = verlorener Schreibvorgang: der Block enthält, was früher an diese Stelle geschrieben wurde
run-damage-misdirected = fehlgeleitet: der Block enthält, was an Offset { $from } geschrieben wurde
run-damage-zeroed = genullt: der Block enthält nur Nullen
run-damage-shifted = verschoben: die Daten liegen { $by } Bytes neben ihrem Platz
run-damage-foreign = fremd: der Block enthält, was dieser Job nie geschrieben hat
run-damage-unknown = beschädigt: die Daten passen nicht zu ihrer Prüfsumme
run-damage-untrimmed = Trim ohne Wirkung: der Block wurde mit Trim freigegeben und enthält noch seine alten Daten
run-limit-records = Speicher: die Aufzeichnungen der geprüften Schreibvorgänge brauchen { $needed }, verfügbar sind { $available }; verify_interval= oder bs= vergrößern, oder ein kleineres size= prüfen
run-line-damaged = fathom: Job { $job }: { $bad } von { $blocks } geprüften Blöcken enthalten nicht, was geschrieben wurde ({ $kinds })
run-damage-count = { $kind }: { $n }
run-damaged-flip = gekippte Bits
run-damaged-torn = zerrissen
run-damaged-lost = verloren
run-damaged-misdirected = fehlgeleitet
run-damaged-zeroed = genullt
run-damaged-shifted = verschoben
run-damaged-foreign = fremd
run-damaged-unknown = beschädigt
run-damaged-untrimmed = Trim ohne Wirkung
run-line-no-atomic = fio: atomic=1: { $path } kennt keine atomaren Schreibzugriffe (statx meldet keine); ein Gerät, oder xfs oder ext4 mit neuem Kernel, kann sie haben
run-line-not-atomic = fio: atomic=1: Blöcke von { $small } bis { $large } lassen sich in { $path } nicht atomar schreiben: möglich sind Zweierpotenzen von { $least } bis { $most }
run-line-trim-failed = fio: Trim von { $path } fehlgeschlagen: { $error }: offset={ $offset }, length={ $length }
run-line-trim-failed-because = fio: Trim von { $path } fehlgeschlagen: { $error }: offset={ $offset }, length={ $length }; { $cause }
run-line-trim-no-block-device = nur Blockgeräte lassen sich trimmen (ioengine=falloc stanzt Löcher in Dateien)
run-line-trim-misaligned = bs und offset müssen Vielfache der logischen Blockgröße des Geräts sein
run-line-trim-unsupported = das Gerät unterstützt kein Discard
run-line-direct-io-refused = fio: das Gerät hat diese direkte Ein-/Ausgabe abgelehnt (EINVAL): bs und offset müssen Vielfache seiner logischen Blockgröße sein; größeres bs oder direct=0 versuchen
run-line-engine-needs = fathom: Job { $job }: ioengine={ $engine } braucht z. B. { $example }
run-line-unanswered = fathom: Job { $job }: { $ios } laufende I/Os wurden nie beantwortet; der Bericht zeigt, was abgeschlossen war
run-setting-not-recorded = { $path } bleibt unverändert: Der alte Wert lässt sich nicht in { $directory } festhalten ({ $error })
run-setting-busy = { $disk }: { $setting } wird von einem anderen fathom (pid { $pid }) verändert: warten, bis es endet
run-error-log = das Log { $path } kann nicht geschrieben werden: { $why }
run-output-refused = abgelehnt: die Ausgabe { $path } { $why }; Ausgaben gehen in reguläre Dateien, Pipes, Terminals und /dev/null: anderen Pfad angeben
run-output-failed = das Ergebnis konnte nicht nach { $path } geschrieben werden: { $why }
run-output-not-regular = ist keine reguläre Datei
run-output-block-device = ist ein Blockgerät
run-output-character-device = ist ein Zeichengerät
run-output-no-terminal = ist ein Zeichengerät und kein Terminal
run-output-named-pipe = ist eine benannte Pipe
run-output-socket = ist ein Socket
run-output-holds = ist eine Datei anderer Art: sie enthält { $what }
run-output-database = eine SQLite-Datenbank
run-output-in-use = würde überschrieben: { $used }
run-output-job-file = ist eine Jobdatei dieses Laufs
run-output-file-of-job = ist eine Datei eines Jobs
run-output-report-source = ist eine Quelle dieses Berichts
run-output-store = ist der Speicher dieses Laufs
run-output-other-text = enthält einen Text, den fathom nicht geschrieben hat
run-output-holds-data = enthält schon Daten, vielleicht eines früheren Laufs: löschen oder umbenennen
run-output-no-reader = kein Prozess liest aus dieser benannten Pipe
run-output-directory = es ist ein Verzeichnis: Pfad einer Datei angeben
run-output-is-socket = es ist ein Socket: Pfad einer Datei angeben
run-output-not-writable = es ist weder Datei noch Pipe noch Terminal
run-refused-changed = abgelehnt: { $change }
run-changed = { $path } hat sich nach der Prüfung geändert ({ $why }); seit die Änderung bemerkt wurde, wurde nichts hineingeschrieben
run-changed-appeared = bei der Prüfung war es nicht vorhanden
run-changed-content = der Inhalt hat sich seitdem geändert
run-changed-replaced = eine andere Datei oder ein anderes Gerät ist an seiner Stelle
run-changed-resized = seine Größe hat sich seitdem geändert
run-changed-other-file = eine andere Datei ist an ihrer Stelle
run-line-uring-forbidden = fathom: Job { $job }: kernel.io_uring_disabled oder ein seccomp-Filter (eines Containers) verbietet io_uring: ioengine=libaio verwenden
run-error-state-file = { $system } (kein gespeicherter Zustand dieses Jobs in { $path })
run-error-engine-setup = { $system } ({ $engine } ließ sich nicht einrichten)
run-error-libaio-setup = { $system } (libaio ließ sich nicht einrichten; ist /proc/sys/fs/aio-max-nr ausgeschöpft?)
run-error-posixaio-setup = { $system } (posixaio ließ sich weder über io_uring noch über Kernel-AIO einrichten: ioengine=psync verwenden)
run-error-model-with-others = { $system } (ein simuliertes Gerät neben echten Engines)
run-error-file-name = { $system } (der Name einer Datei)
run-error-buffers = { $system } (I/O-Puffer: iodepth x Blockgröße)
run-error-no-weight = { $system } (die Gruppen dieses Kernels haben vielleicht kein blkio.weight)
run-error-no-blkio = keine blkio-Hierarchie der Version 1 ist eingehängt, und Gruppen der Version 2 enthalten ganze Prozesse, nicht die Threads, die Jobs sind; fathom stattdessen in der Gruppe starten (cgroup=)
run-error-panicked = der Worker ist abgestürzt (ein Fehler in fathom)
run-error-no-answer = { $system }: das Gerät hat nicht geantwortet
run-error-no-zone-size = das Gerät hat keine Zonen: zonesize= setzen
run-error-other-zone-size = zonesize= muss die des Geräts sein ({ $device } Byte) oder fehlen
run-error-no-placement = das Gerät meldet keine Platzierungskennungen: FDP ist nicht eingeschaltet
run-error-placement-id = das Gerät hat { $count } Platzierungskennungen, mit Indizes ab 0; den Index { $id } gibt es nicht
run-error-placement-scheme = { $path }:{ $line }: die Zeile ist nicht ANFANG, ENDE, ID
run-error-open-zones = max_open_zones= liegt über der Grenze des Geräts ({ $limit }); ignore_zone_limits=1 übergeht die Grenze
run-error-append-zones = Zone Append braucht einen Namensraum mit Zonen; dieser hat keine
run-error-below-zone = Datei oder Gerät ist kleiner als eine Zone ({ $zone } Byte)
run-error-no-whole-zone = offset und size enthalten keine ganze Zone ({ $zone } Byte)
run-error-flash-too-large = das Laufwerk von model_ftl hat mehr als { $pages } Seiten; verwenden Sie eine kleinere Größe oder größere Seiten
