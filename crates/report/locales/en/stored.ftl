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
stored-not-iometer = { $id } is not a run: --iometer exports runs (fathom run) only; use --json, or --csv for studies and checks
stored-answer-without-charts = { $name } is an answer of fathom { $command }, which has no charts: fathom show { $name } prints it, fathom report { $name } -o FILE writes it as a page
stored-no-charts = there is nothing to draw in { $names }: fathom show prints a stored result
stored-no-directory = { $path } is a file: charts are written into a directory, one file each; give the path of a directory
stored-damaged = not listed, because the row in the store is damaged: { $names }
