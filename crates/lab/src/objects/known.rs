//! Objects of a run that the server has: which can be read, and which can be removed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// One object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Object {
    /// Number, from which its name follows.
    pub(super) number: u64,
    pub(super) size: u64,
    /// Reads in flight: it is not removed under them.
    readers: u32,
}

impl Object {
    pub(super) fn new(number: u64, size: u64) -> Object {
        Object { number, size, readers: 0 }
    }
}

/// Objects that exist. An index stays valid until its object is removed.
#[derive(Debug, Default)]
pub(super) struct Known {
    objects: Vec<Object>,
    /// Indices of objects that exist.
    alive: Vec<usize>,
    /// Indices that can be used again.
    free: Vec<usize>,
}

impl Known {
    pub(super) fn len(&self) -> usize {
        self.alive.len()
    }

    pub(super) fn get(&self, index: usize) -> Object {
        self.objects[index]
    }

    /// Adds an object that was written.
    pub(super) fn add(&mut self, number: u64, size: u64) {
        let object = Object::new(number, size);
        let index = match self.free.pop() {
            Some(index) => {
                self.objects[index] = object;
                index
            }
            None => {
                self.objects.push(object);
                self.objects.len() - 1
            }
        };
        self.alive.push(index);
    }

    /// Draws an object to be read until [`Known::end_read`].
    pub(super) fn begin_read(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        let index = *self.alive.get(below(rng, self.alive.len())?)?;
        self.objects[index].readers += 1;
        Some(index)
    }

    pub(super) fn end_read(&mut self, index: usize) {
        self.objects[index].readers -= 1;
    }

    /// Draws an object without readers and takes it out; `None` if none is found in a few draws.
    pub(super) fn take(&mut self, rng: &mut Xoshiro256PlusPlus) -> Option<Object> {
        for _ in 0..16 {
            let at = below(rng, self.alive.len())?;
            let index = self.alive[at];
            if self.objects[index].readers == 0 {
                self.alive.swap_remove(at);
                self.free.push(index);
                return Some(self.objects[index]);
            }
        }
        None
    }
}

fn below(rng: &mut Xoshiro256PlusPlus, n: usize) -> Option<usize> {
    (n > 0).then(|| ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    #[test]
    fn objects_under_a_read_are_not_removed() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut known = Known::default();
        assert_eq!((known.begin_read(&mut rng), known.take(&mut rng)), (None, None));
        known.add(1, 10);
        let read = known.begin_read(&mut rng).expect("an object");
        assert_eq!(known.take(&mut rng), None);
        known.end_read(read);
        assert_eq!(known.take(&mut rng).map(|object| (object.number, object.size)), Some((1, 10)));
        assert_eq!(known.len(), 0);
    }

    #[test]
    fn each_object_is_taken_once() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut known = Known::default();
        let mut taken = Vec::new();
        for number in 0..1000 {
            known.add(number, number);
            if number % 3 == 0 {
                taken.extend(known.take(&mut rng).map(|object| object.number));
            }
        }
        while let Some(object) = known.take(&mut rng) {
            assert_eq!(object.number, object.size);
            taken.push(object.number);
        }
        taken.sort_unstable();
        assert!(taken.into_iter().eq(0..1000));
    }
}
