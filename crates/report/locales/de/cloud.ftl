cloud-kept = eingehalten
cloud-likely-kept = wahrscheinlich eingehalten
cloud-not-sure = unsicher
cloud-likely-not-kept = wahrscheinlich nicht eingehalten
cloud-not-kept = nicht eingehalten
cloud-reason-at = { $reads } erreichen { $found }, { $share } der Grenze von { $limit }; es begrenzt: { $binding }
cloud-reason-burst = { $reads } erreichen { $found }, einen Burst über der Grundgrenze von { $limit }; { $until }
cloud-burst-end = die Grundgrenze zeigt sich bei vollem Guthaben nach { $time }
cloud-burst-unknown-end = die Tabellen nennen keine Dauer des Bursts
cloud-reason-above = { $reads } erreichen { $found }, { $share } der Grenze von { $limit }: ein Cache, ein Burst, den die Tabellen nicht haben, oder eine veraltete Zeile
cloud-reason-below = { $reads } erreichen { $found }, { $share } der Grenze von { $limit }; es begrenzt: { $binding }
cloud-reason-unclear = { $reads } erreichen { $found } ({ $between }), { $share } der Grenze von { $limit }: zu unstet oder zu nah an einer Schranke; mit --seconds länger messen
cloud-nothing = es wurde nichts gemessen
cloud-failed = der Job schlug fehl: { $error }
cloud-failed-later = der Job schlug fehl: { $error }; die Muster unten wurden vorher gemessen
cloud-only-likely = nur wahrscheinlich, denn die Zeile ist unbestätigt oder hat kein Datum
cloud-between = { $low } bis { $high }
cloud-random-reads = { $size } zufällig lesen
cloud-sequential-reads = { $size } sequenziell lesen
cloud-binds-volume-iops = IOPS des Volumes
cloud-binds-volume-throughput = Durchsatz des Volumes
cloud-binds-instance-iops = IOPS der Instanz
cloud-binds-instance-throughput = Durchsatz der Instanz
cloud-binds-depth = Warteschlangentiefe und Latenz (mehr gleichzeitige Anfragen brächten mehr)
cloud-binds-cpu = CPU der messenden Maschine
cloud-binds-lower = eine Grenze unter der zugesagten (Anfragen warten länger und werden nicht schneller)
cloud-column-limit = Grenze
cloud-column-row = Quelle
cloud-column-pattern = Muster
cloud-column-depth = Tiefe
cloud-column-measured = gemessen
cloud-column-interval = 95-%-Intervall
cloud-column-share = Anteil
cloud-column-type = Typ
cloud-column-size = Größe
cloud-volume = Volume
cloud-volume-reads = Volume, Lesen
cloud-volume-writes = Volume, Schreiben
cloud-volume-burst = Volume, Burst
cloud-instance = Instanz
cloud-instance-burst = Instanz, Burst
cloud-confirmed = bestätigt
cloud-derived = abgeleitet
cloud-unconfirmed = unbestätigt
cloud-no-date = ohne Datum
cloud-label-crossover = Übergang
cloud-label-depth = Tiefe
cloud-label-burst = Burst
cloud-label-duration = Messdauer
cloud-label-counts = Zählweise
cloud-label-instance = Instanz
cloud-label-source = Quelle
cloud-label-known = erkannt
cloud-label-trust = Vertrauen
cloud-label-caveat = Vorbehalt
cloud-crossover = IOPS-Grenze bis { $size } je I/O, darüber Durchsatzgrenze
cloud-depth-assumed = { $depth ->
        [one] { $depth } I/O gleichzeitig erreicht
       *[other] { $depth } I/Os gleichzeitig erreichen
    } die IOPS-Grenze bei je { $latency } (angenommen)
cloud-depth-stated = { $depth ->
        [one] { $depth } I/O gleichzeitig erreicht
       *[other] { $depth } I/Os gleichzeitig erreichen
    } die IOPS-Grenze bei { $latency } laut Anbieter
cloud-depth-measured = { $depth ->
        [one] { $depth } I/O gleichzeitig erreicht
       *[other] { $depth } I/Os gleichzeitig erreichen
    } die IOPS-Grenze (allein: { $latency })
cloud-burst-credits = dauert { $time } bei vollem Guthaben; in Ruhe füllt es sich in { $refill }
cloud-burst-on-demand = nur wenn bestellt; ohne zeitliche Grenze
cloud-burst-unstated = der Anbieter nennt keine Dauer
cloud-duration = länger als { $time }, sonst verdeckt ein volles Guthaben die Grundgrenzen
cloud-duration-any = jede Länge zeigt die Grenzen: kein Burst-Guthaben
cloud-counts = eine Anfrage zählt je angefangene { $size } als ein I/O
cloud-counts-whole = jede Anfrage zählt als mindestens { $size }
cloud-slices = je 100 ms gilt ein Zehntel der Grenze
cloud-instance-missing = nicht in den Tabellen, ihre Grenzen fehlen hier; Zahlen: { $source }
cloud-instance-unknown = nicht bekannt; ihre Grenzen können niedriger sein (--instance)
cloud-known-firmware = { $value } laut Firmware
cloud-known-disk = { $value } laut Disk
cloud-known-metadata = { $value } laut Metadatendienst
cloud-size-range = { $least } bis { $most } { $unit }
cloud-list-end = Datum: der Quelle. fathom cloud --list --provider NAME nennt Größen; --type TYP berechnet Grenzen
cloud-list-type-end = fathom cloud --type TYP --size N berechnet die Grenzen
cloud-error-no-provider = die Maschine nennt keinen bekannten Cloud-Anbieter; --provider und --type angeben (fathom cloud --list)
cloud-error-no-type = die Maschine nennt den Typ des Volumes nicht; --type oder --metadata angeben. Typen von { $provider }: { $types }
cloud-error-provider = kein Anbieter { $name } in den Tabellen; war { $near } gemeint?
cloud-error-type = kein Volume-Typ { $name } in den Tabellen; war { $near } gemeint?
cloud-error-type-of = { $provider } hat keinen Volume-Typ { $name }; war { $near } gemeint?
cloud-error-type-unlike = kein Volume-Typ { $name } in den Tabellen; fathom cloud --list zählt sie auf
cloud-error-ambiguous = mehrere Anbieter haben einen Typ { $name }; --provider angeben, eines von { $providers }
cloud-error-no-size = die Grenzen von { $kind } hängen von der Größe ab; --size angeben, z. B. --size 500
cloud-error-size = die Größe von { $kind } ist { $least } bis { $most } { $unit }
cloud-error-not-ordered = bei { $kind } gibt es nichts mit { $option } zu bestellen; weglassen
cloud-error-not-ordered-but = bei { $kind } gibt es nichts mit { $option } zu bestellen; Typen mit dieser Option: { $types }
cloud-error-order-missing = { $kind } braucht { $option }: { $least } bis { $most } { $unit } bei dieser Größe
cloud-error-order = { $option } von { $kind } ist { $least } bis { $most } { $unit } bei dieser Größe und diesen IOPS
cloud-error-instance = keine Instanz { $name } in den Tabellen; ohne --instance werden die Grenzen des Volumes berechnet. Zahlen: { $source }
cloud-error-instance-near = keine Instanz { $name } in den Tabellen; war { $near } gemeint? Die Tabellen haben { $known }. Zahlen anderer: { $source }
cloud-error-no-figures = die Tabellen haben keine Zahlen für { $kind }
cloud-error-local = das ist eine lokale Disk des Hosts, kein Volume: keine Grenze der Tabellen gilt; fathom DEVICE verwenden
cloud-live = { $size } lesen bei Tiefe { $depth }
cloud-error-order-iops = { $option } von { $kind } ist { $least } bis { $most } bei dieser Größe
cloud-error-provider-unlike = kein Anbieter { $name } in den Tabellen; Anbieter: { $known }
cloud-no-crossover = keiner: bei jeder Blockgröße begrenzt: { $binding }
cloud-reason-short = { $reads } erreichen { $found }, { $share } der Grenze von { $limit }, in einem Lauf, der für ein 95-%-Intervall zu kurz ist; mit --seconds länger messen
cloud-random-writes = { $size } zufällig schreiben
cloud-sequential-writes = { $size } sequenziell schreiben
cloud-mixed = { $size } zufällig, 50 % Schreiben
cloud-live-writes = { $size } schreiben bei Tiefe { $depth }
cloud-live-mixed = { $size } lesen und schreiben bei Tiefe { $depth }
cloud-volumes = { $volumes } Volumes
cloud-volume-pooled = alle Volumes
cloud-instance-reads = Instanz, Lesen
cloud-instance-writes = Instanz, Schreiben
cloud-label-sharing = Aufteilung
cloud-label-volumes = Volumes
cloud-label-writes = Schreiben
cloud-sharing-joint = Lesen und Schreiben teilen sich die Grenzen
cloud-sharing-apart = Lesen und Schreiben haben eigene Grenzen
cloud-sharing-weighted = Lesen und Schreiben teilen sich eine Ressource: das Mittel beider Grenzen nach Anteilen
cloud-sharing-measured = gemessen: { $found }; laut Tabelle: { $stated }
cloud-sharing-measured-only = gemessen: { $found }; die Tabellen sagen nichts dazu
cloud-volumes-both = die Instanz begrenzt ihre IOPS ab { $iops ->
        [one] { $iops } Volume
       *[other] { $iops } Volumes
    }, ihren Durchsatz ab { $rate }
cloud-volumes-iops = die Instanz begrenzt ihre IOPS ab { $iops ->
        [one] { $iops } Volume
       *[other] { $iops } Volumes
    }
cloud-volumes-throughput = die Instanz begrenzt ihren Durchsatz ab { $rate ->
        [one] { $rate } Volume
       *[other] { $rate } Volumes
    }
cloud-volumes-pooled = eine Grenze gilt für alle Volumes des Typs, nach der Summe ihrer Größen
cloud-writes-consent = nicht gemessen; --allow-destroy { $target } erlaubt es und zerstört die Daten darauf
cloud-writes-budget = nicht gemessen: vom Schreibbudget ist zu wenig übrig, oder die Messung wurde beendet
cloud-allowed-burst = { $lower } von { $higher } { $unit } ({ $burst } bis zu { $time } lang)
cloud-conclusion-instance = die Instanz begrenzt: von den Grenzen des Volumes erlaubt { $name } { $parts }
cloud-conclusion-instance-of-several = die Instanz begrenzt: von den Grenzen aller { $volumes } Volumes zusammen erlaubt { $name } { $parts }
cloud-conclusion-volume = das Volume begrenzt: von den Grenzen von { $name } erlaubt es { $parts }
cloud-conclusion-volumes = die Volumes begrenzen: von den Grenzen von { $name } erlauben alle { $volumes } Volumes zusammen { $parts }
cloud-allowed = { $lower } von { $higher } { $unit }
cloud-allowed-burst-capped = { $lower } von { $higher } { $unit } (bis zu { $time } lang alle { $higher }, denn ihr Burst ist { $burst })
cloud-error-instance-known = keine Instanz { $name } in den Tabellen, die { $known } haben; ohne --instance werden die Grenzen des Volumes berechnet. Zahlen anderer: { $source }
cloud-error-tier = --type { $tier } ist eine Platte von { $least } bis { $most } GiB, --size { $size } aber eine vom Typ { $own }: eines von beiden weglassen
cloud-error-tier-none = --type { $tier } ist eine Platte von { $least } bis { $most } GiB, --size { $size } aber größer als jede Stufe: --size weglassen
