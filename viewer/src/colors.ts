// Colours of cloths and of maps. Vertex colours are linear, as lights are reckoned with; legends are sRGB.

/** The palette of weft's pictures, linear. */
export const CLOTH_COLORS: readonly (readonly [number, number, number])[] = [
  [0.6, 0.055, 0.05], [0.07, 0.17, 0.42], [0.78, 0.47, 0.1], [0.16, 0.34, 0.21],
  [0.7, 0.66, 0.57], [0.3, 0.11, 0.27], [0.1, 0.38, 0.42], [0.72, 0.31, 0.25],
];
export const OBSTACLE_COLORS: readonly (readonly [number, number, number])[] = [
  [0.36, 0.37, 0.39], [0.46, 0.43, 0.38], [0.3, 0.35, 0.36], [0.5, 0.49, 0.47],
];

type Stop = readonly [number, number, number]; // sRGB, 0 to 255

// From dark to bright, and readable without colour: lightness rises all the way.
const SEQUENTIAL: readonly Stop[] = [[66, 62, 128], [54, 96, 156], [36, 136, 152], [68, 174, 124], [158, 203, 84], [248, 226, 104]];
// Blue below, pale at zero, red above: as in weft's pictures of strain.
const SIGNED: readonly Stop[] = [[28, 62, 158], [104, 146, 207], [216, 213, 206], [214, 118, 97], [152, 24, 36]];
export const FAR: Stop = [168, 166, 161];

const STEPS = 256;
const toLinear = (value: number) => {
  const s = value / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
};
export const toHex = (linear: readonly number[]) =>
  '#' + linear.map((value) => {
    const s = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, s))).toString(16).padStart(2, '0');
  }).join('');
export const fromHex = (hex: string): [number, number, number] =>
  [1, 3, 5].map((i) => toLinear(parseInt(hex.slice(i, i + 2), 16))) as [number, number, number];

function makeTable(stops: readonly Stop[]): { linear: Float32Array; css: string } {
  const linear = new Float32Array(3 * STEPS);
  for (let i = 0; i < STEPS; i++) {
    const at = (i / (STEPS - 1)) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    for (let k = 0; k < 3; k++)
      linear[3 * i + k] = toLinear(stops[low]![k]! + (at - low) * (stops[low + 1]![k]! - stops[low]![k]!));
  }
  return { linear, css: stops.map((stop) => `rgb(${stop.join(' ')})`).join(', ') };
}

export const MAPS = { sequential: makeTable(SEQUENTIAL), signed: makeTable(SIGNED), reversed: makeTable([...SEQUENTIAL].reverse()) };
export type MapName = keyof typeof MAPS;

const far = FAR.map(toLinear);

/** limit: full colour, in the values' own unit. What is not finite is grey. */
export function paint(values: Float32Array, map: MapName, limit: number, to: Float32Array): void {
  const { linear } = MAPS[map];
  for (let v = 0; v < values.length; v++) {
    const value = values[v]!;
    if (!Number.isFinite(value)) {
      to[3 * v] = far[0]!;
      to[3 * v + 1] = far[1]!;
      to[3 * v + 2] = far[2]!;
      continue;
    }
    const t = map === 'signed' ? 0.5 + (0.5 * value) / limit : value / limit;
    const i = 3 * Math.round(Math.min(1, Math.max(0, t)) * (STEPS - 1));
    to[3 * v] = linear[i]!;
    to[3 * v + 1] = linear[i + 1]!;
    to[3 * v + 2] = linear[i + 2]!;
  }
}
