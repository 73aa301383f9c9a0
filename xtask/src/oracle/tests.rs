//! Tests of the comparison: it accepts fio's own output, and rejects renamed fields and swapped figures.
use super::*;
use testbed::{Need, skip_without};

struct Sample {
    json: String,
    text: String,
    document: Value,
}

/// Returns a report with all kinds of lines: both directions, syncs, samples, several depths.
fn sample() -> Sample {
    let job = Drawn::given(
        "--ioengine=libaio --iodepth=4 --rw=randrw --bs=4k --size=4m --fsync=16 --runtime=2 --time_based --rate_iops=900,300",
    );
    let trace = trace(&Tool::fio(), &job).unwrap();
    let document = trace.document.unwrap();
    Sample { json: trace.json, text: trace.text, document }
}

fn problems(theirs: &Sample, json: &Value, text: &str) -> Vec<String> {
    let mut out = layout::text_differences(&theirs.text, text);
    layout::json_differences(&theirs.document, json, "", &mut out);
    figures::laws(json, &mut out);
    figures::text_against_json(text, json, &mut out);
    out
}

/// Adds all objects of a document, with their JSON pointers.
fn objects(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            out.push(at.clone());
            map.iter().for_each(|(k, v)| objects(v, format!("{at}/{}", k.replace('/', "~1")), out));
        }
        Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| objects(v, format!("{at}/{i}"), out)),
        _ => {}
    }
}

#[test]
fn a_renamed_field_and_two_swapped_figures_are_seen() {
    skip_without!(Need::Program("fio"));
    let sample = sample();
    assert_eq!(problems(&sample, &sample.document, &sample.text), Vec::<String>::new());
    assert_eq!(layout::json_line_differences(&sample.json, &sample.json), Vec::<String>::new());
    let mut places = Vec::new();
    objects(&sample.document, String::new(), &mut places);
    let mut missed = Vec::new();
    let mut swaps = 0;
    for place in &places {
        let object = sample.document.pointer(place).and_then(Value::as_object).unwrap().clone();
        for key in object.keys() {
            let mut other = sample.document.clone();
            let renamed: serde_json::Map<String, Value> = object
                .iter()
                .map(|(k, v)| (if k == key { format!("{k}x") } else { k.clone() }, v.clone()))
                .collect();
            *other.pointer_mut(place).unwrap() = Value::Object(renamed);
            assert!(
                !problems(&sample, &other, &sample.text).is_empty(),
                "renaming {place}/{key} is not seen"
            );
        }
        let keys: Vec<&String> = object.keys().collect();
        for (i, a) in keys.iter().enumerate() {
            for b in &keys[i + 1..] {
                let (x, y) = (&object[*a], &object[*b]);
                let (Some(u), Some(v)) = (x.as_f64(), y.as_f64()) else { continue };
                // Nearly equal figures cannot be distinguished; shares under 0.1 % are printed as 0.1.
                if (u - v).abs() <= 0.03 * u.abs().max(v.abs()) + 0.25 {
                    continue;
                }
                swaps += 1;
                let mut other = sample.document.clone();
                other.pointer_mut(place).unwrap()[*a] = y.clone();
                other.pointer_mut(place).unwrap()[*b] = x.clone();
                if problems(&sample, &other, &sample.text).is_empty() {
                    missed.push(format!("{place}: {a} {b}"));
                }
            }
        }
    }
    println!("{} of {swaps} swaps missed", missed.len());
    // These figures come from the kernel or the clock, and nothing in the report confirms them.
    missed.retain(|m| !m.contains("/disk_util") && !m.contains("timestamp") && !m.contains("elapsed"));
    assert!(missed.is_empty(), "swaps that nobody sees: {missed:#?}");
}

#[test]
fn a_changed_word_in_the_text_is_seen() {
    skip_without!(Need::Program("fio"));
    let sample = sample();
    let mut reported = false;
    for line in sample.text.lines().filter(|l| !l.is_empty()) {
        reported |= line.contains("(groupid");
        let come_and_go = ["  lat (", "   bw (", "   iops "].iter().any(|p| line.starts_with(p));
        if !reported || come_and_go {
            continue;
        }
        let changed = line.replacen(|c: char| c.is_ascii_alphabetic(), "Q", 1);
        let text = sample.text.replacen(line, &changed, 1);
        if changed != line {
            assert!(!problems(&sample, &sample.document, &text).is_empty(), "changing {line:?} is not seen");
        }
    }
}
