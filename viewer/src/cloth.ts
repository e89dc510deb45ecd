// What the colour maps need of a cloth and never changes: rest shape, hinges, areas.
import type { Body } from './cache';

export interface Rest {
  /** u0 v0 u1 v1 u2 v2 of each triangle [m]. */
  uv: Float32Array;
  /** Made from the first frame, because the cache holds none: warp is then where x points. */
  isGuessed: boolean;
  /** A third of the areas around [m^2]. */
  vertexArea: Float32Array;
  triangleArea: Float32Array;
  /** a, b: the edge; c, d: opposite. Edges with exactly two triangles. */
  hinges: Uint32Array;
  /** Length over the area of both triangles: curvature per angle [1/m]. */
  hingeScale: Float32Array;
}

/** Each triangle laid flat, u where x points (y where that is across it). */
function flatten(body: Body, x: Float32Array): Float32Array {
  const uv = new Float32Array(2 * body.triangles.length);
  for (let t = 0; t < body.triangles.length / 3; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * body.triangles[3 * t + k]!) as [number, number, number];
    const e = [0, 1, 2].map((k) => x[b + k]! - x[a + k]!) as [number, number, number];
    const f = [0, 1, 2].map((k) => x[c + k]! - x[a + k]!) as [number, number, number];
    let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
    const length = Math.hypot(...n) || 1;
    n = n.map((value) => value / length);
    const axis = Math.abs(n[0]!) < 0.9 ? 0 : 1;
    const u = [0, 1, 2].map((k) => (k === axis ? 1 : 0) - n[axis]! * n[k]!);
    const scale = 1 / Math.hypot(...u);
    const v = [n[1]! * u[2]! - n[2]! * u[1]!, n[2]! * u[0]! - n[0]! * u[2]!, n[0]! * u[1]! - n[1]! * u[0]!];
    const dot = (p: number[], q: number[]) => (p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!) * scale;
    uv.set([0, 0, dot(e, u), dot(e, v), dot(f, u), dot(f, v)], 6 * t);
  }
  return uv;
}

/** Pairs of triangles that share an edge (a, b, c, d and both triangles): found by sorting edges, which is fast for large meshes. */
export function findHinges(body: Body): Uint32Array {
  const { triangles, vertexCount } = body;
  const count = triangles.length;
  const key = new Float64Array(count); // smaller vertex, larger vertex, half edge
  const scale = vertexCount * count;
  for (let i = 0; i < count; i++) {
    const a = triangles[i]!;
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    key[i] = Math.min(a, b) * scale + Math.max(a, b) * count + i;
  }
  // beyond 2^53 the key cannot hold all three: millions of triangles, where bending is not shown
  if (vertexCount * scale > 2 ** 53) return new Uint32Array(0);
  key.sort();
  const edgeOf = (i: number) => Math.floor(key[i]! / count);
  const hinges: number[] = [];
  for (let i = 0; i < count; ) {
    let end = i + 1;
    while (end < count && edgeOf(end) === edgeOf(i)) end++;
    if (end - i === 2) {
      const [p, q] = [key[i]! % count, key[i + 1]! % count] as const;
      const corner = (half: number, k: number) => triangles[half - (half % 3) + (((half % 3) + k) % 3)]!;
      hinges.push(corner(p, 0), corner(p, 1), corner(p, 2), corner(q, 2), Math.floor(p / 3), Math.floor(q / 3));
    }
    i = end;
  }
  return Uint32Array.from(hinges);
}

/** first: positions in the first frame, for caches without a rest shape. */
export function makeRest(body: Body, first: Float32Array): Rest {
  const isGuessed = body.rest === null;
  const uv = body.rest ?? flatten(body, first);
  const count = body.triangles.length / 3;
  const triangleArea = new Float32Array(count);
  const vertexArea = new Float32Array(body.vertexCount);
  for (let t = 0; t < count; t++) {
    const o = 6 * t;
    const area = 0.5 * Math.abs((uv[o + 2]! - uv[o]!) * (uv[o + 5]! - uv[o + 1]!) - (uv[o + 4]! - uv[o]!) * (uv[o + 3]! - uv[o + 1]!));
    triangleArea[t] = area;
    for (let k = 0; k < 3; k++) vertexArea[body.triangles[3 * t + k]!]! += area / 3;
  }
  let bending: Pick<Rest, 'hinges' | 'hingeScale'> | null = null;
  const bend = () => (bending ??= measureHinges(body, uv, triangleArea)); // only when asked for: it takes a while
  return { uv, isGuessed, vertexArea, triangleArea, get hinges() { return bend().hinges; }, get hingeScale() { return bend().hingeScale; } };
}

function measureHinges(body: Body, uv: Float32Array, triangleArea: Float32Array): Pick<Rest, 'hinges' | 'hingeScale'> {
  const found = findHinges(body);
  const hingeCount = found.length / 6;
  const hinges = new Uint32Array(4 * hingeCount);
  const hingeScale = new Float32Array(hingeCount);
  const lengthIn = (triangle: number, a: number, b: number) => {
    const corner = (v: number) => {
      let k = 0;
      while (k < 2 && body.triangles[3 * triangle + k] !== v) k++;
      return 6 * triangle + 2 * k;
    };
    const [p, q] = [corner(a), corner(b)] as const;
    return Math.hypot(uv[p]! - uv[q]!, uv[p + 1]! - uv[q + 1]!);
  };
  for (let h = 0; h < hingeCount; h++) {
    const [a, b, c, d, s, t] = found.subarray(6 * h, 6 * h + 6) as unknown as [number, number, number, number, number, number];
    hinges.set([a, b, c, d], 4 * h);
    const length = 0.5 * (lengthIn(s, a, b) + lengthIn(t, a, b));
    const area = triangleArea[s]! + triangleArea[t]!;
    hingeScale[h] = area > 0 ? length / area : 0;
  }
  return { hinges, hingeScale };
}
