stored-older = { $more ->
    [one] { $more } älterer Eintrag
   *[other] { $more } ältere Einträge
} nicht gezeigt; --limit { $all } zeigt alle
stored-empty = noch ist nichts gespeichert
stored-run = Lauf
stored-check = Test
stored-study = Studie
# Headings of the columns.
stored-id = Nr.
stored-began = Beginn
stored-trust = Bewertung
stored-kind = Art
stored-title = Job oder Ziel
stored-no-rows = { $id } ist eine Antwort ohne Zeilen: --json verwenden
stored-not-iometer = { $id } ist kein Lauf: --iometer exportiert nur Läufe (fathom run); --json verwenden, für Studien und Prüfungen auch --csv
stored-answer-without-charts = { $name } ist eine Antwort von fathom { $command } ohne Diagramme: fathom show { $name } gibt sie aus, fathom report { $name } -o DATEI schreibt sie als Seite
stored-no-charts = in { $names } gibt es nichts zu zeichnen: fathom show gibt ein gespeichertes Ergebnis aus
stored-no-directory = { $path } ist eine Datei: Diagramme werden in ein Verzeichnis geschrieben, jedes in eine eigene Datei; den Pfad eines Verzeichnisses angeben
stored-damaged = nicht aufgeführt, weil die Zeile im Speicher beschädigt ist: { $names }
