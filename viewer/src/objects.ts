// The list of cloths and obstacles, to show, hide and colour them.
import { fromHex, toHex } from './colors';
import type { RunPane } from './pane';

const count = (value: number) => (value >= 10000 ? `${Math.round(value / 1000)}k` : String(value));

export function listObjects(parent: HTMLElement, panes: readonly RunPane[], onChange: (isColor: boolean) => void): void {
  parent.replaceChildren(...panes.map((pane, number) => {
    const group = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = panes.length > 1 ? `${number + 1}: ${pane.run.label}` : 'Cloths and obstacles';
    if (panes.length === 1) legend.className = 'hidden';
    group.append(legend);
    for (const surface of pane.surfaces) {
      const { body } = surface;
      const row = document.createElement('div');
      row.className = 'object';
      const label = document.createElement('label');
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.checked = true;
      box.addEventListener('change', () => {
        surface.mesh.visible = box.checked;
        onChange(false);
      });
      const name = document.createElement('span');
      name.className = 'name';
      name.textContent = body.name || (body.isCloth ? 'cloth' : 'obstacle');
      label.append(box, name);
      const size = document.createElement('span');
      size.className = 'size';
      size.textContent = `${body.isCloth ? '' : 'obstacle, '}${count(body.triangles.length / 3)} triangles`;
      const color = document.createElement('input');
      color.type = 'color';
      color.value = toHex(surface.color);
      color.setAttribute('aria-label', `Colour of ${name.textContent}`);
      color.addEventListener('input', () => {
        surface.color = fromHex(color.value);
        onChange(true);
      });
      row.append(label, size, color);
      group.append(row);
    }
    return group;
  }));
}
