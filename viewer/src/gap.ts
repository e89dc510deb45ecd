// How far every vertex of the cloths is from the nearest other surface, up to a reach. Triangles lie in cells of a grid;
// a vertex looks into the cells its reach touches. Of its own cloth a vertex sees only what is farther away in the rest
// shape than in space: its neighbours along the cloth are no contact.

export interface GapBody {
  isCloth: boolean;
  thickness: number;
  triangles: Uint32Array;
  positions: Float32Array;
  uv: Float32Array | null; // rest coordinates a vertex, of cloths
}

/** Squared distance from p to triangle a b c: the closest point is on the face, else on an edge. */
function distance2(x: Float32Array, p: number, y: Float32Array, a: number, b: number, c: number): number {
  const px = x[p]! - y[a]!, py = x[p + 1]! - y[a + 1]!, pz = x[p + 2]! - y[a + 2]!;
  const ex = y[b]! - y[a]!, ey = y[b + 1]! - y[a + 1]!, ez = y[b + 2]! - y[a + 2]!;
  const fx = y[c]! - y[a]!, fy = y[c + 1]! - y[a + 1]!, fz = y[c + 2]! - y[a + 2]!;
  const ee = ex * ex + ey * ey + ez * ez, ff = fx * fx + fy * fy + fz * fz, ef = ex * fx + ey * fy + ez * fz;
  const pe = px * ex + py * ey + pz * ez, pf = px * fx + py * fy + pz * fz;
  const det = ee * ff - ef * ef;
  if (det > 1e-14 * ee * ff) {
    const s = (ff * pe - ef * pf) / det, t = (ee * pf - ef * pe) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) {
      const dx = px - s * ex - t * fx, dy = py - s * ey - t * fy, dz = pz - s * ez - t * fz;
      return dx * dx + dy * dy + dz * dz;
    }
  }
  const clamp = (value: number) => (value < 0 ? 0 : value > 1 ? 1 : value) || 0;
  const along = (ox: number, oy: number, oz: number, gx: number, gy: number, gz: number) => {
    const qx = px - ox, qy = py - oy, qz = pz - oz;
    const r = clamp((qx * gx + qy * gy + qz * gz) / (gx * gx + gy * gy + gz * gz));
    const dx = qx - r * gx, dy = qy - r * gy, dz = qz - r * gz;
    return dx * dx + dy * dy + dz * dz;
  };
  return Math.min(along(0, 0, 0, ex, ey, ez), along(0, 0, 0, fx, fy, fz), along(ex, ey, ez, fx - ex, fy - ey, fz - ez));
}

class Grid {
  private readonly start: Int32Array;
  private readonly items: Int32Array; // triangle, body after body
  private readonly mask: number;
  constructor(bodies: GapBody[], private readonly cell: number) {
    let count = 0;
    for (const body of bodies) count += body.triangles.length / 3;
    this.mask = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * count))) - 1;
    this.start = new Int32Array(this.mask + 2);
    const each = (visit: (slot: number, item: number) => void) => {
      let item = 0;
      for (const { triangles, positions: x } of bodies)
        for (let i = 0; i < triangles.length; i += 3, item++) {
          const [a, b, c] = [3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!] as const;
          const low = (k: number) => Math.floor(Math.min(x[a + k]!, x[b + k]!, x[c + k]!) / cell);
          const high = (k: number) => Math.floor(Math.max(x[a + k]!, x[b + k]!, x[c + k]!) / cell);
          const [x0, y0, z0, x1, y1, z1] = [low(0), low(1), low(2), high(0), high(1), high(2)] as const;
          for (let ix = x0; ix <= x1; ix++)
            for (let iy = y0; iy <= y1; iy++) for (let iz = z0; iz <= z1; iz++) visit(this.slot(ix, iy, iz), item);
        }
    };
    each((slot) => this.start[slot + 1]!++);
    for (let s = 0; s <= this.mask; s++) this.start[s + 1]! += this.start[s]!;
    this.items = new Int32Array(this.start[this.mask + 1]!);
    const next = this.start.slice();
    each((slot, item) => (this.items[next[slot]!++] = item));
  }
  private slot(x: number, y: number, z: number): number {
    return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & this.mask;
  }
  /** Every triangle near a point at least once. */
  near(x: number, y: number, z: number, reach: number, visit: (item: number) => void): void {
    const { cell, start, items } = this;
    for (let ix = Math.floor((x - reach) / cell); ix <= Math.floor((x + reach) / cell); ix++)
      for (let iy = Math.floor((y - reach) / cell); iy <= Math.floor((y + reach) / cell); iy++)
        for (let iz = Math.floor((z - reach) / cell); iz <= Math.floor((z + reach) / cell); iz++) {
          const slot = this.slot(ix, iy, iz);
          for (let i = start[slot]!; i < start[slot + 1]!; i++) visit(items[i]!);
        }
  }
}

/** Of each cloth: distance less the contact distance [m], and NaN beyond reach. */
export function computeGaps(bodies: GapBody[], reach: number): Float32Array[] {
  const first: number[] = [];
  let total = 0;
  let largest = 0; // extent of a triangle, so that cells are not much smaller than triangles of cloth
  for (const body of bodies) {
    first.push(total);
    total += body.triangles.length / 3;
    for (let i = 0; i < body.triangles.length; i += 3 * Math.max(1, Math.floor(body.triangles.length / 3000))) {
      const [a, b] = [3 * body.triangles[i]!, 3 * body.triangles[i + 1]!] as const;
      const x = body.positions;
      if (body.isCloth) largest = Math.max(largest, Math.hypot(x[a]! - x[b]!, x[a + 1]! - x[b + 1]!, x[a + 2]! - x[b + 2]!));
    }
  }
  const owner = new Uint16Array(total);
  bodies.forEach((body, i) => owner.fill(i, first[i], first[i]! + body.triangles.length / 3));
  const grid = new Grid(bodies, Math.max(reach, largest, 1e-6));
  return bodies.filter((body) => body.isCloth).map((cloth) => {
    const own = bodies.indexOf(cloth);
    const x = cloth.positions;
    const to = new Float32Array(x.length / 3);
    for (let v = 0; v < to.length; v++) {
      const p = 3 * v;
      let best = reach;
      let bestSquare = reach * reach;
      let isFound = false;
      grid.near(x[p]!, x[p + 1]!, x[p + 2]!, reach, (item) => {
        const body = bodies[owner[item]!]!;
        const i = 3 * (item - first[owner[item]!]!);
        const [a, b, c] = [body.triangles[i]!, body.triangles[i + 1]!, body.triangles[i + 2]!] as const;
        if (owner[item] === own) {
          if (a === v || b === v || c === v) return;
          const uv = cloth.uv!;
          const du = uv[2 * v]! - (uv[2 * a]! + uv[2 * b]! + uv[2 * c]!) / 3;
          const dv = uv[2 * v + 1]! - (uv[2 * a + 1]! + uv[2 * b + 1]! + uv[2 * c + 1]!) / 3;
          if (du * du + dv * dv < 4 * (reach + largest) ** 2) return;
        }
        const square = distance2(x, p, body.positions, 3 * a, 3 * b, 3 * c);
        if (square >= bestSquare) return;
        bestSquare = square;
        best = Math.sqrt(square) - 0.5 * (cloth.thickness + body.thickness);
        isFound = true;
      });
      to[v] = isFound ? best : NaN;
    }
    return to;
  });
}
