# fio's files: why one was not read, and what of one was left out.

import-nothing-of-several =
    { $path }: { $why } ({ $others ->
        [one] { $others } weitere Datei war
       *[other] { $others } weitere Dateien waren
    } ebenfalls nicht lesbar)
import-empty-directory = keine .json- und keine .log-Datei in diesem Verzeichnis
import-no-path = keine Datei und kein Verzeichnis zum Lesen angegeben
import-too-long = länger als { $most } MiB, was kein Ergebnis ist
import-not-regular = keine reguläre Datei
import-compressed = komprimierte Histogramme: fio speichert in einem solchen Log Adressen statt Anzahlen
import-same-load = dieselbe Last wie in { $first }: beide bleiben, es wird kein Mittelwert gebildet
import-empty-log = das Log hat keine Zeile
import-line = Zeile { $line }: { $fault }
import-last-line = Zeile { $line }, die letzte, ist abgeschnitten und wird ausgelassen: { $fault }
import-no-rate = keine Rate: alle I/Os ({ $direction }) endeten in der ersten Millisekunde des Logs
import-earlier-reports =
    { $reports ->
        [one] { $reports } früherer Bericht
       *[other] { $reports } frühere Berichte
    } desselben Laufs ausgelassen: im letzten ist alles enthalten
import-no-io = Job { $job } hat kein I/O ausgeführt: er hat kein Diagramm
import-no-job = das JSON enthält keinen Job
import-empty = leer
import-breaks-off = das JSON bricht in Zeile { $line } ab: { $error }
import-document-breaks-off = das JSON-Dokument ab Zeile { $line } bricht ab und wird ausgelassen
import-text-before =
    { $lines ->
        [one] { $lines } Textzeile
       *[other] { $lines } Textzeilen
    } vor dem JSON ausgelassen, die erste: { $first }
import-readable = fathom liest JSON von fio (--output-format=json oder json+) und dessen Logs (write_bw_log und ähnliche Optionen)
import-terse = terse-Ausgabe von fio, in der Muster und Tiefe fehlen; { $readable }
import-text-report = ein Textbericht von fio; { $readable }
import-foreign = keine Ausgabe von fio; { $readable }
import-unnamed-log = ein Log, dessen Name nicht sagt, was es zählt; Logs von fio heißen PREFIX_bw.1.log, ferner _iops, _lat, _slat, _clat, _clat_hist
import-jobs-not-listed = "jobs" ist keine Liste
import-unified = Job { $job } zählt alle Richtungen zusammen (unified_rw_reporting): Lesen und Schreiben sind nicht zu trennen
import-job-failed = Job { $job } endete mit Fehler { $error }: seine Zahlen gelten für die Zeit davor
import-line-too-long = länger als jede Zeile in Logs von fio
import-line-columns =
    { $columns ->
        [one] { $columns } Spalte
       *[other] { $columns } Spalten
    }; Logs von fio haben Zeit, Wert, Richtung, Blockgröße
import-line-histogram-columns =
    { $columns ->
        [one] { $columns } Spalte
       *[other] { $columns } Spalten
    }; Histogramm-Logs von fio haben Zeit, Richtung, Blockgröße, Anzahlen
import-line-not-whole = { $column } { $text } ist keine ganze Zahl ab 0
import-line-not-number = der Wert { $text } ist keine Zahl ab 0
import-line-not-direction = { $number } ist keine Richtung; bei fio steht 0 für read, 1 für write, 2 für trim
import-line-buckets =
    { $buckets ->
        [one] { $buckets } Anzahl
       *[other] { $buckets } Anzahlen
    }; Histogramme von fio haben 1856, mit jeder Stufe von log_hist_coarseness halb so viele
import-line-count = { $ios } I/Os in einem Intervall sind nicht möglich
import-column-time = die Zeit
import-column-direction = die Richtung
import-column-block-size = die Blockgröße
import-column-fifth = Spalte 5
import-column-count = die Anzahl
