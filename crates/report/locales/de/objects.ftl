objects-title = { $target }: { $concurrency } Anfragen gleichzeitig, { $prefixes } Präfixe, { $took } s
objects-column-operation = Operation
objects-column-rate = Anfragen/s
objects-column-first-median = erstes Byte p50
objects-column-first-p99 = erstes Byte p99
objects-column-last-median = letztes Byte p50
objects-column-last-p99 = letztes Byte p99
objects-column-errors = Fehler
objects-end-signal = ein Signal beendete die Last vorzeitig
objects-end-failures = die Last endete vorzeitig: keine Anfrage gelang mehr ({ $error })
objects-errors = { $operation }: { $count ->
    [one] { $count } Anfrage schlug
   *[other] { $count } Anfragen schlugen
} fehl: { $code }
objects-server-time = { $operation }: der Server meldet eine Bearbeitungszeit von { $median } (Median)
objects-reconnects = { $count ->
    [one] der Server hatte { $count } gehaltene Verbindung geschlossen; ihre Anfrage wurde erneut gesendet
   *[other] der Server hatte { $count } gehaltene Verbindungen geschlossen; ihre Anfragen wurden erneut gesendet
}
objects-prepared = vorbereitet: { $count ->
    [one] { $count } Objekt
   *[other] { $count } Objekte
} mit zusammen { $size }, geschrieben in { $took } s
objects-leftovers = { $count ->
    [one] { $count } Objekt eines abgebrochenen Laufs wurde zuvor entfernt
   *[other] { $count } Objekte abgebrochener Läufe wurden zuvor entfernt
}
objects-not-removed = Objekte unter fathom-run-{ $run }/ wurden nicht entfernt: { $why }. Der nächste Lauf auf dieser Maschine entfernt sie
objects-mismatch = { $key }: der Inhalt weicht ab Byte { $offset } von dem Geschriebenen ab
objects-part = Objekte über { $size } wurden in Teilen dieser Größe geschrieben
objects-scratch = Objekte dieses Laufs: { $scratch } ({ $count } entfernt)
objects-preparing = schreibe Objekte: { $count }
objects-measuring = { $count } Anfragen, { $rate }/s
objects-plan = würde { $count } Objekte von höchstens { $most } schreiben und dann die Last unter { $target } auf { $servers } ausführen; alle Objekte würden am Ende entfernt
objects-no-bucket = den Bucket { $bucket } gibt es nicht: zuerst anlegen
objects-foreign = das Objekt { $first } stammt nicht von dieser Last: einen leeren Präfix nennen oder die Last daneben mit --allow-destroy=TARGET erlauben
objects-mix = die Last braucht eine Operation mit Gewicht, Objekte zum Lesen, mindestens eine gleichzeitige Anfrage und einen Präfix
objects-sizes = die Größen der Objekte brauchen eine gültige Verteilung mit höchstens 5 GiB je Objekt
objects-too-many-parts = ein Objekt hätte mehr als 10 000 Teile: größere Teile wählen (--part)
objects-no-credentials = keine Zugangsdaten: AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY setzen oder ~/.aws/credentials anlegen
objects-no-profile = das Profil { $profile } hat keinen Schlüssel in { $file }
objects-endpoint = { $url } ist kein Endpunkt: http://HOST:PORT oder https://HOST angeben
objects-target = { $target } ist weder ein Bucket noch ein Pool: s3://BUCKET, s3://BUCKET/PREFIX oder rados:POOL angeben
objects-other-consent = --allow-destroy nennt { $consent }, das Ziel ist aber { $target }
objects-no-list = ein Pool von Ceph kann Objekte nicht nach Präfix auflisten: list in --mix weglassen
objects-scratch-named = Hilfsobjekte: { $scratch }, am Ende entfernt
