import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { assetHeaders, assets, pageHeaders } from '@hearth/web';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { findProgram } from '../../scripts/tools/find-program.mjs';

const root = join(import.meta.dirname, '..', '..');

/** Starts the machine's Chromium, or the one that the tests have fetched. */
export async function startBrowser(): Promise<Browser> {
  const path = [process.env['PATH'], join(root, '.cache', 'bin')].join(delimiter);
  const executablePath = findProgram('chromium', path);
  if (executablePath === undefined) {
    throw new Error(
      'The pages are tested with chromium. `npm run tools -- chromium` fetches it where it can.',
    );
  }
  return await launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
      '--font-render-hinting=none',
    ],
  });
}

/** The file for a page's screenshot, for people to look at. */
export function screenshotPath(name: string): `${string}.png` {
  const folder = join(root, 'test-results', 'screens');
  mkdirSync(folder, { recursive: true });
  return `${folder}/${name}.png`;
}

export interface Site {
  url(name: string): string;
  close(): Promise<void>;
}

/** Serves pages by their names as the gateway does, with its headers and assets. */
export async function serve(pages: ReadonlyMap<string, string>, answers: Answers = {}): Promise<Site> {
  const files = new Map(Object.values(assets).map((asset) => [asset.path, asset]));
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const asset = files.get(path);
    const page = pages.get(path.slice(1));
    const answer = answers[path];
    if (asset !== undefined) response.writeHead(200, assetHeaders(asset)).end(asset.body);
    else if (answer !== undefined) {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { status, body } = answer(JSON.parse(Buffer.concat(chunks).toString() || '{}'));
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      });
    } else response.writeHead(page === undefined ? 404 : 200, pageHeaders()).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    // Browsers allow passkeys at this name without TLS.
    url: (name) => `http://localhost:${port}/${name}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** JSON answers by path. */
export type Answers = Readonly<
  Record<string, (body: Record<string, unknown>) => { status: number; body: object }>
>;

/** The browser's errors and warnings while a page is open. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} was not had`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
  return complaints;
}
