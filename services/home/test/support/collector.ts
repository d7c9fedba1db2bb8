import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP writes it in JSON, with the name of the service that it came from. */
export interface ExportedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  links?: { traceId: string; spanId: string }[];
}

/** What takes traces and metrics over OTLP (HTTP, JSON) and keeps them. */
export interface Collector {
  url: string;
  spans(): ExportedSpan[];
  /** The metrics that each service sent, as "service name". */
  metrics(): Set<string>;
  /** Everything that was received, as it was sent. */
  text(): string;
  stop(): Promise<void>;
}

interface Resource {
  resource: { attributes: { key: string; value: { stringValue?: string } }[] };
}
interface Traces {
  resourceSpans: (Resource & { scopeSpans: { spans: Omit<ExportedSpan, 'service'>[] }[] })[];
}
interface Metrics {
  resourceMetrics: (Resource & { scopeMetrics: { metrics: { name: string }[] }[] })[];
}

export async function startCollector(): Promise<Collector> {
  const spans: ExportedSpan[] = [];
  const metrics = new Set<string>();
  const bodies: string[] = [];

  function take(path: string | undefined, body: string): void {
    bodies.push(body);
    if (path === '/v1/traces') {
      for (const { resource, scopeSpans } of (JSON.parse(body) as Traces).resourceSpans) {
        const service = serviceOf(resource);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))));
      }
    } else {
      for (const { resource, scopeMetrics } of (JSON.parse(body) as Metrics).resourceMetrics) {
        for (const { name } of scopeMetrics.flatMap((scope) => scope.metrics)) {
          metrics.add(`${serviceOf(resource)} ${name}`);
        }
      }
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(request.url, Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    metrics: () => metrics,
    text: () => bodies.join('\n'),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serviceOf({ attributes }: Resource['resource']): string {
  return attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
}
