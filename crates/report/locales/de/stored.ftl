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
