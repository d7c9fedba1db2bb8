import { asHearthError, HearthError, isHearthError } from '@hearth/errors';
import type { Host } from '@hearth/runtime';
import { errorAnswer } from './error-body.ts';
import type { Exchange } from './exchange.ts';
import { sendJson } from './send.ts';

/** Answers a failed request, whatever was thrown. */
export type Fail = (exchange: Exchange, thrown: unknown) => void;

type Deps = Pick<Host, 'ids' | 'log'>;

export function createFail(host: Deps & Pick<Host, 'clock' | 'config'>): Fail {
  const resourceMetadata = `${host.config.siteUrl}/.well-known/oauth-protected-resource`;
  const show = createShowFailure(host);

  return (exchange, thrown) => {
    const error = show(exchange, thrown);
    const { hadCredential, scopes } = exchange;
    const around = { resourceMetadata, scopes, now: host.clock.now(), hadCredential };
    const { status, body, headers } = errorAnswer(error, around);
    sendJson(exchange.response, status, body, [...headers, ...exchange.headers]);
  };
}

/** Turns anything thrown into the error that the caller sees, and notes it on the exchange. */
export type ShowFailure = (exchange: Exchange, thrown: unknown) => HearthError;

export function createShowFailure(deps: Deps): ShowFailure {
  const noteUnexpected = createNoteUnexpected(deps);
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

/** Logs an unexpected error under an id. The client sees only the id, with which the operator finds the error. */
export function createNoteUnexpected({ ids, log }: Deps) {
  return (exchange: Exchange, thrown: unknown): string => {
    const requestId = ids.uuid();
    const fields = { request_id: requestId, operation: exchange.operation, err: thrown };
    // The failing service has logged the cause; this line adds the id that the client sees.
    if (isHearthError(thrown)) log.warn(fields, 'a request failed within a service');
    else log.error(fields, 'a request failed unexpectedly');
    return requestId;
  };
}
