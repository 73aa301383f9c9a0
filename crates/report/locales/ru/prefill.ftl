prefill-file = файл размером { $size }
prefill-scratch-file = временный файл размером { $size }
prefill-device = устройство размером { $size }
prefill-part-of = { $what }, из них { $length } со смещения { $offset }
prefill-found = найдено
prefill-filled = заполнено
prefill-note = заметка
prefill-question = { $share } от { $target } никогда не записывалось ({ $parts }): чтение этих областей не доходит до диска.{"\u000A"}Заполнение запишет { $noise } случайных данных туда, где сейчас читаются нули ({ $takes }). Заполнить? [y/N]{" "}
prefill-question-before-read = { $share } от { $of } никогда не записывалось: чтение этих областей не доходит до диска.{"\u000A"}Заполнить их сейчас случайными данными, { $noise } ({ $takes })? [y/N]{" "}
prefill-files = { $files ->
    [one] { $files } файл
    [few] { $files } файла
   *[other] { $files } файлов
} ({ $first }, ...)
prefill-duration = { $takes } s при 500 MB/s
prefill-holes = { $holes } в дырах
prefill-unwritten = { $unwritten } в незаписанных экстентах
prefill-zeros = { $zeros } записано нулями
prefill-sampled = { $zero } из { $of } проверенных блоков содержат только нули
prefill-all-written = записаны все области; { $sampled }
prefill-never-written = { $share } никогда не записывалось: { $parts }; { $pieces ->
    [one] { $pieces } область
    [few] { $pieces } области
   *[other] { $pieces } областей
}
prefill-nothing-to-fill = ничего: данные есть во всех областях
prefill-already-filled = ничего: fathom заполнил это раньше
prefill-declined = ничего: получен ответ «нет»
prefill-interrupted = { $written } из { $asked }; прервано сигналом, поэтому не отмечено как заполненное
prefill-filled-in = { $written } случайных данных за { $took } s
prefill-filled-at = { $written } случайных данных за { $took } s, { $rate } MB/s
prefill-through-page-cache = записано через страничный кэш
prefill-recorded-in = отмечено в { $place }
