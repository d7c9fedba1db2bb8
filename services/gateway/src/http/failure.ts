import type { Clock } from '@hearth/clock';
import { asHearthError, HearthError, isHearthError } from '@hearth/errors';
import type { Ids } from '@hearth/ids';
import type { Logger } from '@hearth/telemetry';
import { errorAnswer } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { sendJson } from './send.ts';

/** Answers a request that failed, whatever was thrown. */
export type Fail = (exchange: Exchange, thrown: unknown) => void;

export interface FailureOptions {
  siteUrl: string;
  clock: Clock;
  ids: Ids;
  log: Logger;
}

export function createFail({ siteUrl, clock, ids, log }: FailureOptions): Fail {
  const resourceMetadata = `${siteUrl}/.well-known/oauth-protected-resource`;
  const show = createShowFailure({ ids, log });

  return (exchange, thrown) => {
    const error = show(exchange, thrown);
    const { hadCredential, scopes } = exchange;
    const around = { resourceMetadata, scopes, now: clock.now(), hadCredential };
    const { status, body, headers } = errorAnswer(error, around);
    sendJson(exchange.response, status, body, [...headers, ...exchange.headers]);
  };
}

/** What the caller is told of whatever was thrown; it is noted on the exchange. */
export type ShowFailure = (exchange: Exchange, thrown: unknown) => HearthError;

export function createShowFailure({ ids, log }: Pick<FailureOptions, 'ids' | 'log'>): ShowFailure {
  const noteUnexpected = createNoteUnexpected({ ids, log });
  return (exchange, thrown) => {
    const known = asHearthError(thrown);
    exchange.error =
      known.kind === 'internal'
        ? new HearthError(
            'internal',
            `something went wrong inside the home (request ${noteUnexpected(exchange, thrown)})`,
            { code: 'internal' },
          )
        : known;
    return exchange.error;
  };
}

/** Logs what nobody expected under an id, which is all of it that is told, and by which the operator finds it. */
export function createNoteUnexpected({ ids, log }: Pick<FailureOptions, 'ids' | 'log'>) {
  return (exchange: Exchange, thrown: unknown): string => {
    const requestId = ids.uuid();
    const fields = { request_id: requestId, operation: exchange.operation, err: thrown };
    // The service in which it went wrong has logged it with its cause; here is the id that the client was told.
    if (isHearthError(thrown)) log.warn(fields, 'a request failed within a service');
    else log.error(fields, 'a request failed unexpectedly');
    return requestId;
  };
}
