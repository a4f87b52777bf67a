//! Rows, one after another: the length of the key in one byte, the key (an order key in a page, an address in a packed
//! batch), and the score in unsigned LEB128 (seven bits a byte, the lowest first, the highest bit set in all but the last).

/// Why bytes are not rows. `position` is the index of the first byte of the wrong part, or of the missing byte.
#[derive(Debug, PartialEq)]
pub struct RowFault {
    pub reason: &'static str,
    pub position: usize,
}

/// Appends one row. `key` has at most 255 bytes.
pub fn push_row(bytes: &mut Vec<u8>, key: &[u8], score: u64) {
    bytes.push(key.len() as u8);
    bytes.extend_from_slice(key);
    let mut rest = score;
    while rest > 127 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Reads rows from bytes, which must be complete rows with scores in their shortest form. Ends after the first fault.
pub struct RowReader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> RowReader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        RowReader { bytes, position: 0 }
    }

    /// Where the next row starts.
    pub fn position(&self) -> usize {
        self.position
    }

    fn row(&mut self) -> Result<(&'a [u8], u64), RowFault> {
        let length = self.byte()? as usize;
        let start = self.position;
        let key = self.bytes.get(start..start + length).ok_or(RowFault {
            reason: "the address is cut short",
            position: start,
        })?;
        self.position += length;
        Ok((key, self.score()?))
    }

    fn score(&mut self) -> Result<u64, RowFault> {
        let start = self.position;
        let fault = |reason| RowFault {
            reason,
            position: start,
        };
        let mut score = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 127);
            // Bits would be shifted out.
            if bits << shift >> shift != bits {
                break;
            }
            score |= bits << shift;
            if byte < 128 {
                let is_shortest = byte != 0 || shift == 0;
                return is_shortest
                    .then_some(score)
                    .ok_or(fault("the score is not in its shortest form"));
            }
        }
        Err(fault("the score exceeds 2^64 - 1"))
    }

    fn byte(&mut self) -> Result<u8, RowFault> {
        let byte = self.bytes.get(self.position).ok_or(RowFault {
            reason: "the row is cut short",
            position: self.position,
        })?;
        self.position += 1;
        Ok(*byte)
    }
}

impl<'a> Iterator for RowReader<'a> {
    type Item = Result<(&'a [u8], u64), RowFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.position >= self.bytes.len() {
            return None;
        }
        let row = self.row();
        if row.is_err() {
            self.position = self.bytes.len();
        }
        Some(row)
    }
}
