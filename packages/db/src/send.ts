import type { Clock } from '@hearth/clock';
import { tracing } from '@hearth/telemetry';
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type pg from 'pg';
import { withBinaryArrays } from './arrays.ts';
import type { Connection } from './connections.ts';
import { asDatabaseError } from './errors.ts';
import type { Statement } from './types.ts';

/** A statement that took longer than `slowAfterMs`. Its values are not part of it. */
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
    const span = tracing.enabled ? startSpan(name) : undefined;
    const started = clock.now();
    try {
      return await connection.query(withBinaryArrays(statement) as pg.QueryConfig);
    } catch (error) {
      if (span !== undefined) markFailed(span, error);
      throw asDatabaseError(error, name);
    } finally {
      span?.end();
      const milliseconds = clock.now() - started;
      if (milliseconds >= slowAfterMs) onSlow?.({ name, text: statement.text, milliseconds });
    }
  };
}

function startSpan(name: string): Span {
  return trace.getTracer('@hearth/db').startSpan('db.query', {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
  });
}

/** The SQLSTATE alone: Postgres's messages can quote values. */
function markFailed(span: Span, error: unknown): void {
  const code = (error as { code?: unknown } | null)?.code;
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', typeof code === 'string' ? code : 'connection');
}
