# Why something is not stored or cannot be read.

store-no-place = kein Ort für den Speicher: weder XDG_DATA_HOME noch HOME ist gesetzt; mit --store FILE einen angeben
store-absent = { $path }: es gibt dort keinen Speicher
store-foreign = { $path }: kein Speicher von fathom: { $why }; die Datei bleibt, wie sie ist
store-not-sqlite = keine SQLite-Datenbank
store-other-program = die Datenbank eines anderen Programms
store-newer = { $path }: von einem neueren fathom geschrieben (seine Tabellen haben Version { $found }, dieses kennt Version { $known }); die Datei bleibt, wie sie ist
store-full = { $path }: dafür ist kein Platz mehr; was vorher gespeichert wurde, ist noch da
store-not-writable = { $path }: nicht beschreibbar: { $why }
store-directory = es ist ein Verzeichnis
store-journal-directory = ihr Verzeichnis, in dem SQLite daneben ein Journal führt: { $why }
store-older-tables = ihre Tabellen haben Version { $found } und müssten in Version { $known } umgewandelt werden
store-busy = { $path }: ein anderer Prozess hält die Datei gesperrt
store-damaged = { $path }: beschädigt: { $why }
store-unknown = { $path }: { $id } gibt es nicht; `fathom list` zeigt, was gespeichert ist
store-exists = Studie S{ $study } hat schon einen Punkt { $ordinal }
store-not-finite = { $what }: nicht gespeichert, eine Zahl darin ist unendlich oder keine Zahl
store-unreadable = { $what }: in einer Form gespeichert, die diese Version nicht lesen kann: { $why }
store-unknown-kind = die Art ist „{ $kind }“
store-document-run = der Lauf
store-document-answer = die Antwort
store-document-check = die Prüfung
store-document-study = die Studie
store-document-point = Punkt { $ordinal }
store-document-point-of = Punkt { $ordinal } von S{ $study }
store-document-exported = ein exportiertes Ergebnis
