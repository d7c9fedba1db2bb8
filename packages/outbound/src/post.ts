import type { Clock } from '@hearth/clock';
import { type GuardedHttp, type OutboundCategory, OutboundError, readRetryAfter } from '@hearth/guarded-http';
import type { AttemptError, Posted, Posting } from './kinds.ts';

const usualAnswerBytes = 65_536;

/**
 * Posts once; null if it was aborted. Any 2xx is a success, however long its body; redirects are not
 * followed.
 */
export async function post(
  { clock, http }: { clock: Clock; http: Pick<GuardedHttp, 'request'> },
  { maxResponseBytes = usualAnswerBytes, ...posting }: Posting,
): Promise<Posted | null> {
  const start = performance.now();
  const now = () => ({ at: new Date(clock.now()), ms: Math.round(performance.now() - start) });
  try {
    const { status, headers, body } = await http.request({ method: 'POST', maxResponseBytes, ...posting });
    const retryAfterMs = readRetryAfter(headers['retry-after'], clock.now());
    return { ...now(), status, error: errorOfStatus(status), retryAfterMs, body, headers };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.category === 'cancelled') return null;
    const status = error.status ?? null;
    return { ...now(), status, error: errorOf(error.category, status), retryAfterMs: null };
  }
}

function errorOf(
  category: Exclude<OutboundCategory, 'cancelled'>,
  status: number | null,
): AttemptError | null {
  if (category === 'too_large') return status === null ? 'connection_refused' : errorOfStatus(status);
  return errors[category];
}

const errors = {
  refused_address: 'refused_address',
  timeout: 'timeout',
  lookup: 'lookup_failed',
  connection: 'connection_refused',
  tls: 'tls_error',
} as const;

function errorOfStatus(status: number): AttemptError | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 500) return 'http_5xx';
  return status >= 400 ? 'http_4xx' : 'http_3xx';
}
