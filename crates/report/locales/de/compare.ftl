compare-unequal = ungleich
compare-note = Hinweis
compare-load = Last
compare-metric = Messgröße
compare-interval = Intervall
compare-verdict = Urteil
compare-sides = {"*"}*A** { $a }, **B** { $b }
compare-same-run = A und B sind derselbe Lauf: es gibt nichts zu vergleichen
compare-shared-runs = { $shared ->
    [one] { $shared } Lauf steht auf beiden Seiten
   *[other] { $shared } Läufe stehen auf beiden Seiten
}; die Intervalle behandeln sie als verschiedene Läufe
compare-refused = { $a } (A) und { $b } (B) wurden nicht unter gleichen Bedingungen gemessen: { $why }; --anyway vergleicht sie trotzdem
compare-slower-than-bound = { $b } ist um mehr als { $bound } % langsamer als { $a }: { $list }
compare-bound-unknown = es lässt sich nicht sagen, ob { $b } um mehr als { $bound } % langsamer ist als { $a }: { $list }
compare-repeats = { $a } Läufe von A, { $b } Läufe von B
compare-mean = Mittel
compare-same = kein Unterschied
compare-unknown = nicht entscheidbar
compare-faster = B ist schneller
compare-slower = B ist langsamer
compare-less = B braucht weniger
compare-more = B braucht mehr
compare-no-interval = kein Konfidenzintervall; mehrere Läufe je Seite angeben: A1,A2,A3 B1,B2,B3
compare-too-few = zu wenige unabhängige I/Os; länger laufen lassen
compare-more-runs = Läufe eines Ziels unterscheiden sich stärker; etwa { $each } Läufe je Seite sind nötig
compare-longer-runs = das Konfidenzintervall ist zu breit; etwa { $times }-mal so lange Läufe sind nötig
compare-never-known = mit solchen Läufen nicht entscheidbar, auch nicht mit zehnmal so vielen
compare-no-intervals = Kein Konfidenzintervall bekannt: die Tabelle zeigt nur Verhältnisse.
compare-judged-together = { $n ->
    [one] { $n } Messgröße wurde beurteilt
   *[other] { $n } Messgrößen wurden gemeinsam beurteilt (Holm)
}: mindestens { $sure } % der Vergleiche gleicher Ziele zeigen keinen Unterschied. Eine Änderung unter 5 % gilt nicht als Unterschied.
compare-runs-assumed-to-differ = Annahme: Läufe eines Ziels unterscheiden sich um { $percent } % (Standardabweichung, Vorgabe); wiederholte Läufe (A1,A2,A3 B1,B2,B3) messen sie.
compare-runs-differ = Läufe eines Ziels unterscheiden sich in der Rate um { $percent } % (Standardabweichung aus den wiederholten Läufen und { $n ->
    [one] { $n } weiteren gespeicherten Lauf
   *[other] { $n } weiteren gespeicherten Läufen
}).
compare-only-in = Nur in { $letter }: { $list }
compare-nothing-in-common = A und B haben keine Last gemeinsam. { $list }
compare-different-loads = verschiedene Lasten: { $list }
compare-direct = { $past } umging den Page-Cache (direct=1), { $through } nutzte ihn
compare-not-the-device = { $side } hat nicht das Gerät gemessen: { $why }
compare-never-written = { $side } las nie beschriebene Bereiche: { $why }
compare-cpu-limit = { $side } war durch die CPU begrenzt: { $why }
compare-different-regions = verschiedene Bereiche: { $list }
compare-different-engines = verschiedene I/O-Engines: { $list }
compare-different-kernels = verschiedene Kernel: { $list }
compare-different-hosts = verschiedene Rechner: { $list }
compare-different-programs = mit verschiedenen Programmen gemessen: { $list }
compare-different-stacks = verschiedene Storage-Stacks: { $list }
compare-different-targets = verschiedene Ziele: { $list }
compare-grade = { $side } hat die Note { $grade } ({ $rules })
compare-takes = fathom compare nimmt gespeicherte Ergebnisse (R7, S12), Dateien von fathom export --json und fios JSON
compare-targets = { $path } ist { $kind ->
    [device] ein Gerät
   *[directory] ein Verzeichnis ohne Ergebnisse
}. { compare-takes }. Um Ziele zu vergleichen, jedes messen (fathom { $path }), dann die Ergebnisse vergleichen (fathom compare R1 R2); oder zwei abwechselnd messen: fathom explore A B
compare-answer = { $name } ist eine Antwort von fathom { $command } ohne Messwerte zum Vergleichen. { compare-takes } von Läufen, Prüfungen und Studien; fathom show { $name } zeigt die Antwort
compare-zeros = { $side } las Blöcke aus Nullen: { $why }
