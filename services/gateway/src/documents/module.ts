import { type Limits, sizeOf, sizesOf } from '@hearth/limits';
import type { Comments } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import { assetHeaders, assets, frontPage, paths } from '@hearth/web';
import { etagOf, sendJson } from '../http/module.ts';
import { openApiDocument } from '../openapi/module.ts';
import type { Operation } from '../operations/module.ts';
import type { AddPage } from './add-document.ts';
import type { HomeDocument } from './home-document.ts';
import { guide } from './llms-txt.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  protectedResources,
} from './oauth-metadata.ts';
import { type Document, sendDocument } from './send-document.ts';
import { webhookKeys } from './webhook-keys.ts';

export { createAddPage } from './add-document.ts';
export { createHomeDocument } from './home-document.ts';

export interface AllPagesOptions {
  addPage: AddPage;
  operations: readonly Operation[];
  loadComments(): Comments;
  /** The home's name. */
  home: string;
  siteUrl: string;
  limits: Limits;
  homeDocument(): Promise<HomeDocument>;
  ready: Host['ready'];
}

const guideMaxAgeSeconds = 300;
const homeDocumentMaxAgeSeconds = 3_600;

/** Everything that the gateway serves besides the declared operations. */
export function addPages(options: AllPagesOptions): void {
  const { addPage, operations, loadComments, home, siteUrl, limits, homeDocument, ready } = options;
  const words = { operations, home, siteUrl };
  const front = once(() => document('text/html; charset=utf-8', frontPage({ home, csrf: '' })));
  const llms = once(() =>
    document(
      'text/plain; charset=utf-8',
      guide({ ...words, comments: loadComments(), bodyBytes: sizeOf(limits, 'body_bytes') }),
    ),
  );
  const openApi = once(() =>
    document(
      'application/json',
      JSON.stringify(openApiDocument({ ...words, comments: loadComments(), bounds: sizesOf(limits) })),
    ),
  );
  addPage('front_page', paths.front, (exchange) => sendDocument(exchange, front()));
  addPage('guide', paths.guide, (exchange) => sendDocument(exchange, llms()));
  addPage('openapi', paths.openApi, (exchange) => sendDocument(exchange, openApi()));
  addPage('home_document', paths.homeDocument, async (exchange) => {
    const { json, etag } = await homeDocument();
    const maxAgeSeconds = homeDocumentMaxAgeSeconds;
    sendDocument(exchange, { type: 'application/json', text: json, etag, maxAgeSeconds });
  });
  addPage('webhook_keys', paths.webhookKeys, async (exchange) => {
    sendDocument(exchange, document('application/json', webhookKeys((await homeDocument()).json)));
  });
  for (const path of ['', '/mcp']) {
    const metadata = once(() => json(authorizationServerMetadata(siteUrl)));
    addPage('oauth_metadata', `/.well-known/oauth-authorization-server${path}`, (exchange) =>
      sendDocument(exchange, metadata()),
    );
  }
  for (const path of protectedResources) {
    const metadata = once(() => json(protectedResourceMetadata(siteUrl, path)));
    addPage('oauth_resource', `/.well-known/oauth-protected-resource${path}`, (exchange) =>
      sendDocument(exchange, metadata()),
    );
  }
  for (const asset of Object.values(assets)) {
    addPage('asset', asset.path, ({ response }) => {
      response.writeHead(200, assetHeaders(asset));
      response.end(asset.body);
    });
  }
  for (const base of ['', '/v0']) {
    addPage('health', `${base}/health`, ({ response }) => sendJson(response, 200, '{"status":"ok"}'));
    addPage('ready', `${base}/ready`, async ({ response }) => {
      const { ok, reasons } = await ready();
      if (ok) sendJson(response, 200, '{"status":"ok"}');
      else sendJson(response, 503, JSON.stringify({ status: 'not ready', reasons }), ['Retry-After', '1']);
    });
  }
}

function json(value: object): Document {
  return document('application/json', JSON.stringify(value));
}

function document(type: string, text: string): Document {
  return { type, text, etag: etagOf(text), maxAgeSeconds: guideMaxAgeSeconds };
}

/** Made when first asked for, so that the start does not wait for it. */
function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
