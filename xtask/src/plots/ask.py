"""Runs fio-plot with the arguments given and prints, as JSON lines, the numbers that it draws."""
import json
import sys

import fio_plot
from fio_plot.fiolib import shared_chart, supporting


def told(module, name):
    original = getattr(module, name)

    def telling(*args, **kwargs):
        drawn = original(*args, **kwargs)
        print("DRAWN " + json.dumps({name: drawn}, default=lambda v: v.item() if hasattr(v, "item") else str(v)))
        return drawn

    setattr(module, name, telling)


for which in ["get_record_set", "get_record_set_3d", "get_record_set_histogram", "get_record_set_improved"]:
    told(shared_chart, which)
told(supporting, "process_dataset")
sys.argv[0] = "fio-plot"
fio_plot.main()
