// A cache of a waving sheet, written straight from a formula: large ones in seconds, where a simulation takes hours.
//   node make_cache.mjs FILE COLUMNS FRAMES
// The sheet has 2 COLUMNS^2 triangles. docs/cache.md describes the bytes (version 3, rest shapes).
import { closeSync, openSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FACTOR = 0x9e3779b97f4a7c15n;
const MASK = (1n << 64n) - 1n;
const mix = (sum, word) => {
  const t = ((sum ^ word) * FACTOR) & MASK;
  return t ^ (t >> 29n);
};

// The checksum of docs/cache.md in 64-bit integers: slow and obvious, the twin of viewer/src/checksum.ts.
export function slowChecksum(bytes) {
  const words = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
  const lanes = [1n, 2n, 3n, 4n];
  const whole = words.length - (words.length % 4);
  for (let i = 0; i < whole; i++) lanes[i % 4] = mix(lanes[i % 4], words[i]);
  let sum = mix(0n, BigInt(bytes.byteLength));
  for (const lane of lanes) sum = mix(sum, lane);
  for (let i = whole; i < words.length; i++) sum = mix(sum, words[i]);
  return sum;
}

function seal(buffer) {
  const bytes = new Uint8Array(buffer);
  new DataView(buffer).setBigUint64(bytes.length - 8, slowChecksum(bytes.subarray(0, bytes.length - 8)), true);
  return bytes;
}

function text(view, at, value) {
  for (let i = 0; i < value.length; i++) view.setUint8(at + i, value.charCodeAt(i));
}

function header(columns, frameRate) {
  const side = columns + 1;
  const triangles = 2 * columns * columns;
  const name = 'sheet', scene = 'waves';
  const round = (size) => Math.ceil(size / 8) * 8;
  const size = 64 + 8 + 16 + 8 + round(12 * triangles) + 8 + 24 * triangles + 8 + 8;
  const buffer = new ArrayBuffer(size);
  const view = new DataView(buffer);
  text(view, 0, 'weftcach');
  view.setUint32(8, 3, true);
  view.setUint32(12, 0x01020304, true);
  view.setBigUint64(16, BigInt(size), true);
  view.setFloat64(32, frameRate, true);
  view.setFloat64(40, 0.25 / frameRate, true);
  view.setUint32(52, 2, true); // rest shapes
  view.setUint32(56, 1, true);
  view.setUint32(60, scene.length, true);
  text(view, 64, scene);
  [name.length, side * side, triangles, 0].forEach((value, i) => view.setUint32(72 + 4 * i, value, true));
  text(view, 88, name);
  const corners = new Int32Array(buffer, 96, 3 * triangles);
  const rest = new Float32Array(buffer, 96 + round(12 * triangles) + 8, 6 * triangles);
  view.setFloat64(96 + round(12 * triangles), 0.001, true);
  let t = 0;
  for (let j = 0; j < columns; j++)
    for (let i = 0; i < columns; i++) {
      const a = j * side + i, b = a + 1, c = a + side, d = c + 1;
      for (const three of (i + j) % 2 ? [[a, b, d], [a, d, c]] : [[a, b, c], [b, d, c]]) {
        corners.set(three, 3 * t);
        rest.set(three.flatMap((v) => [(v % side) / columns, Math.floor(v / side) / columns]), 6 * t);
        t++;
      }
    }
  return seal(buffer);
}

function frame(columns, number, frameRate) {
  const side = columns + 1;
  const size = 32 + 24 * side * side + 8;
  const buffer = new ArrayBuffer(size);
  const view = new DataView(buffer);
  text(view, 0, 'weftfram');
  view.setBigUint64(8, BigInt(size), true);
  view.setBigInt64(16, BigInt(number), true);
  view.setFloat64(24, number / frameRate, true);
  const x = new Float64Array(buffer, 32, 3 * side * side);
  const time = number / frameRate;
  for (let v = 0; v < side * side; v++) {
    const u = (v % side) / columns, w = Math.floor(v / side) / columns;
    const wave = 0.06 * Math.sin(9 * u - 6 * time) * u + 0.02 * Math.sin(23 * w + 11 * u - 9 * time);
    x.set([u - 0.5, w - 0.5, wave], 3 * v);
  }
  return seal(buffer);
}

export function writeCache(path, columns, frames, frameRate = 50) {
  const file = openSync(path, 'w');
  writeSync(file, header(columns, frameRate));
  for (let f = 0; f < frames; f++) writeSync(file, frame(columns, f, frameRate));
  closeSync(file);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeCache(process.argv[2], Number(process.argv[3]), Number(process.argv[4]));
