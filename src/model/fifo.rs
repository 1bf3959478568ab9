//! A queue through records that carry its links: any element leaves in constant time, and it
//! takes no memory of its own.

use std::ops::IndexMut;

/// No record.
pub const NONE: u32 = u32::MAX;

/// The neighbours of a record in the one queue it may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    before: u32,
    after: u32,
}

impl Default for Links {
    fn default() -> Self {
        Links { before: NONE, after: NONE }
    }
}

/// A record with links.
pub trait Linked {
    /// Its links.
    fn links(&mut self) -> &mut Links;
}

/// First in, first out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fifo {
    first: u32,
    last: u32,
    length: u32,
}

impl Default for Fifo {
    fn default() -> Self {
        Fifo { first: NONE, last: NONE, length: 0 }
    }
}

impl Fifo {
    /// How many wait.
    pub fn len(&self) -> u32 {
        self.length
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Puts a record that is in no queue at the end.
    pub fn push<R: IndexMut<u32, Output: Linked>>(&mut self, records: &mut R, index: u32) {
        *records[index].links() = Links { before: self.last, after: NONE };
        match self.last {
            NONE => self.first = index,
            last => records[last].links().after = index,
        }
        self.last = index;
        self.length += 1;
    }

    /// Takes the first record out.
    pub fn pop<R: IndexMut<u32, Output: Linked>>(&mut self, records: &mut R) -> Option<u32> {
        let first = self.first;
        (first != NONE).then(|| {
            self.remove(records, first);
            first
        })
    }

    /// Takes a record out that is in this queue.
    pub fn remove<R: IndexMut<u32, Output: Linked>>(&mut self, records: &mut R, index: u32) {
        let Links { before, after } = *records[index].links();
        match before {
            NONE => self.first = after,
            before => records[before].links().after = after,
        }
        match after {
            NONE => self.last = before,
            after => records[after].links().before = before,
        }
        self.length -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::pool::Pool;
    use super::*;

    impl Linked for Links {
        fn links(&mut self) -> &mut Links {
            self
        }
    }

    #[test]
    fn records_leave_in_order_or_from_anywhere() {
        let mut records = Pool::default();
        let mut queue = Fifo::default();
        let all: Vec<_> = (0..5).map(|_| records.insert(Links::default())).collect();
        for index in &all {
            queue.push(&mut records, *index);
        }
        queue.remove(&mut records, all[2]);
        queue.remove(&mut records, all[4]);
        queue.push(&mut records, all[2]);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop(&mut records)).collect();
        assert_eq!(order, [all[0], all[1], all[3], all[2]]);
        assert!(queue.is_empty());
        queue.push(&mut records, all[4]);
        assert_eq!((queue.len(), queue.pop(&mut records)), (1, Some(all[4])));
    }
}
