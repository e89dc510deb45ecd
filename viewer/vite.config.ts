// One HTML file with script and styles in it, so that the same page is compiled into weft and travels with an export.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Only what is in the page may run: the policy names it by its hash. Workers are made from texts of the script.
function inline(): Plugin {
  return {
    name: 'weft-inline',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += file.source;
        else continue;
        delete bundle[name];
      }
      script = script.replaceAll('</script', '<\\/script');
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('no index.html was made');
      const policy =
        `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; worker-src blob:; ` +
        "connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'";
      const licence = readFileSync('node_modules/three/LICENSE', 'utf8').replaceAll('--', '-');
      page.source = String(page.source)
        .replace('<head>', () => `<head>\n    <!-- With three.js:\n${licence}-->`)
        .replace(/\s*<script[^>]*src=[^>]*><\/script>/, '')
        .replace(/\s*<link[^>]*rel="stylesheet"[^>]*>/, '')
        .replace('</head>', () => `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head>`)
        .replace('</body>', () => `<!--weft-data--><script type="module">${script}</script></body>`);
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [inline()],
  worker: { format: 'iife' },
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 1e9, cssCodeSplit: false, chunkSizeWarningLimit: 4096 },
});
