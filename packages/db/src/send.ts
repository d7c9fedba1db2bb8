import type { Clock } from '@hearth/clock';
import { isFruitless, isUntraced, tracing } from '@hearth/telemetry';
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type pg from 'pg';
import { withBinaryArrays } from './arrays.ts';
import type { Connection } from './connections.ts';
import { asDatabaseError } from './errors.ts';
import type { Statement } from './types.ts';

/** A statement that took longer than `slowAfterMs`: the start of its text, without values. */
export interface SlowStatement {
  name: string;
  text: string;
  milliseconds: number;
}

export interface SendOptions {
  clock: Clock;
  slowAfterMs: number;
  onSlow?: (slow: SlowStatement) => void;
}

/** Sends one statement over a connection; every statement of a home goes through here. */
export type Send = (connection: Connection, statement: Statement) => Promise<pg.QueryResult>;

export function createSend({ clock, slowAfterMs, onSlow }: SendOptions): Send {
  return async function send(connection, statement) {
    const name = statement.name ?? 'unnamed';
    const started = clock.now();
    const traced = tracing.enabled && !isUntraced();
    // A job's poll that finds nothing gets no span.
    const began = traced && isFruitless() ? performance.now() : undefined;
    let span = traced && began === undefined ? startSpan(name) : undefined;
    try {
      const result = await connection.query<never>(withBinaryArrays(statement) as pg.QueryConfig);
      if (began !== undefined && (result.rowCount ?? 0) > 0) span = startSpan(name, began);
      return result;
    } catch (error) {
      if (began !== undefined) span = startSpan(name, began);
      if (span !== undefined) markFailed(span, error);
      throw asDatabaseError(error, name);
    } finally {
      span?.end();
      const milliseconds = clock.now() - started;
      if (milliseconds >= slowAfterMs) onSlow?.({ name, text: brief(statement.text), milliseconds });
    }
  };
}

const longestText = 160;

/** Returns enough of a statement to identify it. */
function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText)}...` : line;
}

/** @param startTime for a statement that began before a span was known to be needed */
function startSpan(name: string, startTime?: number): Span {
  return trace.getTracer('@hearth/db').startSpan('db.query', {
    kind: SpanKind.CLIENT,
    ...(startTime !== undefined && { startTime }),
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
  });
}

/** Only the SQLSTATE: Postgres's messages can quote values. */
function markFailed(span: Span, error: unknown): void {
  const code = (error as { code?: unknown } | null)?.code;
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', typeof code === 'string' ? code : 'connection');
}
