//! Storage with the limit of the VM, which stops a contract that touches a longer key. It counts what is read.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Bound;

use cosmwasm_std::{Order, Record, Storage};

const LONGEST_KEY: usize = 64 * 1024;

#[derive(Clone, Default)]
pub struct VmStorage {
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    reads: Cell<usize>,
}

impl VmStorage {
    pub fn entries(&self) -> Vec<Record> {
        self.range(None, None, Order::Ascending).collect()
    }

    /// How many entries were read and ranges opened so far.
    pub fn reads(&self) -> usize {
        self.reads.get()
    }

    fn count_read(&self) {
        self.reads.set(self.reads.get() + 1);
    }
}

fn check(key: &[u8]) -> &[u8] {
    assert!(key.len() <= LONGEST_KEY, "the VM stops the contract");
    key
}

impl Storage for VmStorage {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.count_read();
        self.entries.get(check(key)).cloned()
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        assert!(!value.is_empty(), "a chain stores no empty value");
        self.entries.insert(check(key).to_vec(), value.to_vec());
    }

    fn remove(&mut self, key: &[u8]) {
        self.entries.remove(check(key));
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        self.count_read();
        let start = start.map_or(Bound::Unbounded, |key| Bound::Included(check(key)));
        let end = end.map_or(Bound::Unbounded, |key| Bound::Excluded(check(key)));
        if matches!((start, end), (Bound::Included(start), Bound::Excluded(end)) if start > end) {
            return Box::new(std::iter::empty());
        }
        let rows = self.entries.range::<[u8], _>((start, end));
        let rows = rows.map(|(key, value)| (key.clone(), value.clone()));
        let rows: Box<dyn Iterator<Item = Record>> = match order {
            Order::Ascending => Box::new(rows),
            Order::Descending => Box::new(rows.rev()),
        };
        Box::new(rows.inspect(|_| self.count_read()))
    }
}
