import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A static file of the pages. Its path changes with its bytes, so caches may keep it forever. */
export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

const styles = [
  'base',
  'frame',
  'parts',
  'forms',
  'details',
  'requests',
  'asks',
  'rules',
  'decisions',
  'conditions',
].map((part) => `style/${part}.css`);

const ed25519 = pathToFileURL(createRequire(import.meta.url).resolve('@noble/ed25519'));

export const assets = {
  stylesheet: asset('hearth.css', 'text/css; charset=utf-8', styles),
  script: asset('hearth.js', 'text/javascript; charset=utf-8', ['hearth.js']),
  /** Keeps typed text while offline, and prevents a sent form from being submitted again. */
  forms: asset('forms.js', 'text/javascript; charset=utf-8', ['forms.js']),
  /** Keyboard shortcuts on the requests page. */
  requests: asset('requests.js', 'text/javascript; charset=utf-8', ['requests.js']),
  /** Reloads a page when its subject changes. */
  live: asset('live.js', 'text/javascript; charset=utf-8', ['live.js']),
  /** Verifies signed answers in the browser; loads the other two on demand. */
  receipt: asset('receipt.js', 'text/javascript; charset=utf-8', ['receipt.js']),
  verify: asset('verify.js', 'text/javascript; charset=utf-8', ['verify.js']),
  ed25519: asset('ed25519.js', 'text/javascript; charset=utf-8', [ed25519]),
  icon: asset('icon.svg', 'image/svg+xml', ['icon.svg']),
} as const satisfies Record<string, Asset>;

/** An asset's headers, names and values alternately. */
export function assetHeaders({ type, body }: Asset): string[] {
  return [
    ...['Content-Type', type],
    ...['Content-Length', String(body.byteLength)],
    ...['Cache-Control', 'public, max-age=31536000, immutable'],
    ...['X-Content-Type-Options', 'nosniff'],
    // The icon can be opened as a document of its own.
    ...['Content-Security-Policy', "default-src 'none'"],
  ];
}

function asset(name: string, type: string, files: readonly (string | URL)[]): Asset {
  const body = Buffer.concat(
    files.map((file) =>
      readFileSync(typeof file === 'string' ? new URL(`./assets/${file}`, import.meta.url) : file),
    ),
  );
  const version = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${version}/${name}`, type, body };
}
