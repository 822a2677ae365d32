//! Where the stack lies, drawn for each pass.
//!
//! Times depend on it by some cycles (Mytkowicz, Diwan, Hauswirth and Sweeney, "Producing Wrong
//! Data Without Doing Anything Obviously Wrong!", 2009), and so does which of two inputs is the
//! faster one. The system begins a process's stack at a random multiple of 16: without this, one
//! run would find a difference, and the next one none, or the opposite.

use std::hint::black_box;

type Below = fn(&mut dyn FnMut());

/// Multiples of 16 bytes within 256, and of 256 within a page of 4096.
const PLACES: [[Below; 16]; 2] = [
    [
        below::<16>,
        below::<32>,
        below::<48>,
        below::<64>,
        below::<80>,
        below::<96>,
        below::<112>,
        below::<128>,
        below::<144>,
        below::<160>,
        below::<176>,
        below::<192>,
        below::<208>,
        below::<224>,
        below::<240>,
        below::<256>,
    ],
    [
        below::<256>,
        below::<512>,
        below::<768>,
        below::<1024>,
        below::<1280>,
        below::<1536>,
        below::<1792>,
        below::<2048>,
        below::<2304>,
        below::<2560>,
        below::<2816>,
        below::<3072>,
        below::<3328>,
        below::<3584>,
        below::<3840>,
        below::<4096>,
    ],
];

/// Calls the function with the stack at the place of 256 that the number chooses.
pub(super) fn moved(choice: u64, mut call: impl FnMut()) {
    let [near, far] = PLACES;
    let choice = choice as usize;
    far[choice / 16 % 16](&mut || near[choice % 16](&mut call));
}

/// Calls the function below so many bytes of stack.
#[inline(never)]
fn below<const BYTES: usize>(call: &mut dyn FnMut()) {
    let bytes = black_box([0u8; BYTES]);
    call();
    black_box(&bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_has_a_place_of_its_own() {
        let mut places = Vec::new();
        for choice in 0..256 {
            moved(choice, || {
                let here = 0u8;
                places.push(black_box(&here) as *const u8 as usize);
            });
        }
        // A compiler may give one frame some bytes more.
        let steps = places.windows(2).map(|pair| pair[0] - pair[1]);
        for step in steps {
            assert!(step == 16 || step == 32, "{step}");
        }
    }
}
