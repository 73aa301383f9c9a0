# fathom sweep.
sweep-plan = { $cells } { $cells ->
    [one] Zelle
   *[other] Zellen
} mit je { $visits } { $visits ->
    [one] Besuch
   *[other] Besuchen
} in zufälliger Reihenfolge (Startwert { $seed }); { $left } { $left ->
    [one] Besuch
   *[other] Besuche
} zu messen, mindestens { $time }
sweep-head = { $cells } { $cells ->
    [one] Zelle
   *[other] Zellen
} mit je { $visits } { $visits ->
    [one] Besuch
   *[other] Besuchen
} in zufälliger Reihenfolge (Startwert { $seed }); { $made } von { $order } Besuchen gemessen
sweep-offered = angeboten
sweep-mean-latency = Latenz
sweep-commit-latency = Commit-Latenz
sweep-latency-or-commit = Latenz (Schreiben: Commit)
sweep-visits = Besuche
sweep-grade = Note
sweep-best = { $pattern }: { $used } verwenden: { $rate } IOPS (95 %: { $low } bis { $high }), mittlere Latenz { $latency }
sweep-highest = die höchste Rate, { $rate } IOPS mit { $load }, ist höchstens 5 % höher
sweep-best-bs = { $pattern }: bs={ $used } verwenden: { $rate } MB/s (95 %: { $low } bis { $high }), mittlere Latenz { $latency }
sweep-highest-bs = der höchste Durchsatz, { $rate } MB/s mit bs={ $load }, ist höchstens 5 % höher
sweep-edge = das ist der größte Wert im Raster für { $options }: ein größerer kann besser sein
sweep-unusable = { $rows } { $rows ->
    [one] Zeile ist
   *[other] Zeilen sind
} ausgelassen, weil nicht das Gerät gemessen wurde (Note X)
sweep-no-best = { $pattern }: keine beste Zeile: { $usable } von { $of } Zeilen haben das Gerät gemessen, die anderen haben Note X
sweep-no-best-yet = { $pattern }: noch keine beste Zeile: { $cells } von { $of } Zellen sind nicht gemessen
sweep-no-best-uncertain = { $pattern }: keine beste Zeile: die Besuche unterscheiden sich zu sehr (+-{ $half } % bei { $used }); mehr --repeats oder eine längere --runtime verengen das Intervall
sweep-no-best-imported = { $pattern }: keine beste Zeile: { $used } wäre die beste, wurde aber aus dem Baum gelesen und hat kein Intervall; ein Sweep ohne --bench-fio misst sie neu
sweep-no-best-no-interval = { $pattern }: keine beste Zeile: der einzige Besuch von { $used } war zu kurz für ein Intervall; mehr --repeats oder eine längere --runtime ergeben eines
sweep-provisional = vorläufig: { $visits } { $visits ->
    [one] Besuch fehlt
   *[other] Besuche fehlen
}
sweep-saturated = *: die angebotene Rate wurde nicht erreicht oder ist das Maximum; die Latenz wächst, solange die Last dauert
sweep-longer = { $rows } { $rows ->
    [one] Zeile wurde
   *[other] Zeilen wurden
} länger gemessen als verlangt: ein Besuch dauert mindestens 20 seiner mittleren Latenzen, bei voller Warteschlange
sweep-finding = in { $share } der Zeilen: { $statement }
sweep-finding-row = in { $share } der Zeilen, z. B. Zeile { $load }: { $statement }
sweep-imported = { $cells } { $cells ->
    [one] Zelle wurde
   *[other] Zellen wurden
} aus { $tree } gelesen und nicht noch einmal gemessen: diese Zeilen haben kein Intervall
sweep-left-out = { $cells } { $cells ->
    [one] Zelle ist
   *[other] Zellen sind
} ausgelassen: ihre Blöcke sind kein Vielfaches der Sektoren des Ziels oder größer als das Ziel
sweep-errors = { $errors } I/Os sind fehlgeschlagen
sweep-failed = { $pattern }: ein Besuch ist fehlgeschlagen: { $why }
sweep-legend = +-%: halbe Breite des 95-%-Intervalls, aus den Unterschieden zwischen den Besuchen. Latenzen sind Gesamtlatenzen (slat + clat)
sweep-legend-one = +-%: halbe Breite des 95-%-Intervalls innerhalb des Besuchs; --repeats 3 zeigt die Unterschiede zwischen Besuchen. Latenzen sind Gesamtlatenzen (slat + clat)
sweep-spent = { $spent } s gemessen
sweep-spent-show = { $spent } s gemessen; alle Besuche: fathom show S{ $id }; Seite: fathom report S{ $id } -o sweep.html
sweep-resume = unvollendet; die fehlenden Besuche misst: fathom sweep --resume S{ $id }
sweep-again = { $path } enthält einen Fehler: diese Zelle wird noch einmal gemessen
sweep-wrote = { $files } { $files ->
    [one] neues Ergebnis
   *[other] neue Ergebnisse
} in { $tree } geschrieben
sweep-reads-only = { $target }: nur die lesenden Muster der Tabelle werden gemessen; --write misst auch die anderen
sweep-too-many = eine Messreihe hat höchstens { $most } Zellen
sweep-chart-title = { $name }: { $what } nach { $across }
sweep-chart-note = Jeder Punkt fasst alle Besuche seiner Zelle zusammen; die dünne Linie ist das 95-%-Intervall zwischen den Besuchen.
sweep-axis-offered = angebotene Rate, IOPS
sweep-axis-runtime = Laufzeit
sweep-nothing-imported = { $path } hat kein Ergebnis dieses Rasters: alle Zellen werden gemessen
sweep-nothing-fits = --bs: die Blöcke sequentieller Jobs zusammen oder ein Block dürfen nicht größer als das Ziel ({ $size } Bytes) und müssen Vielfache seiner Sektoren ({ $sector } Bytes) sein
