# Why something is not stored or cannot be read.

store-no-place = no place for the store: neither XDG_DATA_HOME nor HOME is set; name one with --store FILE
store-absent = { $path }: there is no store
store-foreign = { $path }: not a store of fathom's: { $why }; it is left as it is
store-not-sqlite = not a SQLite database
store-other-program = another program's database
store-newer = { $path }: written by a newer fathom (its tables are version { $found }, this one knows version { $known }); it is left as it is
store-full = { $path }: no space is left for it; what was stored before is still there
store-not-writable = { $path }: cannot be written: { $why }
store-directory = it is a directory
store-journal-directory = its directory, where SQLite keeps a journal beside it: { $why }
store-older-tables = its tables are version { $found } and would have to be converted to version { $known }
store-busy = { $path }: another process keeps it locked
store-damaged = { $path }: damaged: { $why }
store-unknown = { $path }: there is no { $id }; `fathom list` shows what is stored
store-exists = study S{ $study } already has a point { $ordinal }
store-not-finite = { $what } is not stored: a figure in it is infinite or not a number
store-unreadable = { $what } is stored in a form that this version cannot read: { $why }
store-unknown-kind = its kind is "{ $kind }"
store-document-run = the run
store-document-answer = the answer
store-document-check = the check
store-document-study = the study
store-document-point = point { $ordinal }
store-document-point-of = point { $ordinal } of S{ $study }
store-document-exported = an exported result
