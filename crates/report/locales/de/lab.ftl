# Studies: reasons, errors, the table of rules.
