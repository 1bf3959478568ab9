//! Records that come and go, by number.

use std::ops::{Index, IndexMut};

/// Records by number; a freed number is used again.
#[derive(Clone, Debug)]
pub struct Pool<T> {
    records: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { records: Vec::new(), free: Vec::new() }
    }
}

impl<T> Pool<T> {
    /// Adds a record and gives its number.
    pub fn insert(&mut self, record: T) -> u32 {
        match self.free.pop() {
            Some(index) => {
                self.records[index as usize] = record;
                index
            }
            None => {
                self.records.push(record);
                (self.records.len() - 1) as u32
            }
        }
    }

    /// Frees a number.
    pub fn free(&mut self, index: u32) {
        self.free.push(index);
    }
}

impl<T> Index<u32> for Pool<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.records[index as usize]
    }
}

impl<T> IndexMut<u32> for Pool<T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.records[index as usize]
    }
}
