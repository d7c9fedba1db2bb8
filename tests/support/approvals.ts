import { hash } from 'node:crypto';
import type { ApiClient } from '@hearth/testkit/home';
import canonicalize from 'canonicalize';
import { anonymous, expectStatus } from './home.ts';
import { allTrue, headerOf, keyOf, type Signature, verdicts } from './records.ts';

/** The parts of an approval that tests look at. */
export interface SeenApproval {
  id: string;
  title: string;
  status: string;
  kind: string;
  request_kind: string;
  from: string;
  about?: string;
  people: {
    id?: string;
    to: string;
    person: string;
    decision: string;
    answer?: string;
    note?: string;
    by?: string;
    handling?: string;
  }[];
  at: string;
  expires_at: string;
  digest: string;
  to_you?: boolean;
  settled_at?: string;
  signed_answer?: SignedAnswer;
  receipt?: string;
  why?: string;
}

export interface SignedAnswer extends Record<string, unknown> {
  id: string;
  type: string;
  home: string;
  issued_at: string;
  status: string;
  settled_at: string;
  ask: Record<string, unknown>;
  answers: Record<string, unknown>[];
  signature: Signature;
}

/** Asks these addresses and returns the approval; throws if refused. */
export async function ask(
  from: ApiClient,
  to: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<SeenApproval> {
  const body = { title: 'May I book the 9:30 train?', ...(to.length > 0 && { to }), ...fields };
  return expectStatus(await from.post('/v0/approvals', body), 201).body;
}

export const reply = (who: ApiClient, id: string, decision: string, fields: Record<string, unknown> = {}) =>
  who.post(`/v0/approvals/${id}/reply`, { decision, ...fields });

/** Answers, and returns the approval afterwards. */
export async function settle(
  who: ApiClient,
  id: string,
  decision: string,
  fields: Record<string, unknown> = {},
): Promise<SeenApproval> {
  return expectStatus(await reply(who, id, decision, fields), 200).body;
}

export async function get(who: Pick<ApiClient, 'get'>, id: string): Promise<SeenApproval> {
  return expectStatus(await who.get(`/v0/approvals/${id}`), 200).body;
}

/** An ask's digest, computed without our own code. */
export function digestOf(asked: Record<string, unknown>): string {
  return `sha-256:${hash('sha256', canonicalize(asked) as string, 'base64url')}`;
}

export async function homeDocument() {
  return expectStatus(await anonymous().get('/.well-known/service.json'), 200).body;
}

/** Three implementations' verdicts on a record, with the key that the home's document names for it. */
export async function verdictsOf(record: SignedAnswer) {
  const key = keyOf(await homeDocument(), record.signature);
  return await verdicts(record, record.signature, key.x);
}

/** Throws unless every implementation accepts the record as this home's. */
export async function expectSigned(record: SignedAnswer | undefined): Promise<SignedAnswer> {
  if (record === undefined) throw new Error('there is no signed answer');
  const header = headerOf(record.signature);
  if (header['typ'] !== 'svc-record+jws' || header['alg'] !== 'EdDSA')
    throw new Error(`a record with the header ${JSON.stringify(header)}`);
  const said = await verdictsOf(record);
  if (JSON.stringify(said) !== JSON.stringify(allTrue))
    throw new Error(`not signed: ${JSON.stringify(said)}`);
  return record;
}
