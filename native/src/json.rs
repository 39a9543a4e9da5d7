//! As much JSON as a forwarder needs: whether a text is one object, where a value ends, and the content of one field.
//! Nothing recurses and nothing panics, for any bytes.

use crate::limits::MAX_DEPTH;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    Syntax,
    Depth,
}

pub struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

/// The one JSON object in `text`, without surrounding whitespace.
pub fn object(text: &[u8]) -> Result<&[u8], Flaw> {
    let mut cursor = Cursor { text, at: 0 };
    cursor.space();
    let start = cursor.at;
    if cursor.peek() != Some(b'{') {
        return Err(Flaw::Syntax);
    }
    cursor.value()?;
    let end = cursor.at;
    cursor.space();
    if cursor.at != text.len() {
        return Err(Flaw::Syntax);
    }
    text.get(start..end).ok_or(Flaw::Syntax)
}

/// The raw value of a field. If a field occurs twice, the last one counts, as in JavaScript.
pub fn field<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut cursor = Cursor { text: object, at: 0 };
    let mut found = None;
    if !cursor.eat(b'{') {
        return None;
    }
    loop {
        cursor.space();
        let key = cursor.slice_of(Cursor::string)?;
        cursor.space();
        if !cursor.eat(b':') {
            return None;
        }
        cursor.space();
        let value = cursor.slice_of(Cursor::value)?;
        if string(key).as_deref() == Some(name) {
            found = Some(value);
        }
        cursor.space();
        if !cursor.eat(b',') {
            return found;
        }
    }
}

/// The raw elements of an array; none for anything else.
pub fn items(array: &[u8]) -> Vec<&[u8]> {
    let mut cursor = Cursor { text: array, at: 0 };
    let mut found = Vec::new();
    if !cursor.eat(b'[') {
        return found;
    }
    loop {
        cursor.space();
        match cursor.slice_of(Cursor::value) {
            Some(value) => found.push(value),
            None => return found,
        }
        cursor.space();
        if !cursor.eat(b',') {
            return found;
        }
    }
}

/// The text of a JSON string. Half a surrogate pair becomes U+FFFD.
pub fn string(raw: &[u8]) -> Option<String> {
    let inner = raw.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let inner = std::str::from_utf8(inner).ok()?;
    if !inner.contains('\\') {
        return Some(inner.to_owned());
    }
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            continue;
        }
        units.push(match rest.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'b' => 8,
            'f' => 12,
            'u' => {
                let digits = rest.as_str().get(..4)?;
                rest = rest.as_str().get(4..)?.chars();
                u16::from_str_radix(digits, 16).ok()?
            }
            c @ ('"' | '\\' | '/') => c as u16,
            _ => return None,
        });
    }
    Some(String::from_utf16_lossy(&units))
}

/// True for one number, `true`, `false` or `null`.
pub fn is_scalar(text: &[u8]) -> bool {
    let mut cursor = Cursor { text, at: 0 };
    matches!(cursor.peek(), Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
        && cursor.value().is_ok()
        && cursor.at == text.len()
}

/// Writes a text as a JSON string.
pub fn quote(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            0..=0x1f => {
                let digit = HEX.get(usize::from(byte & 15)).copied().unwrap_or(b'0');
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), digit]);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

impl<'a> Cursor<'a> {
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    pub fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn slice_of(&mut self, part: fn(&mut Self) -> Result<(), Flaw>) -> Option<&'a [u8]> {
        let start = self.at;
        part(self).ok()?;
        self.text.get(start..self.at)
    }

    fn value(&mut self) -> Result<(), Flaw> {
        let mut open = [0u8; MAX_DEPTH];
        let mut depth = 0;
        loop {
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    *open.get_mut(depth).ok_or(Flaw::Depth)? = bracket;
                    self.at += 1;
                    self.space();
                    // In ASCII each closing bracket comes two after its opening one.
                    if !self.eat(bracket + 2) {
                        depth += 1;
                        if bracket == b'{' {
                            self.key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.word(b"true")?,
                Some(b'f') => self.word(b"false")?,
                Some(b'n') => self.word(b"null")?,
                _ => return Err(Flaw::Syntax),
            }
            loop {
                if depth == 0 {
                    return Ok(());
                }
                let bracket = open.get(depth - 1).copied().ok_or(Flaw::Syntax)?;
                self.space();
                if self.eat(b',') {
                    self.space();
                    if bracket == b'{' {
                        self.key()?;
                    }
                    break;
                }
                if !self.eat(bracket + 2) {
                    return Err(Flaw::Syntax);
                }
                depth -= 1;
            }
        }
    }

    fn key(&mut self) -> Result<(), Flaw> {
        self.string()?;
        self.space();
        if !self.eat(b':') {
            return Err(Flaw::Syntax);
        }
        self.space();
        Ok(())
    }

    fn string(&mut self) -> Result<(), Flaw> {
        if !self.eat(b'"') {
            return Err(Flaw::Syntax);
        }
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => return Ok(()),
                0..=0x1f => return Err(Flaw::Syntax),
                b'\\' => self.escape()?,
                _ => {}
            }
        }
        Err(Flaw::Syntax)
    }

    fn escape(&mut self) -> Result<(), Flaw> {
        let kind = self.peek();
        self.at += 1;
        match kind {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(()),
            Some(b'u') => {
                let digits = self.text.get(self.at..self.at + 4).ok_or(Flaw::Syntax)?;
                self.at += 4;
                if digits.iter().all(u8::is_ascii_hexdigit) {
                    Ok(())
                } else {
                    Err(Flaw::Syntax)
                }
            }
            _ => Err(Flaw::Syntax),
        }
    }

    fn number(&mut self) -> Result<(), Flaw> {
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Flaw> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at > start {
            Ok(())
        } else {
            Err(Flaw::Syntax)
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Flaw> {
        let end = self.at + word.len();
        if self.text.get(self.at..end) != Some(word) {
            return Err(Flaw::Syntax);
        }
        self.at = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_returned_as_written() {
        let text = br#"{ "a" : {"x": [1, 2.50]} , "b":"q\"uote", "a2":null }"#;
        let object = object(text).unwrap();
        assert_eq!(field(object, "a"), Some(&br#"{"x": [1, 2.50]}"#[..]));
        assert_eq!(field(object, "b").and_then(string).as_deref(), Some("q\"uote"));
        assert_eq!(field(object, "a2"), Some(&b"null"[..]));
        assert_eq!(field(object, "x"), None);
    }

    #[test]
    fn the_last_of_two_equal_fields_counts_and_keys_may_be_escaped() {
        assert_eq!(field(br#"{"a":1,"\u0061":2}"#, "a"), Some(&b"2"[..]));
    }

    #[test]
    fn an_empty_object_has_no_fields() {
        assert_eq!(field(b"{}", "a"), None);
        assert_eq!(field(b"[1]", "a"), None);
    }

    #[test]
    fn items_of_an_array() {
        assert_eq!(items(br#"[ "a", [1,2] ,{} ]"#), vec![&b"\"a\""[..], b"[1,2]", b"{}"]);
        assert!(items(b"[]").is_empty());
        assert!(items(b"{}").is_empty());
    }

    #[test]
    fn strings_decode_every_escape() {
        assert_eq!(
            string(br#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#).as_deref(),
            Some("\"\\/\u{8}\u{c}\n\r\té😀")
        );
        assert_eq!(string(br#""\ud83d!""#).as_deref(), Some("\u{fffd}!"));
        assert_eq!(string(br#""\u12""#), None);
        assert_eq!(string(b"12"), None);
        assert_eq!(string(b"\""), None);
    }

    #[test]
    fn quote_and_string_are_inverse() {
        for text in ["", "plain", "\"\\\n\r\t\u{1}\u{1f}\u{7f}é😀"] {
            let mut out = Vec::new();
            quote(text, &mut out);
            assert!(!out.contains(&b'\n'));
            assert_eq!(string(&out).as_deref(), Some(text));
        }
    }

    #[test]
    fn no_prefix_of_a_valid_object_is_valid_or_panics() {
        let text = br#"{"a":[true,false,null,-1.5e+3,"\u00e9\n",{"b":{}}]}"#;
        assert!(object(text).is_ok());
        for end in 0..text.len() {
            assert_eq!(object(&text[..end]), Err(Flaw::Syntax), "{end}");
        }
    }
}
