import type { Language } from '@hearth/i18n';
import { sizeOf, sizesOf, unprovenPoints } from '@hearth/limits';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { loadComments } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import { assetHeaders, assets, type Frame, frontPage, paths } from '@hearth/web';
import {
  type Codings,
  type Connections,
  codingsOf,
  type Exchange,
  etagOf,
  type Network,
  sendJson,
  splitTarget,
  visitorFrame,
} from '../http/module.ts';
import { openApiDocument } from '../openapi/module.ts';
import type { Operation } from '../operations/module.ts';
import { createAddDocument, type Deps } from './add-document.ts';
import { createHomeDocument, type HomeDocument } from './home-document.ts';
import { guide } from './llms-txt.ts';
import {
  authorizationServerMetadata,
  protectedResourceMetadata,
  protectedResources,
} from './oauth-metadata.ts';
import { choose, type Document, documentPreflight, sendDocument } from './send-document.ts';
import { webhookKeys } from './webhook-keys.ts';

export { createAddDocument } from './add-document.ts';
export { sendDocument } from './send-document.ts';

const guideMaxAgeSeconds = 300;
const homeDocumentMaxAgeSeconds = 3_600;

/** Adds the documents that are the same for all readers, the assets of pages, and the probes. */
export function addDocuments(
  host: Pick<Host, 'bus' | 'clock' | 'config' | 'languages' | 'limits' | 'own' | 'peer' | 'ready'>,
  deps: Deps & { operations: readonly Operation[]; network: Network; connections: Connections },
): void {
  const { bus, clock, limits, ready } = host;
  const { commons, home, siteUrl } = host.config;
  const addDocument = createAddDocument(deps);
  const federation = host.peer('federation', FederationService);
  const homeDocument = createHomeDocument({ federation, clock, bus });
  const operatorKey = host.own('operatorKey');
  const subject = { operations: deps.operations, home, siteUrl };

  /** Whether the reader runs the home. Reasons name servers and quote the database. */
  function mayKnowReasons({ request }: Exchange): boolean {
    const [, key = ''] = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '') ?? [];
    return deps.network.isInside(request) || operatorKey.matches(key);
  }

  /** Creates the document on first request, so that it doesn't delay the start. */
  function add(name: string, path: string, type: string, textOf: () => string): void {
    let made: Promise<Document> | undefined;
    const answer = async (exchange: Exchange) => {
      made ??= withCodings(document(type, textOf()));
      sendDocument(exchange, await made);
    };
    addDocument(name, path, answer, { preflight: documentPreflight });
  }
  const addJson = (name: string, path: string, objectOf: () => object) =>
    add(name, path, 'application/json', () => JSON.stringify(objectOf()));

  const fronts = new Map<Language, Promise<Document>>();
  addDocument('front_page', paths.front, async (exchange) => {
    const frame = visitorFrame(host, exchange.request);
    const { language } = frame;
    const made = fronts.get(language) ?? withCodings(frontDocument(frame, commons === 'public'));
    fronts.set(language, made);
    sendDocument(exchange, await made);
  });
  add('guide', paths.guide, 'text/plain; charset=utf-8', () =>
    guide({ ...subject, comments: loadComments(), bodyBytes: sizeOf(limits, 'body_bytes') }),
  );
  addJson('openapi', paths.openApi, () =>
    openApiDocument({ ...subject, comments: loadComments(), bounds: sizesOf(limits) }),
  );
  const addFromHomeDocument = (name: string, path: string, documentOf: (home: HomeDocument) => Document) =>
    addDocument(name, path, async (exchange) => sendDocument(exchange, documentOf(await homeDocument())), {
      preflight: documentPreflight,
    });
  addFromHomeDocument('home_document', paths.homeDocument, ({ json, etag }) => ({
    ...{ type: 'application/json', body: Buffer.from(json), etag },
    maxAgeSeconds: homeDocumentMaxAgeSeconds,
  }));
  addFromHomeDocument('webhook_keys', paths.webhookKeys, ({ json }) =>
    document('application/json', webhookKeys(json)),
  );
  for (const path of ['', paths.mcp]) {
    addJson('oauth_metadata', `/.well-known/oauth-authorization-server${path}`, () =>
      authorizationServerMetadata(siteUrl),
    );
  }
  for (const path of protectedResources) {
    const [plain, slashed] = ['', '/'].map((end) =>
      document('application/json', JSON.stringify(protectedResourceMetadata(siteUrl, `${path}${end}`))),
    );
    // A client accepts only a document that spells the resource as it does (RFC 9728, section 3.3).
    const answer = (exchange: Exchange) =>
      sendDocument(exchange, splitTarget(exchange.request.url ?? '').path.endsWith('/') ? slashed! : plain!);
    addDocument('oauth_resource', `/.well-known/oauth-protected-resource${path}`, answer, {
      preflight: documentPreflight,
    });
  }
  for (const asset of Object.values(assets)) {
    let codings: Promise<Codings> | undefined;
    const answer = async ({ request, response }: Exchange) => {
      codings ??= codingsOf(asset.body);
      const { bytes = asset.body, coding, vary } = choose(request, await codings);
      response.writeHead(200, [...assetHeaders({ ...asset, body: bytes }), ...coding, ...vary]);
      response.end(bytes);
    };
    addDocument('asset', asset.path, answer, { points: unprovenPoints.asset });
  }
  for (const base of ['', '/v0']) {
    // Only about this process: if it asked other services, one outage would remove every gateway.
    addDocument('health', `${base}/health`, ({ response }) =>
      deps.connections.draining
        ? sendJson(response, 503, '{"status":"stopping"}', ['Retry-After', '1'])
        : sendJson(response, 200, '{"status":"ok"}'),
    );
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

function frontDocument(frame: Frame, commons: boolean): Document {
  const page = document('text/html; charset=utf-8', frontPage(frame, { commons }));
  return { ...page, language: frame.language.tag };
}

async function withCodings(made: Document): Promise<Document> {
  return { ...made, codings: await codingsOf(made.body) };
}
