quick-no-rows = kein Ergebnis: es wurde kein Zugriffsmuster gemessen
quick-scratch-file = Testdatei von { $size } (gelöscht)
quick-scratch-objects = Hilfsobjekte auf einem Server, { $size } (gelöscht)
quick-file = Datei von { $size } (nur Lesezugriffe)
quick-server = Volume oder Datei auf einem Server, { $size } (nur Lesezugriffe)
quick-device = Gerät von { $size } (nur Lesezugriffe)
quick-pattern-random = zufällig
quick-pattern-durable = dauerhaft
quick-pattern-sequential = sequenziell
quick-column-pattern = Zugriff
quick-column-depth = Tiefe
quick-column-reached = erreicht
quick-label-failed = Fehler
quick-failed-row = { $way }, { $pattern }, Tiefe { $depth }: { $error }
quick-cell-failed = Fehler
quick-not-measured-sustained-writes = anhaltendes Schreiben
quick-not-measured-full-device = ein volles Gerät
quick-not-measured-beyond-scratch = Bereiche außerhalb der Testdatei
quick-not-measured-writes = Schreiben (dieses Ziel wurde nur gelesen)
quick-not-measured-busy-or-full = ein ausgelastetes oder volles Gerät
quick-label-layers = Schichten
quick-label-latency = Latenz
quick-dependent-reads = 1000 Lesezugriffe nacheinander dauern { $took }
quick-label-not-measured = nicht gemessen
quick-label-trust = Bewertung
quick-label-caveat = Vorbehalt
quick-more-caveats = { $text } ({ $hidden ->
        [one] { $hidden } weiterer Vorbehalt
       *[other] { $hidden } weitere Vorbehalte
    }: siehe --json)
quick-iops-intervals = Konfidenzintervalle der IOPS (95 %): { $rows }
