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
