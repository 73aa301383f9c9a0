stored-older = { $more ->
    [one] не показана { $more } более ранняя запись
    [few] не показаны { $more } более ранние записи
   *[other] не показано { $more } более ранних записей
}; все покажет --limit { $all }
stored-empty = пока ничего не сохранено
stored-run = запуск
stored-check = проверка
stored-study = исследование
