// A body on the screen: geometry that follows the frames, and the look of cloth.
import * as three from 'three';
import type { Body } from './cache';
import { findHinges } from './cloth';
import { OBSTACLE_COLORS, CLOTH_COLORS } from './colors';
import { isSoftware } from './software';

export type Shading = 'smooth' | 'flat' | 'wire';

/** Texture coordinates belong to corners. Where two triangles differ at a vertex (a seam), the vertex is drawn twice. */
function splitSeams(body: Body, uv: Float32Array): { index: Uint32Array; source: Uint32Array; uv: Float32Array } {
  const corners = body.triangles.length;
  const index = new Uint32Array(corners);
  const source: number[] = Array.from({ length: body.vertexCount }, (_, v) => v);
  const own = new Float32Array(2 * body.vertexCount).fill(NaN);
  const extra = new Map<string, number>();
  const extraUv: number[] = [];
  for (let i = 0; i < corners; i++) {
    const v = body.triangles[i]!;
    const a = uv[2 * i]!, b = uv[2 * i + 1]!;
    index[i] = v;
    if (Number.isNaN(own[2 * v]!)) {
      own[2 * v] = a;
      own[2 * v + 1] = b;
    } else if (Math.abs(own[2 * v]! - a) + Math.abs(own[2 * v + 1]! - b) > 1e-5) {
      const key = `${v} ${a.toFixed(5)} ${b.toFixed(5)}`;
      let copy = extra.get(key);
      if (copy === undefined) {
        copy = source.length;
        source.push(v);
        extra.set(key, copy);
        extraUv.push(a, b);
      }
      index[i] = copy;
    }
  }
  const all = new Float32Array(2 * source.length);
  all.set(own.map((value) => value || 0));
  all.set(extraUv, 2 * body.vertexCount);
  return { index, source: Uint32Array.from(source), uv: all };
}

/** Whether a body is made of plane faces, like a box: most of its edges that bend at all bend sharply. */
function isFaceted(body: Body, x: Float32Array): boolean {
  const hinges = findHinges(body);
  const angles: number[] = [];
  const normal = (t: number) => {
    const [a, b, c] = [0, 1, 2].map((k) => new three.Vector3().fromArray(x, 3 * body.triangles[3 * t + k]!)) as [three.Vector3, three.Vector3, three.Vector3];
    return b.sub(a).cross(c.sub(a));
  };
  for (let h = 0; h < hinges.length; h += 6) {
    const angle = normal(hinges[h + 4]!).angleTo(normal(hinges[h + 5]!));
    if (angle > Math.PI / 36) angles.push(angle);
  }
  angles.sort((a, b) => a - b);
  return (angles[angles.length >> 1] ?? 0) > Math.PI / 4.5;
}

/** Each edge once. */
function findEdges(triangles: Uint32Array, vertexCount: number): Uint32Array {
  const key = new Float64Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i]!, b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    key[i] = Math.min(a, b) * vertexCount + Math.max(a, b);
  }
  key.sort();
  const edges: number[] = [];
  for (let i = 0; i < key.length; i++)
    if (i === 0 || key[i] !== key[i - 1]) edges.push(Math.floor(key[i]! / vertexCount), key[i]! % vertexCount);
  return Uint32Array.from(edges);
}

let weave: three.CanvasTexture | null = null;
const WEAVE_SIZE = 0.008; // of the repeat: two threads each way, drawn coarser than real ones so that they can be seen [m]

/** Plain weave: warp over weft and weft over warp in turn, as light and dark. */
function weaveTexture(): three.CanvasTexture {
  if (weave) return weave;
  const size = 128;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(size, size);
  const half = size / 2;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const isWarp = (Math.floor(x / half) + Math.floor(y / half)) % 2 === 0;
      const across = ((isWarp ? x : y) % half) / half, along = ((isWarp ? y : x) % half) / half;
      const round = Math.sin(Math.PI * across) * (0.55 + 0.45 * Math.sin(Math.PI * along));
      const fibre = 0.04 * Math.sin(2 * Math.PI * (3 * across + along));
      const value = 255 * Math.min(1, (isWarp ? 0.7 : 0.62) + 0.42 * round ** 0.7 + fibre - 0.1);
      image.data.set([value, value, value, 255], 4 * (y * size + x));
    }
  context.putImageData(image, 0, 0);
  weave = new three.CanvasTexture(canvas);
  weave.wrapS = weave.wrapT = three.RepeatWrapping;
  weave.colorSpace = three.SRGBColorSpace;
  weave.anisotropy = isSoftware() ? 1 : 8;
  weave.generateMipmaps = true;
  weave.minFilter = three.LinearMipmapLinearFilter;
  return weave;
}

/** Cloth is matt, brighter towards grazing views, and a little darker on its back. */
function makeMaterial(isCloth: boolean): three.MeshLambertMaterial {
  // Obstacles stay behind the cloth that lies on them; cloth only behind its own lines, or it would sink into them at folds.
  const material = new three.MeshLambertMaterial({ side: three.DoubleSide, polygonOffset: !isCloth, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  if (!isCloth) return material;
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float grazing = 1.0 - abs(dot(normalize(normal), normalize(vViewPosition)));
       outgoingLight *= gl_FrontFacing ? 1.0 : 0.86;
       outgoingLight += diffuseColor.rgb * 0.35 * grazing * grazing * grazing;
       #include <opaque_fragment>`);
  };
  return material;
}

export class Surface {
  readonly mesh: three.Mesh<three.BufferGeometry, three.MeshLambertMaterial>;
  private readonly lines: three.LineSegments;
  private readonly source: Uint32Array | null; // vertex of the body behind each drawn one
  private readonly positions: three.BufferAttribute;
  private readonly normals: three.BufferAttribute;
  readonly colors: three.BufferAttribute;
  private readonly index: Uint32Array;
  private hasWeave: boolean;
  private isAlwaysFlat = false;
  color: readonly [number, number, number];
  /** As they are shown now, in the body's own order. */
  positions3: Float32Array = new Float32Array(0);

  constructor(readonly body: Body, number: number, rest: Float32Array | null) {
    const split = rest ? splitSeams(body, rest) : null;
    this.source = split && split.source.length > body.vertexCount ? split.source : null;
    this.index = split ? split.index : body.triangles;
    const count = this.source?.length ?? body.vertexCount;
    const geometry = new three.BufferGeometry();
    const attribute = (name: string) => {
      const made = new three.BufferAttribute(new Float32Array(3 * count), 3);
      made.setUsage(three.DynamicDrawUsage);
      geometry.setAttribute(name, made);
      return made;
    };
    this.positions = attribute('position');
    this.normals = attribute('normal');
    this.colors = attribute('color');
    this.colors.array.fill(1);
    geometry.setIndex(new three.BufferAttribute(this.index, 1));
    if (split) geometry.setAttribute('uv', new three.BufferAttribute(split.uv.map((value) => value / WEAVE_SIZE), 2));
    this.hasWeave = split !== null;
    const palette = body.isCloth ? CLOTH_COLORS : OBSTACLE_COLORS;
    this.color = palette[number % palette.length]!;
    this.mesh = new three.Mesh(geometry, makeMaterial(body.isCloth));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false; // bounds would have to be found anew every frame
    const lineGeometry = new three.BufferGeometry();
    lineGeometry.setAttribute('position', this.positions);
    this.lines = new three.LineSegments(lineGeometry, new three.LineBasicMaterial({ color: 0x101418, transparent: true, opacity: 0.45 }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.mesh.add(this.lines);
  }

  private spread(from: Float32Array, to: Float32Array): void {
    if (!this.source) {
      to.set(from);
      return;
    }
    for (let i = 0; i < this.source.length; i++) {
      const v = 3 * this.source[i]!;
      to[3 * i] = from[v]!;
      to[3 * i + 1] = from[v + 1]!;
      to[3 * i + 2] = from[v + 2]!;
    }
  }

  setPositions(x: Float32Array): void {
    if (this.positions3.length === 0 && !this.body.isCloth && isFaceted(this.body, x)) {
      this.mesh.material.flatShading = this.isAlwaysFlat = true;
      this.mesh.material.needsUpdate = true;
    }
    this.positions3 = x;
    this.spread(x, this.positions.array as Float32Array);
    this.spread(vertexNormals(x, this.body.triangles), this.normals.array as Float32Array);
    this.positions.needsUpdate = this.normals.needsUpdate = true;
  }

  /** null: the fabric's own colour. A number a vertex three times, linear. */
  setColors(colors: Float32Array | null, hasWeave: boolean): void {
    const material = this.mesh.material;
    const map = hasWeave && this.hasWeave && !colors ? weaveTexture() : null;
    if (colors) {
      this.spread(colors, this.colors.array as Float32Array);
      this.colors.needsUpdate = true;
      material.color.setRGB(1, 1, 1);
    } else {
      material.color.setRGB(...this.color);
    }
    if (material.vertexColors !== (colors !== null) || material.map !== map) {
      material.vertexColors = colors !== null;
      material.map = map;
      material.needsUpdate = true;
    }
  }

  setShading(shading: Shading): void {
    const isFlat = shading === 'flat' || this.isAlwaysFlat;
    if (this.mesh.material.flatShading !== isFlat) {
      this.mesh.material.flatShading = isFlat;
      this.mesh.material.needsUpdate = true;
    }
    if (shading === 'wire' && !this.lines.geometry.index)
      this.lines.geometry.setIndex(new three.BufferAttribute(findEdges(this.index, this.positions.count), 1));
    this.lines.visible = shading === 'wire';
    this.mesh.material.polygonOffset = !this.body.isCloth || this.lines.visible;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.lines.geometry.dispose();
    (this.lines.material as three.Material).dispose();
  }
}

/** Sums of the normals around, which larger triangles weigh more in. */
export function vertexNormals(x: Float32Array, triangles: Uint32Array): Float32Array {
  const n = new Float32Array(x.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i]!, b = 3 * triangles[i + 1]!, c = 3 * triangles[i + 2]!;
    const ex = x[b]! - x[a]!, ey = x[b + 1]! - x[a + 1]!, ez = x[b + 2]! - x[a + 2]!;
    const fx = x[c]! - x[a]!, fy = x[c + 1]! - x[a + 1]!, fz = x[c + 2]! - x[a + 2]!;
    const nx = ey * fz - ez * fy, ny = ez * fx - ex * fz, nz = ex * fy - ey * fx;
    n[a]! += nx; n[a + 1]! += ny; n[a + 2]! += nz;
    n[b]! += nx; n[b + 1]! += ny; n[b + 2]! += nz;
    n[c]! += nx; n[c + 1]! += ny; n[c + 2]! += nz;
  }
  for (let v = 0; v < n.length; v += 3) {
    const length = Math.sqrt(n[v]! * n[v]! + n[v + 1]! * n[v + 1]! + n[v + 2]! * n[v + 2]!);
    const scale = length > 0 ? 1 / length : 0;
    n[v]! *= scale; n[v + 1]! *= scale; n[v + 2]! *= scale;
  }
  return n;
}
