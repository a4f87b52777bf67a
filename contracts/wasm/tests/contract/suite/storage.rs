//! Storage with the limit of the VM, which stops a contract that touches a longer key.

use std::collections::BTreeMap;
use std::ops::Bound;

use cosmwasm_std::{Order, Record, Storage};

const LONGEST_KEY: usize = 64 * 1024;

#[derive(Clone, Default)]
pub struct VmStorage(BTreeMap<Vec<u8>, Vec<u8>>);

impl VmStorage {
    pub fn entries(&self) -> Vec<Record> {
        self.range(None, None, Order::Ascending).collect()
    }
}

fn check(key: &[u8]) -> &[u8] {
    assert!(key.len() <= LONGEST_KEY, "the VM stops the contract");
    key
}

impl Storage for VmStorage {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(check(key)).cloned()
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        assert!(!value.is_empty(), "a chain stores no empty value");
        self.0.insert(check(key).to_vec(), value.to_vec());
    }

    fn remove(&mut self, key: &[u8]) {
        self.0.remove(check(key));
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let start = start.map_or(Bound::Unbounded, |key| Bound::Included(check(key)));
        let end = end.map_or(Bound::Unbounded, |key| Bound::Excluded(check(key)));
        if matches!((start, end), (Bound::Included(start), Bound::Excluded(end)) if start > end) {
            return Box::new(std::iter::empty());
        }
        let rows = self.0.range::<[u8], _>((start, end));
        let rows = rows.map(|(key, value)| (key.clone(), value.clone()));
        match order {
            Order::Ascending => Box::new(rows),
            Order::Descending => Box::new(rows.rev()),
        }
    }
}
