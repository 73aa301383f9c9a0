# Why something is not stored or cannot be read.

store-no-place = нет места для хранилища: не заданы ни XDG_DATA_HOME, ни HOME; укажите его параметром --store FILE
store-absent = { $path }: хранилища здесь нет
store-foreign = { $path }: это не хранилище fathom: { $why }; файл оставлен без изменений
store-not-sqlite = не база данных SQLite
store-other-program = база данных другой программы
store-newer = { $path }: записано более новой версией fathom (версия таблиц { $found }, этой программе известна { $known }); файл оставлен без изменений
store-full = { $path }: для него не осталось места; сохранённое раньше цело
store-not-writable = { $path }: запись невозможна: { $why }
store-directory = это каталог
store-journal-directory = его каталог, в котором SQLite держит журнал: { $why }
store-older-tables = его таблицы версии { $found } пришлось бы преобразовать в версию { $known }
store-busy = { $path }: заблокировано другим процессом
store-damaged = { $path }: повреждено: { $why }
store-unknown = { $path }: записи { $id } нет; что сохранено, покажет `fathom list`
store-exists = в исследовании S{ $study } уже есть точка { $ordinal }
store-not-finite = { $what }: не сохранено, одно из чисел бесконечно или не является числом
store-unreadable = { $what }: сохранено в виде, который эта версия не может прочитать: { $why }
store-unknown-kind = его вид — «{ $kind }»
store-document-run = запуск
store-document-answer = ответ
store-document-check = проверка
store-document-study = исследование
store-document-point = точка { $ordinal }
store-document-point-of = точка { $ordinal } из S{ $study }
store-document-exported = экспортированный результат
