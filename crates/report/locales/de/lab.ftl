# Studien: warum eine Frage keine Antwort hat.
lab-failure-not-the-device = Messpunkt { $point } hat nicht das Gerät gemessen
lab-failure-nothing-completed = kein I/O wurde abgeschlossen
lab-failure-nothing-twice = während der Messpunkte { $first } und { $second } wurde kein I/O abgeschlossen
lab-failure-another-path = die gespeicherte Studie stammt von einer anderen Programmversion: deren Messpunkt { $point } würde hier nicht gemessen
lab-failure-rate-changed-from = die Rate des Geräts änderte sich bei jedem Versuch; vor der letzten Änderung waren es { $iops } IOPS
lab-failure-rate-changed = die Rate des Geräts änderte sich bei jedem Versuch: nichts ist vergleichbar
lab-failure-no-maximum = das Maximum wurde nicht am Gerät gemessen (Note X oder kein Besuch), daher sind seine Anteile unbekannt
lab-failure-nothing-to-compare = eines der beiden Ziele hat keine Antwort zum Vergleichen
lab-failure-pairs-differ = { $pairs ->
    [one] die Raten von { $pairs } Paar Messungen
   *[other] die Raten von { $pairs } Paaren von Messungen
} unterscheiden sich für ein Verhältnis zu stark
lab-failure-too-few-rounds = weniger als drei vergleichbare Durchgänge
lab-failure-points-too-short = kein Messpunkt mit Tiefe 1 ist lang genug, um eine Laufzeit zu empfehlen; fragen Sie auch nach der Tiefe: --questions depth,runtime
lab-failure-beyond-seen = aus { $seconds } s mit jeweils einem I/O nicht zu bestimmen; ein größeres --budget misst länger
lab-failure-beyond-budget = innerhalb des { $budgets }-fachen Zeitbudgets nicht zu bestimmen
lab-failure-no-goal = kein Latenzziel angegeben: --slo p99=2ms
lab-no-queue-settings = kein Blockgerät unter dem Ziel hat Einstellungen

# Warum ein Ziel nicht benutzt werden kann; der Pfad steht davor.
lab-target-not-measurable = weder Verzeichnis noch reguläre Datei noch Blockgerät
lab-target-directory = ist ein Verzeichnis: eine Datei oder ein Blockgerät angeben (Testdateien, die fathom anlegt, werden immer gefüllt)
lab-target-not-fillable = weder reguläre Datei noch Blockgerät
lab-target-too-small = { $bytes } Bytes sind für eine Messung zu wenig: mindestens 1 MiB
lab-target-server-name = ist kein Name eines Ziels auf einem Server: rbd:POOL/IMAGE, rados:POOL, s3://BUCKET/PREFIX, nbd://HOST/EXPORT, nbd+unix:///?socket=PFAD, nfs://HOST/EXPORT/DATEI, iscsi://HOST/IQN/LUN
lab-target-other-engine = ist nur mit ioengine={ $engine } erreichbar: ioengine weglassen
lab-target-password = enthält ein Passwort, das gespeicherte Ergebnisse wiederholen würden: weglassen (iscsi://BENUTZER@HOST/IQN/LUN) und LIBISCSI_CHAP_PASSWORD setzen
lab-target-not-on-server = gibt es auf dem Server nicht, oder es ist leer. Eine Datei von 1 GiB anlegen: { $command }
lab-target-on-server = ist ein Ziel auf einem Server, das dieser Befehl nicht annimmt; docs/network.md nennt die Befehle, die es annehmen
lab-target-on-server-fill = ist ein Ziel auf einem Server, das dieser Befehl nicht annimmt. Füllen, was den Inhalt überschreibt: { $command }
lab-target-job-file = sieht nach einer Jobdatei aus: fathom run { $path }
lab-target-model-size = `{ $option }`: eine Größe ist eine Anzahl Bytes (64g, 1t)
lab-target-model-option = ein simuliertes Gerät hat keine Option `{ $name }`; es hat die Optionen size, { $known }
lab-target-scratch-not-filled = die Testdatei konnte nicht gefüllt werden: { $error }
lab-target-scratch-too-slow = in der verfügbaren Zeit wurde weniger als 1 MiB der Testdatei geschrieben
lab-target-read-only = das Dateisystem ist nur lesbar eingehängt: ein Verzeichnis auf einem beschreibbaren angeben, oder eine Datei oder ein Gerät zum Lesen
lab-target-no-room-for-scratch = { $free } MiB freier Platz sind zu wenig: eine Testdatei von mindestens 16 MiB darf ein Zehntel davon belegen; { $more } MiB freigeben, oder eine vorhandene Datei oder ein Gerät nennen, das nur gelesen wird
lab-target-no-room-for-scratch-in-image = { $free } MiB freier Platz in { $image }, wo das Abbild dieses Dateisystems liegt, sind zu wenig: eine Testdatei von mindestens 16 MiB darf ein Zehntel davon belegen; dort { $more } MiB freigeben, oder eine vorhandene Datei oder ein Gerät nennen, das nur gelesen wird
lab-target-no-memory-for-scratch = { $memory } MiB verfügbarer Speicher sind zu wenig: eine Testdatei von mindestens 16 MiB darf ein Achtel davon belegen; { $more } MiB freigeben, oder eine vorhandene Datei oder ein Gerät nennen, das nur gelesen wird
lab-target-no-scratch = hier kann keine Testdatei angelegt werden ({ $error }): ein beschreibbares Verzeichnis angeben, oder eine Datei oder ein Gerät zum Lesen
lab-target-unknown-device = sysfs kennt das Gerät nicht, daher ist unbekannt, wer es benutzt
lab-target-no-room-to-fill = das Füllen der Löcher braucht { $needed } MiB, frei sind { $free } MiB; nichts wurde geschrieben
lab-target-no-room-to-fill-under = das Füllen der Löcher braucht { $needed } MiB, frei sind { $free } MiB unter der Datei { $under }; nichts wurde geschrieben

# Einstellungen einer Block-Warteschlange.
lab-axis-unknown = „{ $name }“ ist keine von { $known }
lab-axis-one-value = { $path } hat keinen anderen Wert als { $value }

# fathom prefill.
lab-prefill-unaligned = --{ $option }={ $value } ist kein Vielfaches von { $block }: gefüllt werden ganze Blöcke
lab-prefill-unreadable = { $path }: { $failed } von { $of } geprüften Blöcken konnten nicht gelesen werden; nichts wurde gefüllt, weil ihr Inhalt nicht bekannt ist
lab-prefill-after-end = --offset={ $offset } liegt hinter dem Ende: { $path } hat { $size } Bytes
lab-prefill-write-failed = { $path }: { $error }; bereits Geschriebenes bleibt, nichts wird als gefüllt vermerkt
lab-prefill-holds-zeros = war als gefüllt vermerkt, enthält aber Nullen: neu gefüllt
lab-prefill-discarded-since = war schon gefüllt, wurde seitdem aber teilweise verworfen (discard) oder neu angeschlossen: neu gefüllt
lab-prefill-still-unwritten = das Dateisystem meldet noch { $bytes } Bytes als unbeschrieben: nicht als gefüllt vermerkt
lab-prefill-no-state-directory = weder XDG_STATE_HOME noch HOME ist gesetzt: nicht als gefüllt vermerkt
lab-prefill-not-recorded = nicht als gefüllt vermerkt: { $error }
lab-prefill-recorded-in-attribute = Attribut { $name } der Datei
lab-refused-written-meanwhile = abgelehnt: ein anderes Programm hat in { $path } geschrieben, während prefill die Datei füllte: { $filled } von { $of } Bytes sind gefüllt, der Rest blieb unverändert; dort schließen und wiederholen
lab-refused-opened-meanwhile = abgelehnt: ein anderes Programm hat { $path } geöffnet, während prefill die Datei füllte: { $filled } von { $of } Bytes sind gefüllt, der Rest blieb unverändert; dort schließen und wiederholen
lab-refused-no-consent = abgelehnt: prefill würde { $bytes } Bytes Zufallsdaten in { $path } schreiben, wo jetzt Nullen gelesen werden, und fathom hat die Datei nicht angelegt; zum Füllen --yes angeben
lab-refused-changed = abgelehnt: { $path } hat sich während der Prüfung geändert; nichts wurde geschrieben
lab-refused-replaced = abgelehnt: { $path } ist nicht die geprüfte Datei: eine andere ist an ihre Stelle getreten; nichts wurde geschrieben
lab-refused-no-lease = abgelehnt: für { $path } gibt es keinen Lease ({ $error }), daher bliebe ein Programm unbemerkt, das die Datei während des Füllens öffnet; um sie trotzdem zu füllen, --allow-destroy={ $path } angeben
lab-refused-open-elsewhere = abgelehnt: { $path } ist anderswo geöffnet (ein Programm, eine virtuelle Maschine, eine Speicherabbildung) und könnte dort beschrieben werden; zuerst dort schließen
lab-refused-writable-elsewhere = abgelehnt: { $path } ist anderswo zum Schreiben geöffnet (ein Programm, eine virtuelle Maschine, ein Loop-Gerät), und Daten könnten in jetzige Löcher geschrieben werden; zuerst dort schließen
lab-refused-carries = abgelehnt: prefill würde Zufallsdaten schreiben, wo in { $path } Nullen gelesen werden; die Datei enthält: { $content }; zum Füllen: fathom prefill --yes --allow-destroy={ $path } { $path }
lab-refused-in-use = abgelehnt: prefill würde { $path } überschreiben: { $uses }; zuerst beenden
lab-refused-not-allowed = abgelehnt: prefill würde { $path } überschreiben: alle { $bytes } Bytes des Bereichs, was immer sie enthalten; zum Füllen --allow-destroy={ $path } angeben
lab-refused-held-exclusively = abgelehnt: prefill würde { $path } überschreiben: ein anderes Programm oder der Kernel hält das Gerät exklusiv; zuerst beenden

# Vorbehalte der Kurzprüfung.
lab-check-no-direct-io = das Dateisystem lehnt O_DIRECT ab: die Werte enthalten den Page-Cache
lab-check-interrupted = durch ein Signal vorzeitig beendet: die fehlenden Muster wurden nicht gemessen
lab-target-simulated = ein simuliertes Gerät hat keinen Speicherstapel; Datei, Verzeichnis oder Blockgerät angeben
lab-would-not-begin = der Lauf würde nicht beginnen: { $why }
