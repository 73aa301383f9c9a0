stored-render-older-limit = {"."}.. und { $more } ältere: --limit { $all }
stored-render-nothing-stored-yet = noch ist nichts gespeichert
stored-run = Lauf
stored-check = Test
stored-study = Studie
