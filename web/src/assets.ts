import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages refer to. Its path changes with its bytes, so anybody may keep it for ever. */
export interface Asset {
  path: string;
  type: string;
  body: Buffer;
}

const styles = ['base', 'frame', 'parts', 'forms', 'conditions'].map((part) => `style/${part}.css`);

export const assets = {
  stylesheet: asset('hearth.css', 'text/css; charset=utf-8', styles),
  script: asset('hearth.js', 'text/javascript; charset=utf-8', ['hearth.js']),
  icon: asset('icon.svg', 'image/svg+xml', ['icon.svg']),
} as const satisfies Record<string, Asset>;

/** The headers of an asset, names and values by turns. */
export function assetHeaders({ type, body }: Asset): string[] {
  return [
    ...['Content-Type', type],
    ...['Content-Length', String(body.byteLength)],
    ...['Cache-Control', 'public, max-age=31536000, immutable'],
    ...['X-Content-Type-Options', 'nosniff'],
    // The icon is a document of its own when somebody opens it.
    ...['Content-Security-Policy', "default-src 'none'"],
  ];
}

function asset(name: string, type: string, files: readonly string[]): Asset {
  const body = Buffer.concat(files.map((file) => readFileSync(new URL(`./assets/${file}`, import.meta.url))));
  const version = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${version}/${name}`, type, body };
}
