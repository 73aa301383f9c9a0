//! Stored answers of `fathom fit`, `explain`, `cloud`, `rank`, `characterize`, `files`, `objects` and `run --hosts` as text and JSON.

use crate::{Lang, characterize, cloud, explain, files, fit, hosts, objects, rank};
use stats::answer::Answer;

/// Returns the answer as the command printed it, in lines of at most `width` columns.
pub fn render(lang: Lang, answer: &Answer, width: usize) -> String {
    match answer {
        Answer::Fit(cards) => match cards.as_slice() {
            [card] => fit::render(lang, card, width),
            cards => fit::table_of(lang, cards, width),
        },
        Answer::Explain(card) => explain::render(lang, card, width),
        Answer::Cloud(card) => cloud::render(lang, card, width),
        Answer::Rank(ranking) => rank::render(lang, ranking, width),
        Answer::Characterize(character) => characterize::render(lang, character, width),
        Answer::Files(card) => files::render(lang, card, width),
        Answer::Objects(result) => objects::render(lang, result, width),
        Answer::Hosts(result) => hosts::render(lang, result, width),
    }
}

/// Returns the answer as one JSON document, newline at the end.
pub fn json(answer: &Answer) -> String {
    match answer {
        Answer::Fit(cards) => match cards.as_slice() {
            [card] => fit::json(card),
            cards => fit::json_of(cards),
        },
        Answer::Explain(card) => explain::json(std::slice::from_ref(&**card)),
        Answer::Cloud(card) => cloud::json(card),
        Answer::Rank(ranking) => rank::json(ranking),
        Answer::Characterize(character) => characterize::json(character),
        Answer::Files(card) => files::json(card),
        Answer::Objects(result) => objects::json(result),
        Answer::Hosts(result) => hosts::json(result),
    }
}
