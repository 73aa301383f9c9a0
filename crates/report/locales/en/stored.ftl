stored-render-older-limit = {"."}.. and { $more } older: --limit { $all }
stored-render-nothing-stored-yet = nothing is stored yet
stored-run = run
stored-check = check
stored-study = study
