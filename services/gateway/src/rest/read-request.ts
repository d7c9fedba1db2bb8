import type { IncomingMessage } from 'node:http';
import type { Message } from '@bufbuild/protobuf';
import { badField, badRequest } from '@hearth/errors';
import { type JsonRecord, readBody, readQuery, unknownField } from '@hearth/proto-json';
import { hasBody, readJsonBody, type WeighBody } from '../http/module.ts';
import { parseQuery } from './query-string.ts';
import type { Route } from './route.ts';

/** The parameters in a request's target. */
export interface Target {
  /** The values of the path's parameters, in order. */
  values: readonly string[];
  /** The text after the question mark. */
  query: string;
}

/** The operation's request message, validated by its declared rules. Throws bad_request or too_large. */
export async function readRequest(
  route: Route,
  request: IncomingMessage,
  target: Target,
  weigh: WeighBody,
): Promise<Message> {
  const { desc } = route.operation;
  const path = pathParams(route, target.values);
  let json: JsonRecord;
  if (route.hasBody) {
    refuseParameters(target.query);
    json = readBody(desc.input, await readJsonBody(request, route.maxBodyBytes, weigh), path);
  } else {
    if (hasBody(request)) await refuseMembers(request, route.maxBodyBytes, weigh);
    json = readQuery(desc.input, parseQuery(target.query), path);
  }
  if (route.hasRequestId) addRequestId(json, request.headers['idempotency-key']);
  return route.reader.readMessage(desc.input, json);
}

const noParams = Object.freeze({});

function pathParams({ parameters }: Route, values: readonly string[]): Readonly<Record<string, string>> {
  if (parameters.length === 0) return noParams;
  return Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? '']));
}

/** An operation with a body has no parameters; ignoring one would mislead. */
function refuseParameters(query: string): void {
  for (const name in parseQuery(query)) throw unknownField(name, [], '', 'parameter');
}

/** Many clients send `{}` where no body is expected; ignoring anything more would mislead. */
async function refuseMembers(request: IncomingMessage, maxBytes: number, weigh: WeighBody): Promise<void> {
  const body = await readJsonBody(request, maxBytes, weigh);
  if (body === undefined) return;
  const name = typeof body === 'object' && body !== null ? Object.keys(body)[0] : 'the body';
  if (name === undefined) return;
  throw badRequest(`${name}: this operation takes no body; give its fields as query parameters`, {
    code: 'unknown_field',
    field: name.slice(0, 100),
  });
}

/** Uses the header of draft-ietf-httpapi-idempotency-key-header as the field request_id. */
function addRequestId(json: JsonRecord, header: string | string[] | undefined): void {
  if (typeof header !== 'string') return;
  const id =
    header.startsWith('"') && header.endsWith('"') && header.length > 1 ? header.slice(1, -1) : header;
  const given = json.request_id;
  if (given !== undefined && given !== null && given !== id) {
    throw badField('request_id', 'differs from the Idempotency-Key header; give one of them');
  }
  json.request_id = id;
}
