//! The ziggurat: a density covered by 255 rectangles and a base of one and the same area.
//!
//! Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", 2000. A draw picks
//! a layer and a point in it; all but one or two in a hundred points lie safely under the curve.
//! Layer and point take different bits of the word (Doornik, 2005).

/// Layers, the base included.
const LAYERS: usize = 256;

/// The layers of one decreasing density on x ≥ 0.
pub struct Ziggurat {
    /// Right edges from the base outward-in: `x[0]` is the base's width as if it were a
    /// rectangle, `x[1]` where the tail begins, `x[256]` = 0.
    x: [f64; LAYERS + 1],
    /// The density at the edges.
    density: [f64; LAYERS + 1],
}

/// What one word gives.
pub enum Point {
    /// Under the curve for certain.
    Inside(f64),
    /// Beyond the last rectangle: draw from the tail.
    Tail,
    /// At x, above the inner rectangle: accept if `height` · U + `floor` is below the density.
    Edge {
        /// The abscissa.
        x: f64,
        /// The density at the layer's outer edge.
        floor: f64,
        /// The layer's height.
        height: f64,
    },
}

impl Ziggurat {
    /// The layers for `density` with inverse `inverse`, whose tail beyond `tail` has `tail_area`.
    pub fn new(
        tail: f64,
        tail_area: f64,
        density: impl Fn(f64) -> f64,
        inverse: impl Fn(f64) -> f64,
    ) -> Self {
        let area = tail * density(tail) + tail_area;
        let mut x = [0.0; LAYERS + 1];
        x[0] = area / density(tail);
        x[1] = tail;
        for layer in 2..LAYERS {
            x[layer] = inverse(area / x[layer - 1] + density(x[layer - 1]));
        }
        Ziggurat { x, density: x.map(density) }
    }

    /// The point that `bits` pick: the lowest 8 the layer, the highest 53 the place in it.
    #[inline]
    pub fn point(&self, bits: u64) -> Point {
        let layer = usize::from(bits as u8);
        let x = (bits >> 11) as f64 / (1_u64 << 53) as f64 * self.x[layer];
        if x < self.x[layer + 1] {
            return Point::Inside(x);
        }
        if layer == 0 {
            return Point::Tail;
        }
        let floor = self.density[layer];
        Point::Edge { x, floor, height: self.density[layer + 1] - floor }
    }

    /// Where the tail begins.
    pub fn tail(&self) -> f64 {
        self.x[1]
    }
}
