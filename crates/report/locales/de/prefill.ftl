prefill-file = Datei mit { $size }
prefill-scratch-file = Testdatei mit { $size }
prefill-device = Gerät mit { $size }
prefill-part-of = { $what }, davon { $length } ab Offset { $offset }
prefill-found = gefunden
prefill-filled = gefüllt
prefill-note = Hinweis
prefill-question = { $share } von { $target } wurden nie beschrieben ({ $parts }): Lesezugriffe auf diese Bereiche erreichen die Platte nicht.{"\u000A"}Füllen schreibt { $noise } Zufallsdaten dorthin, wo jetzt Nullen gelesen werden ({ $takes }). Füllen? [y/N]{" "}
prefill-question-before-read = { $share } von { $of } wurden nie beschrieben: Lesezugriffe auf diese Bereiche erreichen die Platte nicht.{"\u000A"}Jetzt mit { $noise } Zufallsdaten füllen ({ $takes })? [y/N]{" "}
prefill-files = { $files } Dateien ({ $first }, ...)
prefill-duration = { $takes } s bei 500 MB/s
prefill-holes = { $holes } in Löchern
prefill-unwritten = { $unwritten } in unbeschriebenen Extents
prefill-zeros = { $zeros } als Nullen geschrieben
prefill-sampled = { $zero } von { $of } geprüften Blöcken enthalten nur Nullen
prefill-all-written = alle Bereiche sind beschrieben; { $sampled }
prefill-never-written = { $share } nie beschrieben: { $parts }; { $pieces ->
    [one] { $pieces } Bereich
   *[other] { $pieces } Bereiche
}
prefill-nothing-to-fill = nichts: in allen Bereichen stehen Daten
prefill-already-filled = nichts: fathom hat es schon früher gefüllt
prefill-declined = nichts: die Antwort war nein
prefill-interrupted = { $written } von { $asked }; durch ein Signal beendet, darum nicht als gefüllt vermerkt
prefill-filled-in = { $written } Zufallsdaten in { $took } s
prefill-filled-at = { $written } Zufallsdaten in { $took } s, { $rate } MB/s
prefill-through-page-cache = über den Page-Cache geschrieben
prefill-recorded-in = vermerkt in { $place }
