// Gaps take seconds for large cloths: they are found beside the page.
import { computeGaps, type GapBody } from './gap';

onmessage = (event: MessageEvent<{ id: number; bodies: GapBody[]; reach: number }>) => {
  const { id, bodies, reach } = event.data;
  const gaps = computeGaps(bodies, reach);
  postMessage({ id, gaps }, { transfer: gaps.map((values) => values.buffer) });
};
