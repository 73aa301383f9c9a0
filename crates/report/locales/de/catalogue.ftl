catalogue-column-class = Klasse
catalogue-column-read-1 = Les. QD1
catalogue-column-read-32 = Les. QD32
catalogue-column-write = Schr. QD1
catalogue-column-sync = mit Sync
catalogue-column-latency = Latenz
catalogue-range = Bereich
catalogue-end = 4 KiB zufällig, I/Os je Sekunde; Schätzungen. fathom catalog KLASSE zeigt Quellen und veröffentlichte Zahlen
catalogue-unknown-near = keine Klasse { $name }; war { $near } gemeint? fathom catalog zählt sie auf
catalogue-unknown = keine Klasse { $name }; fathom catalog zählt sie auf
rank-own = dieses Gerät
rank-like = seine Zahlen gleichen denen von { $names }
rank-none = seine Zahlen gleichen denen keiner Klasse des Katalogs
rank-reports-rotational = das Gerät meldet aber Rotation: es ist eine virtuelle Platte, oder die Angabe ist falsch
rank-reports-ssd = das Gerät meldet aber, eine SSD zu sein: die Angabe ist falsch, oder eine Grenze bremst es
rank-end = = im Bereich der Klasse, 3.2x darüber, 1/3.2 darunter. fathom catalog zeigt die Bereiche
rank-nothing = { $source } hat kein Muster des Katalogs: 4 KiB zufällig mit Tiefe 1 oder 32, 4-KiB-Schreiben mit Sync oder sequentiell ab 128 KiB
