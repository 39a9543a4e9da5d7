//! The readable part of an object that can't be parsed in full: its scalars and those of its nested objects, where
//! agents name the event, the session and the tool. Long texts are truncated; arrays and deeper values are empty.
//! src/wire/outline.ts has the same reader, and outlines.txt tests both.

use crate::json::{self, Cursor};
use crate::limits::{OUTLINE_FIELD_BYTES, OUTLINE_LEVEL_BYTES, OUTLINE_SCALAR_BYTES, OUTLINE_TEXT_BYTES};

const LEVELS: usize = 2;

struct Reader<'a> {
    cursor: Cursor<'a>,
    /// The text ended, or isn't JSON from here on: the outline is complete.
    stopped: bool,
    /// Bytes that may still be kept per level.
    room: [usize; LEVELS],
}

/// The outline as JSON; None if there is no object or nothing in it. One pass, for any bytes.
pub fn of(text: &[u8]) -> Option<Vec<u8>> {
    let mut reader =
        Reader { cursor: Cursor { text, at: 0 }, stopped: false, room: [OUTLINE_LEVEL_BYTES; LEVELS] };
    let found = reader.object(0);
    (found.len() > 2).then_some(found)
}

impl Reader<'_> {
    /// Recurses into nested objects, limited by the number of levels.
    fn object(&mut self, level: usize) -> Vec<u8> {
        let mut out = vec![b'{'];
        self.cursor.space();
        if self.cursor.eat(b'{') {
            self.cursor.space();
            if !self.cursor.eat(b'}') {
                self.fields(level, &mut out);
            }
        }
        out.push(b'}');
        out
    }

    fn fields(&mut self, level: usize, out: &mut Vec<u8>) {
        while !self.stopped {
            let Some(name) = self.name() else { return };
            let (value, size) = self.value(level);
            if let Some(value) = value.filter(|_| self.take_room(level, name.len() + size)) {
                if out.len() > 1 {
                    out.push(b',');
                }
                json::quote(&name, out);
                out.push(b':');
                out.extend_from_slice(&value);
            }
            self.cursor.space();
            if self.cursor.eat(b',') {
                self.cursor.space();
            } else if self.cursor.eat(b'}') {
                return;
            } else {
                self.stopped = true;
            }
        }
    }

    /// The name of a field, up to the start of its value.
    fn name(&mut self) -> Option<String> {
        let name = self.string();
        self.cursor.space();
        if name.is_none() || !self.cursor.eat(b':') {
            self.stopped = true;
            return None;
        }
        self.cursor.space();
        name
    }

    /// The value as JSON, and its length if it is a text. None for an incomplete or invalid scalar. An incomplete
    /// object contains what was found in it.
    fn value(&mut self, level: usize) -> (Option<Vec<u8>>, usize) {
        match self.cursor.peek() {
            Some(b'"') => {
                let Some(text) = self.string() else { return (None, 0) };
                let mut quoted = Vec::with_capacity(text.len() + 2);
                json::quote(&text, &mut quoted);
                (Some(quoted), text.len())
            }
            Some(b'{') if level + 1 < LEVELS => (Some(self.object(level + 1)), 0),
            Some(b'{') => {
                self.skip();
                (Some(b"{}".to_vec()), 0)
            }
            Some(b'[') => {
                self.skip();
                (Some(b"[]".to_vec()), 0)
            }
            _ => (self.scalar(), 0),
        }
    }

    /// Truncated if too long; None if it doesn't end or can't be unescaped.
    fn string(&mut self) -> Option<String> {
        if !self.cursor.eat(b'"') {
            return None;
        }
        let start = self.cursor.at;
        let mut kept = start;
        let mut escaped_until = start;
        loop {
            match self.cursor.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let long = self.cursor.text.get(self.cursor.at + 1) == Some(&b'u');
                    escaped_until = self.cursor.at + if long { 6 } else { 2 };
                    self.cursor.at += 2;
                }
                Some(0x20..) => self.cursor.at += 1,
                _ => return self.stop(),
            }
            if self.cursor.at - start <= OUTLINE_TEXT_BYTES && self.cursor.at >= escaped_until {
                kept = self.cursor.at;
            }
        }
        if kept < self.cursor.at {
            // Not in the middle of a character.
            while kept > start && self.cursor.text.get(kept).is_some_and(|byte| byte & 0xc0 == 0x80) {
                kept -= 1;
            }
        }
        self.cursor.at += 1;
        let inside = String::from_utf8_lossy(self.cursor.text.get(start..kept).unwrap_or_default());
        let found = json::string(format!("\"{inside}\"").as_bytes());
        if found.is_none() {
            self.stopped = true;
        }
        found
    }

    fn scalar(&mut self) -> Option<Vec<u8>> {
        let start = self.cursor.at;
        while self.cursor.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
            self.cursor.at += 1;
        }
        let word = self.cursor.text.get(start..self.cursor.at).unwrap_or_default();
        // At the very end, the word may be incomplete.
        if self.cursor.at == self.cursor.text.len()
            || word.len() > OUTLINE_SCALAR_BYTES
            || !json::is_scalar(word)
        {
            return self.stop();
        }
        Some(word.to_vec())
    }

    /// Skips an array or object of any depth.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'"' => self.skip_string(),
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.cursor.at += 1;
            if depth == 0 {
                return;
            }
        }
        self.stopped = true;
    }

    /// Skips to the closing quote.
    fn skip_string(&mut self) {
        self.cursor.at += 1;
        while let Some(byte) = self.cursor.peek().filter(|&byte| byte != b'"') {
            self.cursor.at += if byte == b'\\' { 2 } else { 1 };
        }
    }

    /// False if the level is full. Nested values count on their own level.
    fn take_room(&mut self, level: usize, bytes: usize) -> bool {
        let Some(room) = self.room.get_mut(level) else { return false };
        let left = room.checked_sub(bytes + OUTLINE_FIELD_BYTES);
        *room = left.unwrap_or(*room);
        left.is_some()
    }

    fn stop<T>(&mut self) -> Option<T> {
        self.stopped = true;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::tests::{unescape, vectors};

    #[test]
    fn the_shared_outlines() {
        let mut checked = 0;
        for (expected, bytes) in vectors(include_str!("../outlines.txt")) {
            let found = of(&bytes).unwrap_or_else(|| b"nothing".to_vec());
            assert!(found == unescape(expected.as_bytes()), "{:.200}", String::from_utf8_lossy(&found));
            checked += 1;
        }
        assert!(checked > 20);
    }

    #[test]
    fn no_prefix_and_no_damage_panics() {
        let text = br#"{"a":[true,"\u00e9]"],"b":{"c":-1.5e+3,"d":"\n\ud83d","e":{"f":[]}},"g":"h"}"#;
        for at in 0..text.len() {
            let _ = of(text.get(..at).unwrap());
            for byte in [b'"', b'\\', b'{', b']', 0, 0xff] {
                let mut damaged = text.to_vec();
                damaged[at] = byte;
                if let Some(found) = of(&damaged) {
                    assert!(json::object(&found).is_ok(), "{}", String::from_utf8_lossy(&found));
                }
            }
        }
    }

    #[test]
    fn the_fields_of_the_object_survive_whatever_is_inside() {
        let crowd: String = (0..10_000).map(|at| format!("\"k{at}\":\"some text\",")).collect();
        let found = of(format!("{{\"a\":{{{crowd}\"z\":1}},\"last\":true}}").as_bytes()).unwrap();
        assert!(found.len() < 2 * OUTLINE_LEVEL_BYTES);
        assert_eq!(json::field(&found, "last"), Some(&b"true"[..]));
    }
}
