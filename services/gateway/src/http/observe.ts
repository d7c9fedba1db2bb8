import {
  type Logger,
  linkFrom,
  metering,
  recordError,
  recordRequest,
  span,
  tracing,
} from '@hearth/telemetry';
import type { Exchange } from './exchange.ts';

/** Runs the work of answering one request; it must not throw. */
export type Observe = (exchange: Exchange, work: () => Promise<void>) => Promise<void>;

/**
 * Records one span, one duration and one debug line for each request, without bodies, queries or ids. Free
 * while all of them are off. The client's trace is linked, not continued: strangers choose neither our trace
 * ids nor our sampling.
 */
export function createObserve(log: Logger): Observe {
  const logging = log.isLevelEnabled('debug');
  return (exchange, work) => {
    if (!logging && !tracing.enabled && !metering.enabled) return work();
    return answerObserved(exchange, work, logging ? log : undefined);
  };
}

async function answerObserved(
  exchange: Exchange,
  work: () => Promise<void>,
  log: Logger | undefined,
): Promise<void> {
  const { request, response, route } = exchange;
  const method = request.method ?? '';
  const began = performance.now();
  const attributes = { 'http.request.method': method, 'http.route': route };
  const links = [linkFrom(request.headers.traceparent as string | undefined)];
  await span(`${method} ${route}`, { kind: 'server', attributes, links }, async (current) => {
    await work();
    const { operation } = exchange;
    current.setAttribute('hearth.operation', operation);
    const status = response.statusCode;
    current.setAttribute('http.response.status_code', status);
    if (exchange.error !== undefined) recordError(current, exchange.error);
    const milliseconds = Math.max(0, performance.now() - began - exchange.heldMs);
    recordRequest({ operation, method, route, status, seconds: milliseconds / 1_000 });
    log?.debug({ operation, method, route, status, ms: Math.round(milliseconds * 10) / 10 }, 'answered');
  });
}
