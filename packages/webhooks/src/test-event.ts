import { type Clock, second } from '@hearth/clock';
import { type GuardedHttp, OutboundError } from '@hearth/guarded-http';
import { type Ids, printId } from '@hearth/ids';
import { eventBody, svcHeaders } from './event-body.ts';
import { recordWebhookTest } from './metrics.ts';

/** Why a webhook URL failed its test. */
export interface TestFailure {
  /** In words that fit into a sentence: "it was answered with status 500 instead of 200". */
  why: string;
  /** Whether it may not be called at all: not https, or not on a public host. */
  refusedAddress: boolean;
}

interface Tools {
  http: Pick<GuardedHttp, 'request'>;
  ids: Pick<Ids, 'uuid'>;
  clock: Clock;
}

/** A test event, which reports nothing. */
const testType = 'test';
const timeoutMs = 10 * second;
const ok = 200;

/**
 * Sends a signed test event to an app's URL, which must answer 200 within 10 seconds. Returns null on
 * success. Throws unavailable while the name cannot be resolved.
 */
export async function sendTestEvent(
  tools: Tools,
  url: string,
  secrets: readonly string[],
): Promise<TestFailure | null> {
  const failed = await send(tools, url, secrets);
  recordWebhookTest({ passed: failed === null });
  return failed;
}

async function send(
  { http, ids, clock }: Tools,
  url: string,
  secrets: readonly string[],
): Promise<TestFailure | null> {
  const now = clock.now();
  const body = eventBody({ id: printId('evt', ids.uuid()), type: testType, at: new Date(now), data: {} });
  try {
    const headers = svcHeaders(secrets, now, body);
    const { status } = await http.request({ method: 'POST', url, headers, body, timeoutMs });
    return status === ok ? null : failure(`it was answered with status ${status} instead of ${ok}`);
  } catch (error) {
    if (!(error instanceof OutboundError) || error.category === 'lookup') throw error;
    return { why: error.message, refusedAddress: error.category === 'refused_address' };
  }
}

const failure = (why: string): TestFailure => ({ why, refusedAddress: false });
