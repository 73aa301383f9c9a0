card-title = { $jobs ->
        [one] { $jobs } Job
       *[other] { $jobs } Jobs
    }, { $seconds } s; { $place }
card-title-ended-by-signal = { $jobs ->
        [one] { $jobs } Job
       *[other] { $jobs } Jobs
    }, { $seconds } s, durch Signal { $signal } vorzeitig beendet; { $place }
card-place-none = weder Datei noch Gerät verwendet
card-place-several = { $first } und { $more ->
        [one] { $more } weiteres Ziel
       *[other] { $more } weitere Ziele
    }
stack-unknown = Speicherstapel unbekannt: kein Blockgerät gefunden
card-column-queue-depth = Queue-Tiefe
card-depth = { $reached } von { $asked }
direction-read = Lesen
direction-write = Schreiben
direction-trim = TRIM
row-commit = Commit
row-sync = Sync
card-row-all = alle Ziele
card-label-failed = Fehler
card-damaged = { $job }: { $bad } von { $blocks } geprüften Blöcken enthalten nicht, was geschrieben wurde ({ $kinds })
card-label-commit = Commit
card-label-layers = Schichten
card-label-trust = Bewertung
card-label-note = Hinweis
card-label-not-measured = nicht gemessen
card-label-offsets = Offsets
card-touched = { $part } des Bereichs berührt
card-touched-expected = { $part } des Bereichs berührt (Erwartungswert für unabhängige zufällige Offsets)
card-touched-at-most = höchstens { $part } des Bereichs berührt
card-offsets-uniform = gleichverteilt (Chi-Quadrat p { $chance }, { $samples } Stichproben)
card-more-jobs-offsets = { $n ->
        [one] { $n } weiterer Job
       *[other] { $n } weitere Jobs
    }: siehe --json
card-more-rows = { $n ->
        [one] { $n } weitere Zeile
       *[other] { $n } weitere Zeilen
    }: siehe --json
card-more-failed-jobs = { $n ->
        [one] { $n } weiterer Job
       *[other] { $n } weitere Jobs
    } mit Fehlern: siehe --json
card-more-findings = { $n ->
        [one] { $n } weiterer Befund
       *[other] { $n } weitere Befunde
    }: siehe --json
card-more-notes = { $n ->
        [one] { $n } weiterer Hinweis
       *[other] { $n } weitere Hinweise
    }: siehe --json
card-commit-meaning = ein Commit umfasst die Schreibzugriffe seit dem vorigen Sync und den Sync selbst ({ $sync }); Latenz vom ersten Absenden bis zum Ende des Syncs; die Spalte IOPS zeigt Commits je Sekunde
card-commit-queued = sind mehrere I/Os gleichzeitig in Bearbeitung, deckt ein Sync keine Schreibzugriffe ab, die bei seinem Beginn noch nicht abgeschlossen sind
card-not-measured-storage = Speicher: weder Datei noch Gerät verwendet, gemessen wurde nur der Lastgenerator
card-not-measured-later-writes = Schreiben über { $seconds } s Laufzeit hinaus
card-not-measured-later = Leistung über { $seconds } s Laufzeit hinaus
card-not-measured-rest = mindestens { $left } des Ziels
card-not-measured-full-device = ein volles Gerät
layers-all-agree = Anwendung = { $layers }: { $read } gelesen, { $written } geschrieben
layers-one-direction = { $way }: Anwendung { $app }
layers-including-file-system-writes = { $chain } (davon { $more } Journal, Metadaten und andere Prozesse)
layers-process = Prozess
layers-devices = { $n ->
        [one] { $n } Gerät
       *[other] { $n } Geräte
    }
layers-page-cache-hits = Page-Cache-Treffer { $share }
layers-cached-or-holes = aus Page-Cache oder Löchern gelesen { $share }
layers-no-holes = keine Löcher
layers-holes = Löcher { $n }
layers-server-time = { $name }: Netzwerk und Server { $trip } von { $all }
layers-server-operation = { $name } { $n }: Mittel { $all }, davon { $waiting } vor dem Senden und { $trip } Netzwerk und Server
layers-server-bytes = Server sandte { $sent }, erhielt { $received }
layers-tcp-segments = Segmente gesendet { $sent }, erneut { $repeated } (ganze Maschine)
layers-connections = Verbindungen { $n }, Segmente gesendet { $sent }, wiederholt { $repeated }, in falscher Reihenfolge empfangen { $late }, Umlaufzeit { $trip }
layers-reconnects = neu aufgebaut { $n }
layers-queue-depth = Queue-Tiefe { $reached } (die I/O-Engine erlaubt { $asked })
layers-busiest-thread = Job-Thread mit höchster Last { $busy } CPU
layers-column-layer = Schicht
layers-column-ios = I/O-Zahl
layers-column-bytes = Menge
layers-column-app-ios-per-io = Anwendungs-I/Os je I/O
layers-column-merges = Merges
layers-column-queue-depth = Queue-Tiefe
layers-row-application = Anwendung
layers-row-system-calls = Systemaufrufe Lesen/Schreiben
layers-row-block-layer = Prozess zur Blockschicht
layers-row-page-cache = Ziel im Page-Cache
layers-cell-used = { $used } belegt
layers-row-file-system-writes = Journal, Metadaten, andere Prozesse
layers-row-member-writes = Spiegel, Parität, andere I/O
layers-label-host = Rechner{"  "}
layers-cpu-quota = CPU-Kontingent hielt die Gruppe { $times ->
        [one] { $times }-mal
       *[other] { $times }-mal
    } an ({ $stopped })
layers-cpu-pressure = Tasks warteten { $waited } der Zeit auf CPU (PSI)
layers-io-pressure = Tasks warteten { $waited } der Zeit auf I/O (PSI)
