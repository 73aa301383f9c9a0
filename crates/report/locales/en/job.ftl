# Job files and the command line: errors and remarks.
