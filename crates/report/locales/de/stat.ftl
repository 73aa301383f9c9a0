stat-solid-state = { $device }: %util { $util } ist keine Sättigung: Das Gerät bearbeitet Anforderungen parallel; im Mittel in Bearbeitung { $mean } ({ $busy }, während es arbeitete)
stat-one-head = { $device }: %util { $util } ist der Anteil der Zeit, in der die Platte arbeitete; im Mittel in Bearbeitung { $mean } ({ $busy }, während sie arbeitete)
stat-stacked = { $device }: %util { $util } ist keine Sättigung: Darunter { $members ->
    [one] arbeitet ein Gerät
   *[other] arbeiten { $members } Geräte
    }; im Mittel in Bearbeitung { $mean } ({ $busy }, während es arbeitete)
stat-software = { $device }: %util { $util } ist keine Sättigung: Die Arbeit leisten die Schichten darunter; im Mittel in Bearbeitung { $mean } ({ $busy }, während es arbeitete)
stat-virtual = { $device }: %util { $util } muss keine Sättigung sein: Das Medium hinter dieser virtuellen Platte ist verborgen, und die meisten bearbeiten Anforderungen parallel; im Mittel in Bearbeitung { $mean } ({ $busy }, während es arbeitete)
stat-unknown = { $device }: %util { $util } ist der Anteil der Zeit mit mindestens einer Anforderung in Bearbeitung; im Mittel in Bearbeitung { $mean } ({ $busy }, während es arbeitete)
stat-pid = PID
stat-command = Befehl
stat-read = gelesen/s
stat-written = geschrieben/s
stat-ios = I/Os/s
stat-cgroup = Kontrollgruppe
stat-device = Gerät
stat-no-processes = kein Prozess las oder schrieb Daten auf Speichergeräten
stat-no-cgroups = keine Kontrollgruppe führte I/O aus
stat-watch-title = fathom stat, alle { $seconds } s  { $time }
stat-watch-paused = angehalten
stat-watch-keys = q Ende  auf/ab Gerät  p Pause
stat-watch-no-devices = keine Geräte
stat-watch-detail = { $device }, letzte { $seconds } s (links: der größte Wert)
stat-no-terminal = --watch braucht ein Terminal als Standardeingabe und -ausgabe
stat-no-history = { $file }: { $error }
stat-bad-history = { $file }: Zeile { $line } ist kein Bericht von fathom stat --history
stat-history-lost = Der Verlauf { $file } konnte nicht geschrieben werden: { $error }
stat-needs-value = { $option } braucht einen Wert
stat-excluded = { $first } lässt sich nicht mit { $second } verbinden
stat-bad-top = --top: eine Anzahl von Prozessen ab 1 angeben, z. B. --top=10
