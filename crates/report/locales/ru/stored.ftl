stored-render-older-limit = {"."}.. и ещё более ранних: { $more }, --limit { $all }
stored-render-nothing-stored-yet = пока ничего не сохранено
stored-run = прогон
stored-check = проверка
stored-study = исследование
