import { type HttpServer, startHttpServer } from './http-server.ts';

/** A span in OTLP's JSON form, with its service's name. */
export interface ExportedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  links?: { traceId: string; spanId: string }[];
}

/** Receives and stores traces and metrics over OTLP (HTTP, JSON). */
export interface Collector extends HttpServer {
  spans(): ExportedSpan[];
  /** The metrics that each service sent, as "service name". */
  metrics(): Set<string>;
  /** Everything received, unchanged. */
  text(): string;
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

  const server = await startHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      take(request.url, Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  return { ...server, spans: () => spans, metrics: () => metrics, text: () => bodies.join('\n') };
}

function serviceOf({ attributes }: Resource['resource']): string {
  return attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
}
