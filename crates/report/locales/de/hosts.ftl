hosts-column-host = Host
hosts-column-iops = IOPS { $direction }
hosts-column-p99 = lat p99
hosts-column-began = Beginn
hosts-column-grade = Note
hosts-lost-cell = verloren
hosts-skew = alle Worker begannen innerhalb von { $skew } (Uhren auf { $wrong } bekannt)
hosts-fairness = Fairness { $index } (Jain: 1, wenn alle Hosts dieselbe Rate haben); der erste Host war nach { $first } fertig, der letzte nach { $last }
hosts-kept = seine letzten Werte, von { $seconds } nach dem Start, sind Teil der Summe
hosts-nothing-kept = keine seiner Werte kamen an
hosts-lost-ended = { $host }: die Verbindung endete (Status { $status })
hosts-lost-killed = { $host }: ein Signal hat die Verbindung beendet
hosts-lost-said = { $host }: { $said }
hosts-lost-silent = { $host }: keine Nachricht seit { $seconds } s
hosts-lost-no-agent = { $host }: das ist kein Agent von fathom
hosts-lost-version = { $host }: hat fathom { $version }, hier ist { $own }; alle Hosts brauchen dieselbe Version
hosts-bad-name = --hosts: '{ $name }' ist kein Name eines Hosts
hosts-none = es sind keine Hosts angegeben
hosts-not-with = { $switch } geht nicht zusammen mit --hosts
hosts-nothing-to-run = mit --hosts sind Jobs nötig
hosts-not-utf8 = mit --hosts müssen Argumente UTF-8 sein
hosts-refused = auf keinem Host wurde etwas ausgeführt
hosts-not-split-small = --share=split: { $path } hat { $bytes } Bytes, weniger als einen Block je Host
hosts-not-split-unwritten = --share=split: { $path } muss vor dem Lauf gefüllt werden; zuerst auf einem Host füllen, ohne --hosts
hosts-no-mpirun = mpirun ist nicht installiert: openmpi-bin (Open MPI) installieren
hosts-other-mpi = dieses mpirun ist nicht das von Open MPI ({ $said }): openmpi-bin installieren und dessen mpirun in PATH an die erste Stelle setzen
