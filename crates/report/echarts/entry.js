import { init, use, registerTheme } from 'echarts/core';
import { LineChart, BarChart, ScatterChart, HeatmapChart, CustomChart } from 'echarts/charts';
import { GridComponent, TooltipComponent, LegendComponent, LegendScrollComponent, DataZoomInsideComponent, DataZoomSliderComponent, MarkLineComponent, MarkAreaComponent, VisualMapContinuousComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
use([LineChart, BarChart, ScatterChart, HeatmapChart, CustomChart, GridComponent, TooltipComponent, LegendComponent, LegendScrollComponent, DataZoomInsideComponent, DataZoomSliderComponent, MarkLineComponent, MarkAreaComponent, VisualMapContinuousComponent, SVGRenderer]);
export { init };
