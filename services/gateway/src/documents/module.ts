import { Secret } from '@hearth/config';
import { sizeOf, sizesOf } from '@hearth/limits';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { loadComments } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import { assetHeaders, assets, frontPage, paths } from '@hearth/web';
import { type Exchange, etagOf, type Network, sendJson } from '../http/module.ts';
import { openApiDocument } from '../openapi/module.ts';
import type { Operation } from '../operations/module.ts';
import { createAddDocument, type Deps } from './add-document.ts';
import { createHomeDocument } from './home-document.ts';
import { guide } from './llms-txt.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  protectedResources,
} from './oauth-metadata.ts';
import { type Document, sendDocument } from './send-document.ts';
import { webhookKeys } from './webhook-keys.ts';

const guideMaxAgeSeconds = 300;
const homeDocumentMaxAgeSeconds = 3_600;

/** The documents that are the same for all readers, the assets of pages, and the probes. */
export function addDocuments(
  host: Pick<Host, 'bus' | 'clock' | 'config' | 'limits' | 'operatorKey' | 'peer' | 'ready'>,
  deps: Deps & { operations: readonly Operation[]; network: Network },
): void {
  const { bus, clock, limits, ready } = host;
  const { home, siteUrl } = host.config;
  const addDocument = createAddDocument(deps);
  const federation = host.peer('federation', FederationService);
  const homeDocument = createHomeDocument({ federation, clock, bus });
  const operatorKey = new Secret(host.operatorKey);
  const subject = { operations: deps.operations, home, siteUrl };

  /** Reasons name servers and hold words of the database: they are for those who run the home. */
  function mayKnowReasons({ request }: Exchange): boolean {
    const [, key = ''] = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '') ?? [];
    return deps.network.isInside(request) || operatorKey.matches(key);
  }

  /** Made when first asked for, so that the start does not wait for it. */
  function add(name: string, path: string, type: string, textOf: () => string): void {
    let made: Document | undefined;
    addDocument(name, path, (exchange) => {
      made ??= document(type, textOf());
      sendDocument(exchange, made);
    });
  }
  const addJson = (name: string, path: string, objectOf: () => object) =>
    add(name, path, 'application/json', () => JSON.stringify(objectOf()));

  add('front_page', paths.front, 'text/html; charset=utf-8', () => frontPage({ home, csrf: '' }));
  add('guide', paths.guide, 'text/plain; charset=utf-8', () =>
    guide({ ...subject, comments: loadComments(), bodyBytes: sizeOf(limits, 'body_bytes') }),
  );
  addJson('openapi', paths.openApi, () =>
    openApiDocument({ ...subject, comments: loadComments(), bounds: sizesOf(limits) }),
  );
  addDocument('home_document', paths.homeDocument, async (exchange) => {
    const { json, etag } = await homeDocument();
    const maxAgeSeconds = homeDocumentMaxAgeSeconds;
    sendDocument(exchange, { type: 'application/json', body: Buffer.from(json), etag, maxAgeSeconds });
  });
  addDocument('webhook_keys', paths.webhookKeys, async (exchange) => {
    sendDocument(exchange, document('application/json', webhookKeys((await homeDocument()).json)));
  });
  for (const path of ['', paths.mcp]) {
    addJson('oauth_metadata', `/.well-known/oauth-authorization-server${path}`, () =>
      authorizationServerMetadata(siteUrl),
    );
  }
  for (const path of protectedResources) {
    addJson('oauth_resource', `/.well-known/oauth-protected-resource${path}`, () =>
      protectedResourceMetadata(siteUrl, path),
    );
  }
  for (const asset of Object.values(assets)) {
    addDocument('asset', asset.path, ({ response }) => {
      response.writeHead(200, assetHeaders(asset));
      response.end(asset.body);
    });
  }
  for (const base of ['', '/v0']) {
    addDocument('health', `${base}/health`, ({ response }) => sendJson(response, 200, '{"status":"ok"}'));
    addDocument('ready', `${base}/ready`, async (exchange) => {
      const { response } = exchange;
      const { ok, reasons } = await ready();
      if (ok) return sendJson(response, 200, '{"status":"ok"}');
      const told = { status: 'not ready', ...(mayKnowReasons(exchange) && { reasons }) };
      sendJson(response, 503, JSON.stringify(told), ['Retry-After', '1']);
    });
  }
}

function document(type: string, text: string): Document {
  return { type, body: Buffer.from(text), etag: etagOf(text), maxAgeSeconds: guideMaxAgeSeconds };
}
