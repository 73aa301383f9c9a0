# Files of fio: errors and notes of `fathom report FILE`.
