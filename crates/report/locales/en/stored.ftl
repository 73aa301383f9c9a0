stored-older = { $more ->
    [one] { $more } older entry
   *[other] { $more } older entries
} not shown; --limit { $all } shows all
stored-empty = nothing is stored yet
stored-run = run
stored-check = check
stored-study = study
# Headings of the columns.
stored-id = id
stored-began = began
stored-trust = trust
stored-kind = kind
stored-title = job or target
stored-no-rows = { $id } is an answer without rows: use --json
