stored-older = { $more ->
    [one] не показана { $more } более ранняя запись
    [few] не показаны { $more } более ранние записи
   *[other] не показано { $more } более ранних записей
}; все покажет --limit { $all }
stored-empty = пока ничего не сохранено
stored-run = запуск
stored-check = проверка
stored-study = исследование
# Headings of the columns.
stored-id = №
stored-began = начало
stored-trust = доверие
stored-kind = вид
stored-title = задание или цель
stored-no-rows = { $id } - ответ без строк: используйте --json
stored-not-iometer = { $id } - не запуск: --iometer экспортирует только запуски (fathom run); используйте --json, для исследований и проверок также --csv
stored-answer-without-charts = { $name } — ответ команды fathom { $command } без диаграмм: fathom show { $name } печатает его, fathom report { $name } -o ФАЙЛ записывает его как страницу
stored-no-charts = в { $names } нечего рисовать: fathom show печатает сохранённый результат
stored-no-directory = { $path } — файл: диаграммы записываются в каталог, каждая в свой файл; укажите путь к каталогу
stored-damaged = не показано, так как строка в хранилище повреждена: { $names }
