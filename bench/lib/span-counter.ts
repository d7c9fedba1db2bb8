import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives traces over OTLP (HTTP, JSON) and counts spans by name. */
export interface SpanCounter {
  /** The environment with which a home sends its spans here. */
  env: Record<string, string>;
  /** The spans since the last call, by service and name. */
  take(): Map<string, number>;
  stop(): void;
}

interface Traces {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: {
      spans: { name: string; attributes?: { key: string; value: { stringValue?: string } }[] }[];
    }[];
  }[];
}

export async function startSpanCounter(): Promise<SpanCounter> {
  let counts = new Map<string, number>();
  const take = (body: string) => {
    for (const { resource, scopeSpans } of (JSON.parse(body) as Traces).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
      for (const { name, attributes = [] } of scopeSpans.flatMap(({ spans }) => spans)) {
        const summary = attributes.find(({ key }) => key === 'db.query.summary')?.value.stringValue ?? '';
        const key = `${service} ${name} ${summary}`.trimEnd();
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') take(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '1000',
    },
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
