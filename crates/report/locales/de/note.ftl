# Notes about a run.
note-number-ends = gelesen als { $value }; `{ $rest }` wird nicht beachtet
note-space-short = fathom: Platz: Die Jobs schreiben { $wanted } in das Dateisystem von { $directory }, in dem { $free } frei sind: Sie werden mit ENOSPC enden
note-cgroup-limit = die cgroup dieses Prozesses begrenzt { $device } auf { $limits }: eine Rate in dieser Nähe ist die Grenze, nicht die Geschwindigkeit des Geräts
note-cgroup-reads = { $n } Lesevorgänge/s
note-cgroup-writes = { $n } Schreibvorgänge/s
note-cgroup-read-rate = { $bytes } gelesen pro Sekunde
note-cgroup-write-rate = { $bytes } geschrieben pro Sekunde
note-setting-unknown = unbekannt
note-setting-not-restored = { $disk }: { $setting } ist { $now } und war { $before }, bevor fathom (pid { $pid }) es änderte; es lässt sich nicht zurücksetzen ({ $error }): { $before } in { $path } schreiben
note-setting-restored = { $disk }: { $setting } ist wieder { $before } (es war { $changed }): fathom mit pid { $pid }, das es geändert hatte, wurde beendet
note-setting-changed-since = { $disk }: { $setting } ist { $now }, was fathom nicht gesetzt hat, und bleibt so (vor der Änderung durch fathom mit pid { $pid } war es { $before })
note-memory-not-locked = lockmem={ $bytes }: { $error }; der Job läuft ohne gesperrten Speicher (siehe ulimit -l)
note-log-waits = { $waits ->
    [one] der Job wartete einmal ({ $ms } ms) auf das Schreiben seines Protokolls, was ihn verlangsamte; log_avg_msec macht Protokolle kürzer
   *[other] der Job wartete { $waits } Mal (insgesamt { $ms } ms) auf das Schreiben seines Protokolls, was ihn verlangsamte; log_avg_msec macht Protokolle kürzer
}
note-log-interval-short = in { $percent } % der Intervalle von log_avg_msec wurde kein I/O abgeschlossen; wählen Sie ein längeres Intervall
note-flash-traffic = simuliertes Halbleiterlaufwerk: Schreibverstärkung { $amplification } (von den Jobs geschriebene Seiten: { $host }, programmierte: { $nand }, getrimmte: { $trimmed }; gelöschte Blöcke: { $erases })
note-wear-budget-reached = der Lauf endete vorzeitig: vom --wear-budget von { $budget } sind { $written } geschrieben
note-unanswered = { $ios ->
    [one] { $ios } I/O wurde nie abgeschlossen; der Bericht zeigt, was abgeschlossen war
   *[other] { $ios } I/Os wurden nie abgeschlossen; der Bericht zeigt, was abgeschlossen war
}
note-posixaio-on-kernel-aio = ioengine=posixaio: io_uring ließ sich nicht einrichten ({ $error }); die I/Os laufen über Kernel-AIO (libaio)
note-measured-with-libaio = io_uring ist hier nicht erlaubt ({ $error }): gemessen mit ioengine=libaio
note-measured-with-psync = weder io_uring ({ $uring }) noch libaio ({ $libaio }) ist hier erlaubt: gemessen mit ioengine=psync, das bei jeder Queue-Tiefe einen I/O zugleich ausführt
note-no-registered-files = io_uring: Dateien ließen sich nicht registrieren ({ $error }); gewöhnliche Deskriptoren werden benutzt
note-no-registered-buffer = io_uring: ein Puffer von { $bytes } Bytes ließ sich nicht registrieren ({ $error }; Grenze für gesperrten Speicher (ulimit -l) oder größer als 1 GiB); gewöhnliche Puffer werden benutzt
note-no-worker-limit = io_uring: die Grenze der Kernel-Worker ließ sich nicht auf die Tiefe setzen ({ $error })
note-no-deferred-task-work = io_uring: diesem Kernel fehlt DEFER_TASKRUN; gewöhnlicher Ring
note-not-read-back = die Laufzeit endete während des Schreibens: nichts wurde zurückgelesen und geprüft; runtime weglassen, oder mit verify_backlog während des Schreibens prüfen
