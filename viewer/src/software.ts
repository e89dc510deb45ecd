let known: boolean | null = null;

/** Whether the browser draws without a graphics processor, as on many servers: then what costs most is left out. Smooth
 * edges alone make a picture of 200,000 triangles three times slower there. */
export function isSoftware(): boolean {
  if (known !== null) return known;
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  known = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  return known;
}
