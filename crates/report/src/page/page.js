// The page's charts: drawn when they come into sight, from the data that stands in the page; nothing is computed here.
(() => {
  'use strict';
  const words = JSON.parse(document.getElementById('words').textContent);
  const COLOURS = {
    light: ['#0072b2', '#c24e00', '#007a5a', '#a8508a', '#8a6100', '#2f7fb0', '#6b5400', '#4d4d4d'],
    dark: ['#56b4e9', '#f0884a', '#3fc79a', '#e08cc0', '#e6b94a', '#8cc9f2', '#cdb44a', '#b5b5b5'],
  };

  // Data: as it is, or packed (base64 of gzip) where it is much.
  async function read(id) {
    const element = document.getElementById(id);
    if (!element.hasAttribute('data-gzip')) return element.textContent;
    const packed = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).text();
  }

  // Numbers in words, as everywhere in fathom.
  function step(value, units, gap) {
    let at = 0;
    while (Math.abs(value) >= 999.5 && at + 1 < units.length) { value /= 1000; at += 1; }
    const size = Math.abs(value);
    const digits = size === 0 ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return value.toFixed(digits) + (units[at] ? gap + units[at] : '');
  }
  function say(quantity, value) {
    if (value === null || value === undefined || !Number.isFinite(value)) return '-';
    switch (quantity) {
      case 'rate': return step(value, ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'], ' ');
      case 'bytes': return step(value, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], ' ');
      case 'nanos': return step(value, ['ns', 'us', 'ms', 's'], ' ');
      case 'seconds': return step(value, ['', 'k'], '') + ' s';
      case 'percent': return (value > 0 && value < 9.95 ? value.toFixed(value < 0.1 ? 3 : 1) : value.toFixed(0)) + ' %';
      case 'size': return value >= 1048576 && value % 1048576 === 0 ? value / 1048576 + 'M'
        : value >= 1024 && value % 1024 === 0 ? value / 1024 + 'k' : step(value, ['', 'k', 'M', 'G'], '');
      case 'nines': return (100 - 100 * 10 ** -value).toFixed(Math.min(6, Math.max(0, Math.ceil(value) - 2)));
      case 'count': if (Number.isInteger(value) && Math.abs(value) < 10000) return String(value); // falls through
      default: return step(value, ['', 'k', 'M', 'G', 'T'], '');
    }
  }

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // On paper nothing is zoomed or paged.
  let printing = false;
  const dark = () => document.documentElement.dataset.theme === 'dark';
  const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
  const fits = (axis, value) => value !== null && Number.isFinite(value) && (!axis.log || value > 0);

  // A chart's rows as people and spreadsheets read them: a heading each column, a row each place of the x axis.
  function rows(chart) {
    const name = (axis, at) => axis.categories ? axis.categories[at] : at;
    if (chart.form.kind === 'heat') {
      return {
        head: [chart.y.label, ...chart.x.categories], quantities: ['', ...chart.x.categories.map(() => chart.form.value.quantity)],
        body: chart.y.categories.map((row, y) => [row, ...chart.x.categories.map((_, x) => {
          const cell = chart.form.cells.find((c) => c[0] === x && c[1] === y);
          return cell ? cell[2] : null;
        })]),
      };
    }
    if (chart.form.kind === 'ranges') {
      const name = (row) => chart.y.categories[row];
      const ranges = chart.form.sets.flatMap((set) => set.ranges.map((r) => [r[0], [name(r[0]), set.name, r[1], r[2]]]));
      const own = chart.marks.map((m) => [m.label, '', m.at, m.at]);
      return {
        head: [chart.y.label, words.group, words.low, words.high], quantities: ['', '', chart.x.quantity, chart.x.quantity],
        body: [...own, ...ranges.sort((a, b) => b[0] - a[0]).map((r) => r[1])],
      };
    }
    const head = [chart.x.label];
    const quantities = [chart.x.categories ? '' : chart.x.quantity];
    const places = new Map();
    chart.form.series.forEach((series) => {
      const spread = series.points.some((p) => p.length === 4);
      const first = head.length;
      head.push(series.name);
      quantities.push(chart.y.quantity);
      if (spread) {
        head.push(series.name + ' ' + words.low, series.name + ' ' + words.high);
        quantities.push(chart.y.quantity, chart.y.quantity);
      }
      series.points.forEach((p) => {
        // Several points at one place: a row each.
        let row = (places.get(p[0]) || []).find((r) => r[first] === undefined);
        if (!row) { row = [name(chart.x, p[0])]; places.set(p[0], [...(places.get(p[0]) || []), row]); }
        row[first] = p[1];
        if (spread) { row[first + 1] = p.length === 4 ? p[2] : null; row[first + 2] = p.length === 4 ? p[3] : null; }
      });
    });
    const body = [...places.keys()].sort((a, b) => a - b).flatMap((x) => places.get(x));
    body.forEach((row) => { for (let at = 0; at < head.length; at += 1) if (row[at] === undefined) row[at] = null; });
    return { head, quantities, body };
  }
  function csv(chart) {
    const cell = (value) => value === null ? '' : /[",\n]/.test(String(value)) ? '"' + String(value).replace(/"/g, '""') + '"' : String(value);
    const unit = { nanos: 'ns', seconds: 's', rate: 'bytes/s', bytes: 'bytes', size: 'bytes', percent: '%', iops: '1/s', nines: '-log10(1-p)' };
    const { head, quantities, body } = rows(chart);
    const names = head.map((h, at) => unit[quantities[at]] ? `${h} [${unit[quantities[at]]}]` : h);
    return [names, ...body].map((row) => row.map(cell).join(',')).join('\n') + '\n';
  }
  function table(chart) {
    const { head, quantities, body } = rows(chart);
    const th = head.map((h) => `<th scope="col">${escape(h)}</th>`).join('');
    const cells = (row) => row.map((value, at) => {
      const text = typeof value === 'string' ? value : say(quantities[at], value);
      return at === 0 ? `<th scope="row">${escape(text)}</th>` : `<td title="${value === null ? '' : escape(value)}">${escape(text)}</td>`;
    }).join('');
    return `<table><caption>${escape(chart.title)}</caption><thead><tr>${th}</tr></thead><tbody>${body.map((r) => `<tr>${cells(r)}</tr>`).join('')}</tbody></table>`;
  }

  // The ends of a logarithmic axis: what was measured lies between them, whiskers may go beyond.
  function ends(given, values) {
    const usable = values.filter((v) => fits(given, v));
    if (!given.log || usable.length === 0) return {};
    if (given.quantity === 'count' || given.quantity === 'size') return { min: Math.min(...usable), max: Math.max(...usable) };
    const nice = (v, up) => {
      const ten = 10 ** Math.floor(Math.log10(v));
      const steps = [1, 2, 5, 10].map((n) => n * ten);
      return up ? steps.find((n) => n >= v * 0.9999) : steps.reverse().find((n) => n <= v * 1.0001);
    };
    const [low, high] = [nice(Math.min(...usable), false), nice(Math.max(...usable), true)];
    return low < high ? { min: low, max: high } : { min: low / 2, max: high * 2 };
  }

  function axis(given, zero) {
    const common = {
      name: given.label, nameLocation: 'middle', nameTextStyle: { color: style('--quiet') },
      axisLine: { show: true, lineStyle: { color: style('--line') } }, axisLabel: { color: style('--quiet'), hideOverlap: true },
      splitLine: { lineStyle: { color: style('--line'), opacity: 0.6 } },
    };
    if (given.categories) return { ...common, type: 'category', data: given.categories, axisLabel: { ...common.axisLabel, hideOverlap: false, interval: 'auto' } };
    const format = (value) => say(given.quantity, value);
    const scaled = given.log ? { type: 'log', logBase: given.quantity === 'size' || given.quantity === 'count' ? 2 : 10 } : { type: 'value', min: zero ? (range) => Math.min(0, range.min) : undefined };
    return { ...common, ...scaled, scale: !zero, axisLabel: { ...common.axisLabel, formatter: format } };
  }

  // The 95 % interval of points: whiskers, or a band where the line is dense.
  function interval(series, colour, chart, band, offset) {
    const ends = series.points.filter((p) => p.length === 4 && fits(chart.x, p[0]) && fits(chart.y, p[1]));
    if (ends.length === 0) return [];
    const low = (p) => chart.y.log ? Math.max(p[2], p[1] / 100) : p[2];
    const common = { type: 'custom', name: series.name, silent: true, z: 1, tooltip: { show: false }, itemStyle: { color: colour }, clip: true };
    if (band) {
      return [{
        ...common, data: [[ends[0][0], ends[0][1]]], encode: { x: 0, y: 1 },
        renderItem: (params, api) => params.dataIndex > 0 ? null : {
          type: 'polygon',
          shape: { points: [...ends.map((p) => api.coord([p[0], p[3]])), ...ends.slice().reverse().map((p) => api.coord([p[0], low(p)]))] },
          style: { fill: colour, opacity: 0.2 },
        },
      }];
    }
    return [{
      ...common, z: 5, data: ends.map((p) => [p[0], p[1], low(p), p[3]]), encode: { x: 0, y: [2, 3] },
      renderItem: (params, api) => {
        const [x, top] = api.coord([api.value(0), api.value(3)]);
        const bottom = api.coord([api.value(0), api.value(2)])[1];
        const at = x + (offset ? offset(api) : 0);
        const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: offset ? style('--ink') : colour, lineWidth: 1.2 } });
        return { type: 'group', children: [line(at, top, at, bottom), line(at - 3, top, at + 3, top), line(at - 3, bottom, at + 3, bottom)] };
      },
    }];
  }

  // Pixels across for the longest of these names; a name that is longer goes on in a second line.
  const LONGEST_NAME = 300;
  const widest = (names) => Math.min(LONGEST_NAME, 6.6 * Math.max(0, ...(names || []).map((n) => n.length)));
  const whole = (names) => ({ width: widest(names) + 14, overflow: 'breakAll' });
  const SLOPE = 55;
  const crowd = (names) => names && names.join(' ').length > 60;
  // Pixels that slanted names take below the axis, and to the left of the first.
  const slanted = (names) => crowd(names) ? widest(names) * Math.sin(SLOPE * Math.PI / 180) : 0;
  const leaning = (names) => crowd(names) ? widest(names) * Math.cos(SLOPE * Math.PI / 180) : 0;

  // Zoom by mouse and slider; on paper nothing is zoomed.
  const zooming = () => printing ? [] : [
    { type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, filterMode: 'none' },
    { type: 'slider', height: 16, bottom: 4, filterMode: 'none', showDetail: false, brushSelect: false, borderColor: style('--line') },
  ];

  // Pixels of a row of ranges.
  const ROW = 18;
  function rangesOption(chart, base) {
    const colours = COLOURS[dark() ? 'dark' : 'light'];
    const quantity = chart.x.quantity;
    const names = Math.min(150, widest(chart.y.categories)) + 14;
    const spread = (low, high) => low === high ? say(quantity, low) : `${say(quantity, low)} – ${say(quantity, high)}`;
    const sets = chart.form.sets.map((set) => ({
      type: 'custom', name: set.name, clip: true, z: 3, itemStyle: { color: colours[set.colour % colours.length] },
      data: set.ranges.map((r) => [r[1], r[0], r[2]]), encode: { x: [0, 2], y: 1 },
      renderItem: (params, api) => {
        const [x1, y] = api.coord([api.value(0), api.value(1)]);
        const x2 = api.coord([api.value(2), api.value(1)])[0];
        const fill = api.visual('color');
        if (x2 - x1 < 1) return { type: 'circle', shape: { cx: x1, cy: y, r: 4 }, style: { fill, stroke: style('--ground') } };
        return { type: 'rect', shape: { x: x1, y: y - 4, width: x2 - x1, height: 8, r: 2 }, style: { fill } };
      },
    }));
    const mark = {
      silent: true, symbol: 'none', lineStyle: { color: style('--mark'), width: 2 },
      data: chart.marks.map((m) => ({ xAxis: m.at, label: { formatter: m.label, color: style('--mark'), position: 'end' } })),
    };
    const values = [...chart.form.sets.flatMap((set) => set.ranges.flatMap((r) => [r[1], r[2]])), ...chart.marks.map((m) => m.at)];
    const y = axis(chart.y);
    return {
      ...base,
      tooltip: { ...base.tooltip, formatter: (p) => `${escape(chart.y.categories[p.value[1]])}: <b>${spread(p.value[0], p.value[2])}</b><br>${p.marker}${escape(p.seriesName)}` },
      legend: { type: printing ? 'plain' : 'scroll', top: 0, data: chart.form.sets.map((set) => set.name), textStyle: { color: style('--ink') }, pageTextStyle: { color: style('--ink') }, pageIconColor: style('--accent') },
      grid: { left: names + 8, right: 26, top: 50, bottom: printing ? 50 : 72 },
      xAxis: { ...axis(chart.x), ...ends(chart.x, values), nameGap: 28 },
      yAxis: { ...y, name: '', splitLine: { show: false }, axisLabel: { ...y.axisLabel, interval: 0, fontSize: 11, width: names, overflow: 'breakAll' } },
      dataZoom: zooming().map((z) => ({ ...z, xAxisIndex: 0 })),
      series: [...sets, { type: 'scatter', name: '', data: [], markLine: mark, z: 4 }],
      aria: { enabled: false },
    };
  }

  function option(chart) {
    const colours = COLOURS[dark() ? 'dark' : 'light'];
    const ink = style('--ink');
    const base = {
      animation: false, backgroundColor: 'transparent', textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: ink },
      tooltip: { confine: true, className: 'tip', backgroundColor: style('--raised'), borderColor: style('--line'), textStyle: { color: ink } },
    };
    if (chart.form.kind === 'heat') {
      const what = chart.form.value;
      // The scale of the colours is linear in what it is given: of a logarithmic one, the logarithm.
      const cells = chart.form.cells.filter((c) => fits(what, c[2])).map((c) => [c[0], c[1], what.log ? Math.log10(c[2]) : c[2]]);
      const number = (v) => say(what.quantity, what.log ? 10 ** v : v);
      const values = cells.map((c) => c[2]);
      return {
        ...base,
        tooltip: { ...base.tooltip, formatter: (p) => `${escape(chart.x.label)} ${escape(chart.x.categories[p.value[0]])}, ${escape(chart.y.label)} ${escape(chart.y.categories[p.value[1]])}<br><b>${number(p.value[2])}</b>` },
        grid: { left: 40 + Math.max(30, widest(chart.y.categories)), right: 20, top: 10, bottom: 95 },
        xAxis: { ...axis(chart.x), nameGap: 28, splitArea: { show: false } },
        yAxis: { ...axis(chart.y), nameGap: 15 + Math.max(30, widest(chart.y.categories)), axisLabel: { ...axis(chart.y).axisLabel, ...whole(chart.y.categories) } },
        visualMap: {
          type: 'continuous', orient: 'horizontal', left: 'center', bottom: 0, calculable: true, min: Math.min(...values), max: Math.max(...values),
          formatter: number, textStyle: { color: style('--quiet') }, inRange: { color: ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'] },
        },
        series: [{
          type: 'heatmap', name: what.label, data: cells,
          label: { show: cells.length <= 64, formatter: (p) => number(p.value[2]), textBorderColor: '#000', textBorderWidth: 2, color: '#fff' },
        }],
      };
    }
    if (chart.form.kind === 'ranges') return rangesOption(chart, base);
    const bars = chart.form.kind === 'bars';
    const all = chart.form.series;
    const quantity = chart.y.quantity;
    const legend = bars && all.length === 1 ? [] : all.map((s) => s.name);
    const marks = chart.marks.filter((m) => m.upwards ? chart.x.categories || fits(chart.x, m.at) : fits(chart.y, m.at));
    const upwards = marks.filter((m) => m.upwards);
    const series = all.flatMap((line, at) => {
      const colour = colours[at % colours.length];
      const usable = line.points.map((p) => [p[0], fits(chart.y, p[1]) && (chart.x.categories || fits(chart.x, p[0])) ? p[1] : null]);
      const common = { name: line.name, data: usable, itemStyle: { color: colour }, z: 3, emphasis: { focus: 'none' } };
      if (bars) {
        const width = all.length;
        const offset = (api) => { const size = api.barLayout({ count: width, barCategoryGap: '30%' }); return size[at].offsetCenter; };
        return [{ ...common, type: 'bar', barCategoryGap: '30%' }, ...interval(line, colour, chart, false, offset)];
      }
      if (line.look === 'points') return [{ ...common, type: 'scatter', symbolSize: 8 }, ...interval(line, colour, chart, false)];
      const marked = line.look === 'marked';
      return [{
        ...common, type: 'line', connectNulls: false, showSymbol: marked, symbol: 'circle', symbolSize: 7, step: line.look === 'step' ? 'end' : false,
        lineStyle: { width: line.look === 'dashed' ? 1.5 : 2, type: line.look === 'dashed' ? 'dashed' : 'solid', color: colour },
      }, ...interval(line, colour, chart, !marked)];
    });
    if (series.length > 0) {
      series[0].markLine = {
        silent: true, symbol: 'none', lineStyle: { color: style('--mark'), type: 'dashed' },
        // Labels of marks that stand near each other stand above each other.
        data: marks.map((m) => ({ [m.upwards ? 'xAxis' : 'yAxis']: m.at, label: { formatter: m.label, color: style('--mark'), position: m.upwards ? 'end' : 'insideEndTop', padding: [0, 0, m.upwards ? 14 * upwards.indexOf(m) : 0, 0] } })),
      };
      series[0].markArea = {
        silent: true, itemStyle: { color: style('--quiet'), opacity: 0.2 }, label: { color: style('--quiet'), position: 'insideTop' },
        data: chart.spans.map((s) => [{ xAxis: s.from, name: s.label }, { xAxis: s.to }]),
      };
    }
    const legendRows = Math.ceil(legend.join('').length / 60) || (legend.length ? 1 : 0);
    const below = slanted(chart.x.categories);
    const foot = 62 + below;
    const x = { ...axis(chart.x), nameGap: 28 + below };
    if (below) x.axisLabel = { ...x.axisLabel, rotate: SLOPE, ...whole(chart.x.categories) };
    return {
      ...base,
      tooltip: {
        ...base.tooltip, trigger: 'axis', axisPointer: { type: bars ? 'shadow' : 'line', snap: true },
        formatter: (seen) => told(chart, seen.filter((p) => p.componentSubType !== 'custom')),
      },
      legend: legend.length ? { type: printing ? 'plain' : 'scroll', top: 0, data: legend, textStyle: { color: ink }, pageTextStyle: { color: ink }, pageIconColor: style('--accent') } : undefined,
      grid: { left: Math.max(78, leaning(chart.x.categories)), right: 26, top: 28 + (legendRows ? 22 : 0) + 14 * Math.max(0, upwards.length - 1), bottom: printing ? foot - 12 : foot + 10 },
      xAxis: { ...x, ...ends(chart.x, all.flatMap((s) => s.points.map((p) => p[0]))) },
      yAxis: { ...axis(chart.y, !chart.y.log && !chart.y.fitted), ...ends(chart.y, all.flatMap((s) => s.points.map((p) => p[1]))), nameGap: 60 },
      dataZoom: zooming(),
      series, aria: { enabled: false },
    };

    function told(of, seen) {
      if (seen.length === 0) return '';
      const place = seen[0].value[0];
      const head = of.x.categories ? of.x.categories[place] : say(of.x.quantity, place);
      const lines = seen.filter((p) => p.value[1] !== null && p.value[1] !== undefined).map((p) => {
        const line = all.find((s) => s.name === p.seriesName);
        const point = line && line.points.find((q) => q[0] === p.value[0] && q[1] === p.value[1]);
        const spread = point && point.length === 4 ? ` (${say(quantity, point[2])} – ${say(quantity, point[3])})` : '';
        return `${p.marker}${escape(p.seriesName)}: <b>${say(quantity, p.value[1])}</b>${spread}`;
      });
      return [`${escape(of.x.label)} ${escape(head)}`, ...lines].join('<br>');
    }
  }

  const drawn = new Map();
  function draw(figure, chart) {
    const place = figure.querySelector('.plot');
    const old = drawn.get(figure);
    if (old) old.dispose();
    // Long names add to the height of the chart, not to what they leave of it.
    const more = slanted(chart.x.categories);
    const ranges = chart.form.kind === 'ranges' ? ROW * chart.y.categories.length + 130 : 0;
    place.style.height = ranges ? `${ranges}px` : more > 60 ? `calc(22rem + ${Math.round(more - 60)}px)` : '';
    const made = echarts.init(place, null, { renderer: 'svg' });
    made.setOption(option(chart));
    drawn.set(figure, made);
    figure.dataset.drawn = chart.id;
    return made;
  }

  function save(name, type, text) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  const speak = (text) => { document.getElementById('spoken').textContent = text; };
  function button(text, act) {
    const b = document.createElement('button');
    b.type = 'button';
    b.textContent = text;
    b.addEventListener('click', () => act(b));
    return b;
  }

  // One place for a chart, or for many of which one is looked at.
  function figure(charts) {
    let chart = charts[0];
    let at = -1;
    const element = document.createElement('figure');
    element.id = chart.id;
    element.innerHTML = '<figcaption><h3></h3><p></p></figcaption><div class="plot" role="img" tabindex="0"></div><div class="tools"></div><div class="table" tabindex="0" role="region" hidden></div>';
    const plot = element.querySelector('.plot');
    const tools = element.querySelector('.tools');
    const list = element.querySelector('.table');
    const show = () => {
      element.querySelector('h3').textContent = chart.title;
      element.querySelector('figcaption p').textContent = chart.note;
      plot.setAttribute('aria-label', `${chart.title}. ${chart.note} ${words.keys}`);
      list.setAttribute('aria-label', chart.title);
      if (!list.hidden) list.innerHTML = table(chart);
      at = -1;
    };
    if (charts.length > 1) {
      const select = document.createElement('select');
      select.setAttribute('aria-label', words.choose);
      charts.forEach((c, n) => select.add(new Option(c.choice, n)));
      select.addEventListener('change', () => { chart = charts[select.value]; show(); draw(element, chart); });
      element.querySelector('figcaption').append(select);
    }
    const toggle = button(words.table, (b) => {
      list.hidden = !list.hidden;
      b.setAttribute('aria-expanded', String(!list.hidden));
      if (!list.hidden) list.innerHTML = table(chart);
    });
    toggle.className = 'show-table';
    toggle.setAttribute('aria-expanded', 'false');
    const copy = button(words.copy, () => {
      const text = csv(chart).replace(/,/g, '\t');
      const done = () => speak(words.copied);
      if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(done, () => older(text, done));
      else older(text, done);
    });
    copy.className = 'copy';
    const load = button('CSV', () => save(`${chart.id}.csv`, 'text/csv', csv(chart)));
    load.className = 'csv';
    const picture = button('SVG', () => {
      const made = drawn.get(element) || draw(element, chart);
      save(`${chart.id}.svg`, 'image/svg+xml', made.renderToSVGString());
    });
    const zoom = (from, to) => { const made = drawn.get(element); if (made) made.dispatchAction({ type: 'dataZoom', start: from, end: to }); };
    tools.append(toggle, copy, load, picture);
    if (chart.form.kind !== 'heat') {
      const out = button(words.whole, () => zoom(0, 100));
      out.className = 'whole';
      tools.append(out);
    }
    // The arrow keys walk along the points; + and - zoom, 0 shows all.
    plot.addEventListener('keydown', (event) => {
      const made = drawn.get(element);
      if (!made || chart.form.kind === 'heat') return;
      const ranges = chart.form.kind === 'ranges';
      const points = ranges ? chart.form.sets[0].ranges : chart.form.series[0].points;
      const range = made.getOption().dataZoom[0];
      const width = range.end - range.start;
      if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
        at = Math.min(points.length - 1, Math.max(0, at + (event.key === 'ArrowRight' ? 1 : -1)));
        made.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: at });
        if (ranges) {
          const [row, low, high] = points[at];
          speak(`${chart.y.categories[row]} ${say(chart.x.quantity, low)} – ${say(chart.x.quantity, high)}, ${chart.marks.map((m) => m.label).join(', ')}`);
          event.preventDefault();
          return;
        }
        const name = chart.x.categories ? chart.x.categories[points[at][0]] : say(chart.x.quantity, points[at][0]);
        const values = chart.form.series.map((s) => { const p = s.points.find((q) => q[0] === points[at][0]); return p && `${s.name} ${say(chart.y.quantity, p[1])}`; });
        speak([`${chart.x.label} ${name}`, ...values.filter(Boolean)].join(', '));
      } else if (event.key === '+') zoom(range.start + width / 4, range.end - width / 4);
      else if (event.key === '-') zoom(Math.max(0, range.start - width / 2), Math.min(100, range.end + width / 2));
      else if (event.key === '0') zoom(0, 100);
      else if (event.key === 'Escape') made.dispatchAction({ type: 'hideTip' });
      else return;
      event.preventDefault();
    });
    element.now = () => chart;
    show();
    return element;
  }
  function older(text, done) {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    done();
  }

  const sight = new IntersectionObserver((seen) => seen.forEach((s) => {
    if (s.isIntersecting && !drawn.has(s.target)) draw(s.target, s.target.now());
  }), { rootMargin: '300px' });
  const grids = new Map();
  function lay(charts) {
    const whole = document.getElementById('charts');
    const groups = new Map();
    charts.forEach((c) => groups.set(c.section, [...(groups.get(c.section) || []), c]));
    groups.forEach((members, name) => {
      let grid = grids.get(name);
      if (!grid) {
        // A section with tables of its own has a place for its charts below them.
        const place = [...document.querySelectorAll('[data-section]')].find((e) => e.dataset.section === name);
        const section = place || document.createElement('section');
        const heading = document.createElement('h2');
        heading.textContent = name;
        grid = document.createElement('div');
        grid.className = 'grid';
        grids.set(name, grid);
        if (place) place.append(grid);
        else {
          section.append(heading, grid);
          whole.append(section);
        }
      }
      const many = members.filter((c) => c.choice);
      members.filter((c) => !c.choice).forEach((c) => grid.append(figure([c])));
      if (many.length > 0) grid.append(figure(many));
      grid.querySelectorAll('figure').forEach((f) => sight.observe(f));
    });
  }

  function theme(name) {
    document.documentElement.dataset.theme = name;
    const b = document.getElementById('theme');
    b.setAttribute('aria-pressed', String(name === 'dark'));
    drawn.forEach((_, f) => draw(f, f.now()));
  }
  const wanted = matchMedia('(prefers-color-scheme: dark)');
  theme(wanted.matches ? 'dark' : 'light');
  wanted.addEventListener('change', () => theme(wanted.matches ? 'dark' : 'light'));
  document.getElementById('theme').addEventListener('click', () => theme(dark() ? 'light' : 'dark'));
  let before = null;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    printing = true;
    document.documentElement.classList.add('paper');
    document.querySelectorAll('figure').forEach((f) => { if (!drawn.has(f)) draw(f, f.now()); });
    theme('light');
    document.querySelectorAll('details').forEach((d) => { d.open = true; });
  });
  addEventListener('afterprint', () => { printing = false; document.documentElement.classList.remove('paper'); theme(before || 'light'); });
  let waiting = 0;
  addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(() => drawn.forEach((d) => d.resize()), 100); });

  const ready = (async () => {
    const charts = JSON.parse(await read('data-charts'));
    lay(charts);
    // What is looked at one by one comes after the first picture.
    await new Promise((r) => setTimeout(r, 0));
    const many = JSON.parse(await read('data-many'));
    lay(many);
    const b = document.getElementById('download');
    b.hidden = false;
    b.addEventListener('click', async () => save(document.getElementById('data-raw').dataset.name, 'application/json', await read('data-raw')));
    window.fathom.readyAt = performance.now();
    return [...charts, ...many];
  })();
  window.fathom = { ready, say, read, draw: (id) => { const f = document.getElementById(id); draw(f, f.now()); }, drawn: (id) => drawn.get(document.getElementById(id)) };
})();
