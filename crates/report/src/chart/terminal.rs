//! Charts as text for a terminal, without colours.

use super::{Axis, Chart, Form, Line, Look, RangeSet};
use crate::{Grid, columns as wide, fill, fit, lay, left, right};

/// Greatest width of a chart in columns.
const WIDEST: usize = 80;
/// Height of the plot in lines.
const HEIGHT: usize = 12;
/// Marks of the series, in the order of the legend.
const MARKS: [char; 8] = ['*', 'o', '+', 'x', '#', '%', '@', '&'];

/// Returns the chart in at most `width` columns, newline at the end; with `plain` the plot consists of ASCII
/// characters.
pub fn draw(chart: &Chart, width: usize, plain: bool) -> String {
    let width = width.min(WIDEST);
    let mut lines = fill("", &chart.title, width);
    match &chart.form {
        Form::Lines { series } => lines.extend(plot(chart, series, width, plain)),
        Form::Bars { series } => lines.extend(bars(chart, series, width, plain)),
        Form::Heat { value, cells } => lines.extend(heat(chart, value, cells, width)),
        Form::Ranges { sets } => lines.extend(ranges(chart, sets, width, plain)),
    }
    let shown = lay(&lines);
    if plain { shown.replace('…', "~") } else { shown }
}

/// Returns the position of a value between the ends of an axis, 0 to 1.
fn place(value: f64, ends: (f64, f64), log: bool) -> Option<f64> {
    let of = |v: f64| if log { v.ln() } else { v };
    let (from, to) = (of(ends.0), of(ends.1));
    let share = if to > from { (of(value) - from) / (to - from) } else { 0.5 };
    (share.is_finite() && (-1e-9..=1.0 + 1e-9).contains(&share)).then_some(share.clamp(0.0, 1.0))
}

fn ends(values: impl Iterator<Item = f64>, axis: &Axis) -> Option<(f64, f64)> {
    let usable = values.filter(|v| v.is_finite() && (!axis.log || *v > 0.0));
    let found = usable.fold(None, |ends: Option<(f64, f64)>, v| {
        Some(ends.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
    });
    // A linear axis includes zero, unless only the values matter.
    found.map(|(low, high)| if axis.log || axis.fitted { (low, high) } else { (low.min(0.0), high) })
}

fn plot(chart: &Chart, series: &[Line], width: usize, plain: bool) -> Vec<String> {
    let dots = || series.iter().flat_map(|l| &l.points).filter_map(|d| Some((d.x, d.y?)));
    let (Some(across), Some(up)) = (ends(dots().map(|d| d.0), &chart.x), ends(dots().map(|d| d.1), &chart.y))
    else {
        return Vec::new();
    };
    let label = |value| chart.y.quantity.words(value);
    let (top, bottom) = (label(up.1), label(up.0));
    let margin = wide(&top).max(wide(&bottom)) + 1;
    let columns = width.saturating_sub(margin + 1).max(10);
    let mut grid = vec![vec![' '; columns]; HEIGHT];
    let at = |x: f64, y: f64| {
        let (x, y) = (place(x, across, chart.x.log)?, place(y, up, chart.y.log)?);
        let column = (x * (columns - 1) as f64).round() as usize;
        Some((column, HEIGHT - 1 - (y * (HEIGHT - 1) as f64).round() as usize))
    };
    for mark in chart.marks.iter().filter(|m| m.upwards) {
        if let Some((column, _)) = at(mark.at, up.1) {
            grid.iter_mut().for_each(|row| row[column] = if plain { '|' } else { '┊' });
        }
    }
    // Models are drawn first, so that measurements lie over them.
    let order = |look: Look| usize::from(look != Look::Dashed);
    let mut drawn: Vec<(usize, &Line)> = series.iter().enumerate().collect();
    drawn.sort_by_key(|(_, line)| order(line.look));
    for (number, line) in drawn {
        let mark = if line.look == Look::Dashed { '.' } else { MARKS[number % MARKS.len()] };
        for (column, row) in line.points.iter().filter_map(|d| at(d.x, d.y?)) {
            grid[row][column] = mark;
        }
    }
    let (side, corner, floor) = if plain { ('|', '+', '-') } else { ('│', '└', '─') };
    let mut lines: Vec<String> = grid
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let label = match at {
                0 => top.as_str(),
                at if at == HEIGHT - 1 => bottom.as_str(),
                _ => "",
            };
            format!("{} {side}{}", right(label, margin - 1), row.iter().collect::<String>())
        })
        .collect();
    lines.push(format!("{:margin$}{corner}{}", "", floor.to_string().repeat(columns)));
    let (from, to) = (chart.x.quantity.words(across.0), chart.x.quantity.words(across.1));
    let room = columns.saturating_sub(wide(&from) + wide(&to));
    let label = fit(&chart.x.label, room);
    let before = right("", (room - wide(&label)) / 2);
    lines.push(format!("{:margin$} {from}{}{to}", "", left(&(before + &label), room)));
    let name = |(at, l): (usize, &Line)| {
        format!("{} {}", if l.look == Look::Dashed { '.' } else { MARKS[at % MARKS.len()] }, l.name)
    };
    let mut names: Vec<String> = series.iter().enumerate().map(name).collect();
    names.extend(
        chart
            .marks
            .iter()
            .filter(|m| m.upwards)
            .map(|m| format!("{} {}", if plain { '|' } else { '┊' }, m.label)),
    );
    // Each line has as many names as fit.
    let indent = format!("{:margin$} ", "");
    let mut line = indent.clone();
    for name in names {
        if line.len() > indent.len() && wide(&line) + 3 + wide(&name) > width {
            lines.push(std::mem::replace(&mut line, indent.clone()));
        }
        if line.len() > indent.len() {
            line.push_str("   ");
        }
        line.push_str(&name);
    }
    lines.push(line);
    // A name that is wider than the screen continues on the next line.
    let wrapped = |line: String| match wide(&line) > width {
        true => fill(&indent, line.trim_start(), width),
        false => vec![line],
    };
    lines.into_iter().flat_map(wrapped).collect()
}

fn bars(chart: &Chart, series: &[Line], width: usize, plain: bool) -> Vec<String> {
    let values = series.iter().flat_map(|l| &l.points).filter_map(|d| d.y);
    let Some(up) = ends(values, &chart.y) else { return Vec::new() };
    let label = |line: &Line, at: usize| match series.len() {
        1 => chart.x.categories[at].clone(),
        _ => format!("{} {}", chart.x.categories[at], line.name),
    };
    let mut rows: Vec<(String, String, f64)> = Vec::new();
    for at in 0..chart.x.categories.len() {
        for line in series {
            if let Some(y) = line.points.iter().find(|d| d.x == at as f64).and_then(|d| d.y) {
                // A bar needs a length: on a logarithmic axis the smallest value gets a short one.
                let share = place(y, up, chart.y.log).unwrap_or(0.0);
                let share = if chart.y.log { 0.05 + 0.95 * share } else { share };
                rows.push((label(line, at), chart.y.quantity.words(y), share));
            }
        }
    }
    let longest = |of: &dyn Fn(&(String, String, f64)) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let names = longest(&|r| wide(&r.0));
    // Names that leave too little room for the bars stand above them.
    let above = names > width / 3;
    let names = if above { 1 } else { names };
    let figures = longest(&|r| wide(&r.1));
    let room = width.saturating_sub(names + figures + 3).max(5);
    let bar = if plain { '#' } else { '█' };
    let line = |(name, figure, share): &(String, String, f64)| {
        let length = (share * room as f64).round() as usize;
        let bar = bar.to_string().repeat(length);
        let beside = left(if above { "" } else { name }, names);
        let mut lines = if above { fill("", name, width) } else { Vec::new() };
        lines.push(format!("{beside} {} {bar}", right(figure, figures)));
        lines
    };
    rows.iter().flat_map(line).collect()
}

/// Returns a line for each category, the last first, with its ranges, and lines across at the marks.
fn ranges(chart: &Chart, sets: &[RangeSet], width: usize, plain: bool) -> Vec<String> {
    let values = sets.iter().flat_map(|set| &set.ranges).flat_map(|range| [range.low, range.high]);
    let marks = || chart.marks.iter().filter(|mark| mark.upwards);
    let Some(across) = ends(values.chain(marks().map(|mark| mark.at)), &chart.x) else { return Vec::new() };
    let names = chart.y.categories.iter().map(|name| wide(name)).max().unwrap_or(0).min(width / 3);
    let columns = width.saturating_sub(names + 2).max(10);
    let at = |value: f64| {
        place(value, across, chart.x.log).map(|share| (share * (columns - 1) as f64).round() as usize)
    };
    let mut grid = vec![vec![' '; columns]; chart.y.categories.len()];
    let sign = |set: usize| MARKS[set % MARKS.len()];
    for (number, set) in sets.iter().enumerate() {
        for range in &set.ranges {
            let (Some(from), Some(to), Some(row)) = (at(range.low), at(range.high), grid.get_mut(range.row))
            else {
                continue;
            };
            row[from..=to].fill(sign(number));
        }
    }
    let line = if plain { '|' } else { '┊' };
    for column in marks().filter_map(|mark| at(mark.at)) {
        grid.iter_mut().for_each(|row| row[column] = line);
    }
    let rows = chart.y.categories.iter().zip(&grid).rev();
    let row = |(name, cells): (&String, &Vec<char>)| {
        let cells: String = cells.iter().collect();
        format!("{}  {}", left(&fit(name, names), names), cells.trim_end())
    };
    let mut lines: Vec<String> = rows.map(row).collect();
    let (from, to) = (chart.x.quantity.words(across.0), chart.x.quantity.words(across.1));
    let room = columns.saturating_sub(wide(&from) + wide(&to));
    let label = fit(&chart.x.label, room);
    let before = right("", (room - wide(&label)) / 2);
    lines.push(format!("{:names$}  {from}{}{to}", "", left(&(before + &label), room)));
    let legend = sets.iter().enumerate().map(|(at, set)| format!("{} {}", sign(at), set.name));
    let legend = legend.chain(marks().map(|mark| format!("{line} {}", mark.label)));
    lines.extend(fill("", &legend.collect::<Vec<_>>().join("   "), width));
    lines
}

fn heat(chart: &Chart, value: &Axis, cells: &[(usize, usize, f64)], width: usize) -> Vec<String> {
    let cell = |x, y| {
        let found = cells.iter().find(|c| (c.0, c.1) == (x, y));
        found.map_or("-".to_string(), |c| value.quantity.words(c.2))
    };
    let (columns, rows) = (&chart.x.categories, &chart.y.categories);
    // Names that leave too little room for the cells are numbered, and listed below.
    let numbered = rows.iter().any(|name| wide(name) > width / 3);
    let names: Vec<String> =
        if numbered { (1..=rows.len()).map(|at| at.to_string()).collect() } else { rows.clone() };
    let first = names.iter().chain([&chart.y.label]).map(|r| wide(r)).max().unwrap_or(0);
    let row = |name: &str, cells: Vec<String>| [vec![right(name, first)], cells].concat();
    let table: Vec<Vec<String>> = std::iter::once(row(&chart.y.label, columns.clone()))
        .chain(
            names
                .iter()
                .enumerate()
                .rev()
                .map(|(y, name)| row(name, (0..columns.len()).map(|x| cell(x, y)).collect())),
        )
        .collect();
    let mut lines = fill(&format!("{:first$}  ", ""), &chart.x.label, width);
    lines.extend(Grid { keys: 1, to_right: |_| true, gap: 2 }.lines(&table, width));
    if numbered {
        let legend = names.iter().zip(rows).rev();
        lines.extend(legend.flat_map(|(at, name)| fill(&format!("{}  ", right(at, first)), name, width)));
    }
    lines
}
