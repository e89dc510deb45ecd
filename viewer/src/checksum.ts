// The checksum of caches (docs/cache.md): 64-bit words in four lanes, here as pairs of 32-bit halves, because 64-bit
// integers of JavaScript are ten times slower.

const FACTOR_HIGH = 0x9e3779b9;
const FACTOR_LOW = 0x7f4a7c15;
const LOW_LOW = FACTOR_LOW & 0xffff;
const LOW_HIGH = FACTOR_LOW >>> 16;

// One lane; the state is kept in two numbers of the class, so that nothing is allocated a word.
class Lane {
  constructor(public low: number, public high = 0) {}

  mix(wordLow: number, wordHigh: number): void {
    const a = (this.low ^ wordLow) >>> 0;
    const b = (this.high ^ wordHigh) >>> 0;
    // high half of a * FACTOR_LOW, by halves of 16 bits
    const aLow = a & 0xffff;
    const aHigh = a >>> 16;
    const middle = aHigh * LOW_LOW + ((aLow * LOW_LOW) >>> 16);
    const cross = (middle & 0xffff) + aLow * LOW_HIGH;
    const carry = aHigh * LOW_HIGH + Math.floor(middle / 65536) + Math.floor(cross / 65536);
    const low = Math.imul(a, FACTOR_LOW) >>> 0;
    const high = (carry + Math.imul(a, FACTOR_HIGH) + Math.imul(b, FACTOR_LOW)) >>> 0;
    this.low = (low ^ ((low >>> 29) | (high << 3))) >>> 0;
    this.high = (high ^ (high >>> 29)) >>> 0;
  }
}

/** Of whole words of eight bytes: low and high half. bytes must begin at a multiple of four. */
export function checksum(bytes: Uint8Array): [number, number] {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  const lanes = [new Lane(1), new Lane(2), new Lane(3), new Lane(4)] as const;
  const [l0, l1, l2, l3] = lanes;
  const whole = words.length - (words.length % 8);
  for (let i = 0; i < whole; i += 8) {
    l0.mix(words[i]!, words[i + 1]!);
    l1.mix(words[i + 2]!, words[i + 3]!);
    l2.mix(words[i + 4]!, words[i + 5]!);
    l3.mix(words[i + 6]!, words[i + 7]!);
  }
  const sum = new Lane(0);
  sum.mix(bytes.byteLength >>> 0, Math.floor(bytes.byteLength / 2 ** 32));
  for (const lane of lanes) sum.mix(lane.low, lane.high);
  for (let i = whole; i < words.length; i += 2) sum.mix(words[i]!, words[i + 1]!);
  return [sum.low, sum.high];
}

/** Whether the last eight bytes are the checksum of those before. */
export function isWhole(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 8 || bytes.byteLength % 8 !== 0) return false;
  const [low, high] = checksum(bytes.subarray(0, bytes.byteLength - 8));
  const stored = new Uint32Array(bytes.buffer, bytes.byteOffset + bytes.byteLength - 8, 2);
  return stored[0] === low && stored[1] === high;
}
