// The picture: one canvas, a pane for each run, one camera for all of them. Draws when something changed.
import * as three from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { isSoftware } from './software';
import type { Surface } from './surface';

export interface Box {
  min: [number, number, number];
  max: [number, number, number];
}

export function boxOf(arrays: readonly Float32Array[]): Box {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (const x of arrays)
    for (let i = 0; i < x.length; i++) {
      const k = (i % 3) as 0 | 1 | 2;
      const value = x[i]!;
      if (value < box.min[k]) box.min[k] = value;
      if (value > box.max[k]) box.max[k] = value;
    }
  return box;
}

export interface Hit {
  pane: number;
  surface: Surface;
  triangle: number;
  weights: [number, number, number]; // of its corners
  point: three.Vector3;
  distance: number;
}

export interface Look {
  background: string;
  hasShadows: boolean;
  isMap: boolean; // colours carry numbers: lights are even
}

class Pane {
  readonly scene = new three.Scene();
  readonly surfaces: Surface[] = [];
  readonly sun = new three.DirectionalLight(0xfff4e6, 2.2);
  readonly sky = new three.HemisphereLight(0xf2f6ff, 0x8a8177, 1.35);
  readonly ground: three.Mesh<three.CircleGeometry, three.ShadowMaterial>;
  constructor() {
    this.ground = new three.Mesh(new three.CircleGeometry(1, 48), new three.ShadowMaterial({ opacity: 0.22 }));
    this.ground.receiveShadow = true;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.radius = 3;
    this.scene.add(this.sun, this.sun.target, this.sky, this.ground);
  }
}

const FIELD_OF_VIEW = 34;
const DIRECTION = new three.Vector3(0.62, -0.74, 0.36).normalize(); // from the middle to the camera
const SUN = new three.Vector3(0.35, -0.45, 1).normalize();

export class Stage {
  readonly renderer: three.WebGLRenderer;
  readonly camera = new three.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly panes: Pane[] = [];
  private isPending = false;
  private isStacked = false;
  private box: Box = { min: [-1, -1, -1], max: [1, 1, 1] };
  /** After each picture. */
  onDraw: () => void = () => undefined;

  constructor(readonly canvas: HTMLCanvasElement) {
    const isSlow = isSoftware();
    this.renderer = new three.WebGLRenderer({ canvas, antialias: !isSlow, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = isSlow ? three.BasicShadowMap : three.PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.setScissorTest(true);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate(false));
    this.controls.enableDamping = false;
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  setPanes(count: number): void {
    while (this.panes.length < count) this.panes.push(new Pane());
    this.resize();
  }

  /** hasMoved: shadows are to be drawn again too. */
  invalidate(hasMoved = true): void {
    if (hasMoved) this.renderer.shadowMap.needsUpdate = true;
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => this.isPending && this.draw()); // it may have been drawn meanwhile
  }

  setLook(look: Look): void {
    for (const pane of this.panes) {
      pane.scene.background = new three.Color(look.background);
      pane.sun.castShadow = look.hasShadows;
      pane.ground.visible = look.hasShadows;
      pane.sun.intensity = look.isMap ? 0.8 : 2.2;
      pane.sky.intensity = look.isMap ? 2.6 : 1.35;
      pane.sky.groundColor.set(look.isMap ? 0xd8d8d8 : 0x8a8177);
    }
    this.invalidate();
  }

  private resize(): void {
    const parent = this.canvas.parentElement!;
    const width = Math.max(1, parent.clientWidth), height = Math.max(1, parent.clientHeight);
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.isStacked = height > width;
    this.invalidate();
  }

  /** In CSS pixels, from the upper left. */
  paneRectangle(index: number): { x: number; y: number; width: number; height: number } {
    const { clientWidth, clientHeight } = this.canvas;
    const count = Math.max(1, this.panes.length);
    if (this.isStacked) return { x: 0, y: (clientHeight / count) * index, width: clientWidth, height: clientHeight / count };
    return { x: (clientWidth / count) * index, y: 0, width: clientWidth / count, height: clientHeight };
  }

  /** Lets the camera see all of the box, and lays the ground below it. */
  fit(box: Box, keepDirection = false): void {
    this.box = box;
    const middle = new three.Vector3(...box.min).add(new three.Vector3(...box.max)).multiplyScalar(0.5);
    const radius = Math.max(1e-6, 0.5 * new three.Vector3(...box.min).distanceTo(new three.Vector3(...box.max)));
    const { width, height } = this.paneRectangle(0);
    const half = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * Math.min(1, width / height);
    const distance = (0.86 * radius) / Math.sin(Math.atan(half));
    const direction = keepDirection ? this.camera.position.clone().sub(this.controls.target).normalize() : DIRECTION;
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this.camera.near = 0.005 * distance;
    this.camera.far = 20 * distance;
    this.controls.minDistance = 0.02 * distance;
    this.controls.maxDistance = 8 * distance;
    for (const pane of this.panes) {
      pane.ground.position.set(middle.x, middle.y, box.min[2] - 0.002 * radius);
      pane.ground.scale.setScalar(6 * radius);
      pane.sun.position.copy(middle).addScaledVector(SUN, 3 * radius);
      pane.sun.target.position.copy(middle);
      const shadow = pane.sun.shadow.camera;
      shadow.left = shadow.bottom = -1.4 * radius;
      shadow.right = shadow.top = 1.4 * radius;
      shadow.near = radius;
      shadow.far = 6 * radius;
      shadow.updateProjectionMatrix();
      pane.sun.shadow.normalBias = 0.004 * radius;
    }
    this.controls.update();
    this.invalidate();
  }

  /** The floor sinks when something falls below it, and never rises: an animation stays steady. */
  sink(low: number): void {
    if (low >= this.box.min[2]) return;
    this.box.min[2] = low;
    for (const pane of this.panes) pane.ground.position.z = low;
  }

  /** Around the middle, in radians. */
  orbit(horizontal: number, vertical: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const s = new three.Spherical().setFromVector3(new three.Vector3(offset.x, offset.z, -offset.y));
    s.theta += horizontal;
    s.phi = Math.min(Math.PI - 0.05, Math.max(0.05, s.phi + vertical));
    const turned = new three.Vector3().setFromSpherical(s);
    this.camera.position.copy(this.controls.target).add(new three.Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
    this.invalidate(false);
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.invalidate(false);
  }

  draw(): void {
    this.isPending = false;
    for (const [i, pane] of this.panes.entries()) {
      const r = this.paneRectangle(i);
      const bottom = this.canvas.clientHeight - r.y - r.height;
      this.camera.aspect = r.width / r.height;
      this.camera.updateProjectionMatrix();
      this.renderer.setViewport(r.x, bottom, r.width, r.height);
      this.renderer.setScissor(r.x, bottom, r.width, r.height);
      const needsShadows = this.renderer.shadowMap.needsUpdate;
      this.renderer.render(pane.scene, this.camera);
      this.renderer.shadowMap.needsUpdate = needsShadows && i + 1 < this.panes.length;
    }
    this.onDraw();
  }

  /** Waits until the picture is drawn: for measuring. */
  finish(): void {
    const context = this.renderer.getContext();
    context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
  }

  /** What is under a place on the canvas. */
  pick(x: number, y: number): Hit | null {
    const pane = this.panes.findIndex((_, i) => {
      const r = this.paneRectangle(i);
      return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
    });
    if (pane < 0) return null;
    const r = this.paneRectangle(pane);
    this.camera.aspect = r.width / r.height;
    this.camera.updateProjectionMatrix();
    const caster = new three.Raycaster();
    caster.setFromCamera(new three.Vector2((2 * (x - r.x)) / r.width - 1, 1 - (2 * (y - r.y)) / r.height), this.camera);
    let best: Hit | null = null;
    for (const surface of this.panes[pane]!.surfaces) {
      if (!surface.mesh.visible) continue;
      const hit = intersect(surface, caster.ray);
      if (hit && (!best || hit.distance < best.distance)) best = { pane, ...hit };
    }
    return best;
  }

  /** PNG of what is seen, twice as fine. */
  async picture(): Promise<Blob> {
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(2 * ratio);
    this.draw(); // the buffer is only there right after drawing
    try {
      return await new Promise((resolve, reject) =>
        this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture could be made'))), 'image/png'));
    } finally {
      this.renderer.setPixelRatio(ratio);
      this.invalidate();
    }
  }
}

/** The nearest triangle on a ray, straight over the arrays: a frame is hardly ever looked at twice. */
function intersect(surface: Surface, ray: three.Ray): Omit<Hit, 'pane'> | null {
  const x = surface.positions3;
  const tri = surface.body.triangles;
  const { origin: o, direction: d } = ray;
  let best = Infinity, at = -1, bestU = 0, bestV = 0;
  for (let i = 0; i < tri.length; i += 3) {
    const a = 3 * tri[i]!, b = 3 * tri[i + 1]!, c = 3 * tri[i + 2]!;
    const ex = x[b]! - x[a]!, ey = x[b + 1]! - x[a + 1]!, ez = x[b + 2]! - x[a + 2]!;
    const fx = x[c]! - x[a]!, fy = x[c + 1]! - x[a + 1]!, fz = x[c + 2]! - x[a + 2]!;
    const px = d.y * fz - d.z * fy, py = d.z * fx - d.x * fz, pz = d.x * fy - d.y * fx;
    const det = ex * px + ey * py + ez * pz;
    if (det === 0) continue;
    const sx = o.x - x[a]!, sy = o.y - x[a + 1]!, sz = o.z - x[a + 2]!;
    const u = (sx * px + sy * py + sz * pz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex;
    const v = (d.x * qx + d.y * qy + d.z * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const t = (fx * qx + fy * qy + fz * qz) / det;
    if (t > 0 && t < best) {
      best = t;
      at = i / 3;
      bestU = u;
      bestV = v;
    }
  }
  if (at < 0) return null;
  return { surface, triangle: at, weights: [1 - bestU - bestV, bestU, bestV], point: ray.at(best, new three.Vector3()), distance: best };
}
