# Fragen
explore-depth = Queue-Tiefe
explore-bs = Blockgröße
explore-runtime = Laufzeit
explore-jobs = numjobs
explore-span = Größe des Bereichs
explore-grid = Raster iodepth x numjobs
explore-axis = Kernel-Einstellung
explore-targets = Vergleich der Ziele
explore-repeat = Wiederholbarkeit
explore-slo = Latenzziel
explore-hosts = Zahl der Hosts

# Empfehlung
explore-scratch-file = Testdatei mit { $size }
explore-scratch-objects = Hilfsobjekte mit { $size }
explore-load = { $jobs ->
    [1] iodepth { $depth }
   *[other] iodepth { $depth }, numjobs { $jobs }
}
explore-use = { $pattern }: Empfehlung { $used }: { $rate }; mittlere Latenz { $mean }
explore-use-below-knee = nicht der Knick ({ $knee }, die kleinste Tiefe mit 95 % des Maximums): diese Tiefe unterscheidet sich von ihm um weniger als das Rauschen
explore-use-above-knee = nicht der Knick ({ $knee }, die kleinste Tiefe mit 95 % des Maximums): seine Rate ist mehr als 3 % niedriger
explore-use-knee = { $pattern }: Empfehlung { $used }: { $share } des Maximums von { $maximum }; mittlere Latenz { $mean } ({ $alone } bei Tiefe 1)
explore-use-no-knee = { $pattern }: Empfehlung { $used }: { $rate }; der Durchsatz steigt bei dieser Tiefe noch, kein Knick gefunden; mittlere Latenz { $mean } ({ $alone } bei Tiefe 1)
explore-use-one-limit = { $pattern }: Empfehlung { $used }: { $rate }; jede größere Tiefe erreicht dasselbe; mittlere Latenz { $mean }
explore-use-cpu-limit = { $pattern }: Empfehlung { $used }: { $rate }; die CPU ist die Grenze, nicht das Gerät; mittlere Latenz { $mean }
explore-use-drifting = { $pattern }: Empfehlung { $used }: { $rate }; der Durchsatz veränderte sich am Ende noch; mittlere Latenz { $mean }
explore-use-changed = { $pattern }: Empfehlung { $used }: { $rate } am Ende der Studie, zuvor { $maximum }; mittlere Latenz { $mean }

# Tabelle
explore-pattern = Muster
explore-knee-depth = Knick
explore-knee-depth-unit = QD
explore-maximum = Maximum
explore-latency = Latenz
explore-at-depth-1 = bei QD 1
explore-at-knee = am Knick
explore-device-busy = Auslast.
explore-iops-bound = IOPS-Grenze
explore-block-up-to = bis
explore-bandwidth-bound = MB/s-Grenze
explore-block-from = ab
explore-run-time = Laufzeit
explore-run-time-seconds = Laufzeit, s
explore-run-time-default = { $seconds } (Standard)
explore-share-of-maximum = Anteil am Maximum
explore-mean-latency-here = mittlere Latenz
explore-mean-latency-depth-1 = mittlere Latenz bei QD 1
explore-p99-at-knee = p99-Latenz am Knick

# Unter der Tabelle
explore-no-difference-jobs = numjobs macht bei gleicher gesamter Queue-Tiefe keinen Unterschied: { $patterns }
explore-no-difference-span = die Größe des Bereichs macht keinen Unterschied: { $patterns }
explore-targets-compared = { $pattern }, { $depth } gleichzeitig: { $first } und { $second }, Verhältnis { $ratio }
explore-second-faster = Ziel 2 ist bei { $loads ->
    [one] dieser Last
   *[other] allen { $loads } Lasten
} schneller: { $low } bis { $high } mal so viele IOPS wie Ziel 1
explore-first-faster = Ziel 1 ist bei { $loads ->
    [one] dieser Last
   *[other] allen { $loads } Lasten
} schneller: { $low } bis { $high } mal so viele IOPS wie Ziel 2
explore-some-faster = von { $loads } Lasten ist Ziel 1 bei { $first } schneller, Ziel 2 bei { $second }; kein Unterschied bei { $same }, unbekannt bei { $open }
explore-question-of = { $question } ({ $patterns })
explore-question-of-all = { $question } (alle Muster)
explore-not-answered = nicht beantwortet: { $question }: { $reason }
explore-over-budget = im Zeitbudget nicht beantwortet, etwa { $minutes } min mehr nötig: { $questions }
explore-not-the-device = die Messpunkte haben nicht das Gerät gemessen: { $statement }
explore-ended-by-signal = ein Signal hat die Studie beendet
explore-only-read = das Ziel wird nur gelesen; --write erlaubt das Schreiben
explore-every-question = alle Fragen
explore-random-only = die Größe des Bereichs zählt nur bei zufälligen Zugriffen
explore-commits-not-paced = ein Job hat nur einen Commit gleichzeitig: die Queue-Tiefe ist die Zahl der Jobs, und Commits haben keine vorgegebene Rate
explore-commits = { $sync }: IOPS sind Commits pro Sekunde, die Latenz ist die eines Commits (die Schreibzugriffe seit dem vorigen Sync und der Sync selbst); jeder gleichzeitige Commit hat einen eigenen Job
explore-resume = die Studie endete vorzeitig; fathom explore --resume setzt sie fort
explore-summary = { $points ->
    [one] { $points } Messpunkt
   *[other] { $points } Messpunkte
} in { $spent } s von { $budget } s
explore-legend = Knick: kleinste Queue-Tiefe mit 95 % des Maximums; +-%: 95-%-Konfidenzintervall
explore-details-why = Einzelheiten: fathom explore --why
explore-details-show = Einzelheiten: fathom show S{ $id }
explore-recommended-job = empfohlener Job für { $pattern } (--job FILE schreibt alle):

# Schätzwerte
explore-separator = {"; "}
explore-unit-commits = Commits/s
explore-estimate = { $value }{ $unit } ({ $low } bis { $high })
explore-measured-on = { $seconds } s gemessen, { $moved } übertragen in einem Bereich von { $region }

# Queue-Tiefe
explore-knee = Knick bei { $in_flight } gleichzeitigen I/Os: { $share } des Maximums von { $figure }
explore-knee-between = der Knick liegt zwischen { $low } und { $high } gleichzeitigen I/Os
explore-mean-latency = mittlere Latenz { $mean } ({ $alone } bei Tiefe 1)
explore-p99 = p99-Latenz { $p99 }
explore-p99-between = p99-Latenz { $p99 } (zwischen { $low } und { $high })
explore-little = bliebe die Latenz die von Tiefe 1, wären für das Maximum { $bound } gleichzeitige I/Os nötig (Gesetz von Little)
explore-no-knee = der Durchsatz steigt bei { $up_to } gleichzeitigen I/Os noch: { $figure }; kein Knick gefunden
explore-one-limit = dieselbe Rate bei jeder Tiefe von 1 bis { $up_to }: { $figure }; mittlere Latenz bei Tiefe 1 { $alone }
explore-limit-above-device = eine Drosselung oberhalb des Geräts ist die Grenze: das Gerät war währenddessen im Leerlauf
explore-limit-serial = die Grenze ist eine Drosselung oder ein Gerät, das ein I/O nach dem anderen bedient
explore-cpu-limit = die CPU war die Grenze, nicht das Gerät: { $figure } mit { $in_flight } gleichzeitigen I/Os von { $jobs ->
    [one] { $jobs } Job
   *[other] { $jobs } Jobs
}; der am stärksten belastete Thread nutzte { $busy } einer CPU
explore-drifting = der Durchsatz veränderte sich noch: { $figure } mit { $in_flight } gleichzeitigen I/Os, { $over } s zuvor { $before }; keine stabile Rate
explore-law-two-lines = der Durchsatz folgt zwei Geraden: { $each } IOPS je gleichzeitigem I/O bis { $meet }, danach konstant (Vorhersagefehler { $lines_off }; Konkurrenzmodell { $usl_off })
explore-law-contention = der Durchsatz folgt dem Konkurrenzmodell (USL) mit { $contention } seriellem Anteil (Vorhersagefehler { $usl_off }; zwei Geraden { $lines_off })
explore-law-either = zwei Modelle beschreiben den Durchsatz gleich gut: zwei Geraden mit { $each } IOPS je gleichzeitigem I/O bis { $meet } (Vorhersagefehler { $lines_off }) oder Konkurrenz (USL) mit { $contention } seriellem Anteil (Vorhersagefehler { $usl_off })
explore-law-peak = das Modell hat sein Maximum bei { $peak } gleichzeitigen I/Os
explore-law-no-peak = das Modell hat bis { $up_to } gleichzeitige I/Os kein Maximum
explore-law-maximum = Maximum { $figure }
explore-cap-iops = wahrscheinlich eine IOPS-Obergrenze von { $figure }: Blöcke von { $from } und { $to } erreichen dieselben IOPS
explore-cap-bandwidth = wahrscheinlich eine Bandbreiten-Obergrenze von { $figure }, { $mib } MiB/s: Blöcke von { $from } und { $to } erreichen dieselbe Bandbreite
explore-sign-same-bytes = ohne Obergrenze verlören kleinere Blöcke Bandbreite durch die Kosten je I/O
explore-sign-idle-beneath = das Gerät darunter war die meiste Zeit im Leerlauf
explore-sign-regular = die Rate ist weit gleichmäßiger als bei Tiefe 1
explore-sign-longer-alone = bei Tiefe 1 dauert der größere Block länger
explore-sign-quick-when-few = bei geringer Last ist ein I/O schneller fertig, als es ein serielles Gerät mit dieser Rate sein könnte

# Weitere Fragen
explore-crossover = IOPS-Grenze und Bandbreitengrenze treffen sich bei einer Blockgröße von { $figure }: für einen IOPS-Test Blöcke bis { $up_to } ({ $iops } IOPS), für einen Bandbreitentest ab { $from } ({ $rate } MB/s), mit { $in_flight } gleichzeitigen I/Os
explore-same-iops = dieselben IOPS bei jeder Blockgröße von { $from } bis { $to }: { $figure } mit { $in_flight } gleichzeitigen I/Os; keine Bandbreitengrenze gefunden
explore-same-bandwidth = dieselbe Bandbreite bei jeder Blockgröße von { $from } bis { $to }: { $figure } mit { $in_flight } gleichzeitigen I/Os; keine IOPS-Grenze gefunden
explore-run-for = Laufzeit { $figure }: { $mean } s für den Mittelwert auf +-{ $within } %, { $tail } s für p99 auf +-{ $within_p99 } %, { $warm_up } s Warmlaufen
explore-run-for-mean = Laufzeit { $figure } für den Mittelwert auf +-{ $within } %, davon { $warm_up } s Warmlaufen; die Zeit für p99 auf +-{ $within_p99 } % ist nicht bekannt
explore-rate-steady = die Rate war in den gemessenen { $seen } s stabil
explore-rate-drifts = die Rate veränderte sich in den gemessenen { $seen } s ständig, darum reicht keine Laufzeit aus
explore-rate-bursts = die Rate kam in den gemessenen { $seen } s in Schüben, einer alle { $every } s
explore-rate-steps = die Rate wechselte in den gemessenen { $seen } s von einem Niveau auf ein anderes
explore-jobs-faster = mehr Jobs sind schneller: numjobs={ $jobs } zu numjobs=1 hat das IOPS-Verhältnis { $figure }, mit insgesamt { $in_flight } gleichzeitigen I/Os
explore-jobs-slower = mehr Jobs sind langsamer: numjobs={ $jobs } zu numjobs=1 hat das IOPS-Verhältnis { $figure }, mit insgesamt { $in_flight } gleichzeitigen I/Os
explore-jobs-same = numjobs macht keinen Unterschied: numjobs={ $jobs } zu numjobs=1 hat das IOPS-Verhältnis { $figure }, mit insgesamt { $in_flight } gleichzeitigen I/Os
explore-jobs-unknown = keine Aussage zu numjobs möglich: numjobs={ $jobs } zu numjobs=1 hat das IOPS-Verhältnis { $figure }, mit insgesamt { $in_flight } gleichzeitigen I/Os
explore-span-faster = ein kleiner Bereich täuscht höhere Leistung vor: IOPS von { $part } im Verhältnis zu ganzen { $whole }: { $figure }
explore-span-slower = ein kleiner Bereich ist langsamer: IOPS von { $part } im Verhältnis zu ganzen { $whole }: { $figure }
explore-span-same = die Größe des Bereichs macht keinen Unterschied: IOPS von { $part } im Verhältnis zu ganzen { $whole }: { $figure }
explore-span-unknown = keine Aussage zur Größe des Bereichs möglich: IOPS von { $part } im Verhältnis zu ganzen { $whole }: { $figure }
explore-targets-ratio = IOPS-Verhältnis von Ziel 2 zu Ziel 1: { $figure }, mit { $second } und { $first } gleichzeitigen I/Os, abwechselnd gemessen
explore-setting-faster = { $name }={ $value } ist schneller: IOPS-Verhältnis zu { $name }={ $base } ist { $figure }
explore-setting-slower = { $name }={ $value } ist langsamer: IOPS-Verhältnis zu { $name }={ $base } ist { $figure }
explore-setting-same = { $name }={ $value } macht keinen Unterschied: IOPS-Verhältnis zu { $name }={ $base } ist { $figure }
explore-setting-unknown = keine Aussage zu { $name }={ $value } möglich: IOPS-Verhältnis zu { $name }={ $base } ist { $figure }
explore-changed-between = der Durchsatz änderte sich zwischen { $from_s } s und { $to_s } s der Studie: zuvor { $before }, danach { $figure }
explore-changed-about = der Durchsatz änderte sich etwa { $about_s } s nach Beginn der Studie: zuvor { $before }, danach { $figure }
explore-rounds = { $rounds } Runden über { $over } s mit { $in_flight } gleichzeitigen I/Os: im Mittel { $figure }
explore-rounds-differ = Standardabweichung zwischen den Runden { $deviation } ({ $low } bis { $high }), nach einzelnen Runden zu erwarten { $own }
explore-one-run-is-not-enough = ein einzelner Lauf ist nicht repräsentativ: wiederholen und die Streuung angeben
explore-one-run-is-enough = ein einzelner Lauf ist innerhalb seines Intervalls repräsentativ
explore-goal-mean = mittlere
explore-goal-kept = Latenz ({ $name }) bleibt bei höchstens { $limit } bis { $figure }, { $share } des Maximums; Anfragen treffen zufällig ein, die Latenz zählt ab dem Zeitpunkt, zu dem ein I/O fällig war
explore-goal-latency = Latenz ({ $name }) etwa bei dieser Rate { $value }, zwischen { $low } und { $high }
explore-goal-interval = das Intervall beginnt bei einer Rate, die das Ziel nachweislich einhält, und endet bei einer, die es nachweislich verfehlt, oder beim Maximum
explore-goal-always-kept = Latenz ({ $name }) bleibt selbst bei der höchsten versuchten Rate, { $figure }, { $share } des Maximums, bei höchstens { $limit }; Anfragen treffen zufällig ein, über dem Maximum wächst die Warteschlange unbegrenzt
explore-goal-never-kept = Latenz ({ $name }) bleibt nie bei höchstens { $limit }: sie beträgt { $figure } mit einem einzelnen I/O und mehr bei { $lowest } IOPS, der niedrigsten versuchten Rate
explore-grid-best = iodepth={ $depth } numjobs={ $jobs } ist die kleinste Last nahe am Maximum des Rasters: { $figure }

# Was eine Antwort einschränkt
explore-caveat = Vorbehalt: { $caveat }
explore-caveat-drifts = der Durchsatz änderte sich während der Messung noch um { $by }
explore-caveat-noise = benachbarte Tiefen unterscheiden sich um weniger als das Rauschen
explore-caveat-pauses = das Ziel pausierte alle { $every } etwa { $each } lang; die Rate enthält die Pausen
explore-caveat-may-be-more = das Maximum kann bis zu { $up } höher liegen
explore-caveat-too-few = zu wenige I/Os wurden fertig, um die Rate zu kennen
explore-caveat-wide = das Konfidenzintervall beträgt bis zu +-{ $half }
explore-caveat-changed = dieselbe Last erreichte später in der Studie { $now } IOPS
explore-caveat-errors = { $failed } von { $all } I/Os schlugen fehl und zählen nicht
explore-caveat-grade = manche Messpunkte haben nur die Note { $grade }

# Messpunkte und Lasten
points-none = keine Messpunkte
points-title = Studie zu { $targets }: { $points }; { $spent } s
points-count = { $points ->
    [one] { $points } Messpunkt
   *[other] { $points } Messpunkte
}
points-count-unfinished = { $points ->
    [one] { $points } Messpunkt
   *[other] { $points } Messpunkte
}, nicht beendet
points-whole-region = alles
points-drifting = driftet
points-level-shift = Niveauwechsel
points-time-limit = Zeitgrenze
points-interrupted = unterbrochen
points-point = Punkt
points-question = Frage
points-target = Ziel
points-region = Bereich
points-mean-latency = Latenz Mittel
points-p99-latency = Latenz p99
points-seconds = Sek.
points-jobs = Jobs
points-grade = Note
points-note = Hinweis
points-load = Last
points-mean = Mittel
points-latency = Latenz
study-other-target = { $target } ist nicht das Ziel von S{ $id }: { $why }
study-other-size = es hatte { $before } Bytes und hat jetzt { $now }
study-other-file = eine andere Datei ist an seiner Stelle
study-other-disks = es lag auf { $before } und liegt jetzt auf { $now }
study-other-kind = es ist eine andere Art von Ziel, oder direkte I/O ist nicht mehr möglich
explore-hosts-share = { $hosts ->
    [one] { $hosts } Host { $share } %
   *[other] { $hosts } Hosts { $share } %
}
explore-hosts-enough = { $enough ->
    [one] { $enough } Host genügt: er erreicht
   *[other] { $enough } Hosts genügen: sie erreichen
} { $figure } mal die IOPS aller { $all } Hosts mit denselben zusammen { $in_flight } laufenden I/Os
explore-hosts-all = alle { $all } Hosts werden gebraucht, und weitere könnten mehr erreichen: { $fewer ->
    [one] { $fewer } Host erreicht
   *[other] { $fewer } Hosts erreichen
} { $figure } mal deren IOPS mit denselben zusammen { $in_flight } laufenden I/Os
explore-hosts-others = Anteil an den IOPS: { $shares }
explore-hosts-fairness = Fairness der Hosts { $index } (1: alle haben dieselben IOPS)
explore-hosts-between = zwischen { $fewest } und { $most } Hosts können nötig sein: die Intervalle der Anteile enthalten 95 %
explore-hosts-uneven = { $slowest } ist am langsamsten mit { $low }, { $fastest } hat { $high }
