dd-input-zero = Eingabe: /dev/zero ist kein Speichergerät; kein Gerät wurde gelesen
dd-input-no-storage = Eingabe: ein Gerät ohne Speicher; keine Platte wurde gelesen
dd-input-unknown = Eingabe: nicht bekannt, wie viel aus dem Seitencache kam
dd-input = Eingabe: { $share } von { $total } brauchten kein Lesen vom Gerät (vor dem Kopieren { $cached } im Seitencache, { $gaps } in Löchern oder ungeschriebenen Extents)
dd-input-at-least = Eingabe: mindestens { $share } von { $total } brauchten kein Lesen vom Gerät (vor dem Kopieren { $cached } im Seitencache, { $gaps } in Löchern oder ungeschriebenen Extents)
dd-input-nothing = Eingabe: von { $total } lag vor dem Kopieren nichts im Seitencache, in einem Loch oder einem ungeschriebenen Extent
dd-input-direct = Eingabe: { $total } wurden am Seitencache vorbei gelesen (iflag=direct), in dem { $cached } davon lagen
dd-below-loop = { $device } ist ein Loop-Gerät: { $cached } seiner Datei liegen eine Schicht tiefer im Seitencache
dd-below-loop-unknown = { $device } ist ein Loop-Gerät: seine Datei kann eine Schicht tiefer im Seitencache liegen
dd-below-memory = { $device } hält seine Daten im Arbeitsspeicher
dd-below-no-device = { $name } hat kein eigenes Blockgerät
dd-output = Ausgabe: eine Datei
dd-output-durable = Ausgabe: innerhalb der obigen Zeit auf das Gerät geschrieben (Flush)
dd-output-lost = Ausgabe: der Flush schlug fehl; ein Teil der Daten ist womöglich nicht auf dem Gerät
dd-output-direct = Ausgabe: die Schreibzugriffe umgingen den Seitencache; der Cache des Geräts wurde nicht geleert (conv=fdatasync tut es innerhalb der Zeit)
dd-output-none-pending = Ausgabe: alle Daten hatten den Seitencache verlassen; ob das Gerät sie annahm, wurde nicht geprüft (--sync-after tut es), und sein Cache wurde nicht geleert
dd-output-pending = Ausgabe: { $pending } ({ $share }) lagen am Ende des Kopierens noch im Seitencache und nicht auf dem Gerät (conv=fdatasync schreibt sie innerhalb der Zeit, --sync-after misst das)
dd-output-unknown = Ausgabe: nicht bekannt, wie viel noch im Seitencache lag (conv=fdatasync schreibt es innerhalb der Zeit, --sync-after misst das)
dd-output-loop = { $device } ist ein Loop-Gerät: seine Datei kann eine Schicht tiefer im Seitencache liegen
dd-flushed = mit einem Flush von { $flush } nach dem Kopieren: { $rate }/s
dd-zeros = alle kopierten Bytes sind Nullen: Speicher, der komprimiert oder dedupliziert, ist damit schneller als mit anderen Daten
dd-zeros-compressed = alle kopierten Bytes sind Nullen, die { $layer } komprimiert: damit ist es schneller als mit anderen Daten
